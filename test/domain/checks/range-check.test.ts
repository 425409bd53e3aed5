import { expect, test } from "vitest";
import { Source } from "../../../src/domain/checks/house-history.ts";
import { checkRanges } from "../../../src/domain/checks/steady-checks.ts";
import type { PointName } from "../../../src/points/points.ts";

test.each<readonly [PointName, number, string | undefined]>([
  ["battery.soc", 100.013, undefined],
  ["battery.soc", 101.9, undefined],
  ["battery.soc", -0.4, undefined],
  ["battery.soc", 110, "scale"],
  ["battery.soc", 870, "scale"],
  ["battery.soc", 65_535, "scale"],
  ["battery.soc", -40, "range"],
  ["meter.voltage.l1", 253, undefined],
  ["meter.voltage.l1", 2_301, "scale"],
  ["meter.frequency", 50.01, undefined],
  ["meter.frequency", 5_001, "scale"],
])("%s of %d", (point, value, check) => {
  const samples = Array.from({ length: 60 }, (_, second) => ({ atMs: second * 1_000, values: { [point]: value } }));
  const source = new Source("device", "battery", samples);
  expect(checkRanges([source])[0]?.check).toBe(check);
});
