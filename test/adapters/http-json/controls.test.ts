/** Every control changes its device as meant, and only where it may be used. */
import { describe, expect, test } from "vitest";
import { GoETwin, OpenEvseTwin, PeblarTwin } from "../../twins/http-devices/charger-twins.ts";
import { HOMEWIZARD_TOKEN, HomeWizardTwin } from "../../twins/http-devices/homewizard-twin.ts";
import { SonnenTwin } from "../../twins/http-devices/sonnen-twin.ts";
import { bed } from "./http-world.ts";

const CHARGERS = [
  ["go-e-http", () => new GoETwin(2), {}],
  ["go-e-v1", () => new GoETwin(1), { confirmUnverified: true }],
  ["peblar", () => new PeblarTwin("t"), { confirmUnverified: true, token: "t" }],
  ["openevse-http", () => new OpenEvseTwin(), { confirmUnverified: true }],
] as const;

describe.each(CHARGERS)("a charger %s", (profile, makeTwin, more) => {
  test("stops, starts again and takes a current", async () => {
    const twin = makeTwin();
    const { connect, read, write } = bed(twin, { profile, ...more });
    await using driver = await connect();
    await read(driver);
    await write(driver, "charger.enabled", false);
    expect(twin.car.isCharging).toBe(false);
    expect(await read(driver)).toMatchObject({ "charger.enabled": false, "charger.state": "PLUGGED_IN:STOPPED" });
    await write(driver, "charger.enabled", true);
    expect(await read(driver)).toMatchObject({ "charger.enabled": true, "charger.state": "PLUGGED_IN:CHARGING" });
    await write(driver, "charger.maxCurrent", 10);
    expect(twin.car.limit).toBe(10);
    expect(await read(driver)).toMatchObject({ "charger.maxCurrent": 10, "charger.current.l1": 9.5 });
  });

  test("keeps its limit over a stop and a start, and is not started by a limit", async () => {
    const twin = makeTwin();
    const { connect, read, write } = bed(twin, { profile, ...more });
    await using driver = await connect();
    await read(driver);
    await write(driver, "charger.maxCurrent", 10);
    await write(driver, "charger.enabled", true);
    expect([twin.car.isCharging, twin.car.limit]).toEqual([true, 10]);
    await write(driver, "charger.enabled", false);
    await write(driver, "charger.maxCurrent", 8);
    expect(twin.car.isCharging).toBe(false);
    expect(await read(driver)).toMatchObject({ "charger.maxCurrent": 8, "charger.enabled": false });
    await write(driver, "charger.enabled", true);
    expect([twin.car.isCharging, twin.car.limit]).toEqual([true, 8]);
  });

  test("that somebody else stopped is not started by a limit", async () => {
    const twin = makeTwin();
    const { connect, read, write } = bed(twin, { profile, ...more });
    await using before = await connect();
    await write(before, "charger.enabled", false);
    await using driver = await connect();
    expect(await read(driver)).toMatchObject({ "charger.enabled": false });
    await write(driver, "charger.maxCurrent", 8);
    expect(twin.car.isCharging).toBe(false);
  });

  test("that somebody else started after a stop of ours is not stopped by a limit", async () => {
    const twin = makeTwin();
    const { connect, read, write, world } = bed(twin, { profile, ...more });
    await using driver = await connect();
    await write(driver, "charger.maxCurrent", 10);
    await write(driver, "charger.enabled", false);
    await world.clock.advance(20_000);
    Object.assign(twin, { force: 2 });
    Object.assign(twin.car, { isAllowed: true, limit: 16 });
    expect(await read(driver)).toMatchObject({ "charger.enabled": true, "charger.maxCurrent": 16 });
    await write(driver, "charger.maxCurrent", 8);
    expect([twin.car.isCharging, twin.car.limit]).toEqual([true, 8]);
  });

  test("refuses a current out of its range before anything is sent", async () => {
    const twin = makeTwin();
    const { connect, write } = bed(twin, { profile, ...more });
    await using driver = await connect();
    const before = twin.asked.length;
    await expect(write(driver, "charger.maxCurrent", 5)).rejects.toMatchObject({ kind: "rejected" });
    expect(twin.asked.length).toBe(before);
  });
});

describe("go-e's flash memory", () => {
  test("is not written with what it holds, and not twice within 5 s", async () => {
    const twin = new GoETwin(2);
    const { connect, write, world } = bed(twin, { profile: "go-e-http" });
    await using driver = await connect();
    await write(driver, "charger.maxCurrent", 16);
    expect(twin.stored).toBe(0);
    await write(driver, "charger.maxCurrent", 10);
    const firstMs = world.clock.monotonicMs();
    await write(driver, "charger.maxCurrent", 12.7);
    expect(twin.stored).toBe(2);
    expect(twin.car.limit).toBe(12);
    expect(world.clock.monotonicMs() - firstMs).toBeGreaterThanOrEqual(4_900);
  });

  test("keeps the phases, which are switched by a number and not written twice", async () => {
    const twin = new GoETwin(2);
    const { connect, read, write } = bed(twin, { profile: "go-e-http" });
    await using driver = await connect();
    expect(await read(driver)).toMatchObject({ "charger.phases": 3 });
    await write(driver, "charger.phases", 3);
    expect(twin.stored).toBe(0);
    await write(driver, "charger.phases", 1);
    expect(twin.phaseMode).toBe(1);
    expect(await read(driver)).toMatchObject({ "charger.phases": 1 });
  });

  test("a value that the charger does not take is an error that says why", async () => {
    const twin = new GoETwin(2);
    const { connect, write } = bed(twin, { profile: "go-e-http" });
    await using driver = await connect();
    twin.lies.set("true", '"value not accepted"');
    await expect(write(driver, "charger.enabled", false)).rejects.toMatchObject({
      kind: "rejected",
      message: expect.stringContaining("value not accepted"),
    });
  });
});

describe("a battery", () => {
  const options = { profile: "sonnen-v2", token: "t", settings: { maxChargeW: 3_300, maxDischargeW: 2_000 } };

  test.each([
    ["IMPORT_FOCUS", "1", 3_300],
    ["EXPORT_FOCUS", "1", -2_000],
    ["IDLE", "1", 0],
    ["TIME_OF_USE", "10", null],
    ["SELF_RELIANCE", "2", null],
  ] as const)("of sonnen takes %s", async (mode, shown, setpoint) => {
    const twin = new SonnenTwin(2, "t");
    const { connect, read, write } = bed(twin, { ...options, confirmUnverified: true, confirmNoFailsafe: true });
    await using driver = await connect();
    await write(driver, "battery.mode", mode);
    expect([twin.mode, twin.setpoint]).toEqual([shown, setpoint]);
    expect(await read(driver)).toMatchObject({ "battery.mode": mode });
  });

  test("of sonnen that somebody else took into manual mode is not said to be left to itself", async () => {
    const twin = new SonnenTwin(2, "t");
    const { connect, read, write } = bed(twin, { ...options, confirmUnverified: true, confirmNoFailsafe: true });
    await using driver = await connect();
    await write(driver, "battery.mode", "SELF_RELIANCE");
    twin.mode = "1";
    expect(await read(driver)).toMatchObject({ "battery.mode": "UNKNOWN" });
  });

  test("is not commanded until the owner confirms what one source knows, nor without its power", async () => {
    const { connect } = bed(new SonnenTwin(2, "t"), options);
    await using unconfirmed = await connect();
    expect([unconfirmed.controls, unconfirmed.unconfirmed]).toEqual([[], ["battery.mode"]]);
    const confirmed = bed(new SonnenTwin(2, "t"), { profile: "sonnen-v2", token: "t", confirmUnverified: true });
    await using driver = await confirmed.connect();
    // Without a timer of its own nobody would end what it is forced to.
    expect(driver.controls[0]?.values).toEqual(["SELF_RELIANCE", "TIME_OF_USE"]);
  });

  test.each([
    ["IMPORT_FOCUS", "to_full"],
    ["IDLE", "standby"],
    ["TIME_OF_USE", "predictive"],
    ["SELF_RELIANCE", "zero"],
  ] as const)("of HomeWizard takes %s by its meter", async (mode, shown) => {
    const twin = new HomeWizardTwin(2);
    const { connect, read, write } = bed(twin, {
      profile: "homewizard-v2",
      token: HOMEWIZARD_TOKEN,
      confirmUnverified: true,
      confirmNoFailsafe: true,
    });
    await using driver = await connect();
    await write(driver, "battery.mode", mode);
    expect(twin.mode).toBe(shown);
    expect(await read(driver)).toMatchObject({ "battery.mode": mode });
  });
});
