import { describe, expect, it } from "vitest";
import { evcc } from "../../firmware-bridges/evcc/evcc.ts";
import { EvccTwin } from "../twins/firmware/evcc.ts";
import { MqttBench } from "./bench.ts";

const HOUSE = { bridge: "evcc", topic: "evcc" };
const FIRST = { ...HOUSE, role: "charger", channel: 1 } as const;

describe("evcc", () => {
  it("is the manager of a house: a discharge that it counts as positive, and a load with what charges", async () => {
    await using bench = new MqttBench();
    const twin = new EvccTwin();
    bench.board(twin);
    const driver = await bench.connect(HOUSE);
    expect(driver.isEnergyManager).toBe(true);
    expect(driver.controls).toEqual([]);
    await bench.pass(31_000);
    expect(await bench.read(driver)).toEqual({
      "meter.power": -1_850.5,
      "meter.energyImport": 4_321_125,
      "meter.power.l1": -600.5,
      "meter.power.l2": -650,
      "meter.power.l3": -600,
      "meter.current.l1": -2.6,
      "inverter.power": 5_200,
      "inverter.energy": 12_345_500,
      "battery.power": 1_500,
      "battery.soc": 62,
      "battery.capacity": 10_240,
      // 549.5 W at home and 1300 W into the car are what grid, panels and battery leave.
      "hem.load": -1_850.5 + 5_200 - 1_500,
    });
    expect(driver.identity).toMatchObject({ manufacturer: "evcc", version: "0.208.1" });
  });

  it("is understood in older software, and what it does not know is null", async () => {
    await using bench = new MqttBench();
    const twin = new EvccTwin();
    for (const key of [...twin.site.keys()]) if (key.startsWith("grid/")) twin.site.delete(key);
    twin.site.set("gridPower", "420").set("batteryPower", "250").set("batterySoc", "").set("pvPower", "nonsense");
    bench.board(twin);
    const driver = await bench.connect(HOUSE);
    await bench.pass(31_000);
    expect(await bench.read(driver)).toMatchObject({
      "meter.power": 420,
      "battery.power": -250,
      "inverter.power": null,
    });
  });

  it("is each of its loadpoints, whose mode stops and starts charging", async () => {
    await using bench = new MqttBench();
    bench.board(new EvccTwin());
    const driver = await bench.connect(FIRST);
    expect(driver.isEnergyManager).toBe(false);
    expect(await bench.read(driver)).toMatchObject({
      "charger.state": "PLUGGED_IN:CHARGING",
      "charger.power": 1_300,
      "charger.energy": 812_250,
      "charger.energySession": 2_500,
      "charger.current.l1": 5.65,
      "charger.voltage.l1": 230,
      "charger.enabled": true,
      "charger.maxCurrent": 16,
    });
    await bench.write(driver, "charger.enabled", false);
    await bench.pass(61_000);
    expect(await bench.read(driver)).toMatchObject({
      "charger.enabled": false,
      "charger.state": "PLUGGED_IN:STOPPED",
      "charger.power": 0,
    });
    await bench.write(driver, "charger.maxCurrent", 10);
    await bench.write(driver, "charger.enabled", true);
    await bench.pass(61_000);
    expect(await bench.read(driver)).toMatchObject({
      "charger.maxCurrent": 10,
      "charger.state": "PLUGGED_IN:CHARGING",
    });
    expect([...bench.broker.retained.keys()].filter((topic) => topic.endsWith("/set"))).toEqual([]);
    const second = await bench.connect({ ...HOUSE, role: "charger", channel: 2 });
    expect(await bench.read(second)).toMatchObject({ "charger.state": "UNPLUGGED", "charger.enabled": false });
    await expect(bench.connect({ ...HOUSE, role: "charger" })).rejects.toThrow("channel is missing");
    await expect(bench.connect({ ...HOUSE, role: "battery" })).rejects.toThrow("role battery is not one of");
  });

  it("is gone with its last will, although the broker remembers all of it", async () => {
    await using bench = new MqttBench();
    const board = bench.board(new EvccTwin());
    const driver = await bench.connect(HOUSE);
    board.pull();
    await bench.pass(1_000);
    await expect(bench.read(driver)).rejects.toThrow("evcc is offline");
    await expect(bench.connect(HOUSE)).rejects.toThrow("evcc is offline");
  });

  it("has no values once they are old, although its last will says that it is there", async () => {
    await using bench = new MqttBench();
    const twin = new EvccTwin();
    bench.board(twin);
    const driver = await bench.connect(HOUSE);
    twin.site.clear();
    await bench.pass(91_000);
    const readings = await bench.read(driver);
    expect(readings).toMatchObject({ "meter.power": null, "battery.power": null, "hem.load": null });
  });

  it("makes itself known as a house and its loadpoints", () => {
    const heard = [
      { topic: "evcc/site/homePower", text: "500", isRetained: true },
      { topic: "evcc/loadpoints/2/mode", text: "pv", isRetained: true },
      { topic: "evcc/loadpoints/3/mode", text: "", isRetained: true },
    ];
    expect(evcc.announcements?.sightings(heard).map(({ roles, options }) => ({ roles, options }))).toEqual([
      { roles: ["meter"], options: { bridge: "evcc", topic: "evcc" } },
      { roles: ["charger"], options: { bridge: "evcc", topic: "evcc", channel: 2 } },
    ]);
  });
});
