import type { RegisterPoint } from "hemgate/sdk";
import { VirtualClock } from "hemgate/testing";
import { describe, expect, test } from "vitest";
import { NoAnswer } from "../../../../adapters/modbus/bus/bus-link.ts";
import { ModbusDriver } from "../../../../adapters/modbus/driver/modbus-driver.ts";
import { calm, outcome } from "../bus/bus-world.ts";
import { lineBed, PACING } from "../bus/line-harness.ts";
import { FakeUnit } from "../fake-unit.ts";

const KEYS = [
  "meter.power",
  "meter.power.l1",
  "meter.power.l2",
  "meter.power.l3",
  "meter.voltage.l1",
  "meter.voltage.l2",
  "meter.voltage.l3",
  "meter.frequency",
] as const;

/** Two blocks: one far away, and eight points in a row. */
const POINTS: readonly RegisterPoint<string>[] = [
  { key: "meter.energyImport", table: "holding", address: 500, type: "uint16", poll: "fast" },
  ...KEYS.map((key, at) => ({ key, table: "holding", address: at, type: "uint16", poll: "fast" }) as const),
];

function driverOf(unit: ConstructorParameters<typeof ModbusDriver>[0]["unit"], clock: VirtualClock): ModbusDriver {
  const map = {
    identity: { manufacturer: null, model: null, serial: null, version: null },
    vendors: ["MODBUS"],
    registers: POINTS,
    derived: [],
    controls: [],
    limits: { maxRegisters: 125, minGapMs: 0, isOneValuePerRequest: false },
  } as const;
  return new ModbusDriver({ clock, unit, map, pollMs: {}, resources: { [Symbol.dispose]: () => undefined } });
}

function meter(): FakeUnit {
  return new FakeUnit().set("holding", 0, 1, 2, 3, 4, 5, 6, 7, 8).set("holding", 500, 9);
}

function isAskedFor({ reads }: FakeUnit, register: number): boolean {
  return reads.some(([, address, count]) => address <= register && address + count > register);
}

describe("a device that stays silent on a register that it does not have", () => {
  test("loses this register only, within some rounds, and is reachable all along", async () => {
    const clock = new VirtualClock();
    const unit = meter();
    unit.failures.set(5, new NoAnswer("no answer"));
    const driver = driverOf(unit, clock);
    let rounds = 0;
    for (; rounds < 20; rounds++) {
      const readings = await driver.read("all", calm);
      if (readings.length === POINTS.length && !isAskedFor(unit, 5)) break;
      unit.reads.length = 0;
      await clock.advance(1_000);
    }
    expect(rounds).toBeLessThanOrEqual(10);
    unit.reads.length = 0;
    const values = Object.fromEntries((await driver.read("all", calm)).map(({ point, value }) => [point, value]));
    expect(values).toMatchObject({ "meter.energyImport": 9, "meter.power": 1, "meter.voltage.l2": null });
    expect(Object.values(values).filter((value) => value === null)).toHaveLength(1);
    expect(isAskedFor(unit, 5)).toBe(false);
  });

  test("is asked for it ever more rarely, but at least every hour, and reads it when it answers", async () => {
    const clock = new VirtualClock();
    const unit = meter();
    unit.failures.set(5, new NoAnswer("no answer"));
    const driver = driverOf(unit, clock);
    const asked: number[] = [];
    for (let minute = 0; minute < 24 * 60; minute++) {
      unit.reads.length = 0;
      await driver.read("all", calm);
      if (isAskedFor(unit, 5)) asked.push(minute);
      await clock.advance(60_000);
    }
    const gaps = asked.slice(1).map((minute, at) => minute - (asked[at] ?? 0));
    expect(asked.length).toBeLessThan(70);
    expect(Math.max(...gaps)).toBe(60);
    unit.failures.clear();
    await clock.advance(3_600_000);
    expect((await driver.read("all", calm)).map(({ value }) => value)).not.toContain(null);
  });

  test("one that answered before is asked for again within a minute, however long it was silent", async () => {
    const clock = new VirtualClock();
    const unit = meter();
    const driver = driverOf(unit, clock);
    await driver.read("all", calm);
    unit.failures.set(5, new NoAnswer("no answer"));
    for (let second = 0; second < 3 * 3_600; second += 10) {
      await driver.read("all", calm);
      await clock.advance(10_000);
    }
    expect((await driver.read("all", calm)).filter(({ value }) => value === null)).toHaveLength(1);
    unit.failures.clear();
    await clock.advance(60_000);
    expect((await driver.read("all", calm)).map(({ value }) => value)).not.toContain(null);
  });

  test("a device that is away for hours loses nothing by it", async () => {
    const clock = new VirtualClock();
    const unit = meter();
    const driver = driverOf(unit, clock);
    await driver.read("all", calm);
    for (const { address } of POINTS) unit.failures.set(address, new NoAnswer("no answer"));
    for (let round = 0; round < 50; round++) {
      expect(await outcome(driver.read("all", calm))).toBeInstanceOf(NoAnswer);
      await clock.advance(60_000);
    }
    unit.failures.clear();
    const readings = await driver.read("all", calm);
    expect(readings).toHaveLength(POINTS.length);
    expect(readings.map(({ value }) => value)).not.toContain(null);
  });

  test("over a real line of frames: once it has answered, the other points come every second", async () => {
    const { bus, image, world } = lineBed("rtu");
    image.behave = (_unit, address, count) => (address <= 5 && address + count > 5 ? { kind: "silence" } : null);
    const driver = driverOf(bus.unit(1, PACING), world.clock);
    let missed = 0;
    let readings: readonly unknown[] = [];
    for (let round = 0; round < 40; round++) {
      const got = await world.clock.resolve(outcome(driver.read("all", calm)), 60_000);
      if (Array.isArray(got) && got.length > 0) readings = got;
      else if (readings.length > 0) missed += 1;
      await world.clock.advance(1_000);
    }
    expect(missed).toBe(0);
    expect(readings).toHaveLength(POINTS.length);
  });
});
