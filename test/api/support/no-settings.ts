import { problem } from "../../../src/domain/problem.ts";
import type { HouseSettings } from "../../../src/engine/contracts/configuration.ts";

/** A configuration that comes from a program, and cannot be set over the API. */
export const NO_SETTINGS: HouseSettings = {
  sources: { prices: [], forecasts: [] },
  stateOf: () => ({ origin: "file", isSettable: false, variables: [] }),
  set: () => Promise.reject(problem("conflict", "set elsewhere")),
  remove: () => Promise.reject(problem("conflict", "set elsewhere")),
};
