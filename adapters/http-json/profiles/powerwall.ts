/** Tesla's Powerwall 1, 2 and + through their gateway's own web interface. Read only: it no longer honours writes. */
import { onceNotZero, type Provenance } from "hemgate/sdk";
import { defineHttpProfile, type HttpProfile } from "../http-profile.ts";
import { pointsOf } from "./points-of.ts";

const SOURCE: Provenance = { confidence: "cross-checked", source: "tesla_powerwall, evcc, vloschiavo/powerwall2" };
const SINGLE: Provenance = { confidence: "single-source", source: "tesla_powerwall" };

const power = pointsOf("power", SOURCE);
const operation = pointsOf("operation", SINGLE);
const site = pointsOf("site", SINGLE);
const READINGS = "/[location=site]/Cached_readings";

export const POWERWALL: readonly HttpProfile[] = [
  defineHttpProfile({
    id: "tesla-powerwall",
    brand: "Tesla",
    model: "Powerwall gateway, local",
    vendors: ["TESLA"],
    isEnergyManager: true,
    scheme: "https",
    port: 443,
    // It serves its page for a few names only, and an address is no name that TLS may ask for.
    serverName: "powerwall",
    auth: {
      kind: "cookies",
      path: "/api/login/Basic",
      username: "customer",
      body: { username: "customer", email: "hemgate@localhost.invalid", password: "{password}", force_sm_off: false },
      cookies: ["AuthCookie", "UserRecord"],
    },
    limits: { timeoutMs: 8_000, minGapMs: 50 },
    pollMs: { fast: 5_000, normal: 30_000, slow: 600_000 },
    polls: [
      { id: "power", poll: "fast", path: "/api/meters/aggregates" },
      { id: "soc", poll: "normal", path: "/api/system_status/soe" },
      { id: "site", poll: "normal", path: "/api/meters/site", isOptional: true },
      { id: "operation", poll: "normal", path: "/api/operation", isOptional: true },
      { id: "info", poll: "slow", path: "/api/site_info", isOptional: true },
      { id: "status", poll: "slow", path: "/api/status" },
      { id: "units", poll: "slow", path: "/api/powerwalls", isOptional: true },
    ],
    identity: {
      serial: [
        { from: "units", path: "/gateway_din" },
        { from: "status", path: "/din" },
      ],
      version: [{ from: "status", path: "/version" }],
      name: [{ from: "info", path: "/site_name" }],
    },
    parts: {
      battery: "always",
      inverter: onceNotZero(["inverter.energy", "inverter.power"]),
      meter: "always",
    },
    points: [
      power("meter.power", "/site/instant_power"),
      power("meter.energyImport", "/site/energy_imported"),
      power("meter.energyExport", "/site/energy_exported"),
      power("meter.frequency", "/site/frequency"),
      // Discharging is positive here.
      power("battery.power", "/battery/instant_power", { scale: -1 }),
      power("battery.energyCharged", "/battery/energy_imported"),
      power("battery.energyDischarged", "/battery/energy_exported"),
      power("inverter.power", "/solar/instant_power"),
      power("inverter.energy", "/solar/energy_exported"),
      power("hem.load", "/load/instant_power"),
      ...(
        [
          ["l1", "a"],
          ["l2", "b"],
          ["l3", "c"],
        ] as const
      ).flatMap(([phase, letter]) => [
        site(`meter.power.${phase}`, `${READINGS}/real_power_${letter}`),
        site(`meter.voltage.${phase}`, `${READINGS}/v_${phase}n`),
      ]),
      { ...SOURCE, key: "battery.soc", from: "soc", path: "/percentage" },
      operation("battery.reserve", "/backup_reserve_percent"),
      operation("battery.mode", "/real_mode", {
        type: "state",
        states: {
          values: { self_consumption: "SELF_RELIANCE", autonomous: "TIME_OF_USE", backup: "IMPORT_FOCUS" },
          otherwise: "UNKNOWN",
        },
      }),
      { ...SINGLE, key: "battery.capacity", from: "info", path: "/nominal_system_energy_kWh", scale: 1_000 },
    ],
    derived: [],
    controls: [],
    notes: [
      "The password is that of the customer login, at delivery the last five characters on the gateway's label.",
      "The charge is that of the whole battery: Tesla's app shows it without the 5 % that it keeps back.",
      "Powerwall 3 has no such interface.",
      "Signing in too often locks the gateway, so it is done once a day, a minute after the first refusal of a password that was right, and ten minutes after any other.",
    ],
  }),
];
