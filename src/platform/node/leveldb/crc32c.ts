/** CRC-32C (Castagnoli), by which LevelDB guards its blocks and records; the CRC that Node has is another. */
const POLYNOMIAL = 0x82f6_3b78;
/** LevelDB stores a checksum masked: that of data which holds its own checksum would be weak. */
const MASK_DELTA = 0xa282_ead8;

/** Four tables of 256: what a byte does to the checksum, followed by none to three bytes. */
const TABLE = makeTable();

function makeTable(): Int32Array {
  const table = new Int32Array(4 * 256);
  for (let index = 0; index < table.length; index++) {
    let crc = index < 256 ? index : (table[index - 256] ?? 0);
    for (let bit = 0; bit < 8; bit++) crc = (crc & 1) === 1 ? (crc >>> 1) ^ POLYNOMIAL : crc >>> 1;
    table[index] = crc;
  }
  return table;
}

/** The checksum of bytes [from, to). */
export function crc32c(bytes: Uint8Array, from: number, to: number): number {
  const table = TABLE;
  let crc = -1;
  let at = from;
  for (; at + 4 <= to; at += 4) {
    crc ^= (bytes[at] ?? 0) | ((bytes[at + 1] ?? 0) << 8) | ((bytes[at + 2] ?? 0) << 16) | ((bytes[at + 3] ?? 0) << 24);
    crc =
      (table[768 + (crc & 0xff)] ?? 0) ^
      (table[512 + ((crc >>> 8) & 0xff)] ?? 0) ^
      (table[256 + ((crc >>> 16) & 0xff)] ?? 0) ^
      (table[crc >>> 24] ?? 0);
  }
  for (; at < to; at++) crc = addByte(crc, bytes[at] ?? 0);
  return ~crc >>> 0;
}

/** A checksum that has not seen a byte, as `addByte` carries it on. */
export const NO_BYTES = -1;

export function addByte(crc: number, byte: number): number {
  return (crc >>> 8) ^ (TABLE[(crc ^ byte) & 0xff] ?? 0);
}

/** As LevelDB stores the checksum that `crc32c` answers. */
export function masked(crc: number): number {
  return (((crc >>> 15) | (crc << 17)) + MASK_DELTA) >>> 0;
}
