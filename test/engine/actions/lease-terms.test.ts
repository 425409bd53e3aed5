import { expect, test } from "vitest";
import { LeaseTerms } from "../../../src/engine/actions/lease-terms.ts";
import type { PointValue } from "../../../src/points/points.ts";

const CONTROLS = [
  { point: "charger.maxCurrent", range: { min: 6, max: 16 }, holdMs: null, safeDefault: "as-found" },
  { point: "battery.mode", values: ["SELF_RELIANCE", "IMPORT_FOCUS"], holdMs: null, safeDefault: "as-found" },
  { point: "hvac.mode", values: ["AUTO", "HEAT"], holdMs: null, safeDefault: null },
  { point: "inverter.powerLimit", range: { min: 0, max: 100 }, holdMs: null, safeDefault: 100 },
] as const;

test.each<[(typeof CONTROLS)[number]["point"], PointValue | null, PointValue | null]>([
  // KEBA shows 0 A while it is paused.
  ["charger.maxCurrent", 0, 6],
  ["charger.maxCurrent", 20, 16],
  ["charger.maxCurrent", 10, 10],
  ["charger.maxCurrent", null, null],
  ["battery.mode", "IMPORT_FOCUS", "IMPORT_FOCUS"],
  ["battery.mode", "UNKNOWN", "SELF_RELIANCE"],
  ["hvac.mode", "UNKNOWN", "AUTO"],
  ["inverter.powerLimit", 110, 100],
])("%s that was found at %s is given back as %s, which the device takes", (point, found, back) => {
  const terms = new LeaseTerms();
  terms.connected(CONTROLS);
  expect(terms.backTo(point, found)).toBe(back);
});
