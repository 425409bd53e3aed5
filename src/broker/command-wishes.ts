import { z } from "zod";
import { type AskedWish, ChargeKind, type ChargeTargetType, PermanentHold } from "../domain/actions/action.ts";
import type { Asset, AssetKind } from "../domain/assets/asset.ts";
import { RequestableMode } from "../domain/assets/battery.ts";
import type { Hvac } from "../domain/assets/hvac.ts";
import { problem } from "../domain/problem.ts";

/** What a command's payload asks of an asset. Throws `bad-request` when it is not what the setting takes. */
type ReadWish = (payload: string, asset: Asset) => AskedWish;

const Amperes = z.number().positive();
const Kilowatts = z.number().positive().nullable();
const Celsius = z.number();

/** Every setting that takes commands, by kind: `hemgate/<kind>/<id>/<setting>/set`. */
const WISHES: { readonly [Kind in AssetKind]?: Readonly<Record<string, ReadWish>> } = {
  battery: {
    operationMode: (payload) => ({ targetType: "battery", operationMode: word(RequestableMode, payload) }),
  },
  charger: {
    ...chargeWishes("charger"),
    chargeRateLimit: (payload) => ({ targetType: "charger", chargeRateLimit: json(Kilowatts, payload) }),
  },
  hvac: {
    mode: (payload, asset) => heldWith(asset, { mode: word(PermanentHoldMode, payload) }),
    heatSetpoint: (payload, asset) => heldWith(asset, { heatSetpoint: json(Celsius, payload) }),
    coolSetpoint: (payload, asset) => heldWith(asset, { coolSetpoint: json(Celsius, payload) }),
    setpoint: (payload, asset) => heldWith(asset, { setpoint: json(Celsius, payload) }),
    permanentHold: (payload) => held(json(PermanentHold, payload)),
    followSchedule: (payload) => {
      json(z.literal(true), payload);
      return { targetType: "hvac", target: { holdType: "SCHEDULED" } };
    },
  },
  vehicle: chargeWishes("vehicle"),
};

const PermanentHoldMode = z.enum(["OFF", "AUTO", "COOL", "HEAT"]);

/** The wish of a command; null when the kind has no such setting. Throws `bad-request`. */
export function commandWish(kind: AssetKind, setting: string, payload: string, asset: Asset): AskedWish | null {
  const settings = WISHES[kind] ?? {};
  return Object.hasOwn(settings, setting) ? (settings[setting]?.(payload, asset) ?? null) : null;
}

function chargeWishes(targetType: ChargeTargetType): Readonly<Record<string, ReadWish>> {
  return {
    charging: (payload) => ({ targetType, kind: word(ChargeKind, payload) }),
    maxCurrent: (payload) => ({ targetType, maxCurrent: json(Amperes, payload) }),
  };
}

/** The unit's present hold with one thing changed: a hold names the mode with the setpoints that belong to it. */
function heldWith(
  asset: Asset,
  change: {
    readonly mode?: z.infer<typeof PermanentHoldMode>;
    readonly heatSetpoint?: number;
    readonly coolSetpoint?: number;
    readonly setpoint?: number;
  },
): AskedWish {
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
  if (fields === undefined) throw problem("bad-request", "The unit does not tell its mode; set the mode first.");
  const hold = PermanentHold.safeParse(Object.fromEntries(fields.map((field) => [field, all[field]])));
  if (!hold.success) throw problem("bad-request", "The unit does not tell its setpoints; send permanentHold instead.");
  return held(hold.data);
}

function held(hold: PermanentHold): AskedWish {
  return { targetType: "hvac", target: { ...hold, holdType: "PERMANENT" } };
}

/** A bare word, or one in JSON's quotes. */
function word<T>(schema: z.ZodType<T>, payload: string): T {
  return checked(schema, payload.trim().replace(/^"(.*)"$/, "$1"), payload);
}

function json<T>(schema: z.ZodType<T>, payload: string): T {
  let value: unknown;
  try {
    value = JSON.parse(payload);
  } catch (cause) {
    throw problem("bad-request", `The payload is not JSON: ${shortened(payload)}`, { cause });
  }
  return checked(schema, value, payload);
}

function checked<T>(schema: z.ZodType<T>, value: unknown, payload: string): T {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  throw problem("bad-request", `${shortened(payload)}: ${issue?.message ?? "not what this setting takes"}`);
}

function shortened(payload: string): string {
  return payload.length <= 100 ? payload : `${payload.slice(0, 100)}…`;
}
