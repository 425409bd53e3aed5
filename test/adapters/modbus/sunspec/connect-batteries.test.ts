import { describe, expect, it } from "vitest";
import { common, inverter103, type ModelImage, storage124, u32 } from "./images.ts";
import { readings } from "./sunspec-readings.ts";

describe("the mode of a battery", () => {
  it.each([
    { limits: 0, out: 10_000, into: 10_000, mode: "SELF_RELIANCE" },
    { limits: 0, out: 0, into: -1, mode: "SELF_RELIANCE" },
    { limits: 3, out: 0, into: 0, mode: "IDLE" },
    { limits: 2, out: -10_000, into: 10_000, mode: "IMPORT_FOCUS" },
    { limits: 3, out: -2_500, into: 2_500, mode: "IMPORT_FOCUS" },
    { limits: 1, out: 10_000, into: -10_000, mode: "EXPORT_FOCUS" },
    { limits: 2, out: 0, into: 10_000, mode: "UNKNOWN" },
    { limits: 1, out: 10_000, into: 0, mode: "UNKNOWN" },
    { limits: 3, out: 5_000, into: 5_000, mode: "UNKNOWN" },
    { limits: 3, out: -5_000, into: -5_000, mode: "UNKNOWN" },
    { limits: 0xffff, out: 10_000, into: 10_000, mode: null },
    { limits: 2, out: 0x8000, into: 10_000, mode: null },
    { limits: 1, out: 0x8000, into: -10_000, mode: "EXPORT_FOCUS" },
  ])("is $mode with limits $limits, discharge $out and charge $into", async ({ limits, out, into, mode }) => {
    const values = await readings(common("Fronius"), storage124({ 5: limits, 12: [out, into] }));
    expect(values["battery.mode"]).toBe(mode);
  });
});

describe("a battery of model 802", () => {
  const battery = (words: ModelImage["words"]): ModelImage => ({
    id: 802,
    length: 62,
    words: { 3: 1000, 10: 50, 11: 805, 16: 6, 22: 3, 47: 1500, 53: 1, 56: -1, 63: 0, ...words },
  });

  it.each([
    { doing: 4, raw: 1500, watts: 1500 },
    { doing: 4, raw: -1500, watts: 1500 },
    { doing: 3, raw: 1500, watts: -1500 },
    { doing: 3, raw: -1500, watts: -1500 },
    { doing: 6, raw: 1500, watts: -1500 },
    { doing: 6, raw: 0, watts: 0 },
  ])("takes the sign of $raw W from its charge status $doing", async ({ doing, raw, watts }) => {
    const values = await readings(common("Maker"), battery({ 16: doing, 47: raw }));
    expect(values).toMatchObject({ "battery.power": watts, "battery.soc": 80.5, "battery.capacity": 10_000 });
  });

  it("is at fault when its bank is, whatever it does", async () => {
    expect(await readings(common("Maker"), battery({ 16: 4, 22: 99 }))).toMatchObject({ "battery.status": "FAULT" });
  });

  it("takes what it discharges out of the inverter's production", async () => {
    const values = await readings(common("KOSTAL"), inverter103({ 14: 2000 }), battery({ 16: 3, 47: 1500 }));
    expect(values).toMatchObject({ "inverter.power": 500 });
  });

  it("never makes production negative at night", async () => {
    const values = await readings(common("KOSTAL"), inverter103({ 14: 1400 }), battery({ 16: 3, 47: 1500 }));
    expect(values).toMatchObject({ "inverter.power": 0 });
  });
});

describe("a battery of models 713 and 714", () => {
  const capacity: ModelImage = { id: 713, length: 7, words: { 2: [1024, 512, 500, 990, 0, 1, -1] } };
  const port = (type: number, watts: number): number[] => [
    ...[type, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0x8000, 0xffff, watts],
    ...[0, 0, 0, 0, 0, 0, 0, 0, 0x8000, 1, 0, 0],
  ];
  const ports = (essWatts: number): ModelImage => ({
    id: 714,
    length: 18 + 50,
    words: { 4: 2, 15: [0x8000, 0x8000, 0, 0, 0x8000], 20: [...port(0, 3000), ...port(1, essWatts)] },
  });
  const measured: ModelImage = { id: 701, length: 153, words: { 10: 2500, 116: 0 } };

  it("gives capacity and charge, and power with a sign of its own", async () => {
    expect(await readings(common("Maker"), measured, capacity, ports(-500))).toMatchObject({
      "battery.soc": 50,
      "battery.capacity": 10_240,
      "battery.power": 500,
      "battery.status": "CHARGING",
      "inverter.power": 3000,
    });
  });

  it.each([
    [700, "DISCHARGING"],
    [-700, "CHARGING"],
    [5, "IDLE"],
    [0x8000, null],
  ])("that gives %i W is %s", async (watts, status) => {
    expect(await readings(common("Maker"), measured, capacity, ports(watts))).toMatchObject({
      "battery.status": status,
    });
  });

  it("is at fault when it reports an error", async () => {
    const broken: ModelImage = { ...capacity, words: { 2: [1024, 512, 500, 990, 2, 1, -1] } };
    expect(await readings(common("Maker"), measured, broken, ports(0))).toMatchObject({ "battery.status": "FAULT" });
  });
});

describe("a meter", () => {
  const meter = (id: number): ModelImage => ({
    id,
    length: 105,
    words: {
      3: [101, -202, 303, -1],
      8: [2301, 2302, 2303],
      15: -1,
      16: [4999, -2],
      18: [-1500, 500, -2500, 500, 1],
      38: u32(700),
      46: u32(1200),
      54: 2,
    },
  });

  it("counts import positive", async () => {
    expect(await readings(common("Fronius", "Smart Meter"), meter(203))).toEqual({
      "meter.power": -15_000,
      "meter.power.l1": 5000,
      "meter.power.l2": -25_000,
      "meter.power.l3": 5000,
      "meter.voltage.l1": 230.1,
      "meter.voltage.l2": 230.2,
      "meter.voltage.l3": 230.3,
      "meter.current.l1": 10.1,
      "meter.current.l2": -20.2,
      "meter.current.l3": 30.3,
      "meter.frequency": 49.99,
      "meter.energyImport": 120_000,
      "meter.energyExport": 70_000,
    });
  });

  it("of SolarEdge counts export positive, and only in its powers", async () => {
    expect(await readings(common("SolarEdge"), meter(203))).toMatchObject({
      "meter.power": 15_000,
      "meter.power.l1": -5000,
      "meter.current.l1": 10.1,
      "meter.energyImport": 120_000,
    });
  });

  it.each([201, 202, 203, 204])("of model %i gives its power", async (id) => {
    expect(await readings(common("Maker"), meter(id))).toMatchObject({ "meter.power": -15_000 });
  });

  it("of model 213 gives floats", async () => {
    const floats: ModelImage = { id: 213, length: 124, words: { 28: [0xc4bb, 0x8000], 68: [0x4992, 0x7c00] } };
    expect(await readings(common("Fronius"), floats)).toMatchObject({
      "meter.power": -1500,
      "meter.energyImport": 1_200_000,
    });
  });

  it("is the first of a chain with several", async () => {
    const others = [common("SolarEdge"), { ...meter(201), words: { 18: [1, 1, 1, 1, 0] } }];
    const values = await readings(common("SolarEdge"), inverter103(), common("SolarEdge"), meter(203), ...others);
    expect(values).toMatchObject({ "meter.power": 15_000, "inverter.power": 2345 });
  });
});
