import type { RegisterValue } from "hemgate/sdk";
import { decoder, scaleTens } from "../driver/decode.ts";
import type { ModelInstance } from "./model-instance.ts";
import { registerOf } from "./point-registers.ts";

/**
 * A point out of registers that were read from the model's start on, decoded as the poller decodes it. Null when the
 * device does not have it, does not implement it or its scale factor, or the registers do not reach that far.
 */
export function valueIn(instance: ModelInstance, path: string, image: Uint16Array): RegisterValue {
  const point = instance.points.get(path);
  if (point === undefined) return null;
  const at = point.address - instance.address;
  if (at + point.definition.words > image.length) return null;
  const { sf } = point.definition;
  const tens = sf === undefined ? 0 : scaleTens(valueIn(instance, sf, image));
  return tens === null ? null : decoder(registerOf(instance, point, "slow"))(image, at, tens);
}

export function numberIn(instance: ModelInstance, path: string, image: Uint16Array): number | null {
  const value = valueIn(instance, path, image);
  return typeof value === "number" ? value : null;
}

/** A point as it was when the device was connected. */
export function numberAtConnect(instance: ModelInstance | null, path: string): number | null {
  return instance === null ? null : numberIn(instance, path, instance.image);
}

export function textAtConnect(instance: ModelInstance | null, path: string): string | null {
  const value = instance === null ? null : valueIn(instance, path, instance.image);
  return typeof value === "string" ? value : null;
}

/** Whether any of the points had a value when the device was connected. */
export function isImplemented(instance: ModelInstance | null, ...paths: readonly string[]): boolean {
  return instance !== null && paths.some((path) => valueIn(instance, path, instance.image) !== null);
}
