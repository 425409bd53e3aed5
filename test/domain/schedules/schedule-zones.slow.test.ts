import { expect, it } from "vitest";
import { checkAround, SEARCH_STEP_MS, ZONES } from "./schedule-checks.ts";
import { IntlZone } from "./schedule-oracle.ts";

const FROM_MS = Date.UTC(2026, 0, 1);
const TO_MS = Date.UTC(2031, 0, 1);
/** Where a zone has no transition in these years, an ordinary day stands in. */
const ORDINARY_MS = Date.UTC(2027, 4, 12, 21, 30);
const SEED = 20_260_329;
const RULE_SETS = 2;

it("agrees with the minute-by-minute oracle around every zone's transitions of five years", { timeout: 60_000 }, () => {
  let transitions = 0;
  let compared = 0;
  for (const [at, name] of ZONES.entries()) {
    const zone = new IntlZone(name);
    const found = zone.transitions(FROM_MS, TO_MS, SEARCH_STEP_MS);
    transitions += found.length;
    for (const [nth, atMs] of (found.length > 0 ? found : [ORDINARY_MS]).entries()) {
      const seed = SEED + at * 100 + nth;
      compared += checkAround({ zone, atMs, seed, ruleSets: RULE_SETS, everyMinutes: 7 });
    }
  }
  expect(transitions).toBeGreaterThan(1_200);
  expect(compared).toBeGreaterThan(200_000);
});
