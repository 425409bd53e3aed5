import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { INTEGER, type LinearModel, LinearModelBuilder } from "../../../src/domain/energy/plan/linear-model.ts";
import { nodeClock } from "../../../src/platform/node/node-clock.ts";
import { nodeOptimizer } from "../../../src/platform/node/node-optimizer.ts";
import { InProcessOptimizer } from "../../../src/platform/optimizer/in-process-optimizer.ts";
import { workshop } from "./workshop.ts";

const clock = nodeClock(() => "synced");
const DEADLINE = { deadlineMs: 20_000 };

test("The thread solves linear and mixed-integer models, and what only differs in bounds and costs", async () => {
  await using optimizer = nodeOptimizer({ clock });
  expect(await optimizer.solve(workshop(), DEADLINE)).toMatchObject({ status: "optimal", objective: -1_100 });
  const warm = await optimizer.solve(workshop({ carpentry: 42 }), DEADLINE);
  expect(warm).toMatchObject({ status: "optimal", objective: expect.closeTo(-1_100 - (2 * 70) / 3, 6) });
  expect(await optimizer.solve(workshop({ chairs: 0 }), DEADLINE)).toMatchObject({ objective: -1_000 });
  const whole = await optimizer.solve(workshop({ carpentry: 40.5, integrality: INTEGER }), DEADLINE);
  expect(whole).toMatchObject({ status: "optimal", objective: -1_100 });
  expect(await optimizer.solve(workshop(), DEADLINE)).toMatchObject({ status: "optimal", objective: -1_100 });
});

test("A model without a solution is never called optimal", async () => {
  await using optimizer = new InProcessOptimizer();
  const infeasible = { ...workshop(), columnLower: Float64Array.of(30, 30) };
  expect(await optimizer.solve(infeasible)).toMatchObject({ status: "infeasible" });
  const unbounded = { ...workshop(), rowUpper: Float64Array.of(Infinity, Infinity) };
  expect(await optimizer.solve(unbounded)).toMatchObject({ status: "unbounded" });
  const broken = { ...workshop(), columns: Int32Array.of(0, 7, 0, 1) };
  expect(await optimizer.solve(broken)).toMatchObject({ status: "failed" });
  expect(await optimizer.solve(workshop())).toMatchObject({ status: "optimal" });
});

test.each([
  ["throws", `throw new Error("x".repeat(160_000));`],
  ["ends", "process.exit(3);"],
])(
  "A thread that %s makes the solution a failure with a short text, and the next one starts again",
  async (_what, code) => {
    const folder = mkdtempSync(join(tmpdir(), "hg-"));
    try {
      const workerPath = join(folder, "worker.cjs");
      writeFileSync(workerPath, code);
      await using optimizer = nodeOptimizer({ clock, workerPath });
      for (let run = 0; run < 2; run++) {
        const solution = await optimizer.solve(workshop(), DEADLINE);
        expect(solution.status).toBe("failed");
        expect("detail" in solution && solution.detail.length).toBeLessThan(300);
      }
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
);

test("A thread that does not answer is given up after its deadline", async () => {
  const folder = mkdtempSync(join(tmpdir(), "hg-"));
  try {
    const workerPath = join(folder, "worker.cjs");
    writeFileSync(workerPath, "setInterval(() => undefined, 1_000);");
    const soon = { timer: (_delayMs: number, callback: () => void) => clock.timer(50, callback) };
    await using optimizer = nodeOptimizer({ clock: soon, workerPath });
    expect(await optimizer.solve(workshop(), { deadlineMs: 10 })).toMatchObject({ status: "time-limit" });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test("Memory above the bound is refused, and the next model is solved again", async () => {
  await using optimizer = nodeOptimizer({ clock, memoryBytes: 2 ** 20 });
  const solution = await optimizer.solve(largeModel(), DEADLINE);
  expect(solution.status).toBe("failed");
});

function largeModel(): LinearModel {
  const builder = new LinearModelBuilder();
  builder.addColumns(60_000, { cost: -1, upper: 10 });
  for (let row = 0; row < 60_000; row++) {
    builder.addTerm(row, 1);
    if (row > 0) builder.addTerm(row - 1, 1);
    builder.endRow(-Infinity, 5 + (row % 7));
  }
  return builder.build();
}
