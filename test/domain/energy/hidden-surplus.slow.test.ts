/** Sun that a limit of the feed-in hides: a car tries for it, grows with what the inverter gives, and gives up in bounds. */
import { expect, test } from "vitest";
import { commandsOf, type HouseSpec, inMode, reasonsOf, runHouse } from "./house-loop.ts";
import { makeSite } from "./makers.ts";

const HOUR_S = 3_600;
const CAR = { view: { ask: inMode("SURPLUS") } } as const;

function flat(watts: number): readonly [number, number, number] {
  const amps = watts / 3 / 230;
  return [amps, amps, amps];
}

/** Feeding in costs money, so nothing may be fed in. */
function throttled(sunW: number, more: Partial<HouseSpec> = {}): HouseSpec {
  const snapshot = { feedInStopsUntilMs: 10 * HOUR_S * 1_000, site: makeSite({}) };
  return { snapshot, load: () => flat(1_000), sunW: () => sunW, cars: [CAR], ...more };
}

test("Inverter throttled at -3 ct: a probe finds the surplus, the car takes it all, and the feed-in stays at 0", () => {
  const { trace, starts } = runHouse(throttled(9_900), HOUR_S);
  expect(trace[60]!.sunW).toBeLessThan(1_200);
  expect(starts).toEqual([1]);
  expect(trace.at(-1)!.cars[0]!.watts).toBeGreaterThan(8_000);
  expect(trace.at(-1)!.sunW).toBeGreaterThan(9_500);
  expect(Math.min(...trace.slice(20).map(({ gridW }) => gridW))).toBeGreaterThan(-800);
  // What it buys while it grows is what an inverter needs to follow, not a charge from the grid.
  const bought = trace.slice(600).reduce((sum, { gridW }) => sum + Math.max(0, gridW), 0) / HOUR_S;
  expect(bought).toBeLessThan(250);
  expect(commandsOf(trace, "charger-1")).toBeLessThan(40);
  expect(reasonsOf(trace, "charger-1")).toEqual(expect.arrayContaining(["no-surplus", "hidden-surplus", "surplus"]));
});

test("Without a throttled inverter nothing is tried: by night, under a thin sun, and beside a battery that gives", () => {
  const night = runHouse(throttled(0), HOUR_S);
  const thin = runHouse(throttled(600), HOUR_S);
  const battery = { view: { mode: "SELF_RELIANCE" }, soc: 80 } as const;
  const given = runHouse(throttled(600, { battery }), HOUR_S);
  expect([night.starts, thin.starts, given.starts]).toEqual([[0], [0], [0]]);
});

test("Sun that is too little for the car ends the try within minutes, and the next comes half an hour later", () => {
  const { trace, starts } = runHouse(throttled(2_500), 3 * HOUR_S);
  expect(starts[0]).toBeGreaterThanOrEqual(1);
  expect(starts[0]).toBeLessThanOrEqual(6);
  const chargingS = trace.filter(({ cars }) => cars[0]!.amps > 0).length;
  expect(chargingS / starts[0]!).toBeLessThan(5 * 60);
});

test("A feed-in limit of 1 kW hides sun for a car in mode MIN_SURPLUS too: it rises above its least current", () => {
  const snapshot = { site: makeSite({ exportKw: 1 }) };
  const cars = [{ view: { ask: inMode("MIN_SURPLUS") } }];
  const { trace } = runHouse({ snapshot, load: () => flat(500), sunW: () => 9_900, cars }, HOUR_S);
  expect(trace.at(-1)!.cars[0]!.watts).toBeGreaterThan(8_000);
  expect(trace.slice(20).every(({ gridW }) => gridW > -1_800)).toBe(true);
});

test("An inverter that keeps to the limit by itself is probed too, once the feed-in has been at it", () => {
  const snapshot = { site: makeSite({ exportKw: 0 }) };
  // It holds the connection at 0 W whatever is drawn, up to 9.9 kW.
  let drawnW = 1_000;
  const sunW = (): number => Math.min(9_900, drawnW);
  const load = () => flat(1_000);
  const follow = (truth: { readonly powerW: number | null }) => {
    drawnW = Math.max(0, drawnW + (truth.powerW ?? 0));
    return truth as never;
  };
  const { trace, starts } = runHouse(
    { snapshot, inverter: { canLimit: false }, load, sunW, cars: [CAR], meter: follow },
    HOUR_S,
  );
  expect(starts).toEqual([1]);
  expect(trace.at(-1)!.cars[0]!.watts).toBeGreaterThan(8_000);
});

test("A sun that goes while the car grows lowers it with the sun, and costs no more starts than any cloud", () => {
  const { trace, starts } = runHouse(throttled(9_900, { sunW: (atS) => (atS < 1_800 ? 9_900 : 6_500) }), HOUR_S);
  expect(starts).toEqual([1]);
  const bought = trace.slice(2_000).reduce((sum, { gridW }) => sum + Math.max(0, gridW), 0) / (HOUR_S - 2_000);
  expect(bought).toBeLessThan(300);
});
