import { describe, expect, it } from "vitest";
import { essMode } from "../../firmware-bridges/victron-gx/ess.ts";
import { victronGx } from "../../firmware-bridges/victron-gx/victron-gx.ts";
import { VictronGxTwin } from "../twins/firmware/victron-gx.ts";
import { MqttBench } from "./bench.ts";

const PORTAL = "c0619ab4a585";
const SYSTEM = {
  confirmNoFailsafe: true,
  bridge: "victron-gx",
  topic: PORTAL,
  settings: { maxChargeW: 3_000, maxDischargeW: 2_500 },
};
const STATION = { bridge: "victron-gx", topic: PORTAL, role: "charger", channel: 40 } as const;
const OVERRIDE = "hub4/0/Overrides/Setpoint";

describe("a Victron GX", () => {
  it("is read as the system that it manages", async () => {
    await using bench = new MqttBench();
    bench.board(new VictronGxTwin(PORTAL));
    const driver = await bench.connect(SYSTEM);
    expect(driver.identity).toMatchObject({
      manufacturer: "Victron Energy",
      model: "Cerbo GX",
      serial: PORTAL,
      version: "v3.60",
    });
    expect(await bench.read(driver)).toEqual({
      "battery.power": 1_130,
      "battery.soc": 57.5,
      "battery.status": "CHARGING",
      "battery.reserve": 20,
      "battery.mode": "SELF_RELIANCE",
      "inverter.power": 1_900,
      "inverter.energy": 5_000_750,
      "meter.power": 50,
      "meter.power.l1": 50,
      "meter.voltage.l1": 231.4,
      "meter.current.l1": 4.1,
      "meter.frequency": 50.02,
      "meter.energyImport": 1_234_560,
      "meter.energyExport": 98_700,
      "hem.load": 820,
    });
  });

  it("is kept alive, and stays known where nothing changes, with one dump", async () => {
    await using bench = new MqttBench();
    const twin = new VictronGxTwin(PORTAL);
    bench.board(twin);
    const driver = await bench.connect(SYSTEM);
    const { dumps } = twin;
    for (let turn = 0; turn < 18; turn += 1) {
      await bench.pass(10_000);
      await bench.read(driver, "due");
    }
    expect(await bench.read(driver)).toMatchObject({ "battery.soc": 57.5, "meter.frequency": 50.02 });
    expect(twin.dumps).toBe(dumps);
    expect(bench.broker.retained.size).toBe(0);
  });

  it("charges by a volatile set point that follows the house, and is released", async () => {
    await using bench = new MqttBench();
    const twin = new VictronGxTwin(PORTAL);
    bench.board(twin);
    const driver = await bench.connect(SYSTEM);
    const control = driver.controls.find(({ point }) => point === "battery.mode");
    expect(control).toMatchObject({ holdMs: null, renewMs: 10_000, safeDefault: "SELF_RELIANCE" });
    await bench.write(driver, "battery.mode", "IMPORT_FOCUS");
    await bench.pass(2_000);
    expect(await bench.read(driver)).toMatchObject({
      "battery.mode": "IMPORT_FOCUS",
      "battery.power": 3_000,
      "meter.power": 1_920,
    });
    twin.bus.set("system/0/Ac/Consumption/L1/Power", 2_820);
    await bench.pass(2_000);
    await bench.write(driver, "battery.mode", "IMPORT_FOCUS");
    await bench.pass(2_000);
    expect(await bench.read(driver)).toMatchObject({ "battery.power": 3_000, "meter.power": 3_920 });
    await bench.write(driver, "battery.mode", "SELF_RELIANCE");
    await bench.pass(2_000);
    expect(await bench.read(driver)).toMatchObject({ "battery.mode": "SELF_RELIANCE", "meter.power": 50 });
    expect(new Set(twin.writes.map(([path]) => path))).toEqual(new Set([OVERRIDE]));
  });

  it("discharges with an export that never turns into an import", async () => {
    await using bench = new MqttBench();
    const twin = new VictronGxTwin(PORTAL);
    twin.bus.set("system/0/Ac/Consumption/L1/Power", 9_000);
    bench.board(twin);
    await bench.pass(2_000);
    const driver = await bench.connect(SYSTEM);
    await bench.write(driver, "battery.mode", "EXPORT_FOCUS");
    expect(twin.bus.get(OVERRIDE)).toBe(-1);
    expect(await bench.read(driver)).toMatchObject({ "battery.mode": "EXPORT_FOCUS" });
  });

  it("is released although its owner has let Dynamic ESS begin at any time", async () => {
    await using bench = new MqttBench();
    const twin = new VictronGxTwin(PORTAL);
    bench.board(twin);
    const driver = await bench.connect(SYSTEM);
    await bench.write(driver, "battery.mode", "IMPORT_FOCUS");
    await bench.pass(2_000);
    twin.bus.set("settings/0/Settings/DynamicEss/Mode", 1);
    await bench.pass(2_000);
    expect(await bench.read(driver)).toMatchObject({ "battery.mode": "IMPORT_FOCUS" });
    await expect(bench.write(driver, "battery.mode", "IMPORT_FOCUS")).rejects.toMatchObject({ kind: "rejected" });
    await bench.write(driver, "battery.mode", "SELF_RELIANCE");
    await bench.pass(2_000);
    expect(await bench.read(driver)).toMatchObject({ "battery.mode": "SELF_RELIANCE" });
  });

  it("is left alone while Dynamic ESS is on, or somebody else has control", async () => {
    await using bench = new MqttBench();
    const twin = new VictronGxTwin(PORTAL);
    bench.board(twin);
    const driver = await bench.connect(SYSTEM);
    twin.bus.set("system/0/DynamicEss/Active", 1);
    await bench.pass(2_000);
    expect(await bench.read(driver)).toMatchObject({ "battery.mode": "TIME_OF_USE" });
    await expect(bench.write(driver, "battery.mode", "IMPORT_FOCUS")).rejects.toMatchObject({
      kind: "rejected",
      message: expect.stringContaining("Dynamic ESS"),
    });
    twin.bus.set("system/0/DynamicEss/Active", 0).set("settings/0/Settings/CGwacs/Hub4Mode", 3);
    await bench.pass(2_000);
    await expect(bench.write(driver, "battery.mode", "IMPORT_FOCUS")).rejects.toThrow("external control");
    expect(twin.writes).toEqual([]);
  });

  it("offers no mode without the battery's limits, or without a volatile set point", async () => {
    await using bench = new MqttBench();
    const twin = new VictronGxTwin(PORTAL);
    bench.board(twin);
    expect((await bench.connect({ ...SYSTEM, settings: {} })).controls).toEqual([]);
    twin.bus.delete(OVERRIDE);
    expect((await bench.connect(SYSTEM)).controls).toEqual([]);
  });

  it("refuses what it does not take over, and is silent where it hangs", async () => {
    await using bench = new MqttBench();
    const twin = new VictronGxTwin(PORTAL);
    bench.board(twin);
    const driver = await bench.connect(SYSTEM);
    twin.isStubborn = true;
    await expect(bench.write(driver, "battery.mode", "IMPORT_FOCUS")).rejects.toMatchObject({
      kind: "rejected",
      message: "battery.mode IMPORT_FOCUS: the GX keeps null",
    });
    twin.isSilent = true;
    await expect(bench.write(driver, "battery.mode", "IMPORT_FOCUS")).rejects.toMatchObject({ kind: "unreachable" });
    await bench.pass(31_000);
    await expect(bench.read(driver)).rejects.toThrow("nothing came for");
  });

  it("knows nothing of what left the bus, and of old values of a broker in between", async () => {
    await using bench = new MqttBench();
    const twin = new VictronGxTwin(PORTAL);
    const board = bench.board(twin);
    const driver = await bench.connect(SYSTEM);
    twin.remove("solarcharger/279", board.say);
    twin.remove("grid/30", board.say);
    await bench.pass(500);
    expect(await bench.read(driver)).toMatchObject({
      "inverter.energy": null,
      "meter.energyImport": null,
      "meter.power": 50,
    });
    board.pull();
    await bench.publish(`N/${PORTAL}/system/0/Dc/Battery/Power`, '{"value":4000}', true);
    await bench.pass(31_000);
    await expect(bench.read(driver)).rejects.toThrow("nothing came for");
    await expect(bench.connect(SYSTEM)).rejects.toThrow("only old values from the broker");
  });

  it("comes back with all it has after a restart of the broker", async () => {
    await using bench = new MqttBench();
    const twin = new VictronGxTwin(PORTAL);
    bench.board(twin);
    const driver = await bench.connect(SYSTEM);
    bench.broker.stop();
    await bench.pass(40_000);
    twin.bus.set("system/0/Dc/Battery/Soc", 70);
    await expect(bench.read(driver)).rejects.toThrow("no connection to the broker");
    bench.broker.start();
    await bench.pass(120_000);
    expect(await bench.read(driver)).toMatchObject({ "battery.soc": 70 });
  });

  it("is its components one by one", async () => {
    await using bench = new MqttBench();
    bench.board(new VictronGxTwin(PORTAL));
    const of = async (role: "meter" | "inverter" | "battery", channel: number): Promise<object> =>
      await bench.read(await bench.connect({ bridge: "victron-gx", topic: PORTAL, role, channel }));
    expect(await of("meter", 30)).toMatchObject({ "meter.power": 50, "meter.energyExport": 98_700 });
    expect(await of("inverter", 20)).toEqual({ "inverter.power": 1_240, "inverter.energy": 4_000_500 });
    expect(await of("inverter", 279)).toEqual({ "inverter.power": 660, "inverter.energy": 1_000_250 });
    expect(await of("battery", 512)).toEqual({ "battery.power": 1_130, "battery.soc": 57.5 });
  });
});

describe("a charging station behind a GX", () => {
  it("is read and told, out of its automatic mode", async () => {
    await using bench = new MqttBench();
    const twin = new VictronGxTwin(PORTAL);
    bench.board(twin);
    const driver = await bench.connect(STATION);
    expect(driver.identity).toMatchObject({ model: "EV Charging Station", serial: "HQ2230ABCDE" });
    expect(await bench.read(driver)).toEqual({
      "charger.state": "PLUGGED_IN:CHARGING",
      "charger.power": 3_680,
      "charger.energy": 321_500,
      "charger.energySession": 4_250,
      "charger.maxCurrent": 16,
      "charger.enabled": true,
    });
    await bench.write(driver, "charger.maxCurrent", 10);
    await bench.write(driver, "charger.enabled", false);
    expect(twin.writes).toEqual([
      ["evcharger/40/Mode", 0],
      ["evcharger/40/SetCurrent", 10],
      ["evcharger/40/StartStop", 0],
    ]);
    await bench.write(driver, "charger.maxCurrent", 8.6);
    expect(twin.writes.at(-1)).toEqual(["evcharger/40/SetCurrent", 8]);
    await expect(bench.write(driver, "charger.maxCurrent", 32)).rejects.toThrow("does not take 32");
  });

  it("is gone when it leaves the bus, while the GX goes on", async () => {
    await using bench = new MqttBench();
    const twin = new VictronGxTwin(PORTAL);
    const board = bench.board(twin);
    const driver = await bench.connect(STATION);
    twin.remove("evcharger/40", board.say);
    await bench.pass(500);
    await expect(bench.read(driver)).rejects.toThrow("evcharger 40 left the GX");
    await expect(bench.connect({ ...STATION, channel: 41 })).rejects.toThrow("nothing came on");
  });
});

it("a Victron GX tells what the battery aims for", () => {
  const own = { isScheduled: 0, mode: 2, ownersW: 50 };
  expect(essMode({ ...own, overrideW: 50 })).toBe("SELF_RELIANCE");
  expect(essMode({ ...own, overrideW: -1 })).toBe("EXPORT_FOCUS");
  expect(essMode({ ...own, mostChargeW: 0, mostDischargeW: 0 })).toBe("IDLE");
  expect(essMode({ ...own, mostDischargeW: 0 })).toBe("SELF_RELIANCE");
  expect(essMode({ ...own, batteryLife: 9 })).toBe("IMPORT_FOCUS");
  expect(essMode({ mode: 3 })).toBe("UNKNOWN");
});

it("announces itself by its serial number or heartbeat", () => {
  const heard = [
    { topic: `N/${PORTAL}/system/0/Serial`, text: '{"value":"c0619ab4a585"}', isRetained: true },
    { topic: "N/0123456789ab/heartbeat", text: '{"value":1}', isRetained: false },
    { topic: "N/garage/heartbeat", text: "1", isRetained: false },
  ];
  expect(victronGx.announcements?.sightings(heard)).toMatchObject([
    { key: `victron-gx:${PORTAL}`, options: { bridge: "victron-gx", topic: PORTAL } },
    { key: "victron-gx:0123456789ab" },
  ]);
});
