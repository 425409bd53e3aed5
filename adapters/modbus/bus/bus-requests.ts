import type { RegisterTable, RegisterWrite } from "hemgate/sdk";
import type { Request } from "./frame.ts";

/** In one request (Modbus application protocol V1.1b3, parts 6.1, 6.3, 6.11, 6.12 and 6.17). */
const MAX_READ = 125;
const MAX_READ_COILS = 2_000;
const MAX_WRITE = 123;
const MAX_WRITE_COILS = 1_968;
const MAX_WRITE_BEFORE_READ = 121;
const READ_CODES = { coil: 1, discrete: 2, holding: 3, input: 4 } as const;

const NO_VALUES: readonly number[] = [];

export function readRequest(unit: number, table: RegisterTable, address: number, count: number): Request {
  checkInteger("count", count, 1, table === "coil" || table === "discrete" ? MAX_READ_COILS : MAX_READ);
  checkInteger("address", address, 0, 65_536 - count);
  return { unit, code: READ_CODES[table], address, count, values: NO_VALUES };
}

export function writeRequest(unit: number, address: number, values: readonly number[], code: 5 | 6 | 16): Request {
  checkInteger("count", values.length, 1, MAX_WRITE);
  checkInteger("address", address, 0, 65_536 - values.length);
  for (const value of values) checkInteger("value", value, 0, 65_535);
  return { unit, code: values.length > 1 ? 16 : code, address, count: values.length, values };
}

/** The write of another program, with the function that it asks for. */
export function guestWriteRequest(unit: number, { code, address, values, reads }: RegisterWrite): Request {
  if (code === 5 || code === 6 || code === 16) return writeRequest(unit, address, values, code);
  const count = code === 22 ? 1 : values.length;
  checkInteger("count", count, 1, code === 15 ? MAX_WRITE_COILS : MAX_WRITE_BEFORE_READ);
  checkInteger("address", address, 0, 65_536 - count);
  for (const value of values) checkInteger("value", value, 0, code === 15 ? 1 : 65_535);
  if (code !== 23) return { unit, code, address, count, values };
  const read = readRequest(unit, "holding", reads?.address ?? 0, reads?.count ?? 0);
  return { ...read, code, values, writeAddress: address };
}

/** A number outside of what the protocol can carry is our own mistake, and never goes on the wire. */
export function checkInteger(name: string, value: number, min: number, max: number): void {
  if (Number.isInteger(value) && value >= min && value <= max) return;
  throw new RangeError(`${name} ${value} is not an integer from ${min} to ${max}`);
}
