import { describe, expect, it } from "vitest";
import { openevse } from "../../firmware-bridges/openevse/openevse.ts";
import type { Driver } from "../../src/sdk/driver.ts";
import type { Board } from "../twins/firmware/board.ts";
import { OpenEvseTwin } from "../twins/firmware/openevse.ts";
import { MqttBench } from "./bench.ts";

const TOPIC = "openevse-7b2c";
const OPTIONS = { bridge: "openevse", topic: TOPIC };

/** Its next states come within the time that a connect waits. */
async function charger(
  bench: MqttBench,
  names: OpenEvseTwin["names"] = "new",
): Promise<{ twin: OpenEvseTwin; board: Board; driver: Driver }> {
  const twin = new OpenEvseTwin(TOPIC);
  twin.names = names;
  const board = bench.board(twin);
  await bench.pass(10_000);
  return { twin, board, driver: await bench.connect(OPTIONS) };
}

describe("an OpenEVSE charger", () => {
  it("is read from mA, Wh and kWh", async () => {
    await using bench = new MqttBench();
    const { driver } = await charger(bench);
    expect(driver.identity).toMatchObject({ manufacturer: "OpenEVSE", serial: "c44f330d7b2c", name: "openevse-7b2c" });
    expect(await bench.read(driver)).toEqual({
      "charger.state": "PLUGGED_IN:CHARGING",
      "charger.power": 3_657,
      "charger.current.l1": 15.9,
      "charger.voltage.l1": 230,
      "charger.energy": 987_654,
      "charger.energySession": 2_345,
      "charger.maxCurrent": 32,
      "charger.enabled": true,
    });
  });

  it("of firmware before 4.1 tells its session in watt-seconds and its total in Wh", async () => {
    await using bench = new MqttBench();
    const { twin, driver } = await charger(bench, "old");
    const energies = async () => {
      const read = await bench.read(driver);
      return [read["charger.energySession"], read["charger.energy"]];
    };
    expect(await energies()).toEqual([2_345, 987_654]);
    twin.names = "both";
    await bench.pass(31_000);
    await bench.publish(`${TOPIC}/wattsec`, "1");
    await bench.publish(`${TOPIC}/wh`, "1");
    expect(await energies()).toEqual([2_345, 987_654]);
  });

  it("claims a current and a stop, beside each other, without a retained command", async () => {
    await using bench = new MqttBench();
    const { twin, driver } = await charger(bench);
    await bench.write(driver, "charger.maxCurrent", 10);
    await bench.write(driver, "charger.enabled", false);
    expect(twin.claim).toEqual({ charge_current: 10, state: "disabled", auto_release: false });
    expect(await bench.read(driver)).toMatchObject({ "charger.maxCurrent": 10, "charger.enabled": false });
    await bench.pass(31_000);
    expect(await bench.read(driver)).toMatchObject({ "charger.state": "PLUGGED_IN:STOPPED", "charger.power": 0 });
    expect(bench.broker.retained.has(`${TOPIC}/claim/set`)).toBe(false);
  });

  it("claims both also where a new claim takes the place of the one before", async () => {
    await using bench = new MqttBench();
    const { twin, driver } = await charger(bench);
    twin.isForgetful = true;
    await bench.write(driver, "charger.enabled", false);
    await bench.write(driver, "charger.maxCurrent", 10);
    expect(twin.claim).toEqual({ state: "disabled", charge_current: 10, auto_release: false });
  });

  it("lets the owner's override win", async () => {
    await using bench = new MqttBench();
    const { driver } = await charger(bench);
    await bench.publish(`${TOPIC}/override/set`, '{"state":"disabled","charge_current":8}');
    expect(await bench.read(driver)).toMatchObject({ "charger.enabled": false, "charger.maxCurrent": 8 });
    await expect(bench.write(driver, "charger.enabled", true)).rejects.toMatchObject({
      kind: "rejected",
      message: "charger.enabled true: an override at the charger holds false",
    });
    await expect(bench.write(driver, "charger.maxCurrent", 20)).rejects.toThrow("an override at the charger holds 8");
    await bench.publish(`${TOPIC}/override/set`, "clear");
    await bench.write(driver, "charger.maxCurrent", 20);
    expect(await bench.read(driver)).toMatchObject({ "charger.enabled": true, "charger.maxCurrent": 20 });
  });

  it("counts as silent when no claim comes again", async () => {
    await using bench = new MqttBench();
    const { twin, driver } = await charger(bench);
    twin.isDeaf = true;
    await expect(bench.write(driver, "charger.enabled", false)).rejects.toMatchObject({ kind: "unreachable" });
  });

  it("is gone with its announcement, and not there when only old values are", async () => {
    await using bench = new MqttBench();
    const { board, driver } = await charger(bench);
    board.pull();
    await bench.pass(100);
    await expect(bench.read(driver)).rejects.toThrow("its last will says that it is disconnected");
    await bench.publish("openevse/announce/7b2c", JSON.stringify({ state: "connected", mqtt: TOPIC }), true);
    await bench.publish(`${TOPIC}/power`, "3600", true);
    await bench.pass(91_000);
    await expect(bench.read(driver)).rejects.toThrow("nothing came for");
    await expect(bench.connect(OPTIONS)).rejects.toThrow("only old values from the broker");
    board.start();
    await bench.pass(100);
    expect(await bench.read(driver)).toMatchObject({ "charger.power": 3_657 });
  });

  it("knows a vehicle also while it sleeps, and errors", async () => {
    await using bench = new MqttBench();
    const { board, driver } = await charger(bench);
    const states: unknown[] = [];
    for (const [state, vehicle] of [
      [254, 0],
      [255, 1],
      [1, 0],
      [2, 1],
      [6, 1],
      [0, 1],
    ]) {
      board.say({ topic: `${TOPIC}/state`, text: String(state) });
      board.say({ topic: `${TOPIC}/vehicle`, text: String(vehicle) });
      await bench.pass(100);
      states.push((await bench.read(driver))["charger.state"]);
    }
    expect(states).toEqual([
      "UNPLUGGED",
      "PLUGGED_IN:STOPPED",
      "UNPLUGGED",
      "PLUGGED_IN:INITIALIZING",
      "PLUGGED_IN:FAULT",
      "UNKNOWN",
    ]);
  });

  it("comes back after a restart of the broker", async () => {
    await using bench = new MqttBench();
    const { driver } = await charger(bench);
    bench.broker.stop();
    await bench.pass(1_000);
    await expect(bench.read(driver)).rejects.toThrow("no connection to the broker");
    bench.broker.start();
    await bench.pass(60_000);
    expect(await bench.read(driver)).toMatchObject({ "charger.power": 3_657 });
  });

  it("announces itself with its base topic", () => {
    const text = JSON.stringify({ state: "connected", id: "c44f33", name: "wall", mqtt: "emon/openevse-55ad" });
    const gone = JSON.stringify({ state: "disconnected", id: "aa", mqtt: "openevse-aa" });
    const heard = [text, gone, "{", '{"state":"connected"}'].map((each, index) => ({
      topic: `openevse/announce/${index}`,
      text: each,
      isRetained: true,
    }));
    expect(openevse.announcements?.sightings(heard)).toEqual([
      expect.objectContaining({
        key: "openevse:c44f33",
        name: "wall",
        options: { bridge: "openevse", topic: "emon/openevse-55ad" },
      }),
    ]);
  });
});
