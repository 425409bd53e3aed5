import { describe, expect, it } from "vitest";
import { connect, HOLD_SECONDS } from "./device.ts";
import { chain, common, controls123, inverter103, type ModelImage } from "./images.ts";

const AT = 40_000 + 2 + 68;

describe("limiting an inverter through model 123", () => {
  const inverter = (words: ModelImage["words"] = {}) =>
    connect(chain(40_000, [common("Fronius"), controls123(words), inverter103()]));

  it("sets the timer, then the percentage, then the enable", async () => {
    const device = await inverter();
    await device.write("inverter.powerLimit", 42.5);
    expect(device.unit.writes).toEqual([
      [AT + 7, 300],
      [AT + 5, 4250],
      [AT + 9, 1],
    ]);
    expect(await device.read()).toMatchObject({ "inverter.powerLimit": 42.5 });
  });

  it("disables it for 100", async () => {
    const device = await inverter({ 5: [5000, 0, 300, 0, 1] });
    await device.write("inverter.powerLimit", 100);
    expect(device.unit.writes).toEqual([[AT + 9, 0]]);
    expect(await device.read()).toMatchObject({ "inverter.powerLimit": 100 });
  });

  it("takes the stricter step when the device has none in between", async () => {
    const device = await inverter({ 23: 0 });
    await device.write("inverter.powerLimit", 7.9);
    expect(device.unit.writes).toContainEqual([AT + 5, 7]);
  });

  it("loses nothing to binary fractions", async () => {
    const device = await inverter();
    await device.write("inverter.powerLimit", 0.29);
    expect(device.unit.writes).toContainEqual([AT + 5, 29]);
  });

  it("can stop the production", async () => {
    const device = await inverter();
    await device.write("inverter.powerLimit", 0);
    expect(device.unit.writes).toEqual([
      [AT + 7, 300],
      [AT + 5, 0],
      [AT + 9, 1],
    ]);
  });

  it("is a lease of the device's own timer", async () => {
    expect((await inverter()).control("inverter.powerLimit")).toMatchObject({
      range: { min: 0, max: 100 },
      holdMs: HOLD_SECONDS * 1_000,
      safeDefault: 100,
    });
  });

  it("can only be taken away on a device without a timer", async () => {
    const device = await inverter({ 7: 0xffff });
    expect(device.control("inverter.powerLimit")).toMatchObject({ range: { min: 100, max: 100 }, holdMs: null });
  });

  it("stops when the device keeps somebody else's longer timer", async () => {
    const device = await inverter({ 7: 3600 });
    device.unit.keepsValueOf.add(AT + 7);
    await expect(device.write("inverter.powerLimit", 50)).rejects.toMatchObject({ kind: "rejected" });
    expect(device.unit.writes).toEqual([[AT + 7, 300]]);
  });

  it("writes nothing without a scale factor", async () => {
    const device = await inverter();
    device.unit.registers.set(AT + 23, 0x8000);
    await expect(device.write("inverter.powerLimit", 50)).rejects.toMatchObject({ kind: "rejected" });
    expect(device.unit.writes).toEqual([]);
  });

  it("is not offered without its registers", async () => {
    expect((await inverter({ 5: 0xffff })).map.controls).toEqual([]);
    expect((await inverter({ 9: 0xffff })).map.controls).toEqual([]);
    expect((await inverter({ 23: 0x8000 })).map.controls).toEqual([]);
  });

  it.each([
    { enable: 0, raw: 3000, limit: 100 },
    { enable: 1, raw: 3000, limit: 30 },
    { enable: 1, raw: 0xffff, limit: null },
    { enable: 2, raw: 3000, limit: null },
    { enable: 0xffff, raw: 3000, limit: null },
  ])("reads $limit with enable $enable and $raw", async ({ enable, raw, limit }) => {
    expect(await (await inverter({ 5: raw, 9: enable })).read()).toMatchObject({ "inverter.powerLimit": limit });
  });
});

describe("limiting an inverter through model 704", () => {
  const controls = (words: ModelImage["words"] = {}): ModelImage => ({
    id: 704,
    length: 65,
    fill: 0xffff,
    words: { 14: [0, 1000, 500, 1, 0, 0, 0, 0], 53: [0x8000, -1, 0x8000, 0x8000, 0x8000, 0x8000], ...words },
  });
  const inverter = (words: ModelImage["words"] = {}) => connect(chain(40_000, [common("Maker"), controls(words)]));

  it("says what it falls back to, sets the timer, then the percentage, then the enable", async () => {
    const device = await inverter();
    await device.write("inverter.powerLimit", 42.5);
    expect(device.unit.writes).toEqual([
      [AT + 17, 0],
      [AT + 18, 0, 300],
      [AT + 15, 425],
      [AT + 14, 1],
    ]);
    expect(await device.read()).toEqual({ "inverter.powerLimit": 42.5 });
  });

  it("disables it for 100", async () => {
    const device = await inverter({ 14: [1, 500, 500, 0, 0, 300, 0, 0] });
    await device.write("inverter.powerLimit", 100);
    expect(device.unit.writes).toEqual([[AT + 14, 0]]);
  });

  it("sets no limit that would fall back to another one", async () => {
    const device = await inverter();
    device.unit.keepsValueOf.add(AT + 17);
    await expect(device.write("inverter.powerLimit", 50)).rejects.toMatchObject({ kind: "rejected" });
    expect(device.unit.writes).toEqual([[AT + 17, 0]]);
  });

  it("can only be taken away when the device does not say what it falls back to", async () => {
    const device = await inverter({ 17: 0xffff });
    expect(device.control("inverter.powerLimit")).toMatchObject({ range: { min: 100, max: 100 }, holdMs: null });
  });

  it("can only be taken away without a timer", async () => {
    const device = await inverter({ 18: [0xffff, 0xffff] });
    expect(device.control("inverter.powerLimit")).toMatchObject({ range: { min: 100, max: 100 }, holdMs: null });
  });

  it("leaves it to model 123 where a device has both", async () => {
    const device = await connect(chain(40_000, [common("Maker"), controls123(), controls()]));
    await device.write("inverter.powerLimit", 50);
    expect(device.unit.writes[0]).toEqual([AT + 7, 300]);
  });
});
