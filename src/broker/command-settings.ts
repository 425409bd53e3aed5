import { z } from "zod";
import { ChargeKind, type ChargeTargetType, PermanentHold, type RequestedSetting } from "../domain/actions/action.ts";
import type { Asset, AssetKind } from "../domain/assets/asset.ts";
import { RequestableMode } from "../domain/assets/battery.ts";
import type { Hvac } from "../domain/assets/hvac.ts";
import { problem } from "../domain/problem.ts";

/** Reads a command's payload as the setting to apply. Throws `bad-request` if the payload does not fit. */
type ReadSetting = (payload: string, asset: Asset) => RequestedSetting;

/** A form of payload, with words for people that do not repeat what was sent: a secret may be sent by mistake. */
export interface PayloadForm<T> {
  readonly schema: z.ZodType<T>;
  readonly expected: string;
}

const Amperes = { schema: z.number().positive(), expected: "a number of amperes above 0, such as 16" };
const Kilowatts = {
  schema: z.number().positive().nullable(),
  expected: "a number of kilowatts above 0, such as 3.7, or null for no limit",
};
const Celsius = { schema: z.number(), expected: "a number of degrees Celsius, such as 21" };
const Hold = { schema: PermanentHold, expected: 'a hold in JSON, such as {"mode":"HEAT","heatSetpoint":21}' };
const True = { schema: z.literal(true), expected: "true" };
const HoldMode = z.enum(["OFF", "AUTO", "COOL", "HEAT"]);

/** Every setting that takes commands, by kind: `hemgate/<kind>/<id>/<setting>/set`. */
const SETTINGS: { readonly [Kind in AssetKind]?: Readonly<Record<string, ReadSetting>> } = {
  battery: {
    operationMode: (payload) => ({ targetType: "battery", operationMode: word(RequestableMode, payload) }),
  },
  charger: {
    ...chargeSettings("charger"),
    chargeRateLimit: (payload) => ({ targetType: "charger", chargeRateLimit: json(Kilowatts, payload) }),
  },
  hvac: {
    mode: (payload, asset) => holdWith(asset, { mode: word(HoldMode, payload) }),
    heatSetpoint: (payload, asset) => holdWith(asset, { heatSetpoint: json(Celsius, payload) }),
    coolSetpoint: (payload, asset) => holdWith(asset, { coolSetpoint: json(Celsius, payload) }),
    setpoint: (payload, asset) => holdWith(asset, { setpoint: json(Celsius, payload) }),
    permanentHold: (payload) => permanent(json(Hold, payload)),
    followSchedule: (payload) => {
      json(True, payload);
      return { targetType: "hvac", target: { holdType: "SCHEDULED" } };
    },
  },
  vehicle: chargeSettings("vehicle"),
};

/** Reads the setting that a command asks for; `null` if the kind has no such setting. Throws `bad-request`. */
export function readSetting(kind: AssetKind, setting: string, payload: string, asset: Asset): RequestedSetting | null {
  const settings = SETTINGS[kind] ?? {};
  return Object.hasOwn(settings, setting) ? (settings[setting]?.(payload, asset) ?? null) : null;
}

function chargeSettings(targetType: ChargeTargetType): Readonly<Record<string, ReadSetting>> {
  return {
    charging: (payload) => ({ targetType, kind: word(ChargeKind, payload) }),
    maxCurrent: (payload) => ({ targetType, maxCurrent: json(Amperes, payload) }),
  };
}

/** Returns the unit's present hold with one change: a hold names the mode with the setpoints that belong to it. */
function holdWith(
  asset: Asset,
  change: {
    readonly mode?: z.infer<typeof HoldMode>;
    readonly heatSetpoint?: number;
    readonly coolSetpoint?: number;
    readonly setpoint?: number;
  },
): RequestedSetting {
  if (!("thermostatState" in asset)) throw problem("bad-request", "The device has no thermostat.");
  const shown: Hvac["thermostatState"] = asset.thermostatState;
  const mode = change.mode ?? shown.mode;
  const heatSetpoint = change.heatSetpoint ?? (mode === "COOL" ? undefined : change.setpoint) ?? shown.heatSetpoint;
  const coolSetpoint = change.coolSetpoint ?? (mode === "COOL" ? change.setpoint : undefined) ?? shown.coolSetpoint;
  const all = { mode, heatSetpoint, coolSetpoint };
  const needed: Readonly<Record<string, readonly (keyof typeof all)[]>> = {
    OFF: ["mode"],
    COOL: ["mode", "coolSetpoint"],
    HEAT: ["mode", "heatSetpoint"],
    AUTO: ["mode", "heatSetpoint", "coolSetpoint"],
  };
  const fields = needed[mode];
  if (fields === undefined) throw problem("bad-request", "The unit does not report its mode; set the mode first.");
  const hold = PermanentHold.safeParse(Object.fromEntries(fields.map((field) => [field, all[field]])));
  if (!hold.success)
    throw problem("bad-request", "The unit does not report its setpoints; send permanentHold instead.");
  return permanent(hold.data);
}

function permanent(hold: PermanentHold): RequestedSetting {
  return { targetType: "hvac", target: { ...hold, holdType: "PERMANENT" } };
}

/** Reads a bare word, or one in JSON's quotes. Throws `bad-request`. */
export function word<T extends string>(schema: z.ZodType<T> & { readonly options: readonly T[] }, payload: string): T {
  return checked({ schema, expected: `one of ${schema.options.join(", ")}` }, payload.trim().replace(/^"(.*)"$/, "$1"));
}

/** Reads a value of JSON. Throws `bad-request` if it does not have the form. */
export function json<T>(form: PayloadForm<T>, payload: string): T {
  return checked(form, parsed(payload));
}

/** Returns the JSON value; `undefined`, which fits no form, if it is not JSON. */
function parsed(payload: string): unknown {
  try {
    return JSON.parse(payload);
  } catch {
    return undefined;
  }
}

function checked<T>({ schema, expected }: PayloadForm<T>, value: unknown): T {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  throw problem("bad-request", `The payload does not fit this setting; send ${expected}.`);
}
