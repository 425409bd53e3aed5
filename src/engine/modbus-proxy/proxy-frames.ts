/** Requests and answers of a Modbus TCP server as bytes (Modbus application protocol V1.1b3, part 6). */
import { get16, MBAP_BYTES, put16 } from "../../platform/modbus/frame-reader.ts";
import type { RegisterTable } from "../../sdk/profile.ts";
import type { RegisterRange, RegisterWrite } from "../../sdk/registers.ts";

/** Exception codes of part 7. */
export const EXCEPTION = {
  illegalFunction: 1,
  illegalAddress: 2,
  illegalValue: 3,
  deviceFailure: 4,
  deviceBusy: 6,
  noPath: 10,
  noAnswer: 11,
} as const;

const TABLES: Readonly<Record<number, RegisterTable>> = { 1: "coil", 2: "discrete", 3: "holding", 4: "input" };
/** Write multiple coils, mask write register, read/write multiple registers. */
const OTHER_WRITES: ReadonlySet<number> = new Set([15, 22, 23]);
const MAX_READ = 125;
const MAX_READ_COILS = 2_000;
const MAX_WRITE = 123;
const COIL_ON = 0xff00;
/** The header, unit, function, address, and a count or value. */
const SHORT_BYTES = MBAP_BYTES + 6;

/** A request. `refused` has the exception that answers it; `isWrite` for functions that write. */
export type ProxyRequest = { readonly unit: number; readonly code: number } & (
  | { readonly kind: "read"; readonly range: RegisterRange }
  | { readonly kind: "write"; readonly write: RegisterWrite }
  | { readonly kind: "refused"; readonly exception: number; readonly isWrite: boolean }
);

/** Parses a whole frame: a header and at least unit and function. */
export function parseRequest(frame: Uint8Array): ProxyRequest {
  const unit = frame[MBAP_BYTES] ?? 0;
  const code = frame[MBAP_BYTES + 1] ?? 0;
  const table = TABLES[code];
  const isWrite = code === 5 || code === 6 || code === 16;
  const refused = (exception: number): ProxyRequest => {
    return { unit, code, kind: "refused", exception, isWrite: isWrite || OTHER_WRITES.has(code) };
  };
  if (table === undefined && !isWrite) return refused(EXCEPTION.illegalFunction);
  const isShort = frame.length === SHORT_BYTES;
  if (code === 16 ? frame.length <= SHORT_BYTES : !isShort) return refused(EXCEPTION.illegalValue);
  const address = get16(frame, MBAP_BYTES + 2);
  const operand = get16(frame, MBAP_BYTES + 4);
  if (code === 5) {
    if (operand !== 0 && operand !== COIL_ON) return refused(EXCEPTION.illegalValue);
    return { unit, code, kind: "write", write: { code, address, values: [operand === 0 ? 0 : 1] } };
  }
  if (code === 6) return { unit, code, kind: "write", write: { code, address, values: [operand] } };
  const most = code === 16 ? MAX_WRITE : code <= 2 ? MAX_READ_COILS : MAX_READ;
  if (operand < 1 || operand > most) return refused(EXCEPTION.illegalValue);
  if (address + operand > 0x1_0000) return refused(EXCEPTION.illegalAddress);
  if (table !== undefined) return { unit, code, kind: "read", range: { table, address, count: operand } };
  const start = SHORT_BYTES + 1;
  if (frame.length !== start + 2 * operand || frame[SHORT_BYTES] !== 2 * operand)
    return refused(EXCEPTION.illegalValue);
  const values = Array.from({ length: operand }, (_unused, index) => get16(frame, start + 2 * index));
  return { unit, code, kind: "write", write: { code: 16, address, values } };
}

/** The answer to a read: registers, or coils, one a word. */
export function readAnswer(request: Uint8Array, registers: Uint16Array): Uint8Array {
  const isBits = (request[MBAP_BYTES + 1] ?? 0) <= 2;
  const bytes = isBits ? Math.ceil(registers.length / 8) : 2 * registers.length;
  const answer = answerTo(request, 1 + bytes);
  answer[MBAP_BYTES + 2] = bytes;
  const start = MBAP_BYTES + 3;
  for (const [index, register] of registers.entries()) {
    if (!isBits) put16(answer, start + 2 * index, register);
    else if (register !== 0) {
      const at = start + (index >>> 3);
      answer[at] = (answer[at] ?? 0) | (1 << (index & 7));
    }
  }
  return answer;
}

/** The answer to a write: its address, and its value or count. */
export function writeAnswer(request: Uint8Array): Uint8Array {
  const answer = answerTo(request, 4);
  answer.set(request.subarray(MBAP_BYTES + 2, MBAP_BYTES + 6), MBAP_BYTES + 2);
  return answer;
}

export function exceptionAnswer(request: Uint8Array, exception: number): Uint8Array {
  const answer = answerTo(request, 1);
  answer[MBAP_BYTES + 1] = (request[MBAP_BYTES + 1] ?? 0) | 0x80;
  answer[MBAP_BYTES + 2] = exception;
  return answer;
}

/** An answer with the request's transaction, unit and function, and room for what follows. */
function answerTo(request: Uint8Array, bodyBytes: number): Uint8Array {
  const answer = new Uint8Array(MBAP_BYTES + 2 + bodyBytes);
  answer.set(request.subarray(0, 2));
  put16(answer, 4, 2 + bodyBytes);
  answer.set(request.subarray(MBAP_BYTES, MBAP_BYTES + 2), MBAP_BYTES);
  return answer;
}
