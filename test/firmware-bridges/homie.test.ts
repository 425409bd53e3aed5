import { describe, expect, it } from "vitest";
import { homie } from "../../firmware-bridges/homie/homie.ts";
import { HomieTwin, type HomieTwinProperty } from "../twins/firmware/homie.ts";
import { MqttBench } from "./bench.ts";

const METER = { bridge: "homie", topic: "cellar-meter", role: "meter" } as const;

function properties(): Record<string, HomieTwinProperty> {
  return {
    power: { datatype: "float", unit: "kW", value: "1.5" },
    import: { datatype: "float", unit: "kWh", value: "1234.5" },
    voltage: { datatype: "float", unit: "V", value: "229.9" },
    note: { datatype: "string", value: "hello" },
  };
}

describe("a Homie device", () => {
  it("is read by the units of its description, measurements once they came live", async () => {
    await using bench = new MqttBench();
    const twin = new HomieTwin("cellar-meter", properties());
    bench.board(twin);
    await bench.pass(2_000);
    const driver = await bench.connect(METER);
    expect(driver.identity).toMatchObject({ name: "Cellar meter", model: "meter-v2", serial: "cellar-meter" });
    expect(await bench.read(driver)).toEqual({
      "meter.power": null,
      "meter.voltage.l1": null,
      "meter.energyImport": 1_234_500,
    });
    const { power } = twin.properties;
    if (power !== undefined) power.value = "-0.25";
    await bench.pass(2_000);
    expect(await bench.read(driver, "due")).toEqual({ "meter.power": -250 });
  });

  it("is there while its state is ready, and gone when it or its root is lost", async () => {
    await using bench = new MqttBench();
    const board = bench.board(new HomieTwin("cellar-meter", properties(), "bridge"));
    const driver = await bench.connect(METER);
    await bench.publish("homie/5/cellar-meter/$state", "sleeping");
    await expect(bench.read(driver)).rejects.toThrow("it is sleeping");
    await bench.publish("homie/5/cellar-meter/$state", "ready");
    await bench.read(driver);
    board.pull();
    await bench.pass(500);
    await expect(bench.read(driver)).rejects.toThrow("its root device is lost");
  });

  it("is not believed for ever without a live word", async () => {
    await using bench = new MqttBench();
    bench.board(new HomieTwin("cellar-meter", properties()));
    const driver = await bench.connect(METER);
    await bench.pass(3_590_000);
    await bench.read(driver);
    await bench.pass(60_000);
    await expect(bench.read(driver)).rejects.toThrow("nothing came for 36");
  });

  it("is set, and shows it", async () => {
    await using bench = new MqttBench();
    const twin = new HomieTwin("roof", {
      power: { datatype: "float", unit: "W", value: "800" },
      limit: { datatype: "integer", unit: "%", settable: true, format: "5:100:5", value: "100" },
    });
    bench.board(twin);
    const points = { "inverter.powerLimit": "main/limit" };
    const driver = await bench.connect({ bridge: "homie", topic: "roof", role: "inverter", points });
    expect(driver.controls).toMatchObject([{ point: "inverter.powerLimit", range: { min: 5, max: 100 } }]);
    await bench.write(driver, "inverter.powerLimit", 50);
    expect(await bench.read(driver)).toMatchObject({ "inverter.powerLimit": 50 });
    expect(bench.broker.retained.has("homie/5/roof/main/limit/set")).toBe(false);
    twin.isLocked = true;
    await expect(bench.write(driver, "inverter.powerLimit", 20)).rejects.toMatchObject({ kind: "unreachable" });
  });

  it("is the same device after the broker restarted", async () => {
    await using bench = new MqttBench();
    const twin = new HomieTwin("cellar-meter", properties());
    bench.board(twin);
    const driver = await bench.connect(METER);
    bench.broker.stop();
    await bench.pass(1_000);
    await expect(bench.read(driver)).rejects.toThrow("no connection to the broker");
    bench.broker.start();
    await bench.pass(130_000);
    expect(await bench.read(driver)).toMatchObject({ "meter.energyImport": 1_234_500 });
    const { power } = twin.properties;
    if (power !== undefined) power.value = "1.6";
    await bench.pass(2_000);
    expect(await bench.read(driver)).toMatchObject({ "meter.power": 1_600 });
  });

  it("announces itself by state and description", () => {
    const description = { nodes: { main: { properties: { power: { datatype: "float", unit: "W" } } } }, name: "Meter" };
    const heard = [
      { topic: "homie/5/m1/$state", text: "ready", isRetained: true },
      { topic: "homie/5/m1/$description", text: JSON.stringify(description), isRetained: true },
      { topic: "homie/5/lamp/$state", text: "ready", isRetained: true },
      { topic: "homie/5/gone/$state", text: "", isRetained: true },
    ];
    expect(homie.announcements?.sightings(heard)).toMatchObject([
      { key: "homie:homie/m1", name: "Meter", options: { bridge: "homie", topic: "m1" } },
    ]);
  });
});
