/** An MQTT packet that announces more bytes than it may have, or an invalid length. */
export class PacketLengthError extends Error {
  override readonly name = "PacketLengthError";
}

const MAX_LENGTH_BYTES = 4;
/** Packet types that hold lists of filters (MQTT 3.1.1, table 2.1). */
const SUBSCRIBE = 8;
const UNSUBSCRIBE = 10;
/** Bytes of such a list that make about as much work as a packet. */
const LIST_BYTES_PER_PACKET = 32;

/**
 * Walks along the fixed headers of an MQTT stream (3.1.1, 2.2) and throws a `PacketLengthError` at the first packet that
 * announces more than `maxBytes` after its fixed header: before anybody has gathered them.
 */
export class PacketLengths {
  readonly #maxBytes: number;
  /** Bytes of the packet under way that are still to come. */
  #left = 0;
  /** Bytes of the length field that came so far; -1 while the packet's first byte is awaited. */
  #lengthBytes = -1;
  #length = 0;
  #type = 0;
  /** What the packet under way counts as. */
  #weight = 1;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** Packets that ended in these bytes; a long list of filters counts as several. */
  take(bytes: Uint8Array): number {
    let ended = 0;
    for (let at = 0; at < bytes.length; ) {
      if (this.#left > 0) {
        const step = Math.min(this.#left, bytes.length - at);
        this.#left -= step;
        at += step;
        if (this.#left === 0) ended += this.#weight;
        continue;
      }
      if (this.#lengthBytes < 0) {
        this.#type = (bytes[at] ?? 0) >> 4;
        this.#lengthBytes = 0;
      } else if (this.#isWholeWith(bytes[at] ?? 0) && this.#left === 0) ended += this.#weight;
      at += 1;
    }
    return ended;
  }

  /** Takes a byte of the length; true when it was the last one. */
  #isWholeWith(byte: number): boolean {
    this.#length += (byte & 0x7f) * 128 ** this.#lengthBytes;
    this.#lengthBytes += 1;
    if (this.#length > this.#maxBytes) {
      throw new PacketLengthError(`a packet of ${this.#length} bytes or more; at most ${this.#maxBytes} are taken`);
    }
    if ((byte & 0x80) !== 0) {
      if (this.#lengthBytes === MAX_LENGTH_BYTES)
        throw new PacketLengthError("a packet's length has more than four bytes");
      return false;
    }
    this.#left = this.#length;
    const isList = this.#type === SUBSCRIBE || this.#type === UNSUBSCRIBE;
    this.#weight = isList ? Math.max(1, Math.ceil(this.#length / LIST_BYTES_PER_PACKET)) : 1;
    this.#length = 0;
    this.#lengthBytes = -1;
    return true;
  }
}
