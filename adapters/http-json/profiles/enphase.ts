/** Enphase's IQ Gateway (Envoy). Slow: it takes seconds for an answer, and is not asked more than twice a minute. */
import { onceKnown, onceNotZero, type Provenance } from "hemgate/sdk";
import { defineHttpProfile, type HttpPoint, type HttpProfile } from "../http-profile.ts";
import { pointsOf } from "./points-of.ts";

const SOURCE: Provenance = { confidence: "cross-checked", source: "pyenphase, evcc, openWB" };
const SINGLE: Provenance = { confidence: "single-source", source: "pyenphase" };
const UNVERIFIED: Provenance = { confidence: "unverified", source: "pyenphase; the sign is that of its live data" };

const COMMON = {
  brand: "Enphase",
  vendors: ["ENPHASE"],
  isEnergyManager: true,
  limits: { timeoutMs: 24_000, minGapMs: 200 },
  pollMs: { fast: 30_000, normal: 60_000, slow: 900_000 },
  controls: [],
  identity: {
    serial: [{ from: "info", path: "/sn" }],
    version: [{ from: "info", path: "/software" }],
  },
} as const;

const meters = pointsOf("meters", SOURCE);
const readings = pointsOf("readings", SOURCE);
const battery = pointsOf("battery", SINGLE);
const tariff = pointsOf("tariff", SINGLE);

const GRID = "/[eid=$raw.gridEid]";
const STORAGE = "/[eid=$raw.storageEid]";
const PRODUCTION = "/[eid=$raw.productionEid]";

function phases(): readonly HttpPoint[] {
  return [0, 1, 2].flatMap((index) => [
    readings(`meter.power.l${index + 1}` as HttpPoint["key"], `${GRID}/channels/${index}/activePower`),
    readings(`meter.voltage.l${index + 1}` as HttpPoint["key"], `${GRID}/channels/${index}/voltage`),
    readings(`meter.current.l${index + 1}` as HttpPoint["key"], `${GRID}/channels/${index}/current`),
  ]);
}

export const ENPHASE: readonly HttpProfile[] = [
  defineHttpProfile({
    ...COMMON,
    id: "enphase-envoy",
    model: "IQ Gateway, firmware 7 and later",
    scheme: "https",
    port: 443,
    auth: { kind: "token", header: "authorization", prefix: "Bearer ", isJwt: true },
    polls: [
      { id: "readings", poll: "fast", path: "/ivp/meters/readings", isOptional: true },
      { id: "meters", poll: "slow", path: "/ivp/meters", isOptional: true },
      { id: "production", poll: "fast", path: "/api/v1/production" },
      { id: "details", poll: "normal", path: "/production.json?details=1", isOptional: true },
      { id: "power", poll: "fast", path: "/ivp/ensemble/power", isOptional: true },
      { id: "battery", poll: "normal", path: "/ivp/ensemble/secctrl", isOptional: true },
      { id: "tariff", poll: "slow", path: "/admin/lib/tariff", isOptional: true },
      { id: "info", poll: "slow", path: "/info", format: "elements" },
    ],
    parts: {
      battery: onceNotZero(["battery.soc", "battery.capacity", "battery.energyCharged"], SINGLE),
      inverter: "always",
      meter: onceKnown(["meter.power"]),
    },
    points: [
      meters("raw.gridEid", "/[measurementType=net-consumption]/eid"),
      meters("raw.productionEid", "/[measurementType=production]/eid"),
      meters("raw.storageEid", "/[measurementType=storage]/eid"),
      // Discharging is positive: what it received is more than what it delivered, by the losses.
      readings("raw.storage", `${STORAGE}/activePower`, { scale: -1 }),
      readings("battery.energyCharged", `${STORAGE}/actEnergyRcvd`),
      readings("battery.energyDischarged", `${STORAGE}/actEnergyDlvd`),
      readings("raw.measured", `${PRODUCTION}/activePower`),
      readings("raw.measuredEnergy", `${PRODUCTION}/actEnergyDlvd`),
      readings("meter.power", `${GRID}/activePower`),
      readings("meter.energyImport", `${GRID}/actEnergyDlvd`),
      readings("meter.energyExport", `${GRID}/actEnergyRcvd`),
      readings("meter.frequency", `${GRID}/freq`),
      ...phases(),
      { ...SOURCE, key: "raw.reported", from: "production", path: "/wattsNow" },
      { ...SOURCE, key: "raw.reportedEnergy", from: "production", path: "/wattHoursLifetime" },
      { ...SOURCE, key: "hem.load", from: "details", path: "/consumption/[measurementType=total-consumption]/wNow" },
      // The name of the list really ends in a colon. mW; discharging taken as positive.
      {
        ...UNVERIFIED,
        key: "raw.cells",
        from: "power",
        path: "/devices:/*/real_power_mw",
        scale: -0.001,
        combine: "sum",
      },
      battery("battery.soc", "/agg_soc"),
      battery("battery.capacity", "/Enc_max_available_capacity"),
      battery("battery.reserve", "/configured_backup_soc"),
      tariff("battery.mode", "/tariff/storage_settings/mode", {
        type: "state",
        states: {
          values: {
            "self-consumption": "SELF_RELIANCE",
            savings: "TIME_OF_USE",
            economy: "TIME_OF_USE",
            backup: "IMPORT_FOCUS",
          },
          otherwise: "UNKNOWN",
        },
      }),
    ],
    derived: [
      { point: "battery.power", value: { first: [{ of: "raw.storage" }, { of: "raw.cells" }] } },
      // What current clamps measure; without them what the microinverters reported, up to a quarter of an hour ago.
      { point: "inverter.power", value: { first: [{ of: "raw.measured" }, { of: "raw.reported" }] } },
      { point: "inverter.energy", value: { first: [{ of: "raw.measuredEnergy" }, { of: "raw.reportedEnergy" }] } },
    ],
    notes: [
      "Get a token at https://entrez.enphaseenergy.com with the account that owns the system; it is good for a year.",
      "The certificate is the gateway's own and is pinned.",
      "Without a clamp of the battery's own, the sign of its power is not confirmed by two sources.",
    ],
  }),
  defineHttpProfile({
    ...COMMON,
    id: "enphase-envoy-legacy",
    model: "Envoy, firmware before 7",
    scheme: "http",
    port: 80,
    auth: { kind: "digest", username: "envoy", isOptional: true },
    polls: [
      { id: "production", poll: "fast", path: "/api/v1/production" },
      { id: "details", poll: "fast", path: "/production.json", isOptional: true },
      { id: "info", poll: "slow", path: "/info", format: "elements" },
    ],
    parts: {
      inverter: "always",
      meter: onceNotZero(["meter.power"]),
    },
    points: [
      { ...SOURCE, key: "raw.reported", from: "production", path: "/wattsNow" },
      { ...SOURCE, key: "raw.reportedEnergy", from: "production", path: "/wattHoursLifetime" },
      { ...SOURCE, key: "raw.measured", from: "details", path: "/production/[type=eim]/wNow" },
      { ...SOURCE, key: "raw.measuredEnergy", from: "details", path: "/production/[type=eim]/whLifetime" },
      { ...SOURCE, key: "raw.clamps", from: "details", path: "/production/[type=eim]/activeCount" },
      { ...SOURCE, key: "meter.power", from: "details", path: "/consumption/[measurementType=net-consumption]/wNow" },
      { ...SOURCE, key: "hem.load", from: "details", path: "/consumption/[measurementType=total-consumption]/wNow" },
    ],
    derived: [
      { point: "inverter.power", value: measured("raw.measured", "raw.reported") },
      { point: "inverter.energy", value: measured("raw.measuredEnergy", "raw.reportedEnergy") },
    ],
    notes: [
      "Firmware before 7 needs no sign-in for what is read here; some ask for the user envoy and the last six digits " +
        "of the serial number.",
    ],
  }),
];

/** What the clamps measure where there are any; a gateway without them shows 0 for them. */
function measured(clamps: string, reported: string) {
  const hasClamps = {
    all: [
      { of: { of: "raw.clamps" }, isKnown: true },
      { of: { of: "raw.clamps" }, atLeast: 1 },
    ],
  };
  return { when: hasClamps, gives: { of: clamps }, otherwise: { of: reported } };
}
