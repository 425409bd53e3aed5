import { describe, expect, test } from "vitest";
import { batteryOptions, makeHome } from "../home.ts";
import { batteryHouse, chargerHouse, command, HOLD_MS, MINUTE, mode, SECOND, writeTimes } from "./lease-house.ts";

describe("a lease", () => {
  test("is on disk before the value is first written", async () => {
    const { home, battery, run } = await batteryHouse();
    let stored: unknown = null;
    battery.onWrite = (point, value) => {
      stored ??= run.store.get("lease", "battery/battery.mode");
      battery.show(point, value);
    };
    await command(home, run, "battery", mode("IMPORT_FOCUS"));
    expect(stored).toEqual({
      deviceId: "battery",
      point: "battery.mode",
      value: "IMPORT_FOCUS",
      revertTo: "SELF_RELIANCE",
      state: "held",
    });
    await run.close();
  });

  test("is renewed at half of the device's timer at the latest, so that the value never lapses", async () => {
    const { home, battery, run } = await batteryHouse();
    await command(home, run, "battery", mode("IMPORT_FOCUS"));
    await home.world.clock.advance(30 * MINUTE);
    const times = writeTimes(battery);
    const gaps = times.slice(1).map((atMs, index) => atMs - (times[index] ?? 0));
    expect(Math.max(...gaps)).toBeLessThanOrEqual(HOLD_MS / 2);
    expect(times.length).toBeLessThanOrEqual(90);
    expect(new Set(battery.written("battery.mode"))).toEqual(new Set(["IMPORT_FOCUS"]));
    expect(battery.values["battery.mode"]).toBe("IMPORT_FOCUS");
    await run.close();
  });

  test("of a device that refuses it is tried again each five seconds, and holds again once the device takes it", async () => {
    const { home, battery, run } = await batteryHouse();
    await command(home, run, "battery", mode("IMPORT_FOCUS"));
    battery.refusesWrites = "locked";
    await home.world.clock.advance(2 * MINUTE);
    expect(battery.values["battery.mode"]).toBe("SELF_RELIANCE");
    const tries = writeTimes(battery).length;
    await home.world.clock.advance(MINUTE);
    expect(writeTimes(battery).length - tries).toBeGreaterThanOrEqual(10);
    expect(writeTimes(battery).length - tries).toBeLessThanOrEqual(12);
    battery.refusesWrites = null;
    await home.world.clock.advance(10 * SECOND);
    expect(battery.values["battery.mode"]).toBe("IMPORT_FOCUS");
    await run.close();
  });

  test("without a timer on the device is written once and then only watched", async () => {
    const { home, charger, run } = await chargerHouse();
    await command(home, run, "charger", { targetType: "charger", maxCurrent: 10 });
    await home.world.clock.advance(30 * MINUTE);
    expect(charger.written("charger.maxCurrent")).toEqual([10]);
    await run.close();
  });

  test("of a value that is worked out from the moment is written again in time, also without a timer", async () => {
    const home = makeHome();
    const options = batteryOptions();
    const controls = (options.controls ?? []).map((control) => ({ ...control, holdMs: null, renewMs: 10 * SECOND }));
    const battery = home.add("battery", { ...options, controls });
    const run = await home.start();
    await home.world.clock.advance(5 * SECOND);
    await command(home, run, "battery", mode("IMPORT_FOCUS"));
    const writes = writeTimes(battery).length;
    await home.world.clock.advance(MINUTE);
    expect(writeTimes(battery).length - writes).toBeGreaterThanOrEqual(5);
    expect(writeTimes(battery).length - writes).toBeLessThanOrEqual(6);
    await run.close();
    expect(battery.values["battery.mode"]).toBe("SELF_RELIANCE");
  });

  test("ends with a command to the safe value: nothing is left to renew", async () => {
    const { home, battery, run } = await batteryHouse();
    await command(home, run, "battery", mode("IMPORT_FOCUS"));
    await command(home, run, "battery", mode("SELF_RELIANCE"));
    expect(run.store.all("lease")).toEqual([]);
    const writes = writeTimes(battery).length;
    await home.world.clock.advance(30 * MINUTE);
    expect(writeTimes(battery)).toHaveLength(writes);
    await run.close();
  });

  test("is let go when somebody else changes the value: their setting stands", async () => {
    const { home, charger, run } = await chargerHouse();
    await command(home, run, "charger", { targetType: "charger", maxCurrent: 10 });
    charger.show("charger.maxCurrent", 8);
    await home.world.clock.advance(10 * SECOND);
    expect(run.store.all("lease")).toEqual([]);
    expect(run.process.log.texts("warn")).toContain("held value was changed at the device, letting go");
    expect(run.engine.devices()[0]?.takenOver).toMatchObject([{ point: "charger.maxCurrent", held: 10, found: 8 }]);
    await command(home, run, "charger", { targetType: "charger", maxCurrent: 12 });
    expect(run.engine.devices()[0]?.takenOver).toEqual([]);
    charger.show("charger.maxCurrent", 8);
    await home.world.clock.advance(10 * SECOND);
    await run.close();
    expect(charger.written("charger.maxCurrent")).toEqual([10, 12]);
  });

  test("with a timer is let go too, without a fight", async () => {
    const { home, battery, run } = await batteryHouse();
    await command(home, run, "battery", mode("IMPORT_FOCUS"));
    battery.show("battery.mode", "EXPORT_FOCUS");
    const writes = writeTimes(battery).length;
    await home.world.clock.advance(5 * MINUTE);
    expect(writeTimes(battery)).toHaveLength(writes);
    expect(run.store.all("lease")).toEqual([]);
    await run.close();
  });

  test("one deviating reading is not somebody's setting", async () => {
    const { home, charger, run } = await chargerHouse();
    await command(home, run, "charger", { targetType: "charger", maxCurrent: 10 });
    charger.show("charger.maxCurrent", 8);
    await home.world.clock.advance(2 * SECOND);
    charger.show("charger.maxCurrent", 10);
    await home.world.clock.advance(10 * SECOND);
    expect(run.store.all("lease")).toHaveLength(1);
    await run.close();
  });

  test("that a failing action asked for again is released with it", async () => {
    const { home, battery, run } = await batteryHouse();
    await command(home, run, "battery", mode("IMPORT_FOCUS"));
    battery.onWrite = () => undefined;
    battery.show("battery.mode", "IDLE");
    await home.world.clock.advance(SECOND);
    const id = run.engine.assets.list("battery")[0]?.asset.id ?? "";
    const action = await home.world.clock.resolve(run.engine.actions.start(id, mode("IMPORT_FOCUS")), 10 * SECOND);
    await home.world.clock.advance(2 * SECOND);
    expect(run.store.get("action", action.id)?.wasSent).toBe(true);
    await home.world.clock.resolve(run.engine.actions.cancel("battery", action.id), 10 * SECOND);
    expect(run.store.all("lease")).toMatchObject([{ state: "released" }]);
    await run.close();
  });

  test("is released by a cancelled action: the device falls back by its own timer", async () => {
    const { home, battery, run } = await batteryHouse();
    battery.onWrite = () => undefined;
    const id = run.engine.assets.list("battery")[0]?.asset.id ?? "";
    const action = await home.world.clock.resolve(run.engine.actions.start(id, mode("IMPORT_FOCUS")), 10 * SECOND);
    await home.world.clock.advance(SECOND);
    await home.world.clock.resolve(run.engine.actions.cancel("battery", action.id), 10 * SECOND);
    const writes = writeTimes(battery).length;
    await home.world.clock.advance(5 * MINUTE);
    expect(writeTimes(battery)).toHaveLength(writes);
    expect(run.store.all("lease")).toEqual([]);
    await run.close();
  });
});
