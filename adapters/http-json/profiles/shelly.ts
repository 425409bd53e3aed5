/** Shelly's meters, relays and plugs: RPC of the second generation and later, and the first generation. */
import type { Formula, Provenance } from "hemgate/sdk";
import { defineHttpProfile, type HttpPoint, type HttpProfile } from "../http-profile.ts";
import { pointsOf } from "./points-of.ts";

const SOURCE: Provenance = { confidence: "cross-checked", source: "evcc, openWB, Home Assistant's aioshelly" };
const SINGLE: Provenance = { confidence: "single-source", source: "Home Assistant's aioshelly" };
const PHASES = [
  ["l1", "a"],
  ["l2", "b"],
  ["l3", "c"],
] as const;

const CHANNEL = {
  channel: { unit: "", meaning: "Which channel of the device, from 0", min: 0, max: 100, default: 0 },
} as const;

/** What all devices of the second generation and later have in common. */
export const RPC = {
  brand: "Shelly",
  vendors: ["SHELLY"],
  scheme: "http",
  port: 80,
  auth: { kind: "digest", username: "admin", isOptional: true },
  limits: { timeoutMs: 5_000, minGapMs: 20 },
  pollMs: { fast: 2_000, normal: 10_000, slow: 300_000 },
  polls: [
    { id: "status", poll: "fast", path: "/rpc/Shelly.GetStatus" },
    { id: "device", poll: "slow", path: "/rpc/Shelly.GetDeviceInfo" },
  ],
  identity: {
    model: [{ from: "device", path: "/app" }],
    serial: [{ from: "device", path: "/mac" }],
    version: [{ from: "device", path: "/ver" }],
    name: [{ from: "device", path: "/name" }],
  },
  controls: [],
} as const;

const status = pointsOf("status", SOURCE);
const fewer = pointsOf("status", SINGLE);

function triphase(): readonly HttpPoint[] {
  return [
    status("meter.power", "/em:{channel}/total_act_power"),
    ...PHASES.flatMap(([phase, letter]) => [
      status(`meter.power.${phase}`, `/em:{channel}/${letter}_act_power`),
      status(`meter.current.${phase}`, `/em:{channel}/${letter}_current`),
      status(`meter.voltage.${phase}`, `/em:{channel}/${letter}_voltage`),
    ]),
    fewer("meter.frequency", "/em:{channel}/a_freq"),
    // Wh since firmware 1.0; older drivers took them for kWh.
    status("meter.energyImport", "/emdata:{channel}/total_act"),
    status("meter.energyExport", "/emdata:{channel}/total_act_ret"),
  ];
}

/** Relays, plugs and power meters, under whichever name the device has its channel. */
function channelPoints(): readonly HttpPoint[] {
  return ["switch", "pm1", "cover"].flatMap((component) => [
    fewer(`raw.${component}.power`, `/${component}:{channel}/apower`),
    fewer(`raw.${component}.voltage`, `/${component}:{channel}/voltage`),
    fewer(`raw.${component}.current`, `/${component}:{channel}/current`),
    fewer(`raw.${component}.frequency`, `/${component}:{channel}/freq`),
    fewer(`raw.${component}.energy`, `/${component}:{channel}/aenergy/total`),
    fewer(`raw.${component}.returned`, `/${component}:{channel}/ret_aenergy/total`),
  ]);
}

function channel(quantity: string): Formula {
  return { first: ["switch", "pm1", "cover"].map((component) => ({ of: `raw.${component}.${quantity}` })) };
}

/** What came back is in the counter of all energy as well, so it is taken off where the device tells it. */
const TAKEN: Formula = { minus: [channel("energy"), { first: [channel("returned"), 0] }] };

/** The first four inputs, in the mode switch; a button has no state. */
function inputPoints(): readonly HttpPoint[] {
  return ([1, 2, 3, 4] as const).map((number) =>
    fewer(`contact.${number}`, `/input:${number - 1}/state`, { type: "boolean" }),
  );
}

export const RPC_NOTES = [
  "Nothing has to be switched on. With a password on the device the same is given here; the user is admin.",
  "Devices that run on a battery sleep, and are out of reach in between.",
];

/** What all devices of the first generation have in common. */
export const SHELLY_GEN1 = {
  brand: "Shelly",
  vendors: ["SHELLY"],
  scheme: "http",
  port: 80,
  auth: { kind: "basic", username: "admin", isOptional: true },
  limits: { timeoutMs: 5_000, minGapMs: 50 },
  pollMs: { fast: 2_000, normal: 10_000, slow: 300_000 },
  polls: [
    { id: "status", poll: "fast", path: "/status" },
    { id: "device", poll: "slow", path: "/shelly" },
  ],
  identity: {
    model: [{ from: "device", path: "/type" }],
    serial: [
      { from: "device", path: "/mac" },
      { from: "status", path: "/mac" },
    ],
    version: [{ from: "device", path: "/fw" }],
  },
  controls: [],
  notes: ["Nothing has to be switched on. With a restricted login on the device its user and password are given here."],
} as const;

function emeter(index: string, quantity: string): { readonly path: string; readonly validAt: string } {
  return { path: `/emeters/${index}/${quantity}`, validAt: `/emeters/${index}/is_valid` };
}

function threePhases(): readonly HttpPoint[] {
  return PHASES.flatMap(([phase], index) => {
    const point = (key: HttpPoint["key"], quantity: string): HttpPoint => {
      const { path, validAt } = emeter(String(index), quantity);
      return status(key, path, { validAt });
    };
    return [
      point(`meter.power.${phase}`, "power"),
      point(`meter.current.${phase}`, "current"),
      point(`meter.voltage.${phase}`, "voltage"),
      point(`raw.import.${phase}`, "total"),
      point(`raw.export.${phase}`, "total_returned"),
    ];
  });
}

function sumOf(name: string): Formula {
  return { sum: PHASES.map(([phase]) => ({ of: `${name}.${phase}` })) };
}

/** One of several clamps; each may hang anywhere. */
function oneClamp(): readonly HttpPoint[] {
  const point = (key: HttpPoint["key"], quantity: string): HttpPoint => {
    const { path, validAt } = emeter("{channel}", quantity);
    return status(key, path, { validAt });
  };
  return [
    point("meter.power", "power"),
    point("meter.voltage.l1", "voltage"),
    point("meter.energyImport", "total"),
    point("meter.energyExport", "total_returned"),
  ];
}

/** Relays count in watt-minutes, meters in Wh. */
const WATT_MINUTES = { scale: 1 / 60 } as const;
const meters = pointsOf("status", SINGLE);

function relay(power: HttpPoint["key"], energy: HttpPoint["key"]): readonly HttpPoint[] {
  const validAt = "/meters/{channel}/is_valid";
  return [
    meters(power, "/meters/{channel}/power", { validAt }),
    meters(energy, "/meters/{channel}/total", { ...WATT_MINUTES, validAt }),
  ];
}

/** Shelly's device profiles. */
export const SHELLY: readonly HttpProfile[] = [
  defineHttpProfile({
    ...RPC,
    id: "shelly-gen2-3em",
    model: "Pro 3EM or 3EM-63 Gen3, three phases",
    points: triphase(),
    derived: [],
    settings: CHANNEL,
    notes: [...RPC_NOTES, "For the profile triphase; with monophase use shelly-gen2-em and a channel."],
  }),
  defineHttpProfile({
    ...RPC,
    id: "shelly-gen2-em",
    model: "Pro EM, or one clamp of a Pro 3EM",
    points: [
      status("meter.power", "/em1:{channel}/act_power"),
      status("meter.current.l1", "/em1:{channel}/current"),
      status("meter.voltage.l1", "/em1:{channel}/voltage"),
      fewer("meter.frequency", "/em1:{channel}/freq"),
      status("meter.energyImport", "/em1data:{channel}/total_act_energy"),
      status("meter.energyExport", "/em1data:{channel}/total_act_ret_energy"),
    ],
    derived: [],
    settings: CHANNEL,
    notes: [...RPC_NOTES, "For the profile monophase of a Pro 3EM."],
  }),
  defineHttpProfile({
    ...RPC,
    id: "shelly-gen2-switch",
    model: "Relay, plug or power meter, second generation and later",
    points: channelPoints(),
    derived: [
      { point: "meter.power", value: channel("power") },
      { point: "meter.voltage.l1", value: channel("voltage") },
      { point: "meter.current.l1", value: channel("current") },
      { point: "meter.frequency", value: channel("frequency") },
      { point: "meter.energyImport", value: TAKEN },
      { point: "meter.energyExport", value: channel("returned") },
    ],
    settings: CHANNEL,
    notes: RPC_NOTES,
  }),
  defineHttpProfile({
    ...RPC,
    id: "shelly-gen2-switch-pv",
    model: "Relay, plug or power meter of a small solar system",
    points: channelPoints(),
    derived: [
      // Some of them give power without a sign, some as negative when it flows back: here it is always production.
      { point: "inverter.power", value: { absolute: channel("power") } },
      { point: "inverter.energy", value: { first: [channel("returned"), channel("energy")] } },
    ],
    settings: CHANNEL,
    notes: [...RPC_NOTES, "What the solar system takes at night, a few watts, counts as production."],
  }),
  defineHttpProfile({
    ...RPC,
    id: "shelly-gen2-inputs",
    model: "Inputs as relay contacts of a grid operator's control box: Plus i4, Plus Uni, Pro 2 and others",
    points: inputPoints(),
    derived: [],
    notes: [...RPC_NOTES, "The inputs have to be in the mode switch: a button has no state."],
  }),
  defineHttpProfile({
    ...SHELLY_GEN1,
    id: "shelly-3em",
    model: "3EM, first generation",
    points: threePhases(),
    derived: [
      { point: "meter.power", value: sumOf("meter.power") },
      { point: "meter.energyImport", value: sumOf("raw.import") },
      { point: "meter.energyExport", value: sumOf("raw.export") },
    ],
    notes: [
      ...SHELLY_GEN1.notes,
      "Each phase is counted for itself: a tariff meter that balances phases shows less of both.",
    ],
  }),
  defineHttpProfile({
    ...SHELLY_GEN1,
    id: "shelly-em",
    model: "EM, first generation, one clamp",
    points: oneClamp(),
    derived: [],
    settings: CHANNEL,
  }),
  defineHttpProfile({
    ...SHELLY_GEN1,
    id: "shelly-gen1-relay",
    model: "Relay or plug with a meter, first generation",
    points: relay("meter.power", "meter.energyImport"),
    derived: [],
    settings: CHANNEL,
  }),
  defineHttpProfile({
    ...SHELLY_GEN1,
    id: "shelly-gen1-relay-pv",
    model: "Relay or plug of a small solar system, first generation",
    points: relay("raw.power", "inverter.energy"),
    derived: [{ point: "inverter.power", value: { absolute: { of: "raw.power" } } }],
    settings: CHANNEL,
  }),
];
