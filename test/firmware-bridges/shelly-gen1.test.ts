import { describe, expect, it } from "vitest";
import { shellyGen1 } from "../../firmware-bridges/shelly-gen1/shelly-gen1.ts";
import { ShellyGen1Twin } from "../twins/firmware/shelly-gen1.ts";
import { MqttBench } from "./bench.ts";

const EM3 = { bridge: "shelly-gen1", topic: "shellyem3-A4CF12345678", role: "meter" } as const;
const PLUG = { bridge: "shelly-gen1", topic: "shellyplug-s-345678", role: "charger" } as const;

function em3(): ShellyGen1Twin {
  return new ShellyGen1Twin(EM3.topic, "SHEM-3", [
    { powerW: 812.31, voltage: 229.91, totalWh: 1_000.5, returnedWh: 10 },
    { powerW: -1_300.22, voltage: 230.12, totalWh: 2_000, returnedWh: 500 },
    { powerW: 77.7, voltage: 231.5, totalWh: 300, returnedWh: 0 },
  ]);
}

describe("a Shelly of the first generation", () => {
  it("is a three-phase meter", async () => {
    await using bench = new MqttBench();
    bench.board(em3());
    const driver = await bench.connect(EM3);
    await bench.pass(1_000);
    expect(driver.identity).toMatchObject({ manufacturer: "Shelly", model: "SHEM-3", serial: "A4CF12345678" });
    expect(await bench.read(driver)).toMatchObject({
      "meter.power": -410.21,
      "meter.power.l2": -1_300.22,
      "meter.voltage.l3": 231.5,
      "meter.current.l1": 3.53,
      "meter.energyImport": 3_300.5,
      "meter.energyExport": 510,
    });
  });

  it("is one circuit of it, where a channel says which", async () => {
    await using bench = new MqttBench();
    bench.board(em3());
    const driver = await bench.connect({ ...EM3, role: "inverter", channel: 1, invert: true });
    await bench.pass(1_000);
    expect(await bench.read(driver)).toEqual({ "inverter.power": 1_300.22, "inverter.energy": 500 });
  });

  it("loses a phase that stands still while the others move, and has it again when it moves", async () => {
    await using bench = new MqttBench();
    const twin = em3();
    bench.board(twin);
    const driver = await bench.connect(EM3);
    for (let round = 0; round < 12; round += 1) {
      for (const circuit of twin.circuits.slice(1)) circuit.powerW += 3.07;
      await bench.pass(30_000);
      await bench.read(driver, "due");
    }
    const frozen = await bench.read(driver);
    expect(frozen).toMatchObject({ "meter.power.l1": null, "meter.current.l1": 3.53 });
    expect(frozen["meter.power.l2"]).toBeCloseTo(-1_263.38, 2);
    expect(bench.warnings()).toContain("meter.power.l1 stays the same while the device's other values move");
    const [first] = twin.circuits;
    if (first !== undefined) first.powerW = 815;
    await bench.pass(31_000);
    expect(await bench.read(driver)).toMatchObject({ "meter.power.l1": 815 });
  });

  it("switches a charger, and its relay's counter is in watt-minutes", async () => {
    await using bench = new MqttBench();
    const twin = new ShellyGen1Twin(PLUG.topic, "SHPLG-S");
    bench.board(twin);
    const driver = await bench.connect(PLUG);
    await bench.pass(1_000);
    expect(await bench.read(driver)).toEqual({
      "charger.power": 0,
      "charger.energy": 100,
      "charger.enabled": false,
      "charger.state": "PLUGGED_IN:STOPPED",
    });
    await bench.write(driver, "charger.enabled", true);
    await bench.pass(31_000);
    expect(await bench.read(driver)).toMatchObject({
      "charger.enabled": true,
      "charger.state": "PLUGGED_IN:CHARGING",
      "charger.power": 2_012.4,
    });
  });

  it("says why it does not switch, or nothing", async () => {
    await using bench = new MqttBench();
    const twin = new ShellyGen1Twin(PLUG.topic, "SHPLG-S");
    bench.board(twin);
    const driver = await bench.connect(PLUG);
    twin.isOverpowered = true;
    await expect(bench.write(driver, "charger.enabled", true)).rejects.toMatchObject({
      kind: "rejected",
      message: "charger.enabled true: the relay says overpower",
    });
    twin.isOverpowered = false;
    twin.isOn = false;
    twin.isDeaf = true;
    await bench.pass(1_000);
    await expect(bench.write(driver, "charger.enabled", true)).rejects.toMatchObject({ kind: "unreachable" });
  });

  it("is gone with its power, whatever the broker remembers", async () => {
    await using bench = new MqttBench();
    const board = bench.board(em3());
    const driver = await bench.connect(EM3);
    board.pull();
    await bench.pass(500);
    await expect(bench.read(driver)).rejects.toThrow("its last will says that it is offline");
    await bench.publish(`shellies/${EM3.topic}/online`, "true", true);
    await expect(bench.connect(EM3)).rejects.toThrow("only old values from the broker");
  });

  it("announces itself when asked", () => {
    const text = JSON.stringify({ id: EM3.topic, model: "SHEM-3", mac: "A4CF12345678", fw_ver: "v1.14.0" });
    const heard = [
      { topic: "shellies/announce", text, isRetained: false },
      { topic: `shellies/${EM3.topic}/announce`, text, isRetained: false },
      { topic: "shellies/announce", text: "{}", isRetained: false },
    ];
    expect(shellyGen1.announcements?.sightings(heard)).toMatchObject([
      { key: "shelly:a4cf12345678", roles: ["meter", "inverter", "charger", "hvac"], options: { topic: EM3.topic } },
    ]);
  });
});
