/** sonnenBatterie over its JSON API, versions 1 and 2. */
import { type Formula, onceNotZero, type Provenance } from "hemgate/sdk";
import {
  defineHttpProfile,
  type HttpControl,
  type HttpPoint,
  type HttpProfile,
  type HttpWrite,
} from "../http-profile.ts";
import { pointsOf } from "./points-of.ts";

const SOURCE: Provenance = { confidence: "cross-checked", source: "evcc, openWB, OpenEMS" };
const SINGLE: Provenance = { confidence: "single-source", source: "evcc" };

const status = pointsOf("status", SOURCE);
const POINTS: readonly HttpPoint[] = [
  status("battery.soc", "/USOC"),
  // Discharging and feeding in are positive here.
  status("battery.power", "/Pac_total_W", { scale: -1 }),
  status("meter.power", "/GridFeedIn_W", { scale: -1 }),
  status("inverter.power", "/Production_W"),
  status("hem.load", "/Consumption_W"),
  { ...SINGLE, key: "meter.frequency", from: "status", path: "/Fac" },
  { ...SINGLE, key: "battery.reserve", from: "status", path: "/BackupBuffer", isText: true },
  {
    ...SINGLE,
    key: "raw.mode",
    from: "status",
    path: "/OperatingMode",
    type: "text",
  },
];

const MODES = { 2: "SELF_RELIANCE", 10: "TIME_OF_USE", 11: "TIME_OF_USE" } as const;

const COMMON = {
  brand: "sonnen",
  vendors: ["SONNEN"],
  scheme: "http",
  limits: { timeoutMs: 8_000, minGapMs: 100 },
  pollMs: { fast: 5_000, normal: 30_000, slow: 600_000 },
} as const;

function operatingMode(mode: string): HttpWrite {
  return { method: "PUT", path: "/api/v2/configurations", body: { EM_OperatingMode: mode } };
}

function setpoint(direction: "charge" | "discharge", setting: string | null): HttpWrite {
  return {
    method: "POST",
    path: `/api/v2/setpoint/${direction}/{power}`,
    values: { power: setting === null ? 0 : { setting } },
  };
}

const OUR_COMMAND: Formula = {
  lookup: { lastWrite: "battery.mode" },
  values: { IDLE: "IDLE", IMPORT_FOCUS: "IMPORT_FOCUS", EXPORT_FOCUS: "EXPORT_FOCUS" },
  otherwise: "UNKNOWN",
};

/** Setpoints count in manual mode only. */
const MANUAL = operatingMode("1");

const MODE: HttpControl = {
  point: "battery.mode",
  safeDefault: "SELF_RELIANCE",
  write: {
    cases: [
      { value: "SELF_RELIANCE", steps: [operatingMode("2")] },
      { value: "TIME_OF_USE", steps: [operatingMode("10")] },
      { value: "IDLE", steps: [MANUAL, setpoint("charge", null)] },
      { value: "IMPORT_FOCUS", steps: [MANUAL, setpoint("charge", "maxChargeW")] },
      { value: "EXPORT_FOCUS", steps: [MANUAL, setpoint("discharge", "maxDischargeW")] },
    ],
  },
  ...SINGLE,
};

export const SONNEN: readonly HttpProfile[] = [
  defineHttpProfile({
    ...COMMON,
    id: "sonnen-v2",
    model: "sonnenBatterie, JSON API 2",
    port: 80,
    auth: { kind: "token", header: "auth-token" },
    polls: [
      { id: "status", poll: "fast", path: "/api/v2/status" },
      { id: "configurations", poll: "slow", path: "/api/v2/configurations", isOptional: true },
    ],
    identity: { version: [{ from: "configurations", path: "/DE_Software" }] },
    noSerial: "Among the settings of API 2 that clients of it list there is none (MarkusBiggus/SonnenBackup)",
    parts: { battery: "always", inverter: onceNotZero(["inverter.power"]), meter: "always" },
    points: POINTS,
    derived: [
      {
        point: "battery.mode",
        // In manual mode it executes the last command, which is somebody else's where ours led out of that mode.
        value: {
          lookup: { of: "raw.mode" },
          values: { ...MODES, 1: { first: [OUR_COMMAND, "UNKNOWN"] } },
          otherwise: "UNKNOWN",
        },
      },
    ],
    settings: {
      maxChargeW: { unit: "W", meaning: "Power of a forced charge", min: 100, max: 50_000 },
      maxDischargeW: { unit: "W", meaning: "Power of a forced discharge", min: 100, max: 50_000 },
    },
    controls: [MODE],
    notes: [
      "Switch the JSON API on in the battery's web interface, under software integration; the token stands there.",
      "Manual mode stays until somebody ends it: the battery has no timer.",
    ],
  }),
  defineHttpProfile({
    ...COMMON,
    id: "sonnen-v1",
    model: "sonnenBatterie, JSON API 1",
    port: 8_080,
    auth: { kind: "none" },
    polls: [
      { id: "status", poll: "fast", path: "/api/v1/status" },
      { id: "configuration", poll: "slow", path: "/api/configuration", isOptional: true },
    ],
    // As Cominch/homebridge-sonnenbatterie reads them; foxriver76/ioBroker.sonnen names the request.
    identity: {
      model: [{ from: "configuration", path: "/ERP_HardwareLine" }],
      serial: [{ from: "configuration", path: "/DE_Ticket_Number" }],
      version: [{ from: "configuration", path: "/DE_Software" }],
    },
    parts: { battery: "always", inverter: onceNotZero(["inverter.power"]), meter: "always" },
    points: POINTS,
    derived: [
      {
        point: "battery.mode",
        value: { lookup: { of: "raw.mode" }, values: MODES, otherwise: "UNKNOWN" },
      },
    ],
    controls: [],
    notes: ["Version 1 has no token, and nothing is written with it. Some units serve it at port 80."],
  }),
];
