import { describe, expect, it } from "vitest";
import { esphome } from "../../firmware-bridges/esphome/esphome.ts";
import { EsphomeTwin } from "../twins/firmware/esphome.ts";
import { MqttBench } from "./bench.ts";

const METER = { bridge: "esphome", topic: "house-meter", role: "meter" } as const;

function meter(): EsphomeTwin {
  return new EsphomeTwin("house-meter", [
    { component: "sensor", objectId: "power", unit: "kW", deviceClass: "power", state: "0.532" },
    { component: "sensor", objectId: "energy_import", unit: "kWh", deviceClass: "energy", state: "1234.5" },
    { component: "sensor", objectId: "energy_export", unit: "kWh", deviceClass: "energy", state: "99" },
    { component: "sensor", objectId: "voltage_l2", unit: "V", deviceClass: "voltage", state: "nan" },
    { component: "sensor", objectId: "wifi", unit: "dBm", deviceClass: "signal_strength", state: "-60" },
  ]);
}

describe("an ESPHome node", () => {
  it("is read by what its announcements say of units and classes", async () => {
    await using bench = new MqttBench();
    bench.board(meter());
    const driver = await bench.connect(METER);
    await bench.pass(1_000);
    expect(driver.identity).toMatchObject({ model: "esp32dev", serial: "c8c9a3aabbcc" });
    expect(await bench.read(driver)).toEqual({
      "meter.power": 532,
      "meter.energyImport": 1_234_500,
      "meter.energyExport": 99_000,
      "meter.voltage.l2": null,
    });
  });

  it("is read by topics where discovery is off, and set by them", async () => {
    await using bench = new MqttBench();
    const twin = new EsphomeTwin("roof", [
      { component: "sensor", objectId: "ac", state: "412.5" },
      { component: "number", objectId: "limit", state: "100" },
    ]);
    twin.hasDiscovery = false;
    bench.board(twin);
    const points = { "inverter.power": "sensor/ac W", "inverter.powerLimit": "number/limit %" };
    const driver = await bench.connect({ bridge: "esphome", topic: "roof", points });
    await bench.pass(1_000);
    expect(await bench.read(driver)).toEqual({ "inverter.power": 412.5, "inverter.powerLimit": 100 });
    await bench.write(driver, "inverter.powerLimit", 40);
    expect(twin.entities[1]?.state).toBe("40");
    expect(await bench.read(driver)).toMatchObject({ "inverter.powerLimit": 40 });
    twin.isLocked = true;
    await expect(bench.write(driver, "inverter.powerLimit", 50)).rejects.toMatchObject({
      kind: "unreachable",
      message: "inverter.powerLimit 50: no answer on roof/number/limit/state within 8 s",
    });
  });

  it("switches a charger", async () => {
    await using bench = new MqttBench();
    const twin = new EsphomeTwin("plug", [
      { component: "switch", objectId: "relay", state: "OFF" },
      { component: "sensor", objectId: "power", unit: "W", deviceClass: "power", state: "0" },
    ]);
    bench.board(twin);
    const driver = await bench.connect({ bridge: "esphome", topic: "plug", role: "charger" });
    await bench.pass(1_000);
    expect(await bench.read(driver)).toMatchObject({ "charger.enabled": false, "charger.state": "PLUGGED_IN:STOPPED" });
    await bench.write(driver, "charger.enabled", true);
    expect(twin.entities[0]?.state).toBe("ON");
  });

  it("is lost when it hangs, when its power goes, and is there again after the broker restarts", async () => {
    await using bench = new MqttBench();
    const twin = meter();
    const board = bench.board(twin);
    const driver = await bench.connect(METER);
    bench.broker.stop();
    await bench.pass(2_000);
    await expect(bench.read(driver)).rejects.toThrow("no connection to the broker");
    bench.broker.start();
    await bench.pass(130_000);
    expect(await bench.read(driver)).toMatchObject({ "meter.power": 532 });
    twin.isHung = true;
    await bench.pass(200_000);
    await expect(bench.read(driver)).rejects.toThrow("nothing came for");
    board.pull();
    await bench.pass(100);
    await expect(bench.read(driver)).rejects.toThrow("it says that it is not available");
  });

  it("announces itself when asked", () => {
    const heard = [
      { topic: "esphome/discover/roof", text: '{"mac":"c8c9a3aabbcc","version":"2026.6.0"}', isRetained: false },
      { topic: "esphome/discover/other", text: "{", isRetained: false },
    ];
    expect(esphome.announcements?.sightings(heard)).toMatchObject([
      { key: "esphome:c8c9a3aabbcc", options: { bridge: "esphome", topic: "roof" } },
    ]);
  });
});
