/** Answers of ecobee's API, as its documentation and two libraries have them (nkgilley/python-ecobee-api, Pyecobee). */
import { z } from "hemgate/sdk";
import { maybeFlag, maybeNumber, maybeText } from "../kit/device/maybe.ts";
import { listOf } from "../kit/device/parsed.ts";
import { CodeToEnter } from "../kit/login/code-to-enter.ts";

export const Pin = z.object({
  ecobeePin: CodeToEnter,
  code: z.string().min(1),
  /** s between two tries, as in the documentation's example where it is not reported. */
  interval: z.number().min(1).max(60).catch(30),
});

export const Token = z.object({
  access_token: z.string(),
  refresh_token: z.string().nullable().catch(null),
  expires_in: z.number().positive().nullable().catch(null),
});

/** `revisionList`: `id:name:connected:thermostat:alerts:runtime:interval`; names may hold colons. */
export const Summary = z.object({ revisionList: listOf(z.string()) });

/** Temperatures are tenths of °F. */
export const Thermostat = z.object({
  identifier: z.union([z.string().min(1), z.number()]),
  name: maybeText,
  modelNumber: maybeText,
  runtime: z.object({
    connected: maybeFlag,
    lastStatusModified: maybeText,
    actualTemperature: maybeNumber,
    desiredHeat: maybeNumber,
    desiredCool: maybeNumber,
  }),
  settings: z.object({
    hvacMode: maybeText,
    heatStages: maybeNumber,
    coolStages: maybeNumber,
    hasHeatPump: maybeFlag,
    autoHeatCoolFeatureEnabled: maybeFlag,
    heatCoolMinDelta: maybeNumber,
    heatRangeLow: maybeNumber,
    heatRangeHigh: maybeNumber,
    coolRangeLow: maybeNumber,
    coolRangeHigh: maybeNumber,
  }),
  /** What runs, separated by commas; empty when nothing does. */
  equipmentStatus: maybeText,
  events: z
    .array(z.object({ type: maybeText, running: maybeFlag, startDate: maybeText, endDate: maybeText }))
    .nullable()
    .catch(null),
});
export type Thermostat = z.infer<typeof Thermostat>;

export const Thermostats = z.object({ thermostatList: listOf(Thermostat) });

/** What stands in every answer: 0 is success. */
export const Status = z.object({ status: z.object({ code: z.number() }) });
export const OAuthRefusal = z.object({ error: z.string() });
