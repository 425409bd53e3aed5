/** What a chain of SunSpec models reads as. */
import { connect } from "./device.ts";
import { chain, type ModelImage } from "./images.ts";

export const BASE = 40_000;

export function readings(...models: readonly ModelImage[]) {
  return connect(chain(BASE, models)).then((device) => device.read());
}
