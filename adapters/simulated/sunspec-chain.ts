/** Writes a chain of SunSpec models into registers. It knows the layout of a chain, and no model. */
import type { Words } from "./register-image.ts";

/** A model's number, how many registers its body has (what follows its length), and the body as it is now. */
export interface SunspecModel {
  readonly id: number;
  readonly length: number;
  body(): Words;
}

const MARKER = [0x5375, 0x6e53] as const;
const END = [0xffff, 0] as const;

/** Where the ID register of each model stands when the marker "SunS" stands at `base`; by the model's number. */
export function modelAddresses(base: number, models: readonly SunspecModel[]): ReadonlyMap<number, number> {
  let at = base + MARKER.length;
  return new Map(
    models.map(({ id, length }) => {
      const start = at;
      at += 2 + length;
      return [id, start] as const;
    }),
  );
}

/** Registers of a chain with its marker at `base`; null when one of them is outside. Only the models asked for are made. */
export function readChain(base: number, models: readonly SunspecModel[], address: number, count: number): Words | null {
  const found: number[] = [];
  let at = base;
  const take = (length: number, words: () => Words): void => {
    const from = Math.max(address, at) - at;
    const to = Math.min(address + count, at + length) - at;
    if (from < to) found.push(...words().slice(from, to));
    at += length;
  };
  take(MARKER.length, () => MARKER);
  for (const { id, length, body } of models) take(2 + length, () => [id, length, ...body()]);
  take(END.length, () => END);
  return found.length === count ? found : null;
}

/** How SunSpec says "no value" in one register of each type. */
export const NO_INT16 = 0x8000;
export const NO_UINT16 = 0xffff;
export const NO_ENUM16 = 0xffff;
export const NO_SCALE = 0x8000;
