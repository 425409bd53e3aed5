/** Answers recorded from devices, read through the driver that polls, against what their sources expect. */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import type { PointName } from "hemgate/sdk";
import { afterAll, describe, expect, test } from "vitest";
import { readBody } from "../../adapters/http-json/answer-body.ts";
import { envoyToken } from "../twins/http-devices/enphase-twin.ts";
import { device, FOLDER, type Recorded, type Route, textOf, used } from "./recorded-device.ts";

describe("HomeWizard", () => {
  const meter = { "/api": "homewizard/v1_HWE-KWH3_device.json" };

  test("API 1, a meter of three phases", async () => {
    const { readings, identity } = await device(
      { profile: "homewizard-v1" },
      { ...meter, "/api/v1/data": "homewizard/evcc_v1_3.json" },
    );
    expect(identity).toMatchObject({ model: "kWh Meter 3-phase", serial: "3c39e7aabbcc", version: "2.11" });
    expect(readings).toMatchObject({
      "meter.power": 203,
      "meter.power.l1": -21,
      "meter.current.l3": 0.747,
      "meter.voltage.l2": 226,
      "meter.energyImport": 18_664_997,
      "meter.energyExport": 13_823_608,
    });
  });

  test.each([
    ["homewizard/v1_HWE-P1_data_minimal.json", -543, 13_779_338, 4_162_461],
    ["homewizard/v1_HWE-SKT_data.json", 123, 10_830_511, 2_948_827],
  ])("API 1, tariffs without a total: %s", async (file, power, imported, exported) => {
    const { readings } = await device({ profile: "homewizard-v1" }, { ...meter, "/api/v1/data": file });
    const energy = { "meter.energyImport": imported, "meter.energyExport": exported };
    expect(readings).toMatchObject({ "meter.power": power, ...energy });
  });

  test("API 1, a battery", async () => {
    const routes = { ...meter, "/api/v1/data": "homewizard/HWE-BAT_v1.json" };
    const { readings } = await device({ profile: "homewizard-v1-battery" }, routes);
    expect(readings).toMatchObject({ "battery.power": 123, "battery.soc": 50, "battery.energyCharged": 123_456 });
  });

  test.each([
    ["homewizard/v2_HWE-P1_batteries_2_1_0.json", "SELF_RELIANCE"],
    ["homewizard/v2_HWE-P1_batteries_2_3_0.json", "TIME_OF_USE"],
  ])("API 2, a meter with batteries: %s", async (batteries, mode) => {
    const { readings, identity } = await device(
      { profile: "homewizard-v2", token: "t" },
      {
        "/api": "homewizard/v2_HWE-KWH3_device.json",
        "/api/measurement": "homewizard/v1_HWE-P1_measurement_3_phase_with_gas_with_watermeter.json",
        "/api/batteries": batteries,
      },
    );
    expect(identity.serial).toBe("5c2fafaabbcc");
    expect(readings).toMatchObject({
      "meter.power": -543,
      "meter.current.l1": -4,
      "meter.energyImport": 13_779_338,
      "meter.energyExport": 0,
      "battery.power": -404,
      "battery.mode": mode,
    });
  });

  test("API 2, one phase, and a device that measures nothing of ours", async () => {
    const plate = { "/api": "homewizard/v2_HWE-BAT_device.json" };
    const one = { ...plate, "/api/measurement": "homewizard/v2_HWE-P1_measurement_1_phase_no_gas.json" };
    const { readings, identity } = await device({ profile: "homewizard-v2", token: "t" }, one);
    expect(identity.model).toBe("Plug-in Battery");
    const energy = { "meter.energyImport": 13_779_338, "meter.energyExport": 4_162_461 };
    expect(readings).toMatchObject({ "meter.power": -678, "meter.power.l1": -676, ...energy });
    // It leads no batteries.
    expect(readings).not.toHaveProperty(["battery.mode"]);
    const gas = { ...plate, "/api/measurement": "homewizard/v2_HWE-P1_measurement_invalid_ean.json" };
    const other = await device({ profile: "homewizard-v2", token: "t" }, gas);
    expect(Object.values(other.readings).every((value) => value === null)).toBe(true);
  });
});

describe("Shelly", () => {
  const whole = (file: string): Readonly<Record<string, Route>> => ({
    "/rpc/Shelly.GetStatus": [file, ({ status }) => status],
    "/rpc/Shelly.GetDeviceInfo": [file, ({ shelly }) => shelly],
  });
  const component = (name: string, file: string): Readonly<Record<string, Route>> => ({
    "/rpc/Shelly.GetStatus": [file, (status) => ({ [name]: status })],
    "/rpc/Shelly.GetDeviceInfo": { made: {} },
  });

  test("Pro 3EM: recorded answers are read as they were meant", async () => {
    const { readings, identity } = await device({ profile: "shelly-gen2-3em" }, whole("shelly/gen2_pro3em.json"));
    expect(identity).toMatchObject({ model: "Pro3EM", serial: "AABBCCDDEEFF", version: "1.1.0", name: "Test Name" });
    expect(readings).toMatchObject({
      "meter.power": 558.965,
      "meter.power.l1": 375.5,
      "meter.current.l3": 0.428,
      "meter.voltage.l2": 229,
      "meter.frequency": 50,
      "meter.energyImport": 2_589_773.39,
      "meter.energyExport": 1_026.61,
    });
  });

  test.each([
    ["shelly/gen2_plus1pm.json", null, { "meter.power": 0, "meter.energyImport": 110.046, "meter.energyExport": null }],
    ["shelly/evcc_gen2_test_0.json", "switch:0", { "meter.power": 47.11, "meter.energyImport": 5.125 }],
    ["shelly/evcc_gen2_test_8.json", "switch:0", { "meter.power": 399.2, "meter.energyImport": 2_574_466.629 }],
    // What came back is counted twice: nothing was taken.
    ["shelly/evcc_gen2_test_10.json", "switch:0", { "meter.energyImport": 0, "meter.energyExport": 4_000 }],
    ["shelly/gen3_2pm_Cover.GetStatus.json", "cover:0", { "meter.power": 123.1, "meter.energyImport": 314.801 }],
  ] as const)("relays and shutters: %s", async (file, name, expected) => {
    const routes = name === null ? whole(file) : component(name, file);
    const { readings } = await device({ profile: "shelly-gen2-switch" }, routes);
    expect(readings).toMatchObject(expected);
  });

  test("a relay without a meter reads nothing, and an answer without a handler is none", async () => {
    const routes = {
      "/rpc/Shelly.GetStatus": "shelly/gen4_mini1_getstatus.json",
      "/rpc/Shelly.GetDeviceInfo": { made: {} },
    };
    const { readings } = await device({ profile: "shelly-gen2-switch" }, routes);
    expect(Object.values(readings).every((value) => value === null)).toBe(true);
    const unknown = { ...routes, "/rpc/Shelly.GetStatus": "shelly/evcc_gen2_test_4.json" };
    const other = await device({ profile: "shelly-gen2-switch" }, unknown);
    expect(Object.values(other.readings).every((value) => value === null)).toBe(true);
  });

  test("first generation", async () => {
    const relay = await device(
      { profile: "shelly-gen1-relay" },
      { "/status": "shelly/evcc_gen1_test_0.json", "/shelly": { made: {} } },
    );
    expect(relay.identity.serial).toBe("84CCA8XXXXXXX");
    expect(relay.readings).toMatchObject({ "meter.power": 4_711.12 });
    expect(relay.readings["meter.energyImport"]).toBeCloseTo(6_472_513 / 60, 6);
    const clamp = await device(
      { profile: "shelly-em" },
      { "/status": "shelly/evcc_gen1_test_2.json", "/shelly": { made: {} } },
    );
    expect(clamp.readings).toMatchObject({
      "meter.power": -620.34,
      "meter.voltage.l1": 235.68,
      "meter.energyImport": 401_472.9,
      "meter.energyExport": 653_673.7,
    });
  });
});

describe("Fronius", () => {
  const api = "/solar_api/v1";
  const named = (name: string): string => `fronius/pyfronius_v1_${name}.json`;
  /** Answers for one device, put into the form of those for all. */
  const ofAll = (body: Recorded): unknown => ({ ...body, Body: { Data: { 0: (body["Body"] as Recorded)["Data"] } } });

  test("meter, battery, counter and identity", async () => {
    const expected = JSON.parse(textOf("fronius/pyfronius_v1_expected.json"));
    const flow = expected.GET_POWER_FLOW_REALTIME_DATA;
    const Site = {
      P_Grid: flow.power_grid.value,
      P_Load: flow.power_load.value,
      P_PV: flow.power_photovoltaics.value,
      P_Akku: flow.power_battery.value,
    };
    const { readings, identity } = await device(
      { profile: "fronius-solar-api" },
      {
        // The answer itself was not recorded: its values are those that the source expects of it.
        [`${api}/GetPowerFlowRealtimeData.fcgi`]: { made: { Head: { Status: { Code: 0 } }, Body: { Data: { Site } } } },
        [`${api}/GetMeterRealtimeData.cgi`]: [named("GetMeterRealtimeData_Scope-Device_DeviceId-0"), ofAll],
        [`${api}/GetStorageRealtimeData.cgi`]: [named("GetStorageRealtimeData_Scope-Device_DeviceId-0"), ofAll],
        [`${api}/GetInverterRealtimeData.cgi`]: named(
          "GetInverterRealtimeData_Scope-Device_DeviceId-1_DataCollection-CommonInverterData",
        ),
        [`${api}/GetInverterInfo.cgi`]: named("GetInverterInfo"),
        [`${api}/GetLoggerInfo.cgi`]: named("GetLoggerInfo"),
      },
    );
    const logger = expected.GET_LOGGER_INFO;
    expect(identity).toMatchObject({ serial: logger.unique_identifier.value, version: logger.software_version.value });
    const storage = expected.GET_STORAGE_REALTIME_DATA_SCOPE_DEVICE;
    expect(readings).toMatchObject({
      "meter.power": flow.power_grid.value,
      "hem.load": -flow.power_load.value,
      "inverter.power": null,
      "inverter.energy": expected.GET_INVERTER_REALTIME_DATA_SCOPE_DEVICE.energy_total.value,
      "battery.soc": storage.state_of_charge.value,
      "battery.capacity": storage.capacity_designed.value,
      // The only meter measures the load: it is none of the grid.
      "meter.power.l1": null,
      "meter.energyImport": null,
    });
  });

  test("Ohmpilot: recorded answers are read as they were meant", async () => {
    const expected = JSON.parse(textOf("fronius/pyfronius_v1_expected.json")).GET_OHMPILOT_REALTIME_DATA_SYSTEM
      .ohmpilots[0];
    const { readings, identity } = await device(
      { profile: "fronius-ohmpilot" },
      { [`${api}/GetOhmPilotRealtimeData.cgi`]: named("GetOhmPilotRealtimeData_Scope-System") },
    );
    expect(identity).toMatchObject({ serial: expected.serial.value, model: expected.model.value });
    expect(readings).toEqual({
      "hvac.power": expected.power_real_ac.value,
      "hvac.temperature": expected.temperature_channel_1.value,
      "hvac.isActive": false,
    });
  });
});

describe("Enphase", () => {
  const token = envoyToken(2_000_000_000);

  test("firmware 7 with clamps and a battery", async () => {
    const folder = "enphase/7.6.185_with_cts_and_battery_3t";
    const expected = JSON.parse(textOf(`${folder}/expected.json`));
    const { readings, identity } = await device(
      { profile: "enphase-envoy", token },
      {
        "/info": `${folder}/info.xml`,
        "/ivp/meters": `${folder}/ivp_meters.json`,
        "/ivp/meters/readings": `${folder}/ivp_meters_readings.json`,
        "/production.json": `${folder}/production.json`,
        "/ivp/ensemble/power": `${folder}/ivp_ensemble_power.json`,
        "/ivp/ensemble/secctrl": `${folder}/ivp_ensemble_secctrl.json`,
        "/admin/lib/tariff": `${folder}/admin_lib_tariff.json`,
        // Not recorded; with clamps it does not count.
        "/api/v1/production": { made: { wattsNow: 0, wattHoursLifetime: 0 } },
      },
    );
    expect(identity).toMatchObject({ serial: "122238082690", version: "D7.6.185" });
    const { ctmeter_consumption: grid, ctmeter_production: sun, encharge_aggregate: battery } = expected;
    const shown: Readonly<Record<string, string>> = {
      "meter.power": grid.active_power,
      "meter.energyImport": grid.energy_delivered,
      "meter.energyExport": grid.energy_received,
      "meter.power.l1": grid.active_power,
      "inverter.power": sun.active_power,
      "inverter.energy": sun.energy_delivered,
      "battery.soc": battery.state_of_charge,
      "battery.capacity": battery.max_available_capacity,
      "battery.reserve": battery.reserve_state_of_charge,
    };
    for (const [point, value] of Object.entries(shown)) {
      expect([point, Math.round(Number(readings[point as PointName]))]).toEqual([point, Number(value)]);
    }
    expect(readings).toMatchObject({ "battery.power": 0, "battery.mode": "SELF_RELIANCE", "meter.frequency": 50 });
    expect(readings["hem.load"]).toBeCloseTo(519.156, 6);
    expect(readBody(Buffer.from(textOf(`${folder}/ivp_ensemble_inventory.json`)), "json", "inventory")).toHaveLength(1);
  });

  test("firmware 8 as documented, with a clamp at the battery", async () => {
    const { readings, identity } = await device(
      { profile: "enphase-envoy", token },
      {
        "/info": "enphase/docs/info.xml",
        "/ivp/meters": "enphase/docs/ivp_meters.json",
        "/ivp/meters/readings": "enphase/docs/ivp_meters_readings.json",
        "/production.json": "enphase/docs/production.json",
        "/api/v1/production": "enphase/docs/api_v1_production.json",
      },
    );
    // The documentation counts up where a device has its serial number.
    expect(identity).toMatchObject({ serial: null, version: "D8.3.5167" });
    expect(readings).toMatchObject({
      "inverter.power": 7_131.017,
      "inverter.energy": 13_431_336.968,
      "meter.power": 1_749.504,
      // It charges: what it received is more than what it delivered, and the house would use 16 kW otherwise.
      "battery.power": 7_083.656,
      "battery.energyCharged": 5_409_935.465,
      "battery.energyDischarged": 4_073_871.031,
      "hem.load": 324.922,
    });
  });

  test("firmware 3", async () => {
    const folder = "enphase/3.9.36";
    const routes = { "/info": `${folder}/info.xml`, "/api/v1/production": `${folder}/api_v1_production.json` };
    const { readings, identity } = await device({ profile: "enphase-envoy-legacy" }, routes);
    expect(identity).toMatchObject({ serial: "121426016034", version: "R3.9.36" });
    expect(readings).toMatchObject({ "inverter.power": 1_271, "inverter.energy": 6_012_540 });
    // It has no clamp at the grid.
    expect(readings).not.toHaveProperty(["meter.power"]);
    const inverters = readBody(Buffer.from(textOf(`${folder}/api_v1_production_inverters.json`)), "json", "inverters");
    expect(inverters).toHaveLength(12);
  });
});

describe("Powerwall", () => {
  test("meters, battery and identity", async () => {
    const { readings, identity } = await device(
      { profile: "tesla-powerwall", password: "AB123" },
      {
        "/api/meters/aggregates": "powerwall/meters_aggregates.json",
        "/api/meters/site": "powerwall/meter_site.json",
        "/api/site_info": "powerwall/site_info.json",
        "/api/status": "powerwall/status.json",
        "/api/powerwalls": "powerwall/powerwalls.json",
        // Not recorded; what its source expects.
        "/api/system_status/soe": { made: { percentage: 53.123423 } },
        "/api/operation": { made: { real_mode: "self_consumption", backup_reserve_percent: 5.000019999999999 } },
      },
    );
    const asserted = textOf("powerwall/expected.json");
    for (const [fact, shown] of [
      ["site_info.nominal_system_energy, 27", readings["battery.capacity"] === 27_000],
      ["site_info.site_name, 'test'", identity.name === "test"],
      ["gateway_din, 'gateway_din'", identity.serial === "gateway_din"],
      ["status.version, '1.50.1 c58c2df3'", identity.version === "1.50.1 c58c2df3"],
      ["get_charge(), 53.123423", readings["battery.soc"] === 53.123423],
      ["get_backup_reserve_percentage(), 5.000019999999999", readings["battery.reserve"] === 5.000019999999999],
      ["OperationMode.SELF_CONSUMPTION", readings["battery.mode"] === "SELF_RELIANCE"],
      ["assertIsNone(readings.v_l3n)", readings["meter.voltage.l3"] === null],
    ] as const) {
      expect([asserted.includes(fact), fact, shown]).toEqual([true, fact, true]);
    }
    expect(readings).toMatchObject({
      "meter.power": -5_347.455078125,
      "meter.power.l1": -17.950000762939453,
      "battery.power": 10,
      "battery.energyCharged": 5_265_110,
      "inverter.power": 6_099.032958984375,
      "hem.load": 734.1549565813606,
    });
  });
});

describe("OpenEVSE", () => {
  test.each([
    [
      "openevse/v4_json_status-new.json",
      { "charger.power": 4_500, "charger.energy": 20_127_228.17, "charger.enabled": false },
    ],
    ["openevse/websocket.json", { "charger.energy": 7_875_444, "charger.energySession": 7_950.783333 }],
    [
      "openevse/v2_json_status.json",
      {
        "charger.energy": 1_585_443,
        "charger.energySession": expect.closeTo(7_003.41, 1),
        "charger.maxCurrent": 25,
        "charger.enabled": null,
      },
    ],
  ])("%s", async (file, expected) => {
    const routes = { "/status": file, "/config": "openevse/v4_json_config.json" };
    const { readings, identity } = await device({ profile: "openevse-http" }, routes);
    expect(identity).toMatchObject({ serial: "1234567890AB", version: "4.1.2", name: "openevse-7b2c" });
    expect(readings).toMatchObject({ ...expected, "charger.state": "UNPLUGGED", "charger.current.l1": 0 });
  });
});

describe("what no point needs", () => {
  test.each([
    "enphase/docs/home.json",
    "fronius/pyfronius_v1_GetAPIVersion.json",
    "homewizard/evcc_v1_1.json",
    "homewizard/v2_HWE-BAT_system.json",
    "homewizard/v2_HWE-KWH3_system.json",
    "homewizard/v2_HWE-P1_system.json",
    "powerwall/grid_status.json",
    "powerwall/vloschiavo_21.39_autoconfig.status.json",
    "powerwall/vloschiavo_21.39_meters.json",
    "powerwall/vloschiavo_21.39_networks.json",
    "powerwall/vloschiavo_21.39_system.networks.conn_tests.json",
    "shelly/evcc_gen2_test_expected.json",
    "shelly/evcc_types_test_expected.json",
  ])("%s is read without harm", (file) => {
    const text = textOf(file);
    expect(readBody(Buffer.from(text), "json", file)).toEqual(JSON.parse(text));
  });
});

afterAll(() => {
  const all = readdirSync(FOLDER, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(FOLDER.length + 1));
  expect(all.filter((file) => !used.has(file))).toEqual([]);
});
