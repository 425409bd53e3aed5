/** A car that sleeps and does not take what its charger offers. */
import { describe, expect, test } from "vitest";
import { type CarSpec, inMode, type Readout, reasonsOf, runHouse } from "./house-loop.ts";

const fast = () => inMode("FAST");
const surplus = () => inMode("SURPLUS");

function startsOf(trace: readonly Readout[]): number[] {
  return trace
    .filter(({ cars }, i) => cars[0]!.isOn && (i === 0 || !trace[i - 1]!.cars[0]!.isOn))
    .map(({ atS }) => atS);
}

function run(car: CarSpec, seconds = 7_200): readonly Readout[] {
  return runHouse({ sunW: () => 7_000, cars: [car] }, seconds).trace;
}

describe.each([
  ["FAST", fast],
  ["SURPLUS", surplus],
] as const)("in mode %s", (_mode, ask) => {
  test("a car that sleeps is woken by one pause after five minutes, and charges", () => {
    const trace = run({ ask, draws: (_atS, starts) => starts >= 2 }, 1_200);
    const [firstS, secondS, ...more] = startsOf(trace);
    expect(secondS! - firstS!).toBeGreaterThan(300 + 30);
    expect(secondS! - firstS!).toBeLessThan(300 + 150);
    expect(more).toEqual([]);
    expect(reasonsOf(trace, "charger-1")).toContain("wakes-car");
    expect(trace.at(-1)!.cars[0]!.amps).toBeGreaterThan(5);
    expect(reasonsOf(trace, "charger-1", 1_100)).toEqual([ask === fast ? "fast" : "surplus"]);
  });

  test("a car that does not wake is tried twice, is offered its current on, and the reason says so", () => {
    const trace = run({ ask, draws: () => false });
    expect(startsOf(trace)).toHaveLength(3);
    expect(reasonsOf(trace, "charger-1", 1_800)).toEqual(["car-does-not-charge"]);
    expect(trace.at(-1)!.cars[0]).toMatchObject({ isOn: true });
  });

  test("a car that was unplugged after that is woken again at the next plug-in", () => {
    const isPlugged = (atS: number) => atS < 2_000 || atS > 2_300;
    const trace = run({ ask, isPlugged, draws: () => false }, 5_400);
    expect(reasonsOf(trace, "charger-1", 2_400)).toContain("wakes-car");
    expect(reasonsOf(trace, "charger-1", 5_300)).toEqual(["car-does-not-charge"]);
    for (const atS of startsOf(trace)) {
      const inHour = startsOf(trace).filter((other) => other >= atS && other < atS + 3_600);
      expect(inHour.length).toBeLessThanOrEqual(4);
    }
  });

  test("a car that has charged and stops by itself is left alone, and so is one that says that it is full", () => {
    const charged = run({ ask, draws: (atS) => atS < 900 }, 3_600);
    expect(startsOf(charged)).toHaveLength(1);
    const full = run({ ask, draws: () => false, view: { isFull: true } }, 3_600);
    expect(startsOf(full)).toHaveLength(1);
    expect(reasonsOf(full, "charger-1")).not.toContain("wakes-car");
  });
});
