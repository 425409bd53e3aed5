/** HomeWizard's meters, sockets and batteries over their local API, versions 1 and 2. */
import { onceNotZero, type Provenance } from "hemgate/sdk";
import { defineHttpProfile, type HttpControl, type HttpPoint, type HttpProfile } from "../http-profile.ts";
import { pointsOf } from "./points-of.ts";

const SOURCE: Provenance = {
  confidence: "cross-checked",
  source: "HomeWizard's own client library, Home Assistant, evcc",
};
const MAKER: Provenance = { confidence: "vendor-list", source: "HomeWizard's own client library" };
/** The device counts in kWh. */
const KWH = { scale: 1_000 } as const;
const PHASES = ["l1", "l2", "l3"] as const;

type Names = { readonly power: string; readonly energy: (direction: "import" | "export", part: string) => string };
type Phase = { readonly voltage: (phase: string) => string; readonly current: (phase: string) => string };

const V1: Names & Phase & { frequency: string } = {
  power: "active_power",
  energy: (direction, part) => `/total_power_${direction}${part}_kwh`,
  voltage: (phase) => `/active_voltage_${phase}_v`,
  current: (phase) => `/active_current_${phase}_a`,
  frequency: "/active_frequency_hz",
};
const V2: Names & Phase & { frequency: string } = {
  power: "power",
  energy: (direction, part) => `/energy_${direction}${part}_kwh`,
  voltage: (phase) => `/voltage_${phase}_v`,
  current: (phase) => `/current_${phase}_a`,
  frequency: "/frequency_hz",
};

/** Counters: the total where the meter has one, else the sum of its tariffs. */
function counters(names: Names): readonly HttpPoint[] {
  const point = pointsOf("data", SOURCE);
  return (["import", "export"] as const).flatMap((direction) => [
    point(`raw.${direction}`, names.energy(direction, ""), KWH),
    ...[1, 2, 3, 4].map((tariff) => point(`raw.${direction}.t${tariff}`, names.energy(direction, `_t${tariff}`), KWH)),
  ]);
}

function counter(direction: "import" | "export") {
  const tariffs = [1, 2, 3, 4].map((tariff) => ({ of: `raw.${direction}.t${tariff}` }));
  return { first: [{ of: `raw.${direction}` }, { sumKnown: tariffs }] };
}

/** A grid meter, or any meter whose import is positive. */
function meterPoints(names: typeof V1): readonly HttpPoint[] {
  const point = pointsOf("data", SOURCE);
  return [
    point("meter.power", `/${names.power}_w`),
    ...PHASES.flatMap((phase) => [
      point(`meter.power.${phase}`, `/${names.power}_${phase}_w`),
      point(`meter.voltage.${phase}`, names.voltage(phase)),
      point(`meter.current.${phase}`, names.current(phase)),
    ]),
    point("meter.frequency", names.frequency),
  ];
}

const COMMON = {
  brand: "HomeWizard",
  vendors: ["HOMEWIZARD"],
  limits: { timeoutMs: 5_000, minGapMs: 0 },
  settings: {},
} as const;

const IDENTITY: NonNullable<HttpProfile["identity"]> = {
  model: [{ from: "device", path: "/product_name" }],
  serial: [{ from: "device", path: "/serial" }],
  version: [{ from: "device", path: "/firmware_version" }],
};

const ONE = {
  ...COMMON,
  scheme: "http",
  port: 80,
  auth: { kind: "none" },
  pollMs: { fast: 1_000, normal: 10_000, slow: 300_000 },
  polls: [
    { id: "data", poll: "fast", path: "/api/v1/data" },
    { id: "device", poll: "slow", path: "/api" },
  ],
  identity: IDENTITY,
  notes: [
    "Switch on the local API in the HomeWizard app: settings, meters, your meter, local API.",
    "A meter that refuses with 403 has the local API switched off.",
  ],
} as const;

const TWO = {
  ...COMMON,
  scheme: "https",
  port: 443,
  auth: { kind: "token", header: "authorization", prefix: "Bearer " },
  headers: { "x-api-version": "2" },
  pairing: "homewizard",
  pollMs: { fast: 1_000, normal: 10_000, slow: 300_000 },
  polls: [
    { id: "data", poll: "fast", path: "/api/measurement" },
    { id: "device", poll: "slow", path: "/api" },
  ],
  identity: IDENTITY,
  notes: [
    "Link it and press the button on the device when you are asked to; the token it gives is kept with the device.",
    "Its certificate is signed by HomeWizard for a name that no network knows, so it is pinned.",
  ],
} as const;

const METER_ENERGY = [
  { point: "meter.energyImport", value: counter("import") },
  { point: "meter.energyExport", value: counter("export") },
] as const;

/** Production shows as negative power, and as export, of a meter that counts import as positive. */
function producer(names: Names): Pick<HttpProfile, "points" | "derived" | "controls"> {
  const point = pointsOf("data", SOURCE);
  return {
    points: [point("inverter.power", `/${names.power}_w`, { scale: -1 }), ...counters(names)],
    derived: [{ point: "inverter.energy", value: counter("export") }],
    controls: [],
  };
}

function battery(names: Names): Pick<HttpProfile, "points" | "derived" | "controls"> {
  const point = pointsOf("data", SOURCE);
  return {
    points: [
      point("battery.power", `/${names.power}_w`),
      point("battery.soc", "/state_of_charge_pct"),
      ...counters(names),
    ],
    derived: [
      { point: "battery.energyCharged", value: counter("import") },
      { point: "battery.energyDischarged", value: counter("export") },
    ],
    controls: [],
  };
}

/** What the group of plug-in batteries aims for; it is set at the P1 meter or kWh meter that leads them. */
const MODES = {
  zero: "SELF_RELIANCE",
  to_full: "IMPORT_FOCUS",
  standby: "IDLE",
  predictive: "TIME_OF_USE",
} as const;

const BATTERY_MODE: HttpControl = {
  point: "battery.mode",
  safeDefault: "SELF_RELIANCE",
  write: {
    cases: Object.entries(MODES).map(([mode, value]) => ({
      value,
      steps: [
        {
          method: "PUT",
          path: "/api/batteries",
          body: { mode },
          acknowledge: { path: "/mode", is: mode },
        },
      ],
    })),
  },
  ...MAKER,
};

const batteries = pointsOf("batteries", MAKER);

/** HomeWizard's device profiles. */
export const HOMEWIZARD: readonly HttpProfile[] = [
  defineHttpProfile({
    ...ONE,
    id: "homewizard-v1",
    model: "P1 meter, kWh meter or energy socket, API 1",
    points: [...meterPoints(V1), ...counters(V1)],
    derived: METER_ENERGY,
    controls: [],
  }),
  defineHttpProfile({ ...ONE, ...producer(V1), id: "homewizard-v1-pv", model: "Meter of a solar system, API 1" }),
  defineHttpProfile({ ...ONE, ...battery(V1), id: "homewizard-v1-battery", model: "Plug-In Battery, API 1" }),
  defineHttpProfile({
    ...TWO,
    id: "homewizard-v2",
    model: "P1 meter or kWh meter, API 2, with its batteries",
    polls: [...TWO.polls, { id: "batteries", poll: "normal", path: "/api/batteries", isOptional: true }],
    parts: {
      battery: onceNotZero(["raw.batteryCount", "raw.mostConsumption"], MAKER),
      meter: "always",
    },
    points: [
      ...meterPoints(V2),
      ...counters(V2),
      batteries("battery.power", "/power_w"),
      // The number since API 2.2; before that only what they could take together.
      batteries("raw.batteryCount", "/battery_count"),
      batteries("raw.mostConsumption", "/max_consumption_w"),
      batteries("raw.mode", "/mode", { type: "text" }),
      batteries("raw.toFull", "/charge_to_full", { type: "boolean" }),
    ],
    derived: [
      ...METER_ENERGY,
      {
        point: "battery.mode",
        value: {
          when: {
            all: [
              { of: { of: "raw.toFull" }, isKnown: true },
              { of: { of: "raw.toFull" }, is: true },
            ],
          },
          gives: "IMPORT_FOCUS",
          otherwise: { lookup: { of: "raw.mode" }, values: MODES, otherwise: "UNKNOWN" },
        },
      },
    ],
    controls: [BATTERY_MODE],
  }),
  defineHttpProfile({ ...TWO, ...producer(V2), id: "homewizard-v2-pv", model: "Meter of a solar system, API 2" }),
  defineHttpProfile({ ...TWO, ...battery(V2), id: "homewizard-v2-battery", model: "Plug-In Battery, API 2" }),
];
