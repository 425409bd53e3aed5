import {
  createHomeModel,
  type HomeModel,
  type HomeModelOptions,
  SANDBOX_SPEC,
} from "../../../adapters/simulated/home-model.ts";

export const HOUR_MS = 3_600_000;
/** 2026-06-21T10:00Z: a summer day in daylight at the sandbox's place. */
export const SUMMER_NOON_MS = Date.UTC(2026, 5, 21, 10);
/** 2026-06-21T23:00Z: the night after it. */
export const NIGHT_MS = Date.UTC(2026, 5, 21, 23);

/** A house that stands still until it is stepped; under a steady sun and load unless told otherwise. */
export function makeHome(options: Partial<HomeModelOptions> = {}): HomeModel {
  return createHomeModel({ spec: SANDBOX_SPEC, seed: 7, startMs: SUMMER_NOON_MS, hasCar: false, ...options });
}

/** A world outside that does not move, W and W per installed kW. */
export function steady(loadW: number, sunWPerKw: number): { loadW(): number; sunWPerKw(): number } {
  return { loadW: () => loadW, sunWPerKw: () => sunWPerKw };
}
