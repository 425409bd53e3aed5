import { type Control, withholdWithoutFailsafe } from "hemgate/sdk";
import { expect, test } from "vitest";

const MODE: Control = {
  point: "battery.mode",
  values: ["SELF_RELIANCE", "TIME_OF_USE", "IDLE", "IMPORT_FOCUS"],
  holdMs: null,
  safeDefault: "SELF_RELIANCE",
};
const LIMIT: Control = {
  point: "charger.maxCurrent",
  range: { min: 6, max: 16 },
  holdMs: null,
  safeDefault: "as-found",
};

test("a battery that nothing but the gateway would stop is only left to itself, until the owner answers for it", () => {
  const { controls, withheld } = withholdWithoutFailsafe([MODE, LIMIT], false);
  expect(controls).toEqual([{ ...MODE, values: ["SELF_RELIANCE", "TIME_OF_USE"] }, LIMIT]);
  expect(withheld).toEqual(["battery.mode"]);
  expect(withholdWithoutFailsafe([MODE, LIMIT], true)).toEqual({ controls: [MODE, LIMIT], withheld: [] });
});

test("a battery with a timer of its own keeps all its modes", () => {
  const timed = { ...MODE, holdMs: 60_000 };
  expect(withholdWithoutFailsafe([timed], false)).toEqual({ controls: [timed], withheld: [] });
});
