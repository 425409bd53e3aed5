/** What `GET /local/energy` shows: the flows, each device with what limits it, and the alarms. */
import { z } from "zod";
import { Instant, NullableInstant } from "../fields.ts";
import type { EnergyAlarm, ReasonCode } from "./cycle/energy-decision.ts";
import { BatteryUseSettings, EnergyPolicy } from "./energy-policy.ts";

const REASON_CODES = [
  "grid-operator",
  "fuse",
  "circuit",
  "contract",
  "unbalance",
  "feed-in",
  "negative-price",
  "meter-silent",
  "meter-reversed",
  "ignores-limit",
  "person",
  "schedule",
  "smart-charging",
  "mode-off",
  "fast",
  "plan",
  "plan-waits",
  "full-charge",
  "warm-enough",
  "surplus",
  "hidden-surplus",
  "no-surplus",
  "minimum",
  "battery-first",
  "not-into-car",
  "waits-minimum-time",
  "switches-phases",
  "wakes-car",
  "car-does-not-charge",
  "takes-no-command",
  "nothing-to-do",
] as const satisfies readonly ReasonCode[];

/** Reasons that no mode and no person can overrule. */
const LIMITS: ReadonlySet<ReasonCode> = new Set<ReasonCode>([
  "grid-operator",
  "fuse",
  "circuit",
  "contract",
  "unbalance",
  "feed-in",
  "meter-silent",
  "meter-reversed",
  "ignores-limit",
]);

/** Returns true if the reason is a limit of the site or of the grid operator. */
export function isLimit(code: ReasonCode): boolean {
  return LIMITS.has(code);
}

export const ALARM_CODES = [
  "meter-silent",
  "meter-reversed",
  "ignores-limit",
  "limit-not-reached",
  "control-failed",
] as const satisfies readonly (EnergyAlarm["code"] | "control-failed")[];

const EnergyFlow = z
  .object({
    powerKw: z.number().nullable().meta({ description: "Power, kW; `null` if it is not known." }),
    ageSeconds: z.number().nullable().meta({ description: "Age of the measurement, s; `null` if there is none." }),
  })
  .meta({ id: "EnergyFlow" });
export type EnergyFlow = z.infer<typeof EnergyFlow>;

const EnergyReason = z
  .object({
    code: z.enum(REASON_CODES).meta({ description: "What decides about the device now." }),
    subject: z
      .string()
      .nullable()
      .meta({ description: "The circuit, phase, source or device that binds; `null` if there is nothing to name." }),
    until: NullableInstant.meta({ description: "The next change that is known; `null` if none is." }),
    text: z.string().meta({ description: "The reason as a sentence, in the language that was asked for." }),
  })
  .meta({ id: "EnergyReason" });

export const EnergyDeviceState = z
  .object({
    id: z.uuid().meta({ description: "Id of the charger, vehicle, heat pump, battery or inverter." }),
    deviceType: z.enum(["battery", "charger", "hvac", "inverter", "vehicle"]),
    name: z.string(),
    policy: EnergyPolicy.nullable().meta({ description: "Settings of the energy manager; `null` if it has no mode." }),
    inCharge: z.enum(["energy", "person", "schedule", "smart-charging", "device"]).meta({
      description:
        "Who decides within the limits. `person`: a command of a client or a smart override. `device`: the device itself, or its maker's app.",
    }),
    flow: EnergyFlow.meta({ description: "Power into the device; for an inverter its production." }),
    isControlled: z.boolean().meta({
      description:
        "`false`: the device takes no command, or somebody else keeps changing it. It counts as a plain load.",
    }),
    canSwitchPhases: z.boolean().meta({
      description: "`true` for a charger with a mode that the energy manager may switch between one and three phases.",
    }),
    setpointKw: z.number().nullable().meta({
      description:
        "Power with which the energy manager makes a battery charge (positive) or discharge, kW; `null` while it does neither, or the battery is commanded by mode only.",
    }),
    reason: EnergyReason.nullable().meta({
      description: "What decides about the device; `null` before the first cycle.",
    }),
  })
  .meta({ id: "EnergyDeviceState" });
export type EnergyDeviceState = z.infer<typeof EnergyDeviceState>;

const EnergyAlarmState = z
  .object({
    code: z.enum(ALARM_CODES).meta({
      description:
        "`meter-silent`: the grid meter does not answer, or is read less often than each 30 s (each minute where nothing limits the import); chargers are at their safe current. `meter-reversed`: a check found that the grid meter is wired the wrong way round; until its finding is confirmed or dismissed, or the house shows the opposite, chargers are at their safe current and batteries wait. `ignores-limit`: a device draws more than it may. `limit-not-reached`: a limit is exceeded and nothing is left to reduce. `control-failed`: the control cycle failed; devices are at their safe values.",
    }),
    subject: z.string().meta({ description: "Id of the device, or name of the limit." }),
    since: Instant,
  })
  .meta({ id: "EnergyAlarm" });

export const EnergyState = z
  .object({
    isActive: z.boolean().meta({ description: "`true` while a mode or a limit of the site is set." }),
    hasLimits: z
      .boolean()
      .meta({ description: "`false`: no fuse, contract or feed-in limit is set, so none is enforced." }),
    decidedAt: NullableInstant.meta({ description: "Time of the last control cycle; `null` before the first." }),
    grid: EnergyFlow.meta({ description: "Positive is import from the grid." }),
    production: EnergyFlow.meta({ description: "Production of the inverters." }),
    battery: EnergyFlow.meta({ description: "Positive is charging." }),
    chargers: EnergyFlow.meta({ description: "Power into all vehicles." }),
    batteryUse: BatteryUseSettings,
    devices: z.array(EnergyDeviceState),
    alarms: z.array(EnergyAlarmState),
  })
  .meta({ id: "EnergyState" });
export type EnergyState = z.infer<typeof EnergyState>;
