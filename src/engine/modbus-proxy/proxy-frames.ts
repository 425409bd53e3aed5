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
const WRITES: ReadonlySet<number> = new Set([5, 6, 15, 16, 22, 23]);
const MAX_READ = 125;
const MAX_READ_COILS = 2_000;
const MAX_WRITE = 123;
const MAX_WRITE_COILS = 1_968;
const MAX_WRITE_BEFORE_READ = 121;
const COIL_ON = 0xff00;
/** Where what follows the function begins. */
const BODY = MBAP_BYTES + 2;
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
  const isWrite = WRITES.has(code);
  const refused = (exception: number): ProxyRequest => ({ unit, code, kind: "refused", exception, isWrite });
  if (table === undefined && !isWrite) return refused(EXCEPTION.illegalFunction);
  if (frame.length < SHORT_BYTES) return refused(EXCEPTION.illegalValue);
  const parsed = table === undefined ? parseWrite(frame, code) : parseRange(frame, table);
  if (typeof parsed === "number") return refused(parsed);
  return "table" in parsed ? { unit, code, kind: "read", range: parsed } : { unit, code, kind: "write", write: parsed };
}

/** Returns what is asked for, or the exception that refuses it. */
function parseRange(frame: Uint8Array, table: RegisterTable): RegisterRange | number {
  const [address, count] = [get16(frame, BODY), get16(frame, BODY + 2)];
  const most = table === "coil" || table === "discrete" ? MAX_READ_COILS : MAX_READ;
  if (frame.length !== SHORT_BYTES) return EXCEPTION.illegalValue;
  return rangeFault(address, count, most) ?? { table, address, count };
}

/** Returns what is to be written, or the exception that refuses it. */
function parseWrite(frame: Uint8Array, code: number): RegisterWrite | number {
  const [address, operand] = [get16(frame, BODY), get16(frame, BODY + 2)];
  if (code === 15) {
    const values = bitsAt(frame, SHORT_BYTES, operand);
    return (
      rangeFault(address, operand, MAX_WRITE_COILS) ??
      (values === null ? EXCEPTION.illegalValue : { code, address, values })
    );
  }
  if (code === 16) {
    const values = registersAt(frame, SHORT_BYTES, operand);
    return (
      rangeFault(address, operand, MAX_WRITE) ?? (values === null ? EXCEPTION.illegalValue : { code, address, values })
    );
  }
  if (code === 23) return parseReadWrite(frame, { address, count: operand });
  if (code === 22 && frame.length === SHORT_BYTES + 2) {
    return { code, address, values: [operand, get16(frame, SHORT_BYTES)] };
  }
  if (frame.length !== SHORT_BYTES) return EXCEPTION.illegalValue;
  if (code === 6) return { code, address, values: [operand] };
  const isCoil = code === 5 && (operand === 0 || operand === COIL_ON);
  return isCoil ? { code, address, values: [operand === 0 ? 0 : 1] } : EXCEPTION.illegalValue;
}

function parseReadWrite(frame: Uint8Array, reads: { readonly address: number; readonly count: number }) {
  if (frame.length <= SHORT_BYTES + 4) return EXCEPTION.illegalValue;
  const [address, count] = [get16(frame, SHORT_BYTES), get16(frame, SHORT_BYTES + 2)];
  const fault = rangeFault(reads.address, reads.count, MAX_READ) ?? rangeFault(address, count, MAX_WRITE_BEFORE_READ);
  const values = registersAt(frame, SHORT_BYTES + 4, count);
  if (fault !== null || values === null) return fault ?? EXCEPTION.illegalValue;
  return { code: 23, address, values, reads } as const;
}

function rangeFault(address: number, count: number, most: number): number | null {
  if (count < 1 || count > most) return EXCEPTION.illegalValue;
  return address + count > 0x1_0000 ? EXCEPTION.illegalAddress : null;
}

/** The registers at the end of a frame, after their number of bytes; `null` if these do not fit. */
function registersAt(frame: Uint8Array, start: number, count: number): readonly number[] | null {
  if (frame.length !== start + 1 + 2 * count || frame[start] !== 2 * count) return null;
  return Array.from({ length: count }, (_unused, index) => get16(frame, start + 1 + 2 * index));
}

/** The coils at the end of a frame, after their number of bytes; `null` if these do not fit. */
function bitsAt(frame: Uint8Array, start: number, count: number): readonly number[] | null {
  const bytes = Math.ceil(count / 8);
  if (frame.length !== start + 1 + bytes || frame[start] !== bytes) return null;
  return Array.from(
    { length: count },
    (_unused, index) => ((frame[start + 1 + (index >>> 3)] ?? 0) >>> (index & 7)) & 1,
  );
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

/** The answer to a write: its address, and its value, count or masks; of function 23 what it read. */
export function writeAnswer(request: Uint8Array, { code }: RegisterWrite, registers: Uint16Array): Uint8Array {
  if (code === 23) return readAnswer(request, registers);
  const bytes = code === 22 ? 6 : 4;
  const answer = answerTo(request, bytes);
  answer.set(request.subarray(BODY, BODY + bytes), BODY);
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
