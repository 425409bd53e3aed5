/** A grid meter that is read less often than the chargers: what it showed is compared with what they drew then. */
import { expect, test } from "vitest";
import type { Circuit, PerPhase } from "../../../src/domain/energy/site/site-connection.ts";
import { longestOverload, runHouse } from "./house-loop.ts";
import { makeMeter, makeSite } from "./makers.ts";

const CAR = { latencyS: 2, view: { range: { minA: 6, maxA: 32, stepA: 1 } } };

function flat(amps: number): PerPhase<number> {
  return [amps, amps, amps];
}

function every(seconds: number) {
  return (truth: ReturnType<typeof makeMeter>, atS: number) => (atS % seconds === 0 ? truth : null);
}

test.each([5, 14])("A grid meter that is read each %i s raises no charger twice into the same room", (seconds) => {
  const load = (atS: number) => flat(atS < 100 ? 10 : 4);
  const { trace } = runHouse({ load, cars: [CAR, CAR], meter: every(seconds) }, 200);
  expect(longestOverload(trace, 25)).toEqual({ above: 0, above13: 0, above45: 0 });
  expect(trace[95]!.cars.map(({ amps }) => amps)).toEqual([8, 6]);
});

test("A grid meter that is read each 14 s lowers a charger once, and not until it is off", () => {
  const load = (atS: number) => flat(atS < 100 ? 2 : 12);
  const { trace } = runHouse({ load, cars: [CAR], meter: every(14) }, 180);
  expect(new Set(trace.slice(80).map(({ cars }) => cars[0]!.offeredA))).toEqual(new Set([22, 12]));
});

test("A circuit's meter that is read each second is compared with what chargers draw now", () => {
  const garage: Circuit = {
    id: "garage",
    name: "Garage",
    parentId: null,
    fuseA: 25,
    maxKw: null,
    meterId: "sub",
    memberIds: ["charger-1"],
  };
  const { trace } = runHouse(
    {
      snapshot: { site: makeSite({ fuseA: 63, circuits: [garage] }) },
      cars: [CAR],
      meter: every(14),
      circuits: ({ atS, cars }) =>
        new Map([["garage", makeMeter({ currentA: flat(10 + cars[0]!.amps), measuredAtMs: atS * 1_000 })]]),
    },
    100,
  );
  expect(new Set(trace.slice(20).map(({ cars }) => cars[0]!.offeredA))).toEqual(new Set([14]));
});
