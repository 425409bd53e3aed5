/** Answers of Sensibo's API, as its documentation and two libraries have them (andrey-git and gjohansson-ST pysensibo). */
import { z } from "hemgate/sdk";
import { maybeFlag, maybeNumber, maybeText } from "../kit/device/maybe.ts";
import { listOf } from "../kit/device/parsed.ts";

/** `status` is `success` in every answer that has what was asked for. */
export const Outcome = z.object({ status: z.string() });

/** With all its other settings, which go back with the next change. */
export const AcState = z.looseObject({
  on: maybeFlag,
  mode: maybeText,
  targetTemperature: maybeNumber,
  temperatureUnit: maybeText,
});
export type AcState = z.infer<typeof AcState>;

const Allowed = z
  .object({ values: z.array(z.number()) })
  .nullable()
  .catch(null);

/** What a mode takes: temperatures by unit, and lists of other settings. */
export const ModeCapabilities = z.looseObject({
  temperatures: z.object({ C: Allowed, F: Allowed }).catch({ C: null, F: null }),
});
export type ModeCapabilities = z.infer<typeof ModeCapabilities>;

export const Pod = z.object({
  id: z.string(),
  room: z.object({ name: maybeText }).nullable().catch(null),
  productModel: maybeText,
  serial: maybeText,
  firmwareVersion: maybeText,
  temperatureUnit: maybeText,
  connectionStatus: z.object({ isAlive: maybeFlag }).nullable().catch(null),
  acState: AcState.nullable().catch(null),
  measurements: z
    .object({ temperature: maybeNumber, time: z.object({ time: maybeText }).nullable().catch(null) })
    .nullable()
    .catch(null),
  remoteCapabilities: z
    .object({ modes: z.record(z.string(), z.unknown()) })
    .nullable()
    .catch(null),
});
export type Pod = z.infer<typeof Pod>;

export const Pods = z.object({ result: listOf(Pod) });

/** What became of a change: the state that was sent, or why it was not. */
export const Change = z.object({
  result: z.object({ status: maybeText, failureReason: maybeText, acState: AcState.nullable().catch(null) }),
});
