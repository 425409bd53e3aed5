/** Chargers that answer by HTTP: go-e and Peblar here, OpenEVSE in its own file. */
import type { Condition, Formula, Provenance } from "hemgate/sdk";
import { defineHttpProfile, type HttpPoint, type HttpProfile, type HttpWrite } from "../http-profile.ts";
import { OPENEVSE } from "./openevse.ts";
import { pointsOf } from "./points-of.ts";
import { SHOWN_WITHIN_MS, unlessStopped } from "./unless-stopped.ts";

const LEAST_AMPERE = 6;
const PHASES = ["l1", "l2", "l3"] as const;

const GO_E: Provenance = { confidence: "cross-checked", source: "go-e's API documents, evcc" };
const GO_E_ASKED = "car,alw,frc,amp,psm,nrg,wh,eto,err";
const goE = pointsOf("status", GO_E);

/** Volts, amperes and watts of the phases in one list; the total is the twelfth. */
function measured(point: typeof goE, scales: { readonly current: number; readonly power: number }): HttpPoint[] {
  return [
    ...PHASES.flatMap((phase, index) => [
      point(`charger.voltage.${phase}`, `/nrg/${index}`),
      point(`charger.current.${phase}`, `/nrg/${index + 4}`, { scale: scales.current }),
    ]),
    point("charger.power", "/nrg/11", { scale: scales.power }),
  ];
}

/** A plugged vehicle that does not charge waits for us, or we for it. */
const WAITING: Formula = {
  when: { of: { of: "raw.allowed" }, is: [true, "1"] },
  gives: "PLUGGED_IN:NO_POWER",
  otherwise: "PLUGGED_IN:STOPPED",
};
const GO_E_STATE: Formula = {
  lookup: { of: "raw.car" },
  values: {
    0: "UNKNOWN",
    1: "UNPLUGGED",
    2: "PLUGGED_IN:CHARGING",
    3: WAITING,
    4: "PLUGGED_IN:STOPPED",
    5: "PLUGGED_IN:FAULT",
  },
  otherwise: "UNKNOWN",
};

/** Values in `/api/set` are JSON, and each key is answered with true, or with what is wrong with it. */
function set(key: string, value: Formula): HttpWrite {
  return {
    method: "GET",
    path: `/api/set?${key}={value}`,
    values: { value },
    acknowledge: { path: `/${key}`, is: true },
  };
}

/** Version 1 takes `key=value` as one parameter and answers its whole state. */
function payload(key: string, value: Formula): HttpWrite {
  return { method: "GET", path: `/mqtt?payload=${key}%3D{value}`, values: { value } };
}

const GO_E_COMMON = {
  brand: "go-e",
  vendors: ["GOE"],
  scheme: "http",
  port: 80,
  auth: { kind: "none" },
  limits: { timeoutMs: 5_000, minGapMs: 50 },
  pollMs: { fast: 2_000, normal: 10_000, slow: 600_000 },
} as const;

const GO_E_V2 = defineHttpProfile({
  ...GO_E_COMMON,
  id: "go-e-http",
  model: "Charger Gemini, HOME V3, HOME+ or PRO, HTTP API 2",
  polls: [
    { id: "status", poll: "fast", path: `/api/status?filter=${GO_E_ASKED}` },
    { id: "device", poll: "slow", path: "/api/status?filter=sse,typ,fwv,fna" },
  ],
  identity: {
    model: [{ from: "device", path: "/typ" }],
    serial: [{ from: "device", path: "/sse" }],
    version: [{ from: "device", path: "/fwv" }],
    name: [{ from: "device", path: "/fna" }],
  },
  points: [
    ...measured(goE, { current: 1, power: 1 }),
    goE("raw.car", "/car", { type: "state" }),
    goE("raw.allowed", "/alw", { type: "boolean" }),
    goE("raw.force", "/frc"),
    goE("charger.maxCurrent", "/amp"),
    goE("raw.phases", "/psm"),
    goE("charger.energy", "/eto"),
    goE("charger.energySession", "/wh"),
  ],
  derived: [
    { point: "charger.state", value: GO_E_STATE },
    {
      point: "charger.enabled",
      // Forced off and forced on are our own; when neutral the charger's own rules decide.
      value: { lookup: { of: "raw.force" }, values: { 1: false, 2: true }, otherwise: { of: "raw.allowed" } },
    },
    { point: "charger.phases", value: { lookup: { of: "raw.phases" }, values: { 0: 0, 1: 1, 2: 3 }, otherwise: null } },
  ],
  controls: [
    {
      point: "charger.enabled",
      // A stop of the gateway must not let a vehicle charge that was stopped.
      safeDefault: null,
      write: {
        cases: [
          { value: true, steps: [set("frc", 2)] },
          { value: false, steps: [set("frc", 1)] },
        ],
      },
      ...GO_E,
    },
    {
      point: "charger.maxCurrent",
      range: { min: LEAST_AMPERE, max: 32 },
      step: 1,
      safeDefault: "as-found",
      // Some hardware keeps it in flash memory.
      write: { steps: [{ ...set("amp", { wish: true }), isStored: true }] },
      minGapMs: 5_000,
      ...GO_E,
    },
    {
      point: "charger.phases",
      safeDefault: "as-found",
      write: {
        cases: [
          // It is kept in flash memory: what stands there is not written again.
          { value: 0, steps: [{ ...set("psm", 0), when: { of: { of: "raw.phases" }, is: [1, 2] } }] },
          { value: 1, steps: [{ ...set("psm", 1), when: { of: { of: "raw.phases" }, is: [0, 2] } }] },
          { value: 3, steps: [{ ...set("psm", 2), when: { of: { of: "raw.phases" }, is: [0, 1] } }] },
        ],
      },
      ...GO_E,
    },
  ],
  notes: [
    "Switch the local HTTP API 2 on in the go-e app: internet, advanced settings.",
    "The charger has no timer that ends a command: the last one stays when the gateway is gone.",
    "The current is written when it changes only, at most every 5 s, because some hardware stores it in flash memory.",
  ],
});

const goE1 = pointsOf("status", { confidence: "single-source", source: "go-e's API document" });
const TEXT = { isText: true } as const;

const GO_E_V1 = defineHttpProfile({
  ...GO_E_COMMON,
  id: "go-e-v1",
  model: "Charger HOME fix or V2, HTTP API 1",
  polls: [{ id: "status", poll: "fast", path: "/status" }],
  identity: {
    serial: [{ from: "status", path: "/sse" }],
    version: [{ from: "status", path: "/fwv" }],
  },
  points: [
    // Tenths of an ampere, and tens of watts.
    ...measured(goE1, { current: 0.1, power: 10 }),
    goE1("raw.car", "/car", { type: "state" }),
    goE1("raw.allowed", "/alw", { type: "text" }),
    goE1("charger.maxCurrent", "/amp", TEXT),
    goE1("charger.energy", "/eto", { ...TEXT, scale: 100 }),
    // Deka-watt-seconds.
    goE1("charger.energySession", "/dws", { ...TEXT, scale: 10 / 3_600 }),
  ],
  derived: [
    { point: "charger.state", value: GO_E_STATE },
    {
      point: "charger.enabled",
      value: { lookup: { of: "raw.allowed" }, values: { 0: false, 1: true }, otherwise: null },
    },
  ],
  controls: [
    {
      point: "charger.enabled",
      safeDefault: null,
      write: {
        cases: [
          { value: true, steps: [payload("alw", 1)] },
          { value: false, steps: [payload("alw", 0)] },
        ],
      },
      confidence: "single-source",
      source: "go-e's API document",
    },
    {
      point: "charger.maxCurrent",
      range: { min: LEAST_AMPERE, max: 32 },
      step: 1,
      safeDefault: "as-found",
      // amx is amp without the flash memory.
      write: { steps: [payload("amx", { wish: true })] },
      confidence: "single-source",
      source: "go-e's API document",
    },
  ],
  notes: ["Switch the local HTTP API on in the go-e app. The current is set without wear of its memory (amx)."],
});

const PEBLAR: Provenance = { confidence: "single-source", source: "python-peblar (Home Assistant)" };
const peblarMeter = pointsOf("meter", PEBLAR);
const peblarCar = pointsOf("car", PEBLAR);
const MILLI = { scale: 0.001 } as const;

function peblarLimit(milliampere: Formula): HttpWrite {
  return { method: "PATCH", path: "/api/wlac/v1/evinterface", body: { ChargeCurrentLimit: { $value: milliampere } } };
}

/** The limit to charge with again: the last command, else the owner's. */
const AGAIN: Formula = { times: [1_000, { first: [{ lastWrite: "charger.maxCurrent" }, { setting: "startA" }] }] };
const OFFERED: Condition = { of: { of: "raw.limit" }, atLeast: LEAST_AMPERE };

const PEBLAR_HOME = defineHttpProfile({
  id: "peblar",
  brand: "Peblar",
  model: "Home or Business, local REST API",
  vendors: ["PEBLAR"],
  scheme: "http",
  port: 80,
  auth: { kind: "token", header: "authorization" },
  limits: { timeoutMs: 8_000, minGapMs: 50 },
  pollMs: { fast: 5_000, normal: 30_000, slow: 600_000 },
  polls: [
    { id: "car", poll: "fast", path: "/api/wlac/v1/evinterface" },
    { id: "meter", poll: "fast", path: "/api/wlac/v1/meter" },
    { id: "system", poll: "slow", path: "/api/wlac/v1/system" },
  ],
  identity: {
    model: [{ from: "system", path: "/ProductPn" }],
    serial: [{ from: "system", path: "/ProductSn" }],
    version: [{ from: "system", path: "/FirmwareVersion" }],
  },
  points: [
    ...PHASES.flatMap((phase, index) => [
      peblarMeter(`charger.current.${phase}`, `/CurrentPhase${index + 1}`, MILLI),
      peblarMeter(`charger.voltage.${phase}`, `/VoltagePhase${index + 1}`),
    ]),
    peblarMeter("charger.power", "/PowerTotal"),
    peblarMeter("charger.energy", "/EnergyTotal"),
    peblarMeter("charger.energySession", "/EnergySession"),
    peblarCar("raw.limit", "/ChargeCurrentLimit", MILLI),
    peblarCar("raw.state", "/CpState", { type: "text" }),
  ],
  derived: [
    {
      point: "charger.maxCurrent",
      value: { when: OFFERED, gives: { of: "raw.limit" }, otherwise: { lastWrite: "charger.maxCurrent" } },
    },
    { point: "charger.enabled", value: { when: OFFERED, gives: true, otherwise: false } },
    {
      point: "charger.state",
      value: {
        lookup: { of: "raw.state" },
        values: {
          "State A": "UNPLUGGED",
          "State B": { when: OFFERED, gives: "PLUGGED_IN:NO_POWER", otherwise: "PLUGGED_IN:STOPPED" },
          "State C": "PLUGGED_IN:CHARGING",
          "State D": "PLUGGED_IN:CHARGING",
          "State E": "PLUGGED_IN:FAULT",
          "State F": "PLUGGED_IN:FAULT",
        },
        otherwise: "UNKNOWN",
      },
    },
  ],
  settings: {
    startA: { unit: "A", meaning: "Current to start with when none was set before", min: 6, max: 32, default: 16 },
  },
  controls: [
    {
      point: "charger.enabled",
      safeDefault: null,
      write: {
        cases: [
          { value: true, steps: [peblarLimit(AGAIN)] },
          { value: false, steps: [peblarLimit(0)] },
        ],
      },
      shownWithinMs: SHOWN_WITHIN_MS,
      ...PEBLAR,
    },
    {
      point: "charger.maxCurrent",
      range: { min: LEAST_AMPERE, max: 32 },
      step: 0.1,
      safeDefault: "as-found",
      // While charging is stopped the limit waits for the start, which it must not bring about.
      write: { steps: [peblarLimit(unlessStopped(OFFERED, { round: { times: [1_000, { wish: true }] } }, 0))] },
      ...PEBLAR,
    },
  ],
  notes: [
    "Switch the local REST API on in the charger's web interface, under advanced, with access to read and write.",
    "The token stands there. The charger has no timer that ends a command: the last one stays when the gateway is gone.",
  ],
});

export const CHARGERS: readonly HttpProfile[] = [GO_E_V2, GO_E_V1, PEBLAR_HOME, OPENEVSE];
