/** Frames of Modbus TCP, as a client and a server read them from a stream. */

/** Transaction id, protocol id, length (MBAP): what stands before the part that `length` counts. */
export const MBAP_BYTES = 6;
/** The largest frame: a header and 254 bytes of unit id and PDU. */
const MAX_FRAME_BYTES = 260;
/** `length` counts unit id and PDU; a PDU has at least its function. */
const MIN_LENGTH = 2;
const MAX_LENGTH = MAX_FRAME_BYTES - MBAP_BYTES;

/** Cuts a byte stream into frames. Keeps at most one unfinished frame; an impossible header is reported at once. */
export class FrameReader {
  readonly #buffer = new Uint8Array(MAX_FRAME_BYTES);
  #bufferedBytes = 0;

  /** Hands each whole frame to `take` until it answers false. Answers what is wrong with the stream, or null. */
  push(bytes: Uint8Array, take: (bytes: Uint8Array, start: number, end: number) => boolean): string | null {
    let at = 0;
    while (at < bytes.length) {
      if (this.#bufferedBytes === 0) {
        const fault = headerFault(bytes, at, bytes.length);
        if (fault !== null) return fault;
        const end = at + frameBytes(bytes, at, bytes.length);
        if (end <= bytes.length) {
          if (!take(bytes, at, end)) return null;
          at = end;
          continue;
        }
      }
      const taken = this.#hold(bytes, at);
      at += taken;
      const fault = headerFault(this.#buffer, 0, this.#bufferedBytes);
      if (fault !== null) return fault;
      if (this.#bufferedBytes === frameBytes(this.#buffer, 0, this.#bufferedBytes)) {
        const end = this.#bufferedBytes;
        this.#bufferedBytes = 0;
        if (!take(this.#buffer, 0, end)) return null;
      }
    }
    return null;
  }

  /** Adds what the held frame still lacks: first its header, then as much as the header says. */
  #hold(bytes: Uint8Array, at: number): number {
    const known = frameBytes(this.#buffer, 0, this.#bufferedBytes);
    const targetBytes = Number.isFinite(known) ? known : MBAP_BYTES;
    const taken = Math.min(targetBytes - this.#bufferedBytes, bytes.length - at);
    this.#buffer.set(bytes.subarray(at, at + taken), this.#bufferedBytes);
    this.#bufferedBytes += taken;
    return taken;
  }
}

/** Bytes of the frame at `start`; infinite while its header is not whole. */
function frameBytes(bytes: Uint8Array, start: number, end: number): number {
  return end - start < MBAP_BYTES ? Number.POSITIVE_INFINITY : MBAP_BYTES + get16(bytes, start + 4);
}

function headerFault(bytes: Uint8Array, start: number, end: number): string | null {
  const known = end - start;
  if (known >= 4 && get16(bytes, start + 2) !== 0) return `protocol id ${get16(bytes, start + 2)}`;
  if (known < MBAP_BYTES) return null;
  const length = get16(bytes, start + 4);
  return length < MIN_LENGTH || length > MAX_LENGTH ? `length ${length}` : null;
}

export function get16(bytes: Uint8Array, at: number): number {
  return ((bytes[at] ?? 0) << 8) | (bytes[at + 1] ?? 0);
}

export function put16(bytes: Uint8Array, at: number, value: number): void {
  bytes[at] = value >>> 8;
  bytes[at + 1] = value;
}
