import {
  type ControlPoint,
  type DeviceProfile,
  type Driver,
  evaluateNumber,
  type PointName,
  type PointValue,
  type ProfileControl,
} from "hemgate/sdk";
import { describe, expect, test } from "vitest";
import { allProfiles } from "../../../../adapters/modbus/profile/known-profiles.ts";
import type { TwinEffect } from "../../../twins/registers/twin-behaviour.ts";
import { effectProblem, isAtDefault } from "./expected-effect.ts";
import { openBench, type TwinBench } from "./twin-bench.ts";
import { twinOf } from "./twin-of.ts";

const KNOWN_PROFILES = await allProfiles();

/** How late a twin's timer may be noticed, ms. */
const SLACK_MS = 1_000;
/** As long as a hold is watched where the profile says that it lasts. */
const LASTING_MS = 3_600_000;

/** Controls whose state no register of the device shows, with the reason. */
const UNREADABLE: Readonly<Record<string, string>> = {
  "keba-p40 charger.enabled": "it has no such register, and its limit is 0 A for other reasons too",
};

interface Case {
  readonly profile: DeviceProfile;
  readonly control: ProfileControl;
  readonly value: PointValue;
}

function valuesOf({ write, range, point }: ProfileControl, { settings }: DeviceProfile): readonly PointValue[] {
  if ("cases" in write) return write.cases.map(({ value }) => value);
  if (point === "charger.enabled") return [true, false];
  if (range === undefined) return [];
  const setting = (name: string): number | null => settings?.[name]?.default ?? null;
  const [min, max] = [evaluateNumber(range.min, { setting }), evaluateNumber(range.max, { setting })];
  if (min === null || max === null) return [];
  if (point === "battery.powerSetpoint") return [...new Set([max, 500, min])].filter((watts) => watts !== 0);
  return [...new Set([min, Math.round((min + max) / 2), Math.min(max, 32)])];
}

/** The power of a forced mode does something in its mode only. */
function modeOf(point: ControlPoint, value: PointValue): PointValue | null {
  if (point !== "battery.powerSetpoint") return null;
  return Number(value) > 0 ? "IMPORT_FOCUS" : "EXPORT_FOCUS";
}

const CASES = KNOWN_PROFILES.filter((profile) => twinOf(profile) !== null).flatMap((profile) =>
  profile.controls.flatMap((control) =>
    valuesOf(control, profile).map(
      (value) => [`${profile.id}: ${control.point} to ${value}`, { profile, control, value }] as const,
    ),
  ),
);

/** Opens a house where something else is in force, so that the value has something to change. */
async function openChanged({ profile, control, value }: Case): Promise<TwinBench> {
  const bench = await openBench(profile);
  await bench.readAll();
  const mode = modeOf(control.point, value);
  if (mode !== null) {
    await bench.write("battery.mode", mode);
    await bench.readAll();
    return bench;
  }
  const values = valuesOf(control, profile);
  const other = values.findLast((each) => each !== value);
  if (other !== undefined && value === values[0]) {
    await bench.write(control.point, other);
    await bench.world.clock.advance(SLACK_MS);
    await bench.readAll();
  }
  return bench;
}

/** How long the device keeps the value by its own timer; null when it keeps it for good. */
function offeredHoldMs(driver: Driver, { control: { point } }: Pick<Case, "control">): number | null {
  return driver.controls.find((control) => control.point === point)?.holdMs ?? null;
}

function problemOf(bench: TwinBench, { control, value }: Case): string | null {
  return effectProblem(bench.twin, control.point, value, control.approximate !== undefined);
}

/** Kostal is handed back by leaving it alone until its time is over; the battery rests until then. */
async function restWhereItHasTo({ world, driver, twin }: TwinBench, each: Case): Promise<void> {
  const { control, value } = each;
  const holdMs = offeredHoldMs(driver, each);
  const isPaused = value === "SELF_RELIANCE" && twin.effect.battery?.does === "idle";
  if (isPaused && holdMs !== null && control.approximate !== undefined) await world.clock.advance(holdMs + SLACK_MS);
}

type Readings = ReadonlyMap<PointName, PointValue | null>;

/** Which way power flows, into the battery positive. */
const SIGNS: Readonly<Record<NonNullable<TwinEffect["battery"]>["does"], number>> = {
  charge: 1,
  discharge: -1,
  idle: 0,
  "own-control": -1,
  "no-discharge": 1,
  "no-charge": -1,
};

function isTold(readings: Readings, point: PointName): boolean {
  return typeof readings.get(point) === "number";
}

function signs(readings: Readings, points: readonly PointName[]): Record<string, number> {
  return Object.fromEntries(
    points.filter((point) => isTold(readings, point)).map((point) => [point, Math.sign(Number(readings.get(point)))]),
  );
}

test("there are controls to try", () => {
  expect(CASES.length).toBeGreaterThan(0);
});

describe.each(CASES)("%s", (name, each) => {
  const { profile, control, value } = each;

  test("changes the twin as meant, and reads back so", async () => {
    await using bench = await openChanged(each);
    await bench.write(control.point, value);
    await restWhereItHasTo(bench, each);
    expect(problemOf(bench, each)).toBeNull();
    // Nothing is sent for a permanent hold: the mode that follows is what holds it.
    if (`${profile.id} ${control.point}` in UNREADABLE || value === "PERMANENT") return;
    const readings = await bench.readAll();
    expect({ [name]: readings.get(control.point) }).toEqual({ [name]: value });
  });

  test("shows in what the device measures", async () => {
    await using bench = await openChanged(each);
    await bench.write(control.point, value);
    const readings = await bench.readAll();
    const { battery, charger } = bench.twin.effect;
    const isCharging = charger?.isAllowed === true && charger.limitA !== null;
    expect(signs(readings, ["battery.power", "charger.power"])).toMatchObject({
      ...(battery === undefined || !isTold(readings, "battery.power") ? {} : { "battery.power": SIGNS[battery.does] }),
      ...(charger === undefined || !isTold(readings, "charger.power") ? {} : { "charger.power": Number(isCharging) }),
    });
  });

  // The power of a forced mode has tests of its own below.
  if (control.point === "battery.powerSetpoint") return;

  test("holds as long as it says, and no longer than the device", async () => {
    await using bench = await openBench(profile);
    await bench.readAll();
    const before = bench.twin.effect;
    const holdMs = offeredHoldMs(bench.driver, each);
    await bench.write(control.point, value);
    const { reversion } = bench.twin.behaviour;
    await bench.world.clock.advance(holdMs === null ? LASTING_MS : holdMs - SLACK_MS);
    await restWhereItHasTo(bench, each);
    expect(problemOf(bench, each)).toBeNull();
    if (holdMs === null || reversion === undefined) return;
    await bench.world.clock.advance(2 * SLACK_MS);
    const after = bench.twin.effect;
    expect(isAtDefault(after, before), `after ${holdMs} ms the twin still does ${JSON.stringify(after)}`).toBe(true);
  });

  test("written again wears nothing", async () => {
    await using bench = await openBench(profile);
    await bench.readAll();
    for (let round = 0; round < 3; round += 1) {
      await bench.write(control.point, value);
      await bench.world.clock.advance(SLACK_MS);
    }
    await restWhereItHasTo(bench, each);
    expect(bench.twin.wear.map(({ id, words }) => `${id} ${words}`)).toEqual([]);
    expect(problemOf(bench, each)).toBeNull();
  });
});

const POWERS = CASES.filter(([, { control }]) => control.point === "battery.powerSetpoint");

describe.each(POWERS)("the power of a forced mode, %s,", (_name, each) => {
  const { profile, control, value } = each;

  test("forces nothing by itself, and is taken up by its mode", async () => {
    await using bench = await openBench(profile);
    await bench.readAll();
    await bench.write(control.point, value);
    expect(bench.twin.effect.battery?.does).toBe("own-control");
    await bench.write("battery.mode", modeOf(control.point, value) ?? "IDLE");
    expect(problemOf(bench, each)).toBeNull();
  });

  test("ends with the mode's timer, and wears nothing however often it changes", async () => {
    await using bench = await openChanged(each);
    for (let round = 0; round < 10; round += 1) {
      await bench.write(control.point, Number(value) * (round % 2 === 0 ? 0.5 : 1));
      await bench.world.clock.advance(SLACK_MS);
    }
    expect(bench.twin.wear.map(({ id, words }) => `${id} ${words}`)).toEqual([]);
    const holdMs = bench.driver.controls.find(({ point }) => point === "battery.mode")?.holdMs ?? null;
    if (holdMs === null) return;
    await bench.world.clock.advance(holdMs + SLACK_MS);
    expect(bench.twin.effect.battery?.does).toBe("own-control");
  });
});
