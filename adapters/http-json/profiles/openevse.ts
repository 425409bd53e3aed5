import type { Condition, Formula, Provenance } from "hemgate/sdk";
import { defineHttpProfile, type HttpWrite } from "../http-profile.ts";
import { pointsOf } from "./points-of.ts";
import { SHOWN_WITHIN_MS, unlessStopped } from "./unless-stopped.ts";

const LEAST_AMPERE = 6;

const EVSE: Provenance = { confidence: "cross-checked", source: "OpenEVSE's firmware, python-openevse-http" };
const CLAIM: Provenance = { confidence: "single-source", source: "OpenEVSE's firmware" };
const evse = pointsOf("status", EVSE);
const IS_PLUGGED: Condition = { of: { of: "raw.vehicle" }, is: [1, true] };
const IS_ACTIVE: Condition = { of: { of: "raw.status" }, is: "active" };
/** The limit that was set just now, else what it offers, also while it is stopped. */
const LIMIT: Formula = {
  first: [
    { lastWrite: "charger.maxCurrent" },
    { greatest: [{ of: "charger.maxCurrent" }, LEAST_AMPERE] },
    LEAST_AMPERE,
  ],
};

/** It takes the place of the override before: a current that is not named is lost, and the charger offers all that it can. */
function override(state: Formula, ampere: Formula): HttpWrite {
  return { method: "POST", path: "/override", body: { state: { $value: state }, charge_current: { $value: ampere } } };
}

/** OpenEVSE chargers over HTTP. */
export const OPENEVSE = defineHttpProfile({
  id: "openevse-http",
  brand: "OpenEVSE",
  model: "WiFi firmware, HTTP",
  vendors: ["OPENEVSE"],
  scheme: "http",
  port: 80,
  auth: { kind: "basic", username: "admin", isOptional: true },
  limits: { timeoutMs: 5_000, minGapMs: 50 },
  pollMs: { fast: 5_000, normal: 30_000, slow: 600_000 },
  polls: [
    { id: "status", poll: "fast", path: "/status" },
    { id: "config", poll: "slow", path: "/config", isOptional: true },
  ],
  identity: {
    serial: [{ from: "config", path: "/wifi_serial" }],
    version: [{ from: "config", path: "/version" }],
    name: [{ from: "config", path: "/hostname" }],
  },
  points: [
    evse("charger.power", "/power"),
    // Milliamperes; the same on each phase that is used, of which the charger knows nothing.
    evse("charger.current.l1", "/amp", { scale: 0.001 }),
    evse("charger.maxCurrent", "/pilot"),
    evse("raw.session", "/session_energy"),
    // Firmware 2 has the session in watt-seconds only.
    evse("raw.sessionWattSeconds", "/wattsec", { scale: 1 / 3_600 }),
    evse("raw.total", "/total_energy", { scale: 1_000 }),
    // Firmware 2 has Wh here, and no total.
    evse("raw.wattHours", "/watthour"),
    evse("raw.vehicle", "/vehicle", { type: "state" }),
    evse("raw.state", "/state"),
    evse("raw.status", "/status", { type: "text" }),
  ],
  derived: [
    { point: "charger.energy", value: { first: [{ of: "raw.total" }, { of: "raw.wattHours" }] } },
    { point: "charger.energySession", value: { first: [{ of: "raw.session" }, { of: "raw.sessionWattSeconds" }] } },
    {
      point: "charger.enabled",
      value: {
        lookup: { of: "raw.status" },
        values: { active: true, disabled: false },
        otherwise: null,
      },
    },
    {
      point: "charger.state",
      value: {
        lookup: { of: "raw.state" },
        values: {
          0: "UNKNOWN",
          1: "UNPLUGGED",
          2: "PLUGGED_IN:NO_POWER",
          3: "PLUGGED_IN:CHARGING",
          // Asleep or disabled it does not tell by its state whether a vehicle is there.
          254: { when: IS_PLUGGED, gives: "PLUGGED_IN:STOPPED", otherwise: "UNPLUGGED" },
          255: { when: IS_PLUGGED, gives: "PLUGGED_IN:STOPPED", otherwise: "UNPLUGGED" },
        },
        otherwise: "PLUGGED_IN:FAULT",
      },
    },
  ],
  controls: [
    {
      point: "charger.enabled",
      safeDefault: null,
      write: {
        cases: [
          { value: true, steps: [override("active", LIMIT)] },
          { value: false, steps: [override("disabled", LIMIT)] },
        ],
      },
      shownWithinMs: SHOWN_WITHIN_MS,
      ...CLAIM,
    },
    {
      point: "charger.maxCurrent",
      range: { min: LEAST_AMPERE, max: 80 },
      step: 1,
      safeDefault: "as-found",
      // A limit must not start what is stopped.
      write: { steps: [override(unlessStopped(IS_ACTIVE, "active", "disabled"), { wish: true })] },
      shownWithinMs: SHOWN_WITHIN_MS,
      ...CLAIM,
    },
  ],
  notes: ["Nothing has to be switched on. With a web password on the charger the same is given here."],
});
