/** A device as its Modbus server sees it: questions about registers, answered at once. */

export const ILLEGAL_FUNCTION = 1;
export const ILLEGAL_ADDRESS = 2;
export const ILLEGAL_VALUE = 3;

/** What a device does with a request. */
export type RegisterReply =
  /** The registers that were read, or none after a write. */
  | { readonly kind: "values"; readonly values: readonly number[]; readonly delayMs?: number }
  /** A Modbus exception. */
  | { readonly kind: "exception"; readonly code: number; readonly delayMs?: number }
  /** No answer at all: another unit, or a device that is deaf. */
  | { readonly kind: "silence" }
  /** The device closes its connections. */
  | { readonly kind: "hang-up" };

/** Registers behind a connection. Addresses are those on the wire, from zero; `unit` is the one that was asked. */
export interface RegisterImage {
  readHolding(unit: number, address: number, count: number): RegisterReply;
  readInput(unit: number, address: number, count: number): RegisterReply;
  /** A write with function 6 (one value) or 16. */
  writeHolding(unit: number, address: number, values: readonly number[], code: 6 | 16): RegisterReply;
}

export function values(words: readonly number[]): RegisterReply {
  return { kind: "values", values: words };
}

export function exception(code: number): RegisterReply {
  return { kind: "exception", code };
}

/** Registers of a value, most significant first, each 0 to 65,535. */
export type Words = readonly number[];

/** A number from 0 in as many registers as asked; what does not fit wraps, as a counter does. */
export function unsignedWords(value: number, count: number): Words {
  const words: number[] = [];
  let rest = Math.round(value);
  for (let index = 0; index < count; index++) {
    words.unshift(((rest % 0x1_0000) + 0x1_0000) % 0x1_0000);
    rest = Math.floor(rest / 0x1_0000);
  }
  return words;
}

/** A signed number in one register, two's complement. */
export function signedWord(value: number): number {
  const rounded = Math.round(value);
  return rounded < 0 ? 0x1_0000 + rounded : rounded;
}

/** The signed number that a register holds. */
export function signedFrom(word: number): number {
  return word >= 0x8000 ? word - 0x1_0000 : word;
}

/** ASCII, two letters a register, filled up with zeros. */
export function textWords(text: string, count: number): Words {
  return Array.from({ length: count }, (_unused, index) => {
    const high = text.charCodeAt(index * 2) || 0;
    const low = text.charCodeAt(index * 2 + 1) || 0;
    return high * 256 + low;
  });
}
