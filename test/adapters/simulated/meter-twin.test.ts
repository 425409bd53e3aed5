import { expect, test } from "vitest";
import { createMeterTwin } from "../../../adapters/simulated/meter-twin.ts";
import { HOUR_MS, makeHome, NIGHT_MS, steady } from "./make-home.ts";

/** A night house that takes 3,000 W with an empty battery: 1,500, 900 and 600 W on the phases. */
function importing() {
  const home = makeHome({ startMs: NIGHT_MS, profile: steady(3_000, 0) });
  home.step(3 * HOUR_MS);
  return { home, image: createMeterTwin(() => home.truth()) };
}

test.each([
  ["1,500 W on L1", 12, [0x44bb, 0x8000]],
  ["900 W on L2", 14, [0x4461, 0x0000]],
  ["600 W on L3", 16, [0x4416, 0x0000]],
  ["3,000 W together", 52, [0x453b, 0x8000]],
])("import is positive at the made-up meter: %s", (_name, address, words) => {
  const { image } = importing();
  expect(image.readInput(1, address, 2)).toEqual({ kind: "values", values: words });
});

test("export is negative at the made-up meter", () => {
  const home = makeHome({ profile: steady(500, 800) });
  home.step(60_000);
  const image = createMeterTwin(() => home.truth());
  // −1,300 W.
  expect(image.readInput(1, 52, 2)).toEqual({ kind: "values", values: [0xc4a2, 0x8000] });
});

test("the counters are kWh and count their own direction", () => {
  const home = makeHome({ startMs: NIGHT_MS, profile: steady(3_000, 0) });
  const image = createMeterTwin(() => home.truth());
  // 4,210.5 and 6,875.25 kWh at the start.
  expect(image.readInput(1, 72, 4)).toEqual({ kind: "values", values: [0x4583, 0x9400, 0x45d6, 0xda00] });
  home.step(7 * HOUR_MS);
  const imported = home.truth().energies.imported;
  expect(imported).toBeGreaterThan(10_000);
  const reply = image.readInput(1, 72, 4);
  const words = reply.kind === "values" ? reply.values : [];
  const view = new DataView(new ArrayBuffer(4));
  view.setUint16(0, words[0]!);
  view.setUint16(2, words[1]!);
  expect(view.getFloat32(0)).toBeCloseTo(4_210.5 + imported / 1_000, 3);
  expect(words.slice(2)).toEqual([0x45d6, 0xda00]);
});

test("the phases stand for themselves: one may export while another imports", () => {
  // 8,500 × 0.6 = 5,100 W; the battery takes 2,100; each phase gives 1,000 and takes 1,500, 900 and 600.
  const home = makeHome({ profile: steady(3_000, 600) });
  home.step(60_000);
  const { gridPhasesW, energies } = home.truth();
  expect(gridPhasesW.map(Math.round)).toEqual([500, -100, -400]);
  expect(energies.importedPhases[0]).toBeGreaterThan(0);
  expect(energies.exportedPhases[2]).toBeGreaterThan(0);
});

test("a hole between two values reads as 0, and a value can be read by halves", () => {
  const { image } = importing();
  expect(image.readInput(1, 36, 2)).toEqual({ kind: "values", values: [0, 0] });
  expect(image.readInput(1, 53, 1)).toEqual({ kind: "values", values: [0x8000] });
});

test.each([
  ["81 registers", 0, 81, 3],
  ["no register", 0, 0, 3],
  ["a read over the end of a range", 100, 10, 2],
  ["an address outside", 1_000, 2, 2],
])("%s is refused by the made-up meter", (_name, address, count, code) => {
  expect(importing().image.readInput(1, address, count)).toEqual({ kind: "exception", code });
});

test("80 registers are the most, it has no holding registers, and another unit is silent", () => {
  const { image } = importing();
  expect(image.readInput(1, 0, 80)).toMatchObject({ kind: "values" });
  expect(image.readHolding(1, 0, 2)).toEqual({ kind: "exception", code: 2 });
  expect(image.writeHolding(1, 0, [1], 6)).toEqual({ kind: "exception", code: 2 });
  expect(image.readInput(2, 0, 2)).toEqual({ kind: "silence" });
});
