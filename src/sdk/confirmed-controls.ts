/** For which of a device's controls its owner answers, although no two sources agree on how they are told. */
import { z } from "zod";
import type { ControlPoint } from "../points/points.ts";

/** More than a device has. */
const MAX_CONTROLS = 20;
const MAX_NAME = 40;

/** All controls of a device, none, or those that are named. */
export type ConfirmedControls = boolean | readonly string[];

/** The option `confirmUnverified` of an adapter; `about` says what waits for it. */
export function confirmedControls(about: string) {
  return z
    .union([z.boolean(), z.array(z.string().min(1).max(MAX_NAME)).max(MAX_CONTROLS)])
    .default(false)
    .meta({
      description: `True turns on ${about}; check them on the device first. A list of controls, such as charger.maxCurrent, turns on those alone.`,
    });
}

export function isConfirmed(confirmed: ConfirmedControls, point: ControlPoint): boolean {
  return typeof confirmed === "boolean" ? confirmed : confirmed.includes(point);
}

/** What is wrong with a list of controls, in words; null when the device has them all. */
export function confirmedProblem(
  id: string,
  confirmed: ConfirmedControls,
  controls: readonly ControlPoint[],
): string | null {
  if (typeof confirmed === "boolean") return null;
  const strange = confirmed.find((name) => !controls.some((point) => point === name));
  if (strange === undefined) return null;
  const possible = controls.length === 0 ? "it has none" : `possible are ${controls.join(", ")}`;
  return `confirmUnverified: "${strange}" is no control of ${id}; ${possible}`;
}
