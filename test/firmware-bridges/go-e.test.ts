import { describe, expect, it } from "vitest";
import { goE } from "../../firmware-bridges/go-e/go-e.ts";
import { GoETwin } from "../twins/firmware/go-e.ts";
import { MqttBench } from "./bench.ts";

const SERIAL = "00212345";
const OPTIONS = { bridge: "go-e", topic: SERIAL };
const SET_AMP = `go-eCharger/${SERIAL}/amp/set`;

describe("a go-e charger", () => {
  it("is read from its keys", async () => {
    await using bench = new MqttBench();
    bench.board(new GoETwin(SERIAL));
    const driver = await bench.connect(OPTIONS);
    expect(driver.identity).toMatchObject({ manufacturer: "go-e", serial: SERIAL, version: "60.4", name: "Garage" });
    expect(await bench.read(driver)).toEqual({
      "charger.state": "PLUGGED_IN:CHARGING",
      "charger.power": 11_001,
      "charger.voltage.l1": 231.2,
      "charger.voltage.l2": 230.8,
      "charger.voltage.l3": 229.9,
      "charger.current.l1": 15.9,
      "charger.current.l2": 16,
      "charger.current.l3": 15.8,
      "charger.energy": 1_234_567,
      "charger.energySession": 4_321.5,
      "charger.maxCurrent": 16,
      "charger.enabled": true,
      "charger.phases": 3,
    });
  });

  it("switches between one phase, three, and its own choice", async () => {
    await using bench = new MqttBench();
    const twin = new GoETwin(SERIAL);
    bench.board(twin);
    const driver = await bench.connect(OPTIONS);
    for (const [phases, mode] of [
      [1, 1],
      [3, 2],
      [0, 0],
    ] as const) {
      await bench.write(driver, "charger.phases", phases);
      await bench.pass(1_100);
      expect(twin.keys.get("psm")).toBe(mode);
      expect(await bench.read(driver)).toMatchObject({ "charger.phases": phases });
    }
    await bench.write(driver, "charger.phases", 0);
    expect(twin.flashWrites).toBe(3);
  });

  it("has no choice of phases where the firmware tells none", async () => {
    await using bench = new MqttBench();
    const twin = new GoETwin(SERIAL);
    twin.keys.delete("psm");
    bench.board(twin);
    const driver = await bench.connect(OPTIONS);
    expect(driver.controls.map(({ point }) => point)).toEqual(["charger.maxCurrent", "charger.enabled"]);
  });

  it("keeps what does not change while its clock ticks, and takes remembered values for true", async () => {
    await using bench = new MqttBench();
    bench.board(new GoETwin(SERIAL));
    await bench.pass(60_000);
    const driver = await bench.connect(OPTIONS);
    await bench.pass(3_600_000);
    expect(await bench.read(driver)).toMatchObject({ "charger.power": 11_001, "charger.maxCurrent": 16 });
  });

  it("is told a current by its result, and is not written what it has", async () => {
    await using bench = new MqttBench();
    const twin = new GoETwin(SERIAL);
    bench.board(twin);
    const driver = await bench.connect(OPTIONS);
    await bench.write(driver, "charger.maxCurrent", 10);
    await bench.pass(1_100);
    expect(await bench.read(driver)).toMatchObject({ "charger.maxCurrent": 10 });
    await bench.write(driver, "charger.maxCurrent", 10);
    expect(twin.flashWrites).toBe(1);
    expect(await bench.read(driver)).toMatchObject({ "charger.maxCurrent": 10 });
    expect(bench.broker.retained.has(SET_AMP)).toBe(false);
    await bench.write(driver, "charger.maxCurrent", 8.6);
    await bench.pass(1_100);
    expect(await bench.read(driver)).toMatchObject({ "charger.maxCurrent": 8 });
  });

  it("stops and starts", async () => {
    await using bench = new MqttBench();
    const twin = new GoETwin(SERIAL);
    bench.board(twin);
    const driver = await bench.connect(OPTIONS);
    await bench.write(driver, "charger.enabled", false);
    await bench.pass(1_100);
    expect(await bench.read(driver)).toMatchObject({
      "charger.enabled": false,
      "charger.state": "PLUGGED_IN:STOPPED",
    });
    await bench.write(driver, "charger.enabled", true);
    expect(twin.keys.get("frc")).toBe(2);
  });

  it("refuses, with its own words, or by silence", async () => {
    await using bench = new MqttBench();
    const twin = new GoETwin(SERIAL);
    bench.board(twin);
    const driver = await bench.connect(OPTIONS);
    twin.isReadOnly = true;
    await expect(bench.write(driver, "charger.maxCurrent", 10)).rejects.toMatchObject({
      kind: "rejected",
      message: 'charger.maxCurrent 10: the charger says "mqtt api is read-only"',
    });
    twin.isDeaf = true;
    await expect(bench.write(driver, "charger.maxCurrent", 10)).rejects.toMatchObject({ kind: "unreachable" });
  });

  it("is understood with firmware that tells no results, and under another prefix", async () => {
    await using bench = new MqttBench();
    const twin = new GoETwin(SERIAL, { prefix: "/go-eCharger", hasWill: false });
    twin.isOld = true;
    bench.board(twin);
    const driver = await bench.connect({ ...OPTIONS, prefix: "/go-eCharger" });
    await bench.write(driver, "charger.maxCurrent", 8);
    expect(twin.keys.get("amp")).toBe(8);
  });

  it("is gone with its last will, or with its clock where it leaves none", async () => {
    await using bench = new MqttBench();
    const board = bench.board(new GoETwin(SERIAL));
    const old = bench.board(new GoETwin("00299999", { hasWill: false }));
    const driver = await bench.connect(OPTIONS);
    const oldDriver = await bench.connect({ ...OPTIONS, topic: "00299999" });
    board.pull();
    old.pull();
    await bench.pass(100);
    await expect(bench.read(driver)).rejects.toThrow("its last will says that it is offline");
    await bench.pass(11_000);
    await expect(bench.read(oldDriver)).rejects.toThrow("nothing came for 11 s");
    await expect(bench.connect({ ...OPTIONS, topic: "00299999" })).rejects.toThrow("only old values from the broker");
    board.start();
    await bench.pass(2_000);
    expect(await bench.read(driver)).toMatchObject({ "charger.power": 11_001 });
  });

  it("shows after a restart of the broker what was told meanwhile", async () => {
    await using bench = new MqttBench();
    const twin = new GoETwin(SERIAL);
    bench.board(twin);
    const driver = await bench.connect(OPTIONS);
    bench.broker.stop();
    await bench.pass(5_000);
    twin.keys.set("amp", 6);
    bench.broker.start();
    await bench.pass(120_000);
    expect(await bench.read(driver)).toMatchObject({ "charger.maxCurrent": 6 });
  });

  it("has a fault, or waits, by its state", async () => {
    await using bench = new MqttBench();
    const twin = new GoETwin(SERIAL);
    bench.board(twin);
    const driver = await bench.connect(OPTIONS);
    const states: unknown[] = [];
    for (const [car, err] of [
      [1, 0],
      [3, 0],
      [5, 0],
      [2, 8],
      [null, null],
    ]) {
      twin.keys.set("car", car).set("err", err);
      await bench.pass(1_100);
      states.push((await bench.read(driver))["charger.state"]);
    }
    expect(states).toEqual(["UNPLUGGED", "PLUGGED_IN:INITIALIZING", "PLUGGED_IN:FAULT", "PLUGGED_IN:FAULT", "UNKNOWN"]);
  });

  it("is named by its serial number only", async () => {
    await using bench = new MqttBench();
    await expect(bench.connect({ ...OPTIONS, topic: "garage" })).rejects.toThrow("topic garage is no serial number");
  });

  it("announces itself by its topics", () => {
    const heard = [
      { topic: `go-eCharger/${SERIAL}/var`, text: "22", isRetained: true },
      { topic: "/go-eCharger/00299999/sse", text: '"00299999"', isRetained: true },
      { topic: "home/00277777/sse", text: '"00277777"', isRetained: true },
      { topic: "solar/00288888/var", text: "1", isRetained: true },
    ];
    expect(goE.announcements?.sightings(heard)).toMatchObject([
      { key: `go-e:${SERIAL}`, options: { bridge: "go-e", topic: SERIAL } },
      { key: "go-e:00299999", options: { prefix: "/go-eCharger" } },
      { key: "go-e:00277777", options: { prefix: "home" } },
    ]);
  });
});
