import { describe, expect, it } from "vitest";
import { homeassistant } from "../../firmware-bridges/homeassistant/homeassistant.ts";
import { DiscoveryTwin } from "../twins/firmware/homeassistant.ts";
import { MqttBench } from "./bench.ts";

const INVERTER = { bridge: "homeassistant", topic: "deye_1", role: "inverter" } as const;
const STATE = { ac: { p: [1.25, 0] }, total: "1234.5", soc: 81, limit: 100, plug: "OFF" };
const COMPONENTS = {
  pv_power: {
    p: "sensor",
    dev_cla: "power",
    unit_of_meas: "kW",
    stat_t: "~/state",
    uniq_id: "pv",
    val_tpl: "{{ value_json.ac.p[0] }}",
  },
  pv_energy: {
    p: "sensor",
    dev_cla: "energy",
    unit_of_meas: "kWh",
    stat_t: "~/state",
    uniq_id: "pv_total",
    val_tpl: "{{ value_json.total | float }}",
  },
  limit: {
    p: "number",
    unit_of_meas: "%",
    stat_t: "~/state",
    cmd_t: "~/set/limit",
    min: 10,
    max: 100,
    uniq_id: "pv_limit",
    retain: true,
    val_tpl: "{{ value_json.limit }}",
  },
};

describe("a device that announces itself for Home Assistant", () => {
  it.each([false, true])("is read in W and Wh, in one message: %s", async (isDeviceMessage) => {
    await using bench = new MqttBench();
    bench.board(new DiscoveryTwin("deye_1", COMPONENTS, { state: STATE, isDeviceMessage }));
    const driver = await bench.connect({ ...INVERTER, points: { "inverter.powerLimit": "pv_limit" } });
    await bench.pass(11_000);
    expect(driver.identity).toMatchObject({ manufacturer: "Deye", model: "SUN-12K", serial: "deye_1" });
    expect(await bench.read(driver)).toEqual({
      "inverter.power": 1_250,
      "inverter.energy": 1_234_500,
      "inverter.powerLimit": 100,
    });
  });

  it.each([
    ["A", 6, 16, ["charger.maxCurrent"]],
    ["mA", 6_000, 16_000, []],
  ] as const)("is read in %s, and set in A only", async (unit, min, max, controls) => {
    await using bench = new MqttBench();
    const amps = {
      ...COMPONENTS.limit,
      unit_of_meas: unit,
      min,
      max,
      uniq_id: "amps",
      val_tpl: "{{ value_json.amps }}",
    };
    bench.board(new DiscoveryTwin("box", { amps }, { state: { amps: max } }));
    const points = { "charger.maxCurrent": "amps" };
    const driver = await bench.connect({ bridge: "homeassistant", topic: "box", role: "charger", points });
    expect(await bench.read(driver)).toMatchObject({ "charger.maxCurrent": 16 });
    // A command goes out as it is: 16 would be 16 mA.
    expect(driver.controls.map(({ point }) => point)).toEqual(controls);
  });

  it("is set, never retained, and acknowledges with its state", async () => {
    await using bench = new MqttBench();
    const twin = new DiscoveryTwin("deye_1", COMPONENTS, { state: STATE });
    bench.board(twin);
    const driver = await bench.connect({ ...INVERTER, points: { "inverter.powerLimit": "pv_limit" } });
    await bench.write(driver, "inverter.powerLimit", 30);
    expect(twin.state["limit"]).toBe(30);
    expect(bench.broker.retained.has("bridge/deye_1/set/limit")).toBe(false);
    twin.isLocked = true;
    await expect(bench.write(driver, "inverter.powerLimit", 50)).rejects.toMatchObject({ kind: "unreachable" });
  });

  it("is taken by its name, and asks which of two powers is meant", async () => {
    await using bench = new MqttBench();
    const { pv_power: power } = COMPONENTS;
    const two = { ...COMPONENTS, load_power: { ...power, uniq_id: "load", val_tpl: "{{ value_json.ac.p[1] }}" } };
    bench.board(new DiscoveryTwin("deye_1", two, { state: STATE }));
    const unnamed = await bench.connect({ ...INVERTER, topic: "Garage inverter" });
    expect(await bench.read(unnamed)).not.toHaveProperty("inverter.power", expect.any(Number));
    expect(bench.warnings()).toContain("inverter.power: name one of load, pv under points");
    const named = await bench.connect({ ...INVERTER, points: { "inverter.power": "pv" } });
    await bench.pass(11_000);
    expect(await bench.read(named)).toMatchObject({ "inverter.power": 1_250 });
  });

  it("measures nothing by what the broker remembers of it", async () => {
    await using bench = new MqttBench();
    const twin = new DiscoveryTwin("deye_1", COMPONENTS, { state: STATE });
    const board = bench.board(twin);
    await bench.pass(1_000);
    twin.isSilent = true;
    const driver = await bench.connect(INVERTER);
    expect(await bench.read(driver)).toEqual({ "inverter.power": null, "inverter.energy": 1_234_500 });
    twin.isSilent = false;
    await bench.pass(11_000);
    expect(await bench.read(driver)).toMatchObject({ "inverter.power": 1_250 });
    board.pull();
    await bench.pass(500);
    await expect(bench.read(driver)).rejects.toThrow("it says that it is not available");
  });

  it("is met by its announcement, before the first value came", async () => {
    await using bench = new MqttBench();
    const twin = new DiscoveryTwin("deye_1", COMPONENTS, { state: STATE });
    twin.isSilent = true;
    bench.board(twin);
    const driver = await bench.connect(INVERTER);
    expect(driver.points).toEqual(["inverter.power", "inverter.energy"]);
    expect(await bench.read(driver)).toEqual({});
    twin.isSilent = false;
    await bench.pass(11_000);
    expect(await bench.read(driver, "due")).toMatchObject({ "inverter.power": 1_250 });
  });

  it("loses a value when it expires", async () => {
    await using bench = new MqttBench();
    const expiring = { pv_power: { ...COMPONENTS.pv_power, exp_aft: 30 } };
    const twin = new DiscoveryTwin("deye_1", expiring, { state: STATE });
    bench.board(twin);
    const driver = await bench.connect(INVERTER);
    await bench.pass(11_000);
    expect(await bench.read(driver)).toEqual({ "inverter.power": 1_250 });
    twin.isSilent = true;
    await bench.pass(31_000);
    expect(await bench.read(driver, "due")).toEqual({ "inverter.power": null });
  });

  it("loses an entity whose announcement is taken back", async () => {
    await using bench = new MqttBench();
    bench.board(new DiscoveryTwin("deye_1", COMPONENTS, { state: STATE }));
    const driver = await bench.connect(INVERTER);
    await bench.pass(11_000);
    await bench.publish("homeassistant/sensor/deye_1/pv_power/config", "", true);
    expect(await bench.read(driver)).toMatchObject({ "inverter.power": null, "inverter.energy": 1_234_500 });
  });

  it("refuses a template that it does not understand, by name", async () => {
    await using bench = new MqttBench();
    const odd = { ...COMPONENTS, pv_power: { ...COMPONENTS.pv_power, val_tpl: "{{ states('sensor.x') }}" } };
    bench.board(new DiscoveryTwin("deye_1", odd, { state: STATE }));
    const driver = await bench.connect(INVERTER);
    expect(await bench.read(driver)).not.toHaveProperty("inverter.power");
    expect(bench.warnings()).toContain('pv: "states" in a template');
  });

  it("is not there while nobody announces it", async () => {
    await using bench = new MqttBench();
    bench.board(new DiscoveryTwin("deye_2", COMPONENTS, { state: STATE }));
    await expect(bench.connect(INVERTER)).rejects.toThrow("nothing came on homeassistant/+/+/config");
  });

  it("is seen with the roles that it could be read in", () => {
    const config = { ...COMPONENTS.pv_power, dev: { ids: ["deye_1"], mf: "Deye" } };
    const heard = [
      { topic: "homeassistant/sensor/deye_1/pv_power/config", text: JSON.stringify(config), isRetained: true },
      { topic: "homeassistant/light/x/config", text: '{"dev":{"ids":"lamp"},"cmd_t":"x"}', isRetained: true },
      { topic: "homeassistant/sensor/x/config", text: "}", isRetained: true },
    ];
    expect(homeassistant.announcements?.sightings(heard)).toMatchObject([
      { key: "homeassistant:deye_1", manufacturer: "Deye", roles: ["meter", "inverter", "charger", "hvac"] },
    ]);
  });

  it("is no HVAC unit for a temperature alone, and a plug that tells its own is a meter first", () => {
    const dev = { ids: ["garden"], mf: "Acme" };
    const temperature = {
      name: "T",
      dev_cla: "temperature",
      unit_of_meas: "°C",
      stat_t: "garden/t",
      uniq_id: "g_t",
      dev,
    };
    const power = { name: "P", dev_cla: "power", unit_of_meas: "W", stat_t: "garden/p", uniq_id: "g_p", dev };
    const heard = [{ topic: "homeassistant/sensor/g_t/config", text: JSON.stringify(temperature), isRetained: true }];
    expect(homeassistant.announcements?.sightings(heard)).toEqual([]);
    heard.push({ topic: "homeassistant/sensor/g_p/config", text: JSON.stringify(power), isRetained: true });
    expect(homeassistant.announcements?.sightings(heard)).toMatchObject([
      { key: "homeassistant:garden", roles: ["meter", "inverter", "charger", "hvac"] },
    ]);
  });
});
