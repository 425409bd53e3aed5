/** Checksums as the protocols' papers describe them, most significant bit first; the adapters reckon the other way round. */

interface Crc {
  readonly polynomial: number;
  readonly initial: number;
  readonly final: number;
}

const CRCS = {
  arc: { polynomial: 0x8005, initial: 0, final: 0 },
  x25: { polynomial: 0x1021, initial: 0xffff, final: 0xffff },
  kermit: { polynomial: 0x1021, initial: 0, final: 0 },
} satisfies Readonly<Record<string, Crc>>;

/** CRC-16 with bits that go in and come out reflected. */
export function crcOf(kind: keyof typeof CRCS, bytes: Uint8Array): number {
  const { polynomial, initial, final } = CRCS[kind];
  let register = initial;
  for (const byte of bytes) {
    register ^= reflected(byte, 8) << 8;
    for (let bit = 0; bit < 8; bit += 1) {
      register = ((register << 1) ^ (register & 0x8000 ? polynomial : 0)) & 0xffff;
    }
  }
  return reflected(register, 16) ^ final;
}

function reflected(value: number, bits: number): number {
  let result = 0;
  for (let bit = 0; bit < bits; bit += 1) if (value & (1 << bit)) result |= 1 << (bits - 1 - bit);
  return result;
}
