/** What requests to a vendor tell a device to do, by the vendors' documents. */
import type { ControlPoint } from "hemgate/sdk";
import type { AskedOfTwin } from "../../../twins/clouds/cloud-twin.ts";
import { blob, count, inner, partsOf } from "../../../twins/clouds/tesla-wire.ts";

/** One value that a device was told. */
export type Command =
  /** In the point's unit. */
  | { readonly point: ControlPoint | "battery.reserve"; readonly figure: unknown }
  /** One of a list that the vendor knows. */
  | { readonly word: unknown; readonly words: readonly unknown[] };

export type CommandsIn = (asked: AskedOfTwin) => readonly Command[];

const MODES = ["auto", "heat", "cool", "off", "auxHeatOnly"];

/** A member of JSON that may be anything. */
function member(value: unknown, ...path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (at, key) => (typeof at === "object" && at !== null ? Reflect.get(at, key) : undefined),
    value,
  );
}

function figure(point: Extract<Command, { figure: unknown }>["point"], value: unknown): readonly Command[] {
  return value === undefined ? [] : [{ point, figure: value }];
}

function word(value: unknown, words: readonly unknown[]): readonly Command[] {
  return value === undefined ? [] : [{ word: value, words }];
}

function setpoint(mode: unknown, celsius: unknown): readonly Command[] {
  const point = String(mode).toUpperCase() === "COOL" ? "hvac.coolSetpoint" : "hvac.heatSetpoint";
  return figure(point, celsius);
}

function celsiusOf(fahrenheit: unknown): unknown {
  return typeof fahrenheit === "number" ? ((fahrenheit - 32) * 5) / 9 : fahrenheit;
}

export const easeeCommands: CommandsIn = ({ method, json }) =>
  method === "POST" ? figure("charger.maxCurrent", member(json, "dynamicChargerCurrent")) : [];

export const zaptecCommands: CommandsIn = ({ method, json }) =>
  method === "POST" ? figure("charger.maxCurrent", member(json, "maxChargeCurrent")) : [];

/** A that a vehicle is told in a signed message, by universal_message.proto and car_server.proto. */
function signedAmperes(message: unknown): unknown {
  const action = typeof message === "string" ? blob(partsOf(Buffer.from(message, "base64")), 10) : null;
  const amperes = action && inner(inner(partsOf(action), 2), 43);
  return amperes ? count(amperes, 1) : undefined;
}

export const teslaCommands: CommandsIn = ({ json }) => [
  ...figure("vehicle.maxCurrent", signedAmperes(member(json, "routable_message"))),
  ...figure("vehicle.maxCurrent", member(json, "charging_amps")),
  ...word(member(json, "default_real_mode"), ["self_consumption", "backup", "autonomous"]),
  // Any word: the one that was found goes back to who told it.
  ...word(typeof member(json, "customer_preferred_export_rule"), ["string", "undefined"]),
];

export const tadoCommands: CommandsIn = ({ json }) => {
  const setting = member(json, "setting");
  const temperature = member(setting, "temperature");
  return [
    ...setpoint(member(setting, "mode"), member(temperature, "celsius")),
    ...setpoint(member(setting, "mode"), member(temperature, "value")),
    ...word(member(setting, "power"), ["ON", "OFF"]),
  ];
};

export const ecobeeCommands: CommandsIn = ({ method, json }) => {
  if (method !== "POST") return [];
  const functions: unknown = member(json, "functions");
  const holds = (Array.isArray(functions) ? functions : []).map((one: unknown) => member(one, "params"));
  const degrees = (tenths: unknown) => (typeof tenths === "number" ? celsiusOf(tenths / 10) : tenths);
  return [
    ...holds.flatMap((params) => [
      ...figure("hvac.heatSetpoint", degrees(member(params, "heatHoldTemp"))),
      ...figure("hvac.coolSetpoint", degrees(member(params, "coolHoldTemp"))),
    ]),
    ...word(member(json, "thermostat", "settings", "hvacMode"), MODES),
  ];
};

export const sensiboCommands: CommandsIn = ({ method, json }) => {
  if (method !== "POST") return [];
  const state = member(json, "acState");
  const degrees = member(state, "targetTemperature");
  const celsius = member(state, "temperatureUnit") === "F" ? celsiusOf(degrees) : degrees;
  return [...setpoint(member(state, "mode"), celsius), ...word(member(state, "on"), [true, false])];
};

export const myuplinkCommands: CommandsIn = ({ method, json }) =>
  method === "PATCH" ? Object.values(Object(json)).flatMap((value) => figure("hvac.heatSetpoint", Number(value))) : [];

export const enphaseCommands: CommandsIn = ({ method, json }) =>
  method === "PUT"
    ? [
        ...word(member(json, "battery_mode"), ["Self - Consumption", "Savings Mode", "Full Backup"]),
        ...figure("battery.reserve", member(json, "reserve_soc")),
        ...word(member(json, "energy_independence"), ["enabled", "disabled"]),
      ]
    : [];

export const growattCommands: CommandsIn = ({ url, form }) =>
  url.pathname.endsWith("/tlxSet")
    ? [
        ...word(form.get("param1"), ["0", "1", "2"]),
        ...word([2, 3, 4, 5].map((number) => form.get(`param${number}`)).join(":"), ["0:0:23:59"]),
        ...word(form.get("type"), ["time_segment1"]),
      ]
    : [];

/** Clouds that are read only are told nothing. */
export const noCommands: CommandsIn = () => [];
