/** Reads LevelDB's numbers and texts; after a read beyond the end, or of nonsense, `isBroken` holds. */
export class ByteCursor {
  readonly bytes: Uint8Array;
  at: number;
  isBroken = false;

  constructor(bytes: Uint8Array, at = 0) {
    this.bytes = bytes;
    this.at = at;
  }

  get isAtEnd(): boolean {
    return this.at >= this.bytes.length;
  }

  byte(): number {
    const byte = this.bytes[this.at];
    if (byte === undefined) this.isBroken = true;
    this.at += 1;
    return byte ?? 0;
  }

  /** Up to 2^53, which no number of a gateway's database reaches. */
  varint(): number {
    let value = 0;
    for (let scale = 1; scale <= 2 ** 56; scale *= 128) {
      const byte = this.byte();
      value += (byte & 0x7f) * scale;
      if (byte < 0x80) return this.#safe(value);
    }
    this.isBroken = true;
    return 0;
  }

  uint32(): number {
    return this.#little(4);
  }

  uint64(): number {
    const low = this.#little(4);
    return this.#safe(low + this.#little(4) * 2 ** 32);
  }

  uint56(): number {
    const low = this.#little(4);
    return this.#safe(low + this.#little(3) * 2 ** 32);
  }

  take(length: number): Uint8Array {
    if (length > this.bytes.length - this.at) {
      this.isBroken = true;
      return new Uint8Array();
    }
    this.at += length;
    return this.bytes.subarray(this.at - length, this.at);
  }

  /** With its length before it. */
  slice(): Uint8Array {
    return this.take(this.varint());
  }

  #little(count: number): number {
    let value = 0;
    for (let index = 0; index < count; index++) value += this.byte() * 2 ** (8 * index);
    return value;
  }

  #safe(value: number): number {
    if (Number.isSafeInteger(value)) return value;
    this.isBroken = true;
    return 0;
  }
}

/** A key as text whose order is the order of its bytes. */
export function sortable(key: Uint8Array): string {
  return Buffer.from(key.buffer, key.byteOffset, key.byteLength).toString("latin1");
}
