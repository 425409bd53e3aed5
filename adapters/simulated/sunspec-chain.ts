/** Writes a chain of SunSpec models into registers. It knows the layout of a chain, and no model. */
import type { Words } from "./register-image.ts";

/** A model's number and its body: everything after the length. */
export interface SunspecModel {
  readonly id: number;
  readonly body: Words;
}

/** Registers from the marker "SunS" to the end mark. */
export function sunspecChain(models: readonly SunspecModel[]): Words {
  const marker = [0x5375, 0x6e53];
  const end = [0xffff, 0];
  return [...marker, ...models.flatMap(({ id, body }) => [id, body.length, ...body]), ...end];
}

/** How SunSpec says "no value" in one register of each type. */
export const NO_INT16 = 0x8000;
export const NO_UINT16 = 0xffff;
export const NO_ENUM16 = 0xffff;
export const NO_SCALE = 0x8000;
