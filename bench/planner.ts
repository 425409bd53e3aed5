/**
 * How long a plan takes: 48 hours in quarter hours with battery, car and heat pump.
 *
 *   node --conditions=source --expose-gc bench/planner.ts
 */
import { existsSync } from "node:fs";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { setTimeout } from "node:timers/promises";
import { forecastLoad } from "../src/domain/energy/load-forecast.ts";
import type { LinearModel } from "../src/domain/energy/plan/linear-model.ts";
import { type PlanInputs, planTimes } from "../src/domain/energy/plan/plan-inputs.ts";
import { buildPlanModel } from "../src/domain/energy/plan/plan-model.ts";
import { planOneBattery } from "../src/domain/energy/plan/plan-one-battery.ts";
import { readPlan } from "../src/domain/energy/plan/read-plan.ts";
import { nodeClock } from "../src/platform/node/node-clock.ts";
import { nodeOptimizer } from "../src/platform/node/node-optimizer.ts";
import { HighsSession } from "../src/platform/optimizer/highs-session.ts";
import { SeededRandom } from "../src/testing/seeded-random.ts";

const START_MS = Date.UTC(2026, 2, 10);
const HOUR_MS = 3_600_000;
const QUARTER_MS = HOUR_MS / 4;
const RUNS = 40;
/** After so long without a model the solver's thread ends, ms. */
const IDLE_MS = 1_000;
const WEEKS = 8;

function inputsOf(seed: number, batteryKwh = 5): PlanInputs {
  const random = new SeededRandom(seed);
  const sunny = random.between(0.3, 1);
  const slots = planTimes(START_MS, "fine").map(({ fromMs, toMs }, slot) => {
    const hour = (slot / 4) % 24;
    const sun = Math.max(0, Math.sin(((hour - 6) / 12) * Math.PI));
    const price = 0.25 + 0.08 * Math.sin(((hour - 14) / 12) * Math.PI) + random.between(-0.02, 0.02);
    return {
      ...{ fromMs, toMs, importPrice: price, exportPrice: price - 0.17, loadKw: 0.3 + random.between(0, 1) },
      ...{ pvKw: 6 * sunny * sun, maxImportKw: 17, maxExportKw: 6, maxControllableKw: null },
    };
  });
  const heatSlot = { outdoorC: 4, heatPerPower: 3.2, gainKw: 0.4, minC: 20.5, maxC: 22.5 };
  return {
    slots,
    batteries: [
      {
        ...{ id: "battery", storedKwh: batteryKwh, minKwh: 1, maxKwh: 10, maxChargeKw: 5, maxDischargeKw: 5 },
        ...{ chargeEfficiency: 0.95, dischargeEfficiency: 0.95, wearPerKwh: 0.01, endValuePerKwh: null },
        ...{ mayChargeFromGrid: true, mayDischargeToGrid: true },
      },
    ],
    vehicles: [
      {
        ...{ id: "car", storedKwh: 20, maxKwh: 60, minKw: 0, maxKw: 11, chargeEfficiency: 0.92, trips: [] },
        plugged: [{ fromMs: START_MS + 17 * HOUR_MS, toMs: START_MS + 31 * HOUR_MS }],
        targets: [{ atMs: START_MS + 31 * HOUR_MS, storedKwh: 48 }],
        ...{ isSurplusOnly: false, endValuePerKwh: 0 },
      },
    ],
    heats: [
      {
        ...{ id: "heat-pump", temperatureC: 21, maxKw: 3, heatCapacityKwhPerK: 6, heatLossKwPerK: 0.25 },
        slots: slots.map(() => heatSlot),
      },
    ],
    canCurtail: true,
    peak: null,
  };
}

function modelOf(inputs: PlanInputs) {
  const built = buildPlanModel(inputs);
  if (built.kind === "no-plan") throw new Error(built.detail);
  return built;
}

function withoutMeans({ meanDuals: _means, ...model }: LinearModel): LinearModel {
  return model;
}

/** CPU time of this thread: other work on the machine does not count. */
function cpuMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}

/** The mean, because the CPU time of a thread comes in ticks that are longer than a short run. */
async function timed(work: (run: number) => unknown): Promise<string> {
  const before = cpuMs();
  for (let run = 0; run < RUNS; run++) await work(run);
  return ((cpuMs() - before) / RUNS).toFixed(2);
}

function residentMb(): number {
  globalThis.gc?.();
  return process.memoryUsage().rss / 2 ** 20;
}

async function main(): Promise<void> {
  const models = Array.from({ length: RUNS + 1 }, (_, run) => modelOf(inputsOf(run)));
  const [first] = models;
  console.log(`${first!.model.cost.length} columns, ${first!.model.rowLower.length} rows; mean ms of CPU time`);
  console.log(`| build the model | ${await timed((run) => modelOf(inputsOf(run)))} |`);
  // The thread comes first: its memory is the one that counts, and this thread has loaded nothing of the solver yet.
  const beforeMb = residentMb();
  const built = new URL("../dist/src/platform/node/optimizer-worker.js", import.meta.url).pathname;
  const clock = nodeClock(() => "synced");
  const optimizer = nodeOptimizer({ clock, idleMs: IDLE_MS, ...(existsSync(built) && { workerPath: built }) });
  const delay = monitorEventLoopDelay({ resolution: 1 });
  const started = performance.now();
  await optimizer.solve(first!.model, { deadlineMs: 5_000 });
  console.log(`| first plan, with loading the solver | ${(performance.now() - started).toFixed(0)} |`);
  console.log(`| memory of the thread after one plan, MB | ${(residentMb() - beforeMb).toFixed(0)} |`);
  await setTimeout(2 * IDLE_MS);
  console.log(`| what stays of it when the thread has ended, MB | ${(residentMb() - beforeMb).toFixed(0)} |`);
  delay.enable();
  const inWorker = await timed(async (run) => {
    const built = modelOf(inputsOf(run + 1));
    const solution = await optimizer.solve(built.model, { deadlineMs: 5_000 });
    if (!("values" in solution)) throw new Error(solution.detail);
    readPlan(built, solution);
  });
  delay.disable();
  const workerMb = residentMb() - beforeMb;
  await optimizer[Symbol.asyncDispose]();
  console.log(`| what the main thread does for a plan: build, post, read | ${inWorker} |`);
  console.log(
    `| event loop delay meanwhile, by the clock, mean / p99 / highest | ${[delay.mean, delay.percentile(99), delay.max].map((ns) => (ns / 1e6).toFixed(1)).join(" / ")} |`,
  );
  console.log(`| memory of the thread after ${RUNS} plans without a pause, MB | ${workerMb.toFixed(0)} |`);
  using session = await HighsSession.open();
  for (const { model } of models.slice(0, 10)) session.solve(model, {});
  const alone = models.map(({ model }) => withoutMeans(model));
  const cold = (each: readonly LinearModel[]) => (run: number) => {
    session[Symbol.dispose]();
    return session.solve(each[run]!, {});
  };
  console.log(`| cold: another matrix before each | ${await timed(cold(alone))} |`);
  console.log(`| the same with the means of the duals | ${await timed(cold(models.map(({ model }) => model)))} |`);
  session.solve(first!.model, {});
  const drifted = Array.from({ length: RUNS }, (_, run) => modelOf(inputsOf(0, 5 + run * 0.02)).model);
  const warm = drifted.map(withoutMeans);
  console.log(`| warm: the battery has another charge | ${await timed((run) => session.solve(warm[run]!, {}))} |`);
  console.log(`| the same with the means of the duals | ${await timed((run) => session.solve(drifted[run]!, {}))} |`);
  const loads = Array.from({ length: WEEKS * 672 }, (_, row) => ({
    fromMs: START_MS - (WEEKS * 672 - row) * QUARTER_MS,
    kw: 0.3 + (row % 96) / 96,
  }));
  const times = planTimes(START_MS, "fine");
  console.log(
    `| load forecast of eight weeks | ${await timed(() => forecastLoad({ history: loads, times, nowMs: START_MS, zone: "Europe/Berlin", holidays: new Set() }))} |`,
  );
  console.log(`| dynamic programming, battery alone | ${await timed((run) => planOneBattery(inputsOf(run)))} |`);
}

await main();
