/**
 * The priorities of a MIN inverter, which are set for times of the day. Outside of these the load comes first. Only the
 * first of the nine is used here, for the whole day, and only where its owner has set none: nobody's plan is overwritten.
 */
import type { OperationMode } from "hemgate/sdk";
import { looseNumber } from "../kit/device/loose-number.ts";
import type { DeviceFields } from "./schemas.ts";

const SEGMENTS = 9;
/** All parameters have to be sent, empty ones too. */
const PARAMETERS = 19;
const WHOLE_DAY = /^0?0:0?0-(?:23:59|24:0?0)$/;

const PRIORITIES: Readonly<Record<number, OperationMode>> = {
  0: "SELF_RELIANCE",
  1: "IMPORT_FOCUS",
  2: "EXPORT_FOCUS",
};

export const COMMANDED: readonly OperationMode[] = ["SELF_RELIANCE", "IMPORT_FOCUS", "EXPORT_FOCUS"];

export const CAVEAT =
  "IMPORT_FOCUS is Growatt's battery first: it charges from the grid only where you allowed that in the ShinePhone app. " +
  "EXPORT_FOCUS is grid first. Each change is written to the inverter's memory, which wears out: a few a day at most. " +
  "Not offered while the inverter has time segments that you set.";

export interface Segment {
  /** Null: not reported, or not known. */
  readonly mode: OperationMode | null;
  readonly isWholeDay: boolean;
}

/** Those that are turned on, by number from 1; null when the inverter does not tell of any. */
export type Segments = ReadonlyMap<number, Segment>;

export function segmentsOf(settings: DeviceFields): Segments | null {
  if (!settings.has("forcedstopswitch1")) return null;
  const numbers = Array.from({ length: SEGMENTS }, (_, index) => index + 1);
  const on = numbers.filter((number) => looseNumber(settings.get(`forcedstopswitch${number}`)) === 1);
  return new Map(
    on.map((number) => {
      const times = [settings.get(`forcedtimestart${number}`), settings.get(`forcedtimestop${number}`)];
      const mode = PRIORITIES[looseNumber(settings.get(`time${number}mode`)) ?? Number.NaN] ?? null;
      return [number, { mode, isWholeDay: WHOLE_DAY.test(times.join("-")) }];
    }),
  );
}

/** Times that the owner set are a plan of the owner's. */
export function modeOf(segments: Segments | null): OperationMode | null {
  if (segments === null) return null;
  if (segments.size === 0) return "SELF_RELIANCE";
  return isOurs(segments) ? (segments.get(1)?.mode ?? "UNKNOWN") : "TIME_OF_USE";
}

/** True: there is no plan that a command would overwrite. */
export function isFree(segments: Segments): boolean {
  return segments.size === 0 || isOurs(segments);
}

function isOurs(segments: Segments): boolean {
  return segments.size === 1 && segments.get(1)?.isWholeDay === true;
}

/** The setting that makes `mode`; null: there is none. */
export function settingFor(mode: unknown, serial: string): Readonly<Record<string, string>> | null {
  const command = COMMANDED.find((one) => one === mode);
  if (command === undefined) return null;
  const priority = COMMANDED.indexOf(command);
  const isOn = command !== "SELF_RELIANCE";
  const fields = [priority, 0, 0, 23, 59, isOn ? 1 : 0].map(String);
  const parameters = Array.from({ length: PARAMETERS }, (_, index) => [`param${index + 1}`, fields[index] ?? ""]);
  return { tlx_sn: serial, type: "time_segment1", ...Object.fromEntries(parameters) };
}
