/** The frames of a serial line: RTU with its CRC, ASCII with its LRC, and RTU inside datagrams. */
import { aduBytes, answerAduBytes, answersValues, checkAnswer, putAdu, type Request } from "./frame.ts";

/** What a received stretch of bytes holds for a request. */
export type Found =
  /** Nothing yet. */
  | { readonly kind: "none" }
  /** An answer of the right shape with a wrong checksum. */
  | { readonly kind: "damaged" }
  /** An answer, unit and PDU from `start` to `end` of `adu`. `offset`: where its frame began in what was received. */
  | {
      readonly kind: "answer";
      readonly adu: Uint8Array;
      readonly start: number;
      readonly end: number;
      readonly offset: number;
    };

/** How requests are framed and answers found. */
export interface Framing {
  encode(request: Request): Uint8Array;
  find(bytes: Uint8Array, request: Request): Found;
  /** Bytes on the line of so many bytes of unit and PDU. */
  frameBytes(aduBytes: number): number;
}

const NONE: Found = { kind: "none" };
const DAMAGED: Found = { kind: "damaged" };
const CRC_BYTES = 2;
/** Unit, function with its high bit, exception code. */
const EXCEPTION_ADU_BYTES = 3;
/** What GoodWe's network modules put before each answer. */
const DATAGRAM_MARK = [0xaa, 0x55] as const;

/** CRC-16 of RTU (Modbus over serial line V1.02, appendix B): reflected 0x8005, from 0xffff. */
function crc16(bytes: Uint8Array, start: number, end: number): number {
  let crc = 0xffff;
  for (let at = start; at < end; at++) {
    crc ^= bytes[at] ?? 0;
    for (let bit = 0; bit < 8; bit++) crc = (crc & 1) === 0 ? crc >>> 1 : (crc >>> 1) ^ 0xa001;
  }
  return crc;
}

/** Longitudinal redundancy check of ASCII: the two's complement of the sum. */
function lrc(bytes: Uint8Array, start: number, end: number): number {
  let sum = 0;
  for (let at = start; at < end; at++) sum += bytes[at] ?? 0;
  return -sum & 0xff;
}

/**
 * RTU has neither a start mark nor a length: an answer is known by its unit, its function, the length that the request
 * lets expect, and its CRC. It is looked for at every place, since turning a line around may put noise before it.
 */
export const RTU: Framing = {
  encode(request) {
    const size = aduBytes(request);
    const bytes = new Uint8Array(size + CRC_BYTES);
    putAdu(bytes, 0, request);
    const crc = crc16(bytes, 0, size);
    bytes[size] = crc;
    bytes[size + 1] = crc >>> 8;
    return bytes;
  },
  find(bytes, request) {
    let damaged = false;
    for (let start = 0; start + EXCEPTION_ADU_BYTES + CRC_BYTES <= bytes.length; start++) {
      const size = shapeAt(bytes, start, request);
      if (size === null || start + size + CRC_BYTES > bytes.length) continue;
      const end = start + size;
      const crc = (bytes[end] ?? 0) | ((bytes[end + 1] ?? 0) << 8);
      if (crc16(bytes, start, end) !== crc) damaged ||= start === 0;
      else if (isAnswer(bytes, start, end, request)) return { kind: "answer", adu: bytes, start, end, offset: start };
    }
    return damaged ? DAMAGED : NONE;
  },
  frameBytes: (size) => size + CRC_BYTES,
};

/** RTU in datagrams, one frame each, with or without the mark of GoodWe's modules before answers. */
export const DATAGRAM: Framing = {
  ...RTU,
  find(bytes, request) {
    const isMarked = bytes[0] === DATAGRAM_MARK[0] && bytes[1] === DATAGRAM_MARK[1];
    return RTU.find(isMarked ? bytes.subarray(DATAGRAM_MARK.length) : bytes, request);
  },
};

/** Bytes of unit and PDU of what stands at `start`, if it may be the answer; its length is the request's to tell. */
function shapeAt(bytes: Uint8Array, start: number, request: Request): number | null {
  if (bytes[start] !== request.unit) return null;
  if (bytes[start + 1] === (request.code | 0x80)) return EXCEPTION_ADU_BYTES;
  if (bytes[start + 1] !== request.code) return null;
  const size = answerAduBytes(request);
  return !answersValues(request) || bytes[start + 2] === size - 3 ? size : null;
}

function isAnswer(bytes: Uint8Array, start: number, end: number, request: Request): boolean {
  return checkAnswer(bytes, start, end, request).kind !== "lie";
}

const COLON = 0x3a;
/** ABL's wall boxes begin what they answer with this instead (matfroh/abl_emh1_modbus). */
const GREATER = 0x3e;
const CR = 0x0d;
const LF = 0x0a;

/** ASCII: a colon, two hexadecimal digits a byte, an LRC, CR and LF. */
export const ASCII: Framing = {
  encode(request) {
    const size = aduBytes(request);
    const adu = new Uint8Array(size + 1);
    putAdu(adu, 0, request);
    adu[size] = lrc(adu, 0, size);
    return Buffer.from(`:${Buffer.from(adu).toString("hex").toUpperCase()}\r\n`, "latin1");
  },
  find(bytes, request) {
    let damaged = false;
    for (let from = 0; from < bytes.length; from++) {
      if (bytes[from] !== COLON && bytes[from] !== GREATER) continue;
      const to = bytes.indexOf(CR, from);
      if (to === -1 || bytes[to + 1] !== LF) continue;
      const adu = unhex(bytes.subarray(from + 1, to));
      const end = adu === null ? 0 : adu.length - 1;
      // A frame that cannot be read was for us for all that anybody can tell.
      if (adu === null || end < EXCEPTION_ADU_BYTES || adu[end] !== lrc(adu, 0, end)) damaged = true;
      else if (isAnswer(adu, 0, end, request)) return { kind: "answer", adu, start: 0, end, offset: from };
    }
    return damaged ? DAMAGED : NONE;
  },
  frameBytes: (size) => 2 * size + 5,
};

/** Null for text that is not hexadecimal, in either case of letters, or is cut within a byte. */
function unhex(text: Uint8Array): Uint8Array | null {
  const digits = Buffer.from(text.buffer, text.byteOffset, text.length).toString("latin1");
  return /^(?:[0-9A-Fa-f]{2})+$/.test(digits) ? Buffer.from(digits, "hex") : null;
}
