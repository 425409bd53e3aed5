import { describe, expect, it } from "vitest";
import { openwb } from "../../firmware-bridges/openwb/openwb.ts";
import { OpenWbTwin } from "../twins/firmware/openwb.ts";
import { MqttBench } from "./bench.ts";

const HOUSE = { bridge: "openwb", topic: "openWB" };
const FIRST = { ...HOUSE, role: "charger", channel: 3 } as const;
const SECOND = { ...HOUSE, role: "charger", channel: 4 } as const;
const ROOF = { ...HOUSE, role: "inverter", channel: 5 } as const;

describe("an openWB", () => {
  it("is a house, with production that it counts as negative", async () => {
    await using bench = new MqttBench();
    bench.board(new OpenWbTwin());
    const driver = await bench.connect({ ...HOUSE, channel: 0 });
    expect(await bench.read(driver)).toEqual({
      "hem.load": 640.5,
      "battery.power": 1_500,
      "battery.soc": 62,
      "battery.energyCharged": 2_000_000,
      "battery.energyDischarged": 1_800_000,
      "inverter.power": 4_200,
      "inverter.energy": 9_876_543.2,
      "meter.power": -2_059.5,
      "meter.power.l1": -700,
      "meter.power.l2": -659.5,
      "meter.power.l3": -700,
      "meter.current.l1": -3,
      "meter.current.l2": -2.9,
      "meter.current.l3": -3.1,
      "meter.voltage.l1": 231,
      "meter.voltage.l2": 232,
      "meter.voltage.l3": 233,
      "meter.frequency": 49.98,
      "meter.energyImport": 1_000,
      "meter.energyExport": 2_000,
    });
    expect(driver.controls).toEqual([]);
  });

  it("has no battery when none is configured, although it tells 0 of it", async () => {
    await using bench = new MqttBench();
    const twin = new OpenWbTwin();
    twin.topics.delete("bat/config/configured");
    twin.topics.set("bat/config/configured", false).set("bat/get/power", 0);
    bench.board(twin);
    const driver = await bench.connect(HOUSE);
    expect(driver.points).toEqual(["hem.load", "inverter.power", "inverter.energy"]);
  });

  it("counts what charges as a part of the house's load", async () => {
    await using bench = new MqttBench();
    const twin = new OpenWbTwin();
    twin.topics.set("chargepoint/get/power", 3_680);
    bench.board(twin);
    const driver = await bench.connect(HOUSE);
    expect(driver.isEnergyManager).toBe(true);
    expect(await bench.read(driver)).toMatchObject({ "hem.load": 640.5 + 3_680 });
  });

  it("is each of its components", async () => {
    await using bench = new MqttBench();
    bench.board(new OpenWbTwin());
    const roof = await bench.connect(ROOF);
    const battery = await bench.connect({ ...HOUSE, role: "battery", channel: 6 });
    const meter = await bench.connect({ ...HOUSE, role: "meter", channel: 0 });
    expect(await bench.read(roof)).toEqual({ "inverter.power": 4_200, "inverter.energy": 9_876_543.2 });
    expect(await bench.read(battery)).toEqual({ "battery.power": 1_500, "battery.soc": 62 });
    expect(await bench.read(meter)).toMatchObject({ "meter.power": -2_059.5 });
    await expect(bench.connect({ ...HOUSE, role: "charger" })).rejects.toThrow("channel is missing");
    await expect(bench.connect({ ...HOUSE, role: "hvac", channel: 1 })).rejects.toThrow("role hvac is not one of");
  });

  it("shows nothing of a component that it does not reach, however often it tells the last values", async () => {
    await using bench = new MqttBench();
    const twin = new OpenWbTwin();
    bench.board(twin);
    const roof = await bench.connect(ROOF);
    const house = await bench.connect({ ...HOUSE, channel: 0 });
    twin.topics.set("pv/5/get/fault_str", "Timeout").set("pv/5/get/fault_state", 2);
    twin.topics.set("counter/0/get/fault_state", 2);
    await bench.pass(11_000);
    await expect(bench.read(roof)).rejects.toThrow("openWB has a fault of it: Timeout");
    expect(await bench.read(house)).toMatchObject({ "meter.power": null, "hem.load": 640.5 });
    twin.topics.set("pv/5/get/fault_state", 1);
    await bench.pass(11_000);
    expect(await bench.read(roof)).toMatchObject({ "inverter.power": 4_200 });
  });

  it("is a charger whose mode stops and starts it", async () => {
    await using bench = new MqttBench();
    const twin = new OpenWbTwin();
    bench.board(twin);
    const driver = await bench.connect(FIRST);
    expect(driver.identity).toMatchObject({ manufacturer: "openWB", serial: "47113" });
    expect(await bench.read(driver)).toMatchObject({
      "charger.state": "PLUGGED_IN:CHARGING",
      "charger.power": 3_680,
      "charger.energy": 555_000,
      "charger.current.l1": 16,
      "charger.enabled": true,
      "charger.maxCurrent": 10,
    });
    await bench.write(driver, "charger.enabled", false);
    await bench.pass(11_000);
    expect(await bench.read(driver)).toMatchObject({
      "charger.enabled": false,
      "charger.state": "PLUGGED_IN:STOPPED",
      "charger.power": 0,
    });
    await bench.write(driver, "charger.enabled", true);
    await bench.write(driver, "charger.maxCurrent", 13);
    await bench.pass(11_000);
    expect(await bench.read(driver)).toMatchObject({ "charger.enabled": true, "charger.maxCurrent": 13 });
    expect([...bench.broker.retained.keys()].filter((topic) => topic.startsWith("openWB/simpleAPI/set"))).toEqual([]);
  });

  it("lets only the first chargepoint be told a current, as openWB gives every current to that one", async () => {
    await using bench = new MqttBench();
    bench.board(new OpenWbTwin());
    const driver = await bench.connect(SECOND);
    expect(driver.controls.map(({ point }) => point)).toEqual(["charger.enabled"]);
  });

  it("counts as silent where the simple API does not run", async () => {
    await using bench = new MqttBench();
    const twin = new OpenWbTwin();
    twin.hasSimpleApi = false;
    bench.board(twin);
    const driver = await bench.connect(FIRST);
    await expect(bench.write(driver, "charger.enabled", false)).rejects.toMatchObject({ kind: "unreachable" });
  });

  it("is gone when its rounds stop, although the broker remembers all of it", async () => {
    await using bench = new MqttBench();
    const board = bench.board(new OpenWbTwin());
    const driver = await bench.connect(ROOF);
    await bench.pass(600_000);
    expect(await bench.read(driver)).toMatchObject({ "inverter.power": 4_200 });
    board.pull();
    await bench.pass(31_000);
    await expect(bench.read(driver)).rejects.toThrow("nothing came for");
    await expect(bench.connect(ROOF)).rejects.toThrow("only old values from the broker");
  });

  it("shows after a restart of the broker what changed meanwhile", async () => {
    await using bench = new MqttBench();
    const twin = new OpenWbTwin();
    bench.board(twin);
    const driver = await bench.connect(ROOF);
    bench.broker.stop();
    twin.topics.set("pv/5/get/power", -100);
    await bench.pass(5_000);
    bench.broker.start();
    await bench.pass(120_000);
    expect(await bench.read(driver)).toMatchObject({ "inverter.power": 100 });
  });

  it("announces its components", () => {
    const heard = ["chargepoint/3/get/plug_state", "counter/0/get/power", "bat/6/get/power", "pv/5/get/power"].map(
      (name) => ({ topic: `openWB/${name}`, text: "1", isRetained: true }),
    );
    const removed = { topic: "openWB/pv/9/get/power", text: "", isRetained: false };
    expect(openwb.announcements?.sightings([...heard, removed])).toMatchObject([
      { roles: ["charger"], options: { topic: "openWB", channel: 3 }, confidence: 0.9 },
      { roles: ["meter"], options: { channel: 0 }, confidence: 0.7 },
      { roles: ["battery"] },
      { roles: ["inverter"] },
    ]);
  });
});
