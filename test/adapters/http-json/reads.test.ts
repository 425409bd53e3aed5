/** Every point of every profile reads what its twin holds, in our units and with our signs. */
import { describe, expect, test } from "vitest";
import { KNOWN_HTTP_PROFILES } from "../../../adapters/http-json/known-http-profiles.ts";
import { GoETwin, OpenEvseTwin, PeblarTwin } from "../../twins/http-devices/charger-twins.ts";
import { EnphaseTwin, envoyToken } from "../../twins/http-devices/enphase-twin.ts";
import { FroniusTwin } from "../../twins/http-devices/fronius-twin.ts";
import { HOMEWIZARD_TOKEN, HomeWizardTwin } from "../../twins/http-devices/homewizard-twin.ts";
import type { HttpTwin } from "../../twins/http-devices/http-twin.ts";
import { PikoTwin, PlenticoreTwin } from "../../twins/http-devices/kostal-twin.ts";
import { PowerwallTwin } from "../../twins/http-devices/powerwall-twin.ts";
import { ShellyGen1Relays, ShellyRpcRelays, TasmotaRelays } from "../../twins/http-devices/relay-twins.ts";
import { ShellyGen1Twin, ShellyRpcTwin } from "../../twins/http-devices/shelly-twin.ts";
import { SonnenTwin } from "../../twins/http-devices/sonnen-twin.ts";
import { TasmotaTwin } from "../../twins/http-devices/tasmota-twin.ts";
import { bed, type Given } from "./http-world.ts";

const TOKEN = envoyToken(2_000_000_000);
const GRID = { "meter.power": 734 };
const COUNTERS = { "meter.energyImport": 4_321_500, "meter.energyExport": 1_234_700 };
const PV = { "inverter.power": 2_150, "inverter.energy": 9_876_500 };
const PHASE = { "meter.power.l1": 434, "meter.voltage.l1": 231.5 };
const CHARGING = {
  "charger.state": "PLUGGED_IN:CHARGING",
  "charger.power": 10_695,
  "charger.current.l1": 15.5,
  "charger.maxCurrent": 16,
  "charger.enabled": true,
  "charger.energy": 1_234_500,
  "charger.energySession": 5_400,
};
const BATTERY = { "battery.power": 1_200, "battery.soc": 63.5 };

/** Profile, options, twin, and what has to be read, at least. */
const CASES: readonly (readonly [Given, HttpTwin, Readonly<Record<string, unknown>>])[] = [
  [{ profile: "go-e-http" }, new GoETwin(2), { ...CHARGING, "charger.voltage.l3": 232 }],
  [{ profile: "go-e-v1" }, new GoETwin(1), CHARGING],
  [{ profile: "peblar", token: "t0ken" }, new PeblarTwin("t0ken"), { ...CHARGING, "charger.voltage.l2": 231 }],
  [{ profile: "openevse-http" }, new OpenEvseTwin(), CHARGING],
  [
    { profile: "enphase-envoy", token: TOKEN },
    new EnphaseTwin(TOKEN),
    {
      ...GRID,
      ...COUNTERS,
      ...PV,
      ...PHASE,
      ...BATTERY,
      "battery.capacity": 7_000,
      "battery.reserve": 12,
      "battery.mode": "SELF_RELIANCE",
      "hem.load": 1_684,
      "meter.frequency": 50.02,
    },
  ],
  [{ profile: "enphase-envoy-legacy" }, new EnphaseTwin(null), { ...GRID, ...PV, "hem.load": 1_684 }],
  [
    { profile: "fronius-solar-api" },
    new FroniusTwin(),
    {
      ...GRID,
      ...COUNTERS,
      ...PV,
      ...PHASE,
      ...BATTERY,
      "battery.capacity": 11_520,
      "hem.load": 1_684,
      "meter.frequency": 50.02,
    },
  ],
  [
    { profile: "fronius-ohmpilot" },
    new FroniusTwin(),
    { "hvac.power": 740, "hvac.temperature": 48.5, "hvac.isActive": true },
  ],
  [
    { profile: "homewizard-v1" },
    new HomeWizardTwin(1),
    { ...GRID, ...COUNTERS, ...PHASE, "meter.power.l2": 100, "meter.frequency": 50.02, "meter.current.l1": null },
  ],
  [{ profile: "homewizard-v1-pv" }, new HomeWizardTwin(1), { "inverter.power": -734, "inverter.energy": 1_234_700 }],
  [
    { profile: "homewizard-v1-battery" },
    new HomeWizardTwin(1, "battery"),
    { ...BATTERY, "battery.energyCharged": 4_321_500, "battery.energyDischarged": 1_234_700 },
  ],
  [
    { profile: "homewizard-v2", token: HOMEWIZARD_TOKEN },
    new HomeWizardTwin(2),
    { ...GRID, ...COUNTERS, ...PHASE, "battery.power": 1_200, "battery.mode": "SELF_RELIANCE" },
  ],
  [
    { profile: "homewizard-v2-pv", token: HOMEWIZARD_TOKEN },
    new HomeWizardTwin(2),
    { "inverter.power": -734, "inverter.energy": 1_234_700 },
  ],
  [
    { profile: "homewizard-v2-battery", token: HOMEWIZARD_TOKEN },
    new HomeWizardTwin(2, "battery"),
    { ...BATTERY, "battery.energyCharged": 4_321_500, "battery.energyDischarged": 1_234_700 },
  ],
  [{ profile: "kostal-piko" }, new PikoTwin(), PV],
  [
    { profile: "kostal-plenticore", password: "pässword" },
    new PlenticoreTwin("pässword"),
    { ...GRID, ...PV, ...BATTERY, ...PHASE, "hem.load": 1_684, "meter.frequency": 50.02 },
  ],
  [
    { profile: "tesla-powerwall", password: "AB123" },
    new PowerwallTwin("AB123"),
    {
      ...GRID,
      ...COUNTERS,
      ...PV,
      ...BATTERY,
      "battery.energyCharged": 2_345_600,
      "battery.energyDischarged": 2_109_800,
      "battery.capacity": 27_000,
      "battery.reserve": 12,
      "battery.mode": "SELF_RELIANCE",
      "hem.load": 1_684,
      "meter.power.l1": 734,
      "meter.voltage.l1": 231.5,
      "meter.voltage.l3": null,
    },
  ],
  [
    { profile: "shelly-gen2-3em", password: "secret" },
    new ShellyRpcTwin("triphase", "secret"),
    { ...GRID, ...COUNTERS, "meter.power.l1": 367, "meter.current.l2": 2.5, "meter.voltage.l3": 231.5 },
  ],
  [
    { profile: "shelly-gen2-em", settings: { channel: 1 } },
    new ShellyRpcTwin("monophase"),
    { ...GRID, ...COUNTERS, "meter.current.l1": 3.4, "meter.frequency": 50.02 },
  ],
  [
    { profile: "shelly-gen2-switch" },
    new ShellyRpcTwin("switch"),
    { "meter.power": -2_150, "meter.energyImport": 40, "meter.energyExport": 9_876_500, "meter.voltage.l1": 231.5 },
  ],
  [{ profile: "shelly-gen2-switch-pv" }, new ShellyRpcTwin("switch"), PV],
  [
    { profile: "shelly-gen2-inputs" },
    new ShellyRpcTwin("inputs"),
    { "contact.1": false, "contact.2": true, "contact.3": null, "contact.4": false },
  ],
  [
    { profile: "shelly-3em", password: "secret" },
    new ShellyGen1Twin("3em", "secret"),
    { ...GRID, ...COUNTERS, "meter.power.l3": 146.8, "meter.current.l1": 2.5 },
  ],
  [
    { profile: "shelly-em", settings: { channel: 1 } },
    new ShellyGen1Twin("3em"),
    { "meter.power": 220.2, "meter.energyImport": 1_296_450, "meter.voltage.l1": 231.5 },
  ],
  [
    { profile: "shelly-gen1-relay" },
    new ShellyGen1Twin("relay"),
    { "meter.power": 2_150, "meter.energyImport": 9_876_500 },
  ],
  [{ profile: "shelly-gen1-relay-pv" }, new ShellyGen1Twin("relay"), PV],
  [{ profile: "shelly-gen2-sg-ready" }, new ShellyRpcRelays(() => 0), { "hvac.mode": "AUTO" }],
  [{ profile: "shelly-gen1-sg-ready" }, new ShellyGen1Relays(() => 0), { "hvac.mode": "AUTO" }],
  [
    { profile: "sonnen-v2", token: "t0ken" },
    new SonnenTwin(2, "t0ken"),
    {
      ...GRID,
      ...BATTERY,
      "inverter.power": 2_150,
      "hem.load": 1_684,
      "battery.reserve": 12,
      "battery.mode": "SELF_RELIANCE",
    },
  ],
  [
    { profile: "sonnen-v1" },
    new SonnenTwin(1),
    { ...GRID, ...BATTERY, "inverter.power": 2_150, "hem.load": 1_684, "battery.mode": "SELF_RELIANCE" },
  ],
  [
    { profile: "tasmota-http", password: "p&ss=word" },
    new TasmotaTwin("two-channels", "p&ss=word"),
    { ...GRID, "meter.energyImport": 4_321_500, "meter.voltage.l1": 231.5 },
  ],
  [{ profile: "tasmota-http-pv" }, new TasmotaTwin("plug"), { "inverter.power": 734, "inverter.energy": 4_321_500 }],
  [{ profile: "tasmota-http-sg-ready" }, new TasmotaRelays(() => 0), { "hvac.mode": "AUTO" }],
  [{ profile: "tasmota-http-sml" }, new TasmotaTwin("reader"), { ...GRID, ...COUNTERS }],
];

describe("a device that answers by HTTP", () => {
  test.each(CASES)("$profile reads what it holds", async (given, twin, expected) => {
    const { connect, read } = bed(twin, given);
    await using driver = await connect();
    const readings = await read(driver);
    const shown = Object.fromEntries(Object.entries(readings).map(([point, value]) => [point, rounded(value)]));
    expect(shown).toMatchObject(expected);
    expect(new Set(Object.keys(readings))).toEqual(new Set(driver.points));
    expect(Object.values(readings).filter((value) => Number.isNaN(value))).toEqual([]);
  });

  test.each(CASES)(
    "$profile tells its serial number and its version, or the profile says why not",
    async (given, twin) => {
      const profile = KNOWN_HTTP_PROFILES.find(({ id }) => id === given.profile);
      if (twin instanceof FroniusTwin) twin.hasDatamanager = true;
      await using driver = await bed(twin, given).connect();
      const { serial, version, model } = driver.identity;
      expect({ hasSerial: serial !== null, hasVersion: version !== null, hasModel: model !== null }).toEqual({
        hasSerial: profile?.noSerial === undefined,
        hasVersion: profile?.noVersion === undefined,
        hasModel: true,
      });
      expect([profile?.noSerial, profile?.noVersion]).not.toContain("");
    },
  );

  test("has a case here, whichever profile it is of", () => {
    expect(new Set(CASES.map(([{ profile }]) => profile))).toEqual(new Set(KNOWN_HTTP_PROFILES.map(({ id }) => id)));
  });
});

function rounded(value: unknown): unknown {
  return typeof value === "number" ? Math.round(value * 1e6) / 1e6 : value;
}
