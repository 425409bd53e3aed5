import type { DerivedPoint, PointName, Reading, RegisterPoint } from "hemgate/sdk";
import { VirtualClock } from "hemgate/testing";
import { describe, expect, test } from "vitest";
import { ModbusException } from "../../../../adapters/modbus/bus/modbus-exception.ts";
import type { DeviceMap, MapControl } from "../../../../adapters/modbus/driver/device-map.ts";
import { ModbusDriver } from "../../../../adapters/modbus/driver/modbus-driver.ts";
import { calm } from "../bus/bus-world.ts";
import { FakeUnit, silence } from "../fake-unit.ts";

function register(key: string, address: number, more: Partial<RegisterPoint<string>> = {}): RegisterPoint<string> {
  return { key, table: "holding", address, type: "uint16", poll: "fast", ...more };
}

function driverOf(
  unit: FakeUnit,
  parts: { registers: readonly RegisterPoint<string>[]; derived?: readonly DerivedPoint[]; controls?: MapControl[] },
) {
  const clock = new VirtualClock();
  let disposals = 0;
  const map: DeviceMap = {
    identity: { manufacturer: null, model: null, serial: null, version: null },
    vendors: ["MODBUS"],
    derived: [],
    controls: [],
    limits: { maxRegisters: 125, minGapMs: 0, isOneValuePerRequest: false },
    ...parts,
  };
  const resources = {
    [Symbol.dispose]: () => {
      disposals += 1;
    },
  };
  const driver = new ModbusDriver({ clock, unit, map, pollMs: {}, resources });
  return { driver, clock, disposals: () => disposals };
}

function values(readings: readonly Reading[]): Partial<Record<PointName, unknown>> {
  return Object.fromEntries(readings.map(({ point, value }) => [point, value]));
}

const METER = [
  register("meter.power", 10, { type: "int32" }),
  register("meter.frequency", 14, { scale: 0.01, poll: "normal" }),
  register("meter.energyImport", 16, { type: "uint32", poll: "slow" }),
];

function meterUnit(): FakeUnit {
  return new FakeUnit().set("holding", 10, 0xffff, 0xff9c, 0, 0, 5_002, 0, 0, 77);
}

describe("polling", () => {
  test("all that is due is fetched in one request and told in the point's unit", async () => {
    const unit = meterUnit();
    const { driver } = driverOf(unit, { registers: METER });
    expect(values(await driver.read("all", calm))).toEqual({
      "meter.power": -100,
      "meter.frequency": 50.02,
      "meter.energyImport": 77,
    });
    expect(unit.reads).toEqual([["holding", 10, 8]]);
    expect(driver.pollMs).toBe(1_000);
    expect(driver.points).toEqual(["meter.power", "meter.frequency", "meter.energyImport"]);
  });

  test("each class comes due at the ticks of its period, counted from the clock's start", async () => {
    const { driver, clock } = driverOf(meterUnit(), { registers: METER });
    const due = async (): Promise<string[]> => Object.keys(values(await driver.read("due", calm)));
    expect(await due()).toHaveLength(3);
    expect(await due()).toEqual([]);
    await clock.advance(3_700);
    expect(await due()).toEqual(["meter.power"]);
    await clock.advance(1_300);
    expect(await due()).toEqual(["meter.power", "meter.frequency"]);
    await clock.advance(55_000);
    expect(await due()).toHaveLength(3);
  });

  test("a derived point is told whenever one of its registers was read", async () => {
    const unit = new FakeUnit().set("holding", 0, 7, 5);
    const { driver, clock } = driverOf(unit, {
      registers: [register("raw.a", 0), register("raw.b", 1, { poll: "slow" })],
      derived: [
        {
          point: "meter.power",
          from: ["raw.a", "raw.b"],
          value: (registers) => Number(registers.get("raw.a")) * Number(registers.get("raw.b")),
        },
      ],
    });
    expect(values(await driver.read("due", calm))).toEqual({ "meter.power": 35 });
    unit.set("holding", 0, 8);
    await clock.advance(1_000);
    expect(values(await driver.read("due", calm))).toEqual({ "meter.power": 40 });
    expect(driver.points).toEqual(["meter.power"]);
  });

  test("a scale register is read with its value, though it is polled less often", async () => {
    const unit = new FakeUnit().set("holding", 0, 123, 0xffff);
    const { driver, clock } = driverOf(unit, {
      registers: [
        register("meter.power", 0, { scaleFrom: "raw.sf" }),
        register("raw.sf", 1, { type: "int16", poll: "slow" }),
      ],
    });
    expect(values(await driver.read("due", calm))).toEqual({ "meter.power": 12.3 });
    unit.set("holding", 0, 123, 1);
    await clock.advance(1_000);
    expect(values(await driver.read("due", calm))).toEqual({ "meter.power": 1_230 });
    unit.set("holding", 0, 123, 0x8000);
    await clock.advance(1_000);
    expect(values(await driver.read("due", calm))).toEqual({ "meter.power": null });
  });
});

describe("refused registers", () => {
  const POINTS: readonly PointName[] = ["meter.power.l1", "meter.power.l2", "meter.power.l3", "meter.voltage.l1"];

  test("the one register that is refused is found, told as null, and never read across again", async () => {
    const unit = new FakeUnit().set("holding", 0, 1, 2).set("holding", 3, 4);
    const { driver, clock } = driverOf(unit, { registers: POINTS.map((key, address) => register(key, address)) });
    const expected = { "meter.power.l1": 1, "meter.power.l2": 2, "meter.power.l3": null, "meter.voltage.l1": 4 };
    expect(values(await driver.read("due", calm))).toEqual(expected);
    unit.reads.length = 0;
    await clock.advance(1_000);
    expect(values(await driver.read("due", calm))).toEqual(expected);
    expect(unit.reads).toEqual([
      ["holding", 0, 2],
      ["holding", 3, 1],
    ]);
  });

  test("a hole that is refused is found, and both sides are read apart from then on", async () => {
    const unit = new FakeUnit().set("holding", 0, 1).set("holding", 9, 2);
    const registers = [register("meter.power.l1", 0), register("meter.power.l2", 9)];
    const { driver, clock } = driverOf(unit, { registers });
    await driver.read("due", calm);
    unit.reads.length = 0;
    await clock.advance(1_000);
    expect(values(await driver.read("due", calm))).toEqual({ "meter.power.l1": 1, "meter.power.l2": 2 });
    expect(unit.reads).toEqual([
      ["holding", 0, 1],
      ["holding", 9, 1],
    ]);
  });

  test("a refused register is tried again after ten minutes, alone, and comes back when it answers", async () => {
    const unit = new FakeUnit().set("holding", 0, 1);
    const registers = [register("meter.power.l1", 0), register("meter.power.l2", 1)];
    const { driver, clock } = driverOf(unit, { registers });
    await driver.read("due", calm);
    await clock.advance(599_000);
    unit.reads.length = 0;
    await driver.read("due", calm);
    expect(unit.reads).toEqual([["holding", 0, 1]]);
    unit.set("holding", 1, 2);
    await clock.advance(1_000);
    expect(values(await driver.read("due", calm))).toEqual({ "meter.power.l1": 1, "meter.power.l2": 2 });
    unit.reads.length = 0;
    await clock.advance(1_000);
    await driver.read("due", calm);
    expect(unit.reads).toEqual([["holding", 0, 2]]);
  });

  test("a device that refuses everything is there: its points are null", async () => {
    const { driver } = driverOf(new FakeUnit(), { registers: METER });
    expect(values(await driver.read("due", calm))).toEqual({
      "meter.power": null,
      "meter.frequency": null,
      "meter.energyImport": null,
    });
  });

  test("a busy device makes the points null this time and is asked again as before", async () => {
    const unit = meterUnit();
    unit.failures.set(10, new ModbusException(6, "reading"));
    const { driver, clock } = driverOf(unit, { registers: METER });
    expect(values(await driver.read("due", calm))).toMatchObject({ "meter.power": null });
    unit.failures.clear();
    await clock.advance(60_000);
    expect(values(await driver.read("due", calm))).toMatchObject({ "meter.power": -100 });
    expect(unit.reads).toHaveLength(2);
  });
});

describe("no answer", () => {
  test("a device that answers nothing is unreachable, and all stays due", async () => {
    const unit = meterUnit();
    unit.failures.set(10, silence);
    const { driver } = driverOf(unit, { registers: METER });
    await expect(driver.read("due", calm)).rejects.toBe(silence);
    unit.failures.clear();
    expect(await driver.read("due", calm)).toHaveLength(3);
  });

  test("what was answered is told, and what was not stays due", async () => {
    const unit = meterUnit().set("holding", 500, 230);
    unit.failures.set(500, silence);
    const registers = [...METER, register("meter.voltage.l1", 500, { poll: "slow" })];
    const { driver, clock } = driverOf(unit, { registers });
    // Null, for the value of an earlier connection says nothing about now.
    expect(values(await driver.read("due", calm))).toMatchObject({ "meter.power": -100, "meter.voltage.l1": null });
    await clock.advance(1_000);
    expect(values(await driver.read("due", calm))).not.toHaveProperty("meter.voltage.l1");
    unit.failures.clear();
    await clock.advance(1_000);
    expect(values(await driver.read("due", calm))).toMatchObject({ "meter.voltage.l1": 230 });
  });

  test("what stays unanswered while the rest is answered is null from the third round on, until it comes again", async () => {
    const unit = meterUnit().set("holding", 500, 230);
    const far = register("meter.voltage.l1", 500);
    const { driver } = driverOf(unit, { registers: [...METER, far] });
    await driver.read("all", calm);
    unit.failures.set(500, silence);
    const told: unknown[] = [];
    for (let round = 0; round < 4; round += 1) told.push(values(await driver.read("all", calm))["meter.voltage.l1"]);
    expect(told).toEqual([undefined, undefined, null, null]);
    unit.failures.clear();
    for (let round = 0; round < 2; round += 1) await driver.read("all", calm);
    expect(values(await driver.read("all", calm))["meter.voltage.l1"]).toBe(230);
  });

  test("what stays unanswered is null after half a minute, however seldom it is asked for", async () => {
    const unit = meterUnit().set("holding", 500, 230);
    const { driver, clock } = driverOf(unit, { registers: [...METER, register("meter.voltage.l1", 500)] });
    await driver.read("all", calm);
    unit.failures.set(500, silence);
    expect(values(await driver.read("all", calm))).not.toHaveProperty("meter.voltage.l1");
    await clock.advance(30_000);
    expect(values(await driver.read("all", calm))).toMatchObject({ "meter.voltage.l1": null, "meter.power": -100 });
  });

  test("a sum is null while the device cannot tell a part of it, and is one of the others where it lacks the part", async () => {
    const unit = new FakeUnit().set("holding", 0, 7).set("holding", 500, 5);
    const registers = [register("raw.a", 0), register("raw.b", 500), register("raw.c", 900)];
    const from = ["raw.a", "raw.b", "raw.c"];
    const sum: DerivedPoint = {
      point: "inverter.power",
      from,
      value: (known) => from.reduce((total, key) => total + Number(known.get(key) ?? 0), 0),
    };
    const { driver } = driverOf(unit, { registers, derived: [sum] });
    const told = async (): Promise<unknown> => values(await driver.read("all", calm))["inverter.power"];
    expect(await told()).toBe(12);
    unit.failures.set(500, new ModbusException(6, "reading"));
    expect(await told()).toBeNull();
    unit.failures.clear();
    expect(await told()).toBe(12);
  });

  test("a sum is not made of parts of different moments, and is null when a connection never told one of them", async () => {
    const unit = new FakeUnit().set("holding", 0, 7).set("holding", 500, 5);
    const from = ["raw.a", "raw.b"];
    const sum: DerivedPoint = {
      point: "inverter.power",
      from,
      value: (known) => from.reduce((total, key) => total + Number(known.get(key) ?? 0), 0),
    };
    const { driver } = driverOf(unit, { registers: [register("raw.a", 0), register("raw.b", 500)], derived: [sum] });
    const told = async (): Promise<unknown> => values(await driver.read("all", calm))["inverter.power"];
    unit.failures.set(500, silence);
    expect(await told()).toBeNull();
    unit.failures.clear();
    expect(await told()).toBe(12);
    unit.failures.set(500, silence);
    unit.set("holding", 0, 9);
    expect(await told()).toBeUndefined();
    unit.failures.clear();
    expect(await told()).toBe(14);
  });

  test("a gateway that cannot reach the unit makes it unreachable, not refusing", async () => {
    const unit = meterUnit();
    unit.failures.set(10, new ModbusException(11, "reading"));
    const { driver } = driverOf(unit, { registers: METER });
    await expect(driver.read("due", calm)).rejects.toMatchObject({ kind: "unreachable" });
  });

  test("an aborted round rejects with the signal's reason", async () => {
    const { driver } = driverOf(meterUnit(), { registers: METER });
    await expect(driver.read("all", AbortSignal.abort(new Error("stop")))).rejects.toThrow("stop");
  });
});

describe("writing", () => {
  const written: unknown[] = [];
  const controls: MapControl[] = [
    {
      point: "charger.maxCurrent",
      range: { min: 6, max: 32 },
      holdMs: null,
      safeDefault: null,
      write: async (_unit, value) => void written.push(value),
    },
    {
      point: "charger.enabled",
      values: [true, false],
      holdMs: null,
      safeDefault: null,
      write: async (_unit, value) => void written.push(value),
    },
  ];

  test.each([
    ["charger.maxCurrent", 6],
    ["charger.maxCurrent", 32],
    ["charger.enabled", false],
  ] as const)("%s takes %s", async (point, value) => {
    const { driver } = driverOf(meterUnit(), { registers: METER, controls });
    await driver.write(point, value, calm);
    expect(written.at(-1)).toBe(value);
  });

  test.each([
    ["charger.maxCurrent", 5.9],
    ["charger.maxCurrent", 33],
    ["charger.maxCurrent", Number.NaN],
    ["charger.maxCurrent", "16"],
    ["charger.enabled", "IDLE"],
    ["battery.mode", "IDLE"],
  ] as const)("%s does not take %s, and nothing is written", async (point, value) => {
    const before = written.length;
    const { driver } = driverOf(meterUnit(), { registers: METER, controls });
    // biome-ignore lint/suspicious/noExplicitAny: a wrong type is what this is about
    await expect(driver.write(point, value as any, calm)).rejects.toMatchObject({ kind: "rejected" });
    expect(written).toHaveLength(before);
  });

  test("disposing gives the unit and the bus back", async () => {
    const { driver, disposals } = driverOf(meterUnit(), { registers: METER });
    await driver[Symbol.asyncDispose]();
    expect(disposals()).toBe(1);
  });
});
