import { expect, it } from "vitest";
import { checkAround, ZONES } from "../domain/schedules/schedule-checks.ts";
import { DAY_MS, IntlZone } from "../domain/schedules/schedule-oracle.ts";

const FROM_MS = Date.UTC(2020, 0, 1);
const TO_MS = Date.UTC(2041, 0, 1);
/** Days that stand in for the transitions that a zone does not have. */
const ORDINARY_MS = [Date.UTC(2024, 1, 29, 12), Date.UTC(2026, 11, 31, 22), Date.UTC(2033, 5, 15)];
const SEED = 20_400_101;
const RULE_SETS = 10;

it("agrees with the oracle at every minute around every zone's transitions of twenty-one years", () => {
  let transitions = 0;
  for (const [at, name] of ZONES.entries()) {
    const zone = new IntlZone(name);
    const found = zone.transitions(FROM_MS, TO_MS, DAY_MS);
    transitions += found.length;
    for (const [nth, atMs] of [...found, ...ORDINARY_MS].entries()) {
      checkAround({ zone, atMs, seed: SEED + at * 1_000 + nth, ruleSets: RULE_SETS, everyMinutes: 1 });
    }
  }
  expect(transitions).toBeGreaterThan(5_000);
});
