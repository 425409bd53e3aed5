/** The unverified controls of a device that its owner switched on. */
import { z } from "zod";
import type { ControlPoint } from "../points/points.ts";
import type { OptionProblem } from "./option-problem.ts";

/** More controls than any device has. */
const MAX_CONTROLS = 20;
const MAX_NAME = 40;

/** All unverified controls of a device (true), none (false), or a list of them. */
export type ConfirmedControls = boolean | readonly string[];

/** Returns the schema of an adapter's option `confirmUnverified`; `about` names the controls that need it. */
export function confirmedControls(about: string) {
  return z
    .union([z.boolean(), z.array(z.string().min(1).max(MAX_NAME)).max(MAX_CONTROLS)])
    .default(false)
    .meta({
      description: `True switches on ${about}; try them on the device first. A list of controls, such as charger.maxCurrent, switches on only those.`,
    });
}

/** Returns true if the owner switched on the control. */
export function isConfirmed(confirmed: ConfirmedControls, point: ControlPoint): boolean {
  return typeof confirmed === "boolean" ? confirmed : confirmed.includes(point);
}

/** Returns the first name of a list that is not a control of the device; `null` if all are. */
export function confirmedProblem(
  id: string,
  confirmed: ConfirmedControls,
  controls: readonly ControlPoint[],
): OptionProblem | null {
  if (typeof confirmed === "boolean") return null;
  const unknown = confirmed.find((name) => !controls.some((point) => point === name));
  if (unknown === undefined) return null;
  const possible = controls.length === 0 ? "it has none" : `possible are ${controls.join(", ")}`;
  return {
    path: ["confirmUnverified", confirmed.indexOf(unknown)],
    message: `"${unknown}" is no control of ${id}; ${possible}`,
  };
}
