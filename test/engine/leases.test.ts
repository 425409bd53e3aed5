import { describe, expect, test } from "vitest";
import type { ActionWish } from "../../src/domain/action.ts";
import type { FakeDevice } from "../../src/testing/fake-adapter.ts";
import { batteryOptions, chargerOptions, followSwitch, type Home, makeHome, type Run } from "./home.ts";

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOLD_MS = 60 * SECOND;

async function command(home: Home, run: Run, kind: "battery" | "charger", wish: ActionWish): Promise<void> {
  const id = run.engine.assets.list(kind)[0]?.asset.id ?? "";
  await home.world.clock.resolve(run.engine.actions.start(id, wish), 10 * SECOND);
  await home.world.clock.advance(5 * SECOND);
}

function mode(operationMode: "IMPORT_FOCUS" | "IDLE" | "SELF_RELIANCE"): ActionWish {
  return { targetType: "battery", operationMode };
}

function writeTimes(device: FakeDevice): readonly number[] {
  return device.calls.filter(({ call }) => call === "write").map(({ atMs }) => atMs);
}

async function batteryHouse() {
  const home = makeHome();
  const battery = home.add("battery", batteryOptions());
  const run = await home.start();
  await home.world.clock.advance(5 * SECOND);
  return { home, battery, run };
}

async function chargerHouse() {
  const home = makeHome();
  const charger = home.add("charger", chargerOptions());
  followSwitch(charger);
  const run = await home.start();
  await home.world.clock.advance(5 * SECOND);
  return { home, charger, run };
}

/** Kills the gateway as a power cut does. */
function crash(home: Home, run: Run): void {
  run.process.kill();
  home.disk.crash();
}

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

  test("is let go when somebody else changes the value: their wish stands", async () => {
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

  test("one deviating reading is not somebody's wish", async () => {
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

describe("a stop", () => {
  test("waits for the call that it cut short before it writes the safe default", async () => {
    const { home, battery, run } = await batteryHouse();
    await command(home, run, "battery", mode("IMPORT_FOCUS"));
    battery.heedsSignals = false;
    battery.delayMs = 400;
    await home.world.clock.advance(10 * SECOND);
    await home.world.clock.runUntil(() => battery.calls.at(-1)?.call === "read", 5 * SECOND);
    await run.close();
    expect(battery.mostInFlight).toBe(1);
    expect(battery.values["battery.mode"]).toBe("SELF_RELIANCE");
  });

  test("writes the safe default, and the next start takes the wish up again after reading", async () => {
    const { home, battery, run } = await batteryHouse();
    await command(home, run, "battery", mode("IMPORT_FOCUS"));
    await run.close();
    expect(battery.values["battery.mode"]).toBe("SELF_RELIANCE");
    const before = battery.calls.length;
    const next = await home.start();
    await home.world.clock.advance(5 * SECOND);
    expect(battery.values["battery.mode"]).toBe("IMPORT_FOCUS");
    expect(
      battery.calls
        .slice(before)
        .map(({ call }) => call)
        .slice(0, 3),
    ).toEqual(["connect", "read", "write"]);
    await next.close();
  });

  test("gives back what was found before the first write", async () => {
    const { home, charger, run } = await chargerHouse();
    await command(home, run, "charger", { targetType: "charger", maxCurrent: 10 });
    await command(home, run, "charger", { targetType: "charger", maxCurrent: 12 });
    await run.close();
    expect(charger.values["charger.maxCurrent"]).toBe(16);
  });

  test("does not undo a change that was made while it was away", async () => {
    const { home, battery, run } = await batteryHouse();
    await command(home, run, "battery", mode("IMPORT_FOCUS"));
    await run.close();
    battery.show("battery.mode", "IDLE");
    const writes = writeTimes(battery).length;
    const next = await home.start();
    await home.world.clock.advance(MINUTE);
    expect(writeTimes(battery)).toHaveLength(writes);
    expect(next.store.all("lease")).toEqual([]);
    await next.close();
  });
});

describe("a crash", () => {
  test("leaves the device to its own timer, and the next start resumes what is stored, never more", async () => {
    const { home, battery, run } = await batteryHouse();
    await command(home, run, "battery", mode("IMPORT_FOCUS"));
    crash(home, run);
    await home.world.clock.advance(HOLD_MS + SECOND);
    expect(battery.values["battery.mode"]).toBe("SELF_RELIANCE");
    const next = await home.start();
    await home.world.clock.advance(10 * MINUTE);
    expect(battery.values["battery.mode"]).toBe("IMPORT_FOCUS");
    expect(new Set(battery.written("battery.mode"))).toEqual(new Set(["IMPORT_FOCUS"]));
    await next.close();
  });

  test("within the timer is not felt: the value is renewed before it lapses", async () => {
    const { home, battery, run } = await batteryHouse();
    const shown: unknown[] = [];
    battery.onWrite = (point, value) => {
      shown.push(value);
      battery.show(point, value);
    };
    await command(home, run, "battery", mode("IMPORT_FOCUS"));
    crash(home, run);
    await home.world.clock.advance(10 * SECOND);
    const next = await home.start();
    await home.world.clock.advance(10 * MINUTE);
    expect(new Set(shown)).toEqual(new Set(["IMPORT_FOCUS"]));
    await next.close();
  });

  test("without a timer the value is found again and only watched", async () => {
    const { home, charger, run } = await chargerHouse();
    await command(home, run, "charger", { targetType: "charger", maxCurrent: 10 });
    crash(home, run);
    const next = await home.start();
    await home.world.clock.advance(10 * MINUTE);
    expect(charger.written("charger.maxCurrent")).toEqual([10]);
    await next.close();
    expect(charger.values["charger.maxCurrent"]).toBe(16);
  });
});

test("a value that lapsed while the device was unreachable is written again when it is back", async () => {
  const { home, battery, run } = await batteryHouse();
  await command(home, run, "battery", mode("IMPORT_FOCUS"));
  battery.isUp = false;
  await home.world.clock.advance(5 * MINUTE);
  expect(battery.values["battery.mode"]).toBe("SELF_RELIANCE");
  battery.isUp = true;
  await home.world.clock.advance(2 * MINUTE);
  expect(battery.values["battery.mode"]).toBe("IMPORT_FOCUS");
  await run.close();
});

test("a restart writes nothing to a device that nothing is held on", async () => {
  const { home, battery, run } = await batteryHouse();
  for (let round = 0; round < 20; round += 1) {
    const next = round === 0 ? run : await home.start();
    await home.world.clock.advance(3 * SECOND);
    if (round % 2 === 0) crash(home, next);
    else await next.close();
  }
  expect(writeTimes(battery)).toEqual([]);
});

describe("a device whose timer leaves something else than its safe value", () => {
  const FALLBACK_A = 6;

  async function failsafeHouse(fallsBackTo: number | null) {
    const home = makeHome();
    const control = { point: "charger.maxCurrent", range: { min: 6, max: 32 }, holdMs: HOLD_MS } as const;
    const charger = home.add(
      "charger",
      chargerOptions({ controls: [{ ...control, safeDefault: "as-found", fallsBackTo }] }),
    );
    followSwitch(charger);
    const run = await home.start();
    await home.world.clock.advance(5 * SECOND);
    await command(home, run, "charger", { targetType: "charger", maxCurrent: 10 });
    crash(home, run);
    await home.world.clock.advance(HOLD_MS + SECOND);
    return { home, charger };
  }

  test("is told again what it held, when it stands where its timer leaves it", async () => {
    const { home, charger } = await failsafeHouse(FALLBACK_A);
    charger.show("charger.maxCurrent", FALLBACK_A);
    const next = await home.start();
    await home.world.clock.advance(30 * SECOND);
    expect(charger.values["charger.maxCurrent"]).toBe(10);
    await next.close();
    expect(charger.values["charger.maxCurrent"]).toBe(16);
  });

  test("is left alone when it stands anywhere else", async () => {
    const { home, charger } = await failsafeHouse(FALLBACK_A);
    charger.show("charger.maxCurrent", 8);
    const next = await home.start();
    await home.world.clock.advance(30 * SECOND);
    expect(charger.values["charger.maxCurrent"]).toBe(8);
    expect(next.store.all("lease")).toEqual([]);
    await next.close();
  });

  test("is told again when it cannot show what it holds, but not at the first reading", async () => {
    const { home, charger } = await failsafeHouse(null);
    charger.show("charger.maxCurrent", null);
    charger.onWrite = () => undefined;
    const next = await home.start();
    await home.world.clock.advance(30 * SECOND);
    const last = charger.calls.slice(charger.calls.findLastIndex(({ call }) => call === "connect"));
    const readsBefore = last.slice(
      0,
      last.findIndex(({ call }) => call === "write"),
    );
    expect(readsBefore.filter(({ call }) => call === "read").length).toBeGreaterThanOrEqual(3);
    expect(charger.written("charger.maxCurrent").at(-1)).toBe(10);
    await next.close();
  });
});
