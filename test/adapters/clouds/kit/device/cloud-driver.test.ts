import { TimeoutError, within } from "hemgate/sdk";
import { describe, expect, test } from "vitest";
import { bed } from "./driver-bed.ts";

const calm = new AbortController().signal;
const MINUTE = 60_000;

/** How often a driver that is asked every second really reads. */
async function readsWithin({ clock, state, driver }: ReturnType<typeof bed>, ms: number, scope: "due" | "all") {
  const before = state.reads;
  for (let passed = 0; passed < ms; passed += 1_000) {
    await driver.read(scope, calm);
    await clock.advance(1_000);
  }
  return state.reads - before;
}

describe("reading a device behind a cloud", () => {
  test("tells what the cloud told, with the time of its measurement", async () => {
    const { driver } = bed();
    expect(await driver.read("all", calm)).toEqual([{ point: "charger.power", value: 7_400, measuredAtMs: 5 }]);
  });

  test("keeps to the pace, which may change, and a new connection does not get around it", async () => {
    const house = bed();
    const { clock, state, driver, open } = house;
    expect(await readsWithin(house, 10 * MINUTE, "due")).toBeLessThanOrEqual(11);
    expect(state.reads).toBeGreaterThanOrEqual(9);
    state.periodMs = 30 * MINUTE;
    await clock.advance(MINUTE);
    await driver.read("due", calm);
    expect(driver.tellsEveryMs).toBe(30 * MINUTE);
    // Something may bring the next reading forward.
    expect(driver.pollMs).toBe(MINUTE);
    const before = state.reads;
    const reconnected = open();
    // It shows what the one before was told, once.
    expect(await reconnected.read("all", calm)).toEqual(state.readings);
    expect(await reconnected.read("all", calm)).toEqual([]);
    expect(state.reads).toBe(before);
  });

  test("says that the device sleeps after a read that found it so, and after no other", async () => {
    const { clock, state, driver } = bed();
    await driver.read("all", calm);
    expect(driver.isAsleep).toBe(false);
    await clock.advance(MINUTE);
    [state.isAsleep, state.readings] = [true, []];
    await driver.read("due", calm);
    expect(driver.isAsleep).toBe(true);
    await driver.read("due", calm);
    expect(driver.isAsleep).toBe(false);
    await clock.advance(MINUTE);
    state.failure = "unavailable";
    await driver.read("due", calm).catch(() => undefined);
    expect(driver.isAsleep).toBe(false);
  });

  test("shows a new connection nothing that a failure has made doubtful, and each value as old as it is", async () => {
    const { clock, state, driver, open } = bed();
    state.readings = [{ point: "charger.power", value: 7_400 }];
    const readTickMs = clock.monotonicMs();
    await driver.read("all", calm);
    await clock.advance(10_000);
    expect(await open().read("all", calm)).toEqual([{ point: "charger.power", value: 7_400, readTickMs }]);
    await clock.advance(MINUTE);
    state.failure = "unavailable";
    await expect(driver.read("all", calm)).rejects.toMatchObject({ kind: "unreachable" });
    expect(await open().read("all", calm)).toEqual([]);
  });

  test("shows a new connection nothing after a reading whose time was up", async () => {
    const { clock, state, driver, open } = bed({ periodMs: 2 * MINUTE });
    await driver.read("all", calm);
    await clock.advance(MINUTE);
    state.isSilent = true;
    const reading = within(clock, 30_000, calm, (limited) => driver.read("all", limited));
    await expect(clock.resolve(reading, MINUTE)).rejects.toThrow(TimeoutError);
    expect(await open().read("all", calm)).toEqual([]);
  });

  test("told two connections at once is read once", async () => {
    const { state, driver, open } = bed();
    const both = await Promise.all([driver.read("all", calm), open().read("all", calm)]);
    expect(both).toEqual([state.readings, state.readings]);
    expect(state.reads).toBe(1);
  });

  test("reads a device with a reason before its time", async () => {
    const { clock, state, driver } = bed({ periodMs: 30 * MINUTE, hasReasons: true });
    await driver.read("all", calm);
    expect(driver.pollMs).toBeLessThanOrEqual(MINUTE);
    expect(driver.tellsEveryMs).toBe(30 * MINUTE);
    await clock.advance(5 * MINUTE);
    expect(await driver.read("due", calm)).toEqual([]);
    state.wants = true;
    expect(await driver.read("due", calm)).toHaveLength(1);
    expect(state.reads).toBe(2);
  });

  test("answers nothing where the budget has nothing left, so that what is known ages", async () => {
    const { state, driver } = bed();
    state.failure = "no-budget";
    expect(await driver.read("all", calm)).toEqual([]);
  });

  test("looks a few times after a command, and once where requests are scarce", async () => {
    const often = bed({ periodMs: 5 * MINUTE });
    await often.driver.read("all", calm);
    await often.driver.write("charger.maxCurrent", 10, calm);
    expect(await readsWithin(often, MINUTE, "all")).toBe(3);
    const seldom = bed({ periodMs: 30 * MINUTE });
    await seldom.driver.read("all", calm);
    await seldom.driver.write("charger.maxCurrent", 10, calm);
    expect(await readsWithin(seldom, MINUTE, "all")).toBe(1);
  });

  test.each([
    ["login-refused", "unauthorized"],
    ["refused", "rejected"],
    ["forbidden", "rejected"],
    ["malformed", "malformed"],
    ["asleep", "unreachable"],
    ["rate-limited", "unreachable"],
    ["timeout", "unreachable"],
    ["unavailable", "unreachable"],
  ] as const)("that ends with %s is told as %s", async (failure, kind) => {
    const { clock, state, driver } = bed();
    await driver.read("all", calm);
    await clock.advance(MINUTE);
    state.failure = failure;
    await expect(driver.read("all", calm)).rejects.toMatchObject({ name: "DeviceError", kind });
    await expect(driver.write("charger.maxCurrent", 10, calm)).rejects.toMatchObject({ name: "DeviceError", kind });
  });
});

describe("why a device behind a cloud was not read", () => {
  test.each([
    ["login-refused", null],
    ["refused", null],
    ["forbidden", null],
    ["malformed", "unavailable"],
    ["expired", "unavailable"],
    ["asleep", "asleep"],
    ["rate-limited", "rate-limited"],
    ["timeout", "timeout"],
    ["unavailable", "unavailable"],
  ] as const)("survives in the error, and until the next read in any connection: %s", async (failure, reason) => {
    const { clock, state, driver, open } = bed();
    await driver.read("all", calm);
    expect(driver.notReadBecause).toBeNull();
    await clock.advance(MINUTE);
    state.failure = failure;
    await expect(driver.read("all", calm)).rejects.toMatchObject({ reason });
    const other = open();
    expect(await other.read("all", calm)).toEqual([]);
    expect(other.notReadBecause).toMatchObject({ name: "DeviceError", reason });
    state.failure = null;
    await clock.advance(MINUTE);
    await other.read("all", calm);
    expect(other.notReadBecause).toBeNull();
  });

  test("is the budget where nothing was sent, although the read does not fail", async () => {
    const { clock, state, driver } = bed();
    await driver.read("all", calm);
    await clock.advance(MINUTE);
    state.failure = "no-budget";
    expect(await driver.read("all", calm)).toEqual([]);
    expect(driver.notReadBecause).toMatchObject({ reason: "rate-limited" });
    expect(await driver.read("all", calm)).toEqual([]);
    expect(driver.notReadBecause).toMatchObject({ reason: "rate-limited" });
  });

  test("is its sleep, also while it is not asked again", async () => {
    const { state, driver } = bed();
    [state.isAsleep, state.readings] = [true, []];
    await driver.read("all", calm);
    await driver.read("all", calm);
    expect(state.reads).toBe(1);
    expect(driver.notReadBecause).toMatchObject({ reason: "asleep" });
  });

  test("is the time that ran out", async () => {
    const { clock, state, driver } = bed({ periodMs: 2 * MINUTE });
    state.isSilent = true;
    const reading = within(clock, 30_000, calm, (limited) => driver.read("all", limited));
    await expect(clock.resolve(reading, MINUTE)).rejects.toThrow(TimeoutError);
    await driver.read("all", calm);
    expect(driver.notReadBecause).toMatchObject({ reason: "timeout" });
  });

  test("is its rest where a vehicle that is awake and idle is not read before its time, however often somebody asks", async () => {
    const house = bed({ periodMs: 20 * MINUTE });
    const { state, driver } = house;
    state.tempo = "idle";
    expect(await readsWithin(house, 20 * MINUTE, "all")).toBe(1);
    expect(driver.notReadBecause).toMatchObject({ reason: "asleep" });
    state.tempo = "active";
    expect(await readsWithin(house, 20 * MINUTE, "all")).toBe(2);
  });

  test("is the budget where it keeps reads so far apart that the last is not current any more", async () => {
    const { clock, state, driver } = bed({ periodMs: 60 * MINUTE });
    await driver.read("all", calm);
    await clock.advance(10 * MINUTE);
    await driver.read("all", calm);
    expect(driver.notReadBecause).toBeNull();
    await clock.advance(MINUTE);
    await driver.read("all", calm);
    expect(state.reads).toBe(1);
    expect(driver.notReadBecause).toMatchObject({ reason: "rate-limited", message: "it is read every 60 minutes" });
  });
});

describe("commanding a device behind a cloud", () => {
  test("sends what is in range, once, and refuses the rest before anything is sent", async () => {
    const { state, driver } = bed();
    await driver.read("all", calm);
    await driver.write("charger.maxCurrent", 16, calm);
    expect(state.written).toEqual([["charger.maxCurrent", 16]]);
    for (const [point, value] of [
      ["charger.maxCurrent", 17],
      ["charger.maxCurrent", false],
      ["battery.mode", "EXPORT_FOCUS"],
      ["hvac.mode", "HEAT"],
    ] as const) {
      await expect(driver.write(point, value, calm)).rejects.toMatchObject({ kind: "rejected" });
    }
    expect(state.written).toHaveLength(1);
  });

  test("takes a value that is only shown where the device goes back to it", async () => {
    const { driver, state } = bed();
    await driver.read("all", calm);
    await expect(driver.write("battery.mode", "EXPORT_FOCUS", calm)).rejects.toMatchObject({ kind: "rejected" });
    state.takesBack = "EXPORT_FOCUS";
    await driver.write("battery.mode", "EXPORT_FOCUS", calm);
    expect(state.written).toEqual([["battery.mode", "EXPORT_FOCUS"]]);
  });

  test("that nobody checked waits for the owner, as does what only the gateway would end", async () => {
    const careful = bed().driver;
    expect(careful.controls.map(({ point }) => point)).toEqual(["charger.maxCurrent", "battery.mode"]);
    expect(careful.controls.at(-1)?.values).toEqual(["SELF_RELIANCE"]);
    expect(careful.unconfirmed).toEqual(["charger.enabled", "battery.mode"]);
    await expect(careful.write("charger.enabled", true, calm)).rejects.toMatchObject({ kind: "rejected" });
    const bold = bed({ confirmUnverified: true, confirmNoFailsafe: true }).driver;
    expect(bold.unconfirmed).toEqual([]);
    await bold.read("all", calm);
    await bold.write("charger.enabled", true, calm);
    await bold.write("battery.mode", "IMPORT_FOCUS", calm);
  });

  test("that nobody checked is on where it is named, and no other", () => {
    expect(bed({ confirmUnverified: ["charger.enabled"] }).driver.unconfirmed).toEqual(["battery.mode"]);
    const other = bed({ confirmUnverified: ["charger.maxCurrent"] }).driver;
    expect(other.unconfirmed).toEqual(["charger.enabled", "battery.mode"]);
    expect(other.controls.map(({ point }) => point)).toEqual(["charger.maxCurrent", "battery.mode"]);
  });

  test("waits for the first look at the device, whatever the connection", async () => {
    const { clock, state, driver, open } = bed();
    state.failure = "unavailable";
    await expect(driver.read("all", calm)).rejects.toMatchObject({ kind: "unreachable" });
    state.failure = null;
    expect(await open().read("all", calm)).toEqual([]);
    await expect(open().write("charger.maxCurrent", 10, calm)).rejects.toMatchObject({ kind: "unreachable" });
    expect(state.written).toEqual([]);
    await clock.advance(MINUTE);
    await driver.read("all", calm);
    await open().write("charger.maxCurrent", 10, calm);
    expect(state.written).toHaveLength(1);
  });

  test.each(["taken", "timeout", "unavailable", "malformed"] as const)(
    "tells the same again only after a look: %s",
    async (outcome) => {
      const { clock, state, driver } = bed();
      await driver.read("all", calm);
      state.failure = outcome === "taken" ? null : outcome;
      await driver.write("charger.maxCurrent", 10, calm).catch(() => undefined);
      const tried = state.tried;
      state.failure = null;
      await clock.advance(20 * MINUTE);
      await expect(driver.write("charger.maxCurrent", 10, calm)).rejects.toMatchObject({ kind: "unreachable" });
      expect(state.tried).toBe(tried);
      await driver.write("charger.maxCurrent", 12, calm);
      await driver.read("all", calm);
      await driver.write("charger.maxCurrent", 10, calm);
      expect(state.tried).toBe(tried + 2);
    },
  );

  test("gives a device that sleeps, or a vendor that is down, ever more time between two tries", async () => {
    const { clock, state, driver } = bed();
    await driver.read("all", calm);
    state.failure = "asleep";
    for (let passed = 0; passed < 5 * MINUTE; passed += 5_000) {
      await driver.write("charger.maxCurrent", 10, calm).catch(() => undefined);
      await clock.advance(5_000);
    }
    expect(state.tried).toBeGreaterThan(3);
    expect(state.tried).toBeLessThan(7);
    state.failure = null;
    await clock.advance(3 * MINUTE);
    await driver.write("charger.maxCurrent", 10, calm);
    expect(state.written).toHaveLength(1);
  });

  test("closes its share of the account with the driver", async () => {
    const { state, driver } = bed();
    await driver[Symbol.asyncDispose]();
    expect(state.isClosed).toBe(true);
  });
});
