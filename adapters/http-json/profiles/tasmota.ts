/** Tasmota over its web commands: energy plugs, and readers of electricity meters. */
import type { Provenance } from "hemgate/sdk";
import { defineHttpProfile, type HttpProfile } from "../http-profile.ts";
import { pointsOf } from "./points-of.ts";

const SOURCE: Provenance = { confidence: "cross-checked", source: "Tasmota's documents, evcc, openWB" };
const KWH = { scale: 1_000 } as const;
const energy = pointsOf("sensors", SOURCE);
const PLUG = "/StatusSNS/ENERGY";
const READER = "/StatusSNS/SML";

/** What all devices have in common. */
export const TASMOTA_WEB = {
  brand: "Tasmota",
  vendors: ["TASMOTA"],
  scheme: "http",
  port: 80,
  auth: { kind: "query", username: "admin", usernameKey: "user", passwordKey: "password" },
  limits: { timeoutMs: 5_000, minGapMs: 50 },
  pollMs: { fast: 5_000, normal: 30_000, slow: 600_000 },
  polls: [
    { id: "sensors", poll: "fast", path: "/cm?cmnd=Status%208" },
    { id: "firmware", poll: "slow", path: "/cm?cmnd=Status%202", isOptional: true },
    { id: "network", poll: "slow", path: "/cm?cmnd=Status%205", isOptional: true },
    { id: "module", poll: "slow", path: "/cm?cmnd=Module", isOptional: true },
  ],
  identity: {
    // The number of the module or template, and its name.
    model: [{ from: "module", path: "/Module/*" }],
    serial: [{ from: "network", path: "/StatusNET/Mac" }],
    version: [{ from: "firmware", path: "/StatusFWR/Version" }],
    name: [{ from: "network", path: "/StatusNET/Hostname" }],
  },
  controls: [],
} as const;

export const TASMOTA: readonly HttpProfile[] = [
  defineHttpProfile({
    ...TASMOTA_WEB,
    id: "tasmota-http",
    model: "Energy plug or meter",
    points: [
      // Lists with more than one channel.
      energy("meter.power", `${PLUG}/Power`, { combine: "sum" }),
      energy("meter.voltage.l1", `${PLUG}/Voltage`),
      energy("meter.energyImport", `${PLUG}/Total`, { ...KWH, combine: "sum" }),
    ],
    derived: [],
    notes: ["The password of the web interface, where there is one. Channels of one plug are added up."],
  }),
  defineHttpProfile({
    ...TASMOTA_WEB,
    id: "tasmota-http-pv",
    model: "Energy plug of a small solar system",
    points: [
      energy("raw.power", `${PLUG}/Power`, { combine: "sum" }),
      energy("inverter.energy", `${PLUG}/Total`, { ...KWH, combine: "sum" }),
    ],
    derived: [{ point: "inverter.power", value: { absolute: { of: "raw.power" } } }],
    notes: ["The password of the web interface, where there is one."],
  }),
  defineHttpProfile({
    ...TASMOTA_WEB,
    id: "tasmota-http-sml",
    model: "Reader of an electricity meter",
    points: [
      energy("raw.power1", `${READER}/Power_curr`),
      energy("raw.power2", `${READER}/PowerCurr`),
      energy("raw.import1", `${READER}/Total_in`, KWH),
      energy("raw.import2", `${READER}/TotalIn`, KWH),
      energy("raw.export1", `${READER}/Total_out`, KWH),
      energy("raw.export2", `${READER}/TotalOut`, KWH),
    ],
    derived: [
      { point: "meter.power", value: { first: [{ of: "raw.power1" }, { of: "raw.power2" }] } },
      { point: "meter.energyImport", value: { first: [{ of: "raw.import1" }, { of: "raw.import2" }] } },
      { point: "meter.energyExport", value: { first: [{ of: "raw.export1" }, { of: "raw.export2" }] } },
    ],
    notes: [
      "The names of the values come from the script on the reader: name it SML, with Power_curr, Total_in and Total_out.",
    ],
  }),
];
