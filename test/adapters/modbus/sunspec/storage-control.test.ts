import type { PointValue } from "hemgate/sdk";
import { describe, expect, it } from "vitest";
import { connect, HOLD_SECONDS } from "./device.ts";
import { chain, common, type ModelImage, storage124 } from "./images.ts";

/** Model 124 stands right behind model 1. */
const AT = 40_000 + 2 + 68;
const MODE = AT + 5;
const RATES = AT + 12;
const TIMER = AT + 15;
const GRID = AT + 17;
const SCALE = AT + 25;

function battery(words: ModelImage["words"] = {}) {
  return connect(chain(40_000, [common("Fronius"), storage124(words)]));
}

describe("commanding a battery through model 124", () => {
  it.each([
    {
      mode: "IDLE",
      writes: [
        [TIMER, 300],
        [RATES, 0, 0],
        [MODE, 3],
      ],
    },
    {
      mode: "IMPORT_FOCUS",
      writes: [
        [TIMER, 300],
        [GRID, 1],
        [RATES, 0xd8f0, 10_000],
        [MODE, 2],
      ],
    },
    {
      mode: "EXPORT_FOCUS",
      writes: [
        [TIMER, 300],
        [RATES, 10_000, 0xd8f0],
        [MODE, 1],
      ],
    },
    {
      mode: "SELF_RELIANCE",
      writes: [
        [MODE, 0],
        [RATES, 10_000, 10_000],
      ],
    },
  ])("writes $mode in this order", async ({ mode, writes }) => {
    const device = await battery();
    await device.write("battery.mode", mode as PointValue);
    expect(device.unit.writes).toEqual(writes);
  });

  it.each(["IDLE", "IMPORT_FOCUS", "EXPORT_FOCUS", "SELF_RELIANCE"])("reads %s back from the device", async (mode) => {
    const device = await battery();
    await device.write("battery.mode", mode as PointValue);
    expect(await device.read()).toMatchObject({ "battery.mode": mode });
  });

  it("writes everything again when a lease is renewed", async () => {
    const device = await battery();
    await device.write("battery.mode", "IDLE");
    await device.write("battery.mode", "IDLE");
    expect(device.unit.writes.slice(3)).toEqual(device.unit.writes.slice(0, 3));
  });

  it("is a lease of the device's own timer", async () => {
    expect((await battery()).control("battery.mode")).toMatchObject({
      values: ["SELF_RELIANCE", "IMPORT_FOCUS", "EXPORT_FOCUS", "IDLE"],
      holdMs: HOLD_SECONDS * 1_000,
      safeDefault: "SELF_RELIANCE",
    });
  });

  it("only ever releases a device without a timer", async () => {
    const device = await battery({ 15: 0xffff });
    expect(device.control("battery.mode")).toMatchObject({ values: ["SELF_RELIANCE"], holdMs: null });
    await device.write("battery.mode", "SELF_RELIANCE");
    expect(device.unit.writes).toEqual([
      [MODE, 0],
      [RATES, 10_000, 10_000],
    ]);
  });

  it("sets its own timer over one that somebody else left", async () => {
    const device = await battery({ 15: 3600 });
    await device.write("battery.mode", "IDLE");
    expect(device.unit.writes[0]).toEqual([TIMER, 300]);
  });

  it.each([0, 3600])("writes nothing more when the device keeps its timer at %i", async (kept) => {
    const device = await battery({ 15: kept });
    device.unit.keepsValueOf.add(TIMER);
    await expect(device.write("battery.mode", "IDLE")).rejects.toMatchObject({ kind: "rejected" });
    expect(device.unit.writes).toEqual([[TIMER, 300]]);
  });

  it("takes a timer that the device shortens", async () => {
    const device = await battery({ 15: 60 });
    device.unit.keepsValueOf.add(TIMER);
    await device.write("battery.mode", "IDLE");
    expect(device.unit.writes.at(-1)).toEqual([MODE, 3]);
  });

  it("encodes with the scale factor that the device has now", async () => {
    const device = await battery();
    device.unit.registers.set(SCALE, 0);
    await device.write("battery.mode", "IMPORT_FOCUS");
    expect(device.unit.writes).toContainEqual([RATES, 0xff9c, 100]);
  });

  it.each([
    { scale: 0x8000, why: "is not implemented" },
    { scale: 11, why: "is out of range" },
    { scale: 3, why: "cannot say 100 %" },
    { scale: 0xfffc, why: "would need more than 16 bits" },
  ])("writes nothing when the scale factor $why", async ({ scale }) => {
    const device = await battery();
    device.unit.registers.set(SCALE, scale);
    for (const mode of ["IMPORT_FOCUS", "EXPORT_FOCUS", "SELF_RELIANCE"] as const) {
      await expect(device.write("battery.mode", mode)).rejects.toMatchObject({ kind: "rejected" });
    }
    expect(device.unit.writes).toEqual([]);
  });

  it("does not write a grid permission that is there already", async () => {
    const device = await battery({ 17: 1 });
    await device.write("battery.mode", "IMPORT_FOCUS");
    expect(device.unit.writes.map(([address]) => address)).toEqual([TIMER, RATES, MODE]);
  });

  it("charges without a grid permission on a device that has no such register", async () => {
    const device = await battery({ 17: 0xffff });
    await device.write("battery.mode", "IMPORT_FOCUS");
    expect(device.unit.writes.map(([address]) => address)).toEqual([TIMER, RATES, MODE]);
  });

  it("sets no rate when the device refuses the grid permission", async () => {
    const device = await battery();
    device.unit.refusesWriteOf.add(GRID);
    await expect(device.write("battery.mode", "IMPORT_FOCUS")).rejects.toMatchObject({ kind: "rejected" });
    expect(device.unit.writes).toEqual([[TIMER, 300]]);
  });

  it("gives the owner's grid setting back at the release", async () => {
    const device = await battery();
    await device.write("battery.mode", "IMPORT_FOCUS");
    await device.write("battery.mode", "SELF_RELIANCE");
    expect(device.unit.writes.slice(-3)).toEqual([
      [MODE, 0],
      [RATES, 10_000, 10_000],
      [GRID, 0],
    ]);
  });

  it("leaves the grid setting alone when somebody controlled the battery while we connected", async () => {
    const device = await battery({ 5: 2, 17: 1 });
    await device.write("battery.mode", "SELF_RELIANCE");
    expect(device.unit.writes).toEqual([
      [MODE, 0],
      [RATES, 10_000, 10_000],
    ]);
  });

  it("offers the modes that no driver in use writes only when the owner has checked them", async () => {
    const device = await connect(chain(40_000, [common("Fronius"), storage124()]), { confirmUnverified: false });
    expect(device.control("battery.mode").values).toEqual(["SELF_RELIANCE", "IMPORT_FOCUS"]);
  });

  it("is not offered without rates, or without a scale factor for them", async () => {
    expect((await battery({ 12: 0x8000 })).map.controls).toEqual([]);
    expect((await battery({ 25: 0x8000 })).map.controls).toEqual([]);
  });

  it("is not offered on a model too short to have a scale factor", async () => {
    const short: ModelImage = { ...storage124(), length: 20, words: { 2: 5000, 8: 6450, 11: 6 } };
    expect((await connect(chain(40_000, [common("Fronius"), short]))).map.controls).toEqual([]);
  });

  it("fails on a device that does not answer", async () => {
    const device = await battery();
    device.unit.isDead = true;
    await expect(device.write("battery.mode", "IDLE")).rejects.toMatchObject({ kind: "unreachable" });
  });
});
