/**
 * What a request and its answer are in bytes. An ADU here is the unit and the PDU, which all transports share; around it
 * stands the header of Modbus TCP (MBAP), cut out of a byte stream by `FrameReader`, or what `line-frames.ts` puts there.
 */
import { get16, MBAP_BYTES, put16 } from "hemgate/sdk";

type ReadCode = 1 | 2 | 3 | 4;
type WriteCode = 5 | 6 | 15 | 16 | 22 | 23;

/** A request as the wire will carry it. */
export interface Request {
  readonly unit: number;
  readonly code: ReadCode | WriteCode;
  /** Of what is read, else of what is written. */
  readonly address: number;
  /** Registers or coils that are read, else those that are written. */
  readonly count: number;
  /** What is written; of function 22 its two masks; empty for a read. */
  readonly values: readonly number[];
  /** Where function 23 writes before it reads; other functions have none. */
  readonly writeAddress?: number;
}

const TABLE_WORDS: Readonly<Record<ReadCode | WriteCode, string>> = {
  1: "coil",
  2: "discrete input",
  3: "holding register",
  4: "input register",
  5: "coil",
  6: "holding register",
  15: "coil",
  16: "holding register",
  22: "holding register",
  23: "holding register",
};
/** The value that switches a coil on. */
const COIL_ON = 0xff00;

/** What was asked of whom, for messages. */
export function requestText({ unit, code, address, count, values, writeAddress }: Request): string {
  const verb = code <= 4 || code === 23 ? "reading" : "writing";
  const plural = count === 1 ? "" : "s";
  const before = writeAddress === undefined ? "" : `writing ${values.length} at ${writeAddress} and `;
  return `unit ${unit}, ${before}${verb} ${count} ${TABLE_WORDS[code]}${plural} at ${address}`;
}

/** Returns true if the answer to a request has registers or coils. */
export function answersValues({ code }: Pick<Request, "code">): boolean {
  return code <= 4 || code === 23;
}

/** Returns true if the answer to a request has the same bytes as the request. */
export function answersSame({ code }: Pick<Request, "code">): boolean {
  return code === 5 || code === 6 || code === 22;
}

/** Bytes of a request with its header. */
export function requestBytes(request: Request): number {
  return MBAP_BYTES + aduBytes(request);
}

/** Bytes of a request's unit and PDU. */
export function aduBytes({ code, count, values }: Request): number {
  if (code === 15) return 7 + Math.ceil(count / 8);
  if (code === 16) return 7 + 2 * count;
  if (code === 22) return 8;
  return code === 23 ? 11 + 2 * values.length : 6;
}

/** Writes a request with its header at an offset and answers the offset after it. */
export function putRequest(bytes: Uint8Array, start: number, id: number, request: Request): number {
  put16(bytes, start, id);
  put16(bytes, start + 2, 0);
  put16(bytes, start + 4, aduBytes(request));
  return putAdu(bytes, start + MBAP_BYTES, request);
}

/** Writes a request's unit and PDU at an offset and answers the offset after it. */
export function putAdu(bytes: Uint8Array, start: number, request: Request): number {
  const { unit, code, address, values, writeAddress = 0 } = request;
  bytes[start] = unit;
  bytes[start + 1] = code;
  put16(bytes, start + 2, address);
  put16(bytes, start + 4, operandOf(request));
  if (code === 15) putBits(bytes, start + 6, values);
  if (code === 16) putRegisters(bytes, start + 6, values);
  if (code === 22) put16(bytes, start + 6, values[1] ?? 0);
  if (code === 23) {
    put16(bytes, start + 6, writeAddress);
    put16(bytes, start + 8, values.length);
    putRegisters(bytes, start + 10, values);
  }
  return start + aduBytes(request);
}

/** Writes the number of bytes, and the registers. */
function putRegisters(bytes: Uint8Array, start: number, values: readonly number[]): void {
  bytes[start] = 2 * values.length;
  for (const [index, value] of values.entries()) put16(bytes, start + 1 + 2 * index, value);
}

/** Writes the number of bytes, and the coils, the first in the lowest bit. */
function putBits(bytes: Uint8Array, start: number, values: readonly number[]): void {
  const size = Math.ceil(values.length / 8);
  bytes[start] = size;
  bytes.fill(0, start + 1, start + 1 + size);
  for (const [index, value] of values.entries()) {
    const at = start + 1 + (index >>> 3);
    bytes[at] = (bytes[at] ?? 0) | ((value & 1) << (index & 7));
  }
}

/** What stands after the address: a count, the value of a single write, or the first mask. */
function operandOf({ code, count, values }: Request): number {
  const [first = 0] = values;
  if (code === 5) return first === 0 ? 0 : COIL_ON;
  return code === 6 || code === 22 ? first : count;
}

/** Bytes of unit and PDU in the answer to a request that is not refused: two a register, an eighth a coil. */
export function answerAduBytes(request: Pick<Request, "code" | "count">): number {
  const { code, count } = request;
  if (!answersValues(request)) return code === 22 ? 8 : 6;
  return 3 + (code <= 2 ? Math.ceil(count / 8) : 2 * count);
}

/** What an answer frame says about its request. */
export type Answer =
  | { readonly kind: "done" }
  | { readonly kind: "exception"; readonly code: number }
  | { readonly kind: "lie"; readonly what: string };

const DONE: Answer = { kind: "done" };

/** Holds the unit and PDU of an answer, from `start` to `end`, against the request. */
export function checkAnswer(bytes: Uint8Array, start: number, end: number, request: Request): Answer {
  const unit = bytes[start];
  const code = bytes[start + 1];
  const length = end - start;
  if (unit !== request.unit) return { kind: "lie", what: `unit ${unit}` };
  if (code === (request.code | 0x80)) {
    return length === 3 ? { kind: "exception", code: bytes[start + 2] ?? 0 } : { kind: "lie", what: `${length} bytes` };
  }
  if (code !== request.code) return { kind: "lie", what: `function ${code}` };
  const isWhole = length === answerAduBytes(request);
  if (answersValues(request)) {
    if (isWhole && bytes[start + 2] === length - 3) return DONE;
    return { kind: "lie", what: `${bytes[start + 2]} bytes of registers in ${length} bytes` };
  }
  const echo = operandOf(request);
  const isEcho = isWhole && get16(bytes, start + 2) === request.address && get16(bytes, start + 4) === echo;
  const isSame = isEcho && (request.code !== 22 || get16(bytes, start + 6) === request.values[1]);
  return isSame ? DONE : { kind: "lie", what: "another write" };
}

/** Bytes that answers are copied into before a new slab is taken. */
const SLAB_BYTES = 16_384;

/** Copies registers out of frames. Many answers share one buffer, because a buffer each costs more than its copying. */
export class RegisterCopier {
  #slab = new ArrayBuffer(SLAB_BYTES);
  #used = 0;

  /** The registers of a read's answer, or its coils, one a word; they are the caller's. `start`: where the unit stands. */
  copy(bytes: Uint8Array, start: number, { code, count }: Pick<Request, "code" | "count">): Uint16Array {
    if (this.#used + 2 * count > SLAB_BYTES) {
      this.#slab = new ArrayBuffer(SLAB_BYTES);
      this.#used = 0;
    }
    const registers = new Uint16Array(this.#slab, this.#used, count);
    this.#used += 2 * count;
    if (code <= 2) {
      for (let index = 0; index < count; index++) {
        registers[index] = ((bytes[start + 3 + (index >>> 3)] ?? 0) >>> (index & 7)) & 1;
      }
      return registers;
    }
    for (let index = 0, at = start + 3; index < count; index++, at += 2) registers[index] = get16(bytes, at);
    return registers;
  }
}
