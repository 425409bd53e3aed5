import { describe, expect, test } from "vitest";
import { chargerOptions, followSwitch, type Home, makeHome, type Run } from "../home.ts";
import { batteryHouse, chargerHouse, command, HOLD_MS, MINUTE, mode, SECOND, writeTimes } from "./lease-house.ts";

/** Kills the gateway as a power cut does. */
function crash(home: Home, run: Run): void {
  run.process.kill();
  home.disk.crash();
}

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

  test("writes the safe default, and the next start takes the setting up again after reading", async () => {
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
