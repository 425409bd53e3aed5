/** The checksums of meters' telegrams. */

interface Reflected {
  /** The polynomial with its bits turned round. */
  readonly polynomial: number;
  readonly initial: number;
  readonly final: number;
}

const ARC: Reflected = { polynomial: 0xa001, initial: 0, final: 0 };
const X25: Reflected = { polynomial: 0x8408, initial: 0xffff, final: 0xffff };
const KERMIT: Reflected = { polynomial: 0x8408, initial: 0, final: 0 };

/** CRC-16/ARC, of P1 telegrams (DSMR 5.0.2, part 5.2). */
export function crcArc(bytes: Uint8Array): number {
  return crc16(bytes, ARC);
}

/** CRC-16/X-25, of SML (BSI TR-03109-1, annex IV). */
export function crcX25(bytes: Uint8Array): number {
  return crc16(bytes, X25);
}

/** CRC-16/KERMIT, which Holley's meters use in SML instead. */
export function crcKermit(bytes: Uint8Array): number {
  return crc16(bytes, KERMIT);
}

/** The block check of IEC 62056-21: all bytes exclusive-or. */
export function blockCheck(bytes: Uint8Array): number {
  return bytes.reduce((sum, byte) => sum ^ byte, 0);
}

function crc16(bytes: Uint8Array, { polynomial, initial, final }: Reflected): number {
  let crc = initial;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit += 1) crc = crc & 1 ? (crc >>> 1) ^ polynomial : crc >>> 1;
  }
  return crc ^ final;
}
