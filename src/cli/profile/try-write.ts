/** One write on a device, for a moment: what it did, and back again. */

import type { ProfileTrial, TriedRound } from "../../../adapters/modbus/profile/profile-trial.ts";
import { nearest } from "../../config/nearest.ts";
import { errorText } from "../../platform/error-text.ts";
import type { Clock } from "../../platform/ports/ports.ts";
import { DeviceError } from "../../points/device-error.ts";
import { type ControlPoint, POINT_UNITS, type PointValue } from "../../points/points.ts";
import type { DeviceProfile } from "../../sdk/profile.ts";
import { CliError, EXIT } from "../exit-code.ts";
import { nameIn } from "./name-in.ts";

/** How long a device may take to show a written value. */
const SETTLE_MS = 2_000;

export interface RequestedWrite {
  readonly point: ControlPoint;
  readonly value: PointValue;
}

export interface WriteResult {
  /** The device took the value, showed it, and was given back. */
  readonly isRight: boolean;
  readonly lines: readonly string[];
}

/** Parses `point=value` for a profile. */
export function requestedWrite(typed: string, { id, controls }: DeviceProfile): RequestedWrite {
  const [name = "", text = ""] = typed.split(/=(.*)/s);
  const control = controls.find(({ point }) => point === name);
  if (control === undefined) {
    const points = controls.map(({ point }) => point);
    const near = nearest(name, points);
    const known = points.length === 0 ? "it can write nothing" : `it can write ${points.join(", ")}`;
    throw new CliError(
      EXIT.usage,
      `--write${nameIn(typed)}: ${id} has no such control; ${known}${near === null ? "" : `; did you mean "${near}"?`}`,
    );
  }
  const known = "cases" in control.write ? control.write.cases.map(({ value }) => value) : [];
  const isNumber = text !== "" && Number.isFinite(Number(text));
  const value =
    known.find((each) => String(each) === text) ?? (isNumber && control.range !== undefined ? Number(text) : null);
  if (value === null) {
    const { range } = control;
    const expected =
      range === undefined ? known.join(", ") : `${range.min} to ${range.max} ${POINT_UNITS[control.point]}`;
    throw new CliError(EXIT.usage, `--write ${control.point}: expected ${expected}`);
  }
  return { point: control.point, value };
}

/** Writes, looks, and leaves behind what an orderly stop of the gateway would. */
export async function tryWrite(
  trial: ProfileTrial,
  { point, value }: RequestedWrite,
  before: TriedRound,
  clock: Pick<Clock, "sleep">,
  signal: AbortSignal,
): Promise<WriteResult> {
  const safeDefault = trial.controls.find((each) => each.point === point)?.safeDefault;
  const found = valueAt(before, point);
  const back = safeDefault === "as-found" || safeDefault === null ? found : safeDefault;
  if (back === undefined || back === null) {
    const why =
      safeDefault === undefined
        ? "a setting is missing"
        : "what it holds now cannot be read, so it could not be put back";
    return { isRight: false, lines: [`${point}: nothing was written: ${why}`] };
  }
  const lines = [`${point} was ${found ?? "not reported"}`];
  let shown: PointValue | null = null;
  try {
    await trial.write(point, value, signal);
    lines.push(`${point}: ${value} was written`);
    await clock.sleep(SETTLE_MS, signal);
    shown = valueAt(await trial.read(signal), point);
    lines.push(`${point}: the device shows ${shown ?? "nothing"}${shown === value ? "" : `, not ${value}`}`);
  } catch (error) {
    if (!(error instanceof DeviceError)) throw error;
    lines.push(`${point}: ${error.message}`);
  } finally {
    // Also when the user gives up meanwhile, and when only a part of the writes went out.
    lines.push(await putBack(trial, point, back));
  }
  return { isRight: shown === value && !lines.at(-1)?.includes("NOT"), lines };
}

async function putBack(trial: ProfileTrial, point: ControlPoint, back: PointValue): Promise<string> {
  try {
    await trial.write(point, back, new AbortController().signal);
    return `${point}: ${back} was written again`;
  } catch (error) {
    return `${point} could NOT be put back to ${back}: ${errorText(error)}`;
  }
}

function valueAt({ points }: TriedRound, point: ControlPoint): PointValue | null {
  return points.find((each) => each.point === point)?.value ?? null;
}
