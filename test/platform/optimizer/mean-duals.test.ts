import { expect, test } from "vitest";
import { HighsSession } from "../../../src/platform/optimizer/highs-session.ts";
import { workshop } from "./workshop.ts";

test.each([
  ["both steps keep the basis", 40, [1, -1], 70 / 3],
  ["the upper step leaves it by a column", 99.5, [1, -1], (0 + 70 / 3) / 2],
  ["the lower step leaves it by a column", 25.5, [1, -1], (70 / 3 + 30) / 2],
  ["the upper step leaves it by a row", 20, [10, -1], (70 / 3 + 30) / 2],
  ["both leave it", 60, [50, -50], (0 + 30) / 2],
  ["it is at its end", 100, [1, -1], (0 + 70 / 3) / 2],
  ["the row does not bind", 200, [1, -150], (0 + 70 / 3) / 2],
  ["a side is left out", 99.5, [0, 1], (70 / 3 + 0) / 2],
] as const)("The mean dual is that of both steps where %s", async (_where, carpentry, steps, paid) => {
  using session = await HighsSession.open();
  // Once from nothing, and once from the optimum of another model.
  for (const before of [carpentry, 30, 99]) {
    session.solve(workshop({ carpentry: before, steps }), {});
    const solution = session.solve(workshop({ carpentry, steps }), {});
    expect("rowDuals" in solution ? -(solution.rowDuals[0] ?? 0) : solution).toBeCloseTo(paid, 9);
  }
});
