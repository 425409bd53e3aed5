import { expect, test } from "vitest";
import { controlCycle, EMPTY_MEMORY } from "../../../src/domain/energy/cycle/control-cycle.ts";
import type { BatteryView, EnergySnapshot } from "../../../src/domain/energy/cycle/energy-snapshot.ts";
import { makeBattery, makeLimit, makeMeter, makeSite, makeSnapshot } from "./makers.ts";

const SECONDS = 900;
/** From a command to its effect, s. */
const LATENCY_S = 4;
const MAX_W = 8_000;

interface Spec {
  readonly plannedMode: BatteryView["plannedMode"];
  /** Their powers can be set. */
  readonly isPowered: boolean;
  readonly site?: EnergySnapshot["site"];
  readonly limits?: EnergySnapshot["limits"];
  readonly houseW: (atS: number) => number;
}

interface Battery {
  watts: number;
  mode: BatteryView["mode"];
  setW: number | null;
}

function goalOf({ mode, setW, watts }: Battery, gridW: number): number {
  if (mode === "IMPORT_FOCUS") return setW ?? MAX_W;
  if (mode === "EXPORT_FOCUS") return setW ?? -MAX_W;
  return mode === "IDLE" ? 0 : Math.max(-MAX_W, Math.min(MAX_W, watts - gridW / 4));
}

/** Two equal batteries behind one meter. */
function runTwo({ plannedMode, isPowered, houseW, ...rest }: Spec) {
  const batteries: readonly Battery[] = ["a", "b"].map(() => ({ watts: 0, mode: "SELF_RELIANCE", setW: null }));
  const queue: { dueS: number; i: number; mode: BatteryView["mode"]; powerW: number | null }[] = [];
  const trace: { atS: number; gridW: number; watts: readonly number[]; modes: readonly BatteryView["mode"][] }[] = [];
  let memory = EMPTY_MEMORY;
  let [gridW, changes] = [0, 0];
  for (let atS = 0; atS < SECONDS; atS += 1) {
    for (const { i, mode, powerW } of queue.filter(({ dueS }) => dueS === atS)) {
      Object.assign(batteries[i]!, { mode: mode ?? batteries[i]!.mode, setW: powerW });
    }
    for (const battery of batteries) battery.watts = goalOf(battery, gridW);
    gridW = batteries.reduce((sum, { watts }) => sum + watts, houseW(atS));
    const amps = gridW / 690;
    const views = batteries.map(({ watts, mode }, i) =>
      makeBattery({
        id: `battery-${i + 1}`,
        powerW: watts,
        mode,
        plannedMode,
        maxChargeW: MAX_W,
        maxDischargeW: MAX_W,
        measuredAtMs: atS * 1_000,
        ...(isPowered ? { power: { minW: -MAX_W, maxW: MAX_W } } : {}),
      }),
    );
    const grid = makeMeter({ powerW: gridW, currentA: [amps, amps, amps], measuredAtMs: atS * 1_000 });
    const result = controlCycle(makeSnapshot({ ...rest, nowMs: atS * 1_000, grid, batteries: views }), memory);
    memory = result.memory;
    for (const [i, decision] of result.decisions.entries()) {
      if (decision.kind !== "battery") continue;
      const { mode, powerW } = decision;
      if (mode !== null) changes += 1;
      queue.push({ dueS: atS + LATENCY_S, i, mode, powerW });
    }
    trace.push({ atS, gridW, watts: batteries.map(({ watts }) => watts), modes: batteries.map(({ mode }) => mode) });
  }
  return { trace, changes, last: trace.at(-1)! };
}

test("Two kept batteries give together what a contract lacks, once, and do not swing", () => {
  const houseW = (atS: number) => (atS < 100 ? 1_500 : 6_000);
  const site = makeSite({ importKw: 4 });
  const { last, changes } = runTwo({ plannedMode: "IDLE", isPowered: true, site, houseW });
  expect(last.gridW).toBeGreaterThan(3_800);
  expect(last.gridW).toBeLessThanOrEqual(4_000);
  expect(changes).toBe(3);
});

test.each([true, false])(
  "Two batteries that are to charge share what the fuse leaves (powers can be set: %s)",
  (isPowered) => {
    const { trace, last, changes } = runTwo({ plannedMode: "IMPORT_FOCUS", isPowered, houseW: () => 3_600 });
    expect(Math.max(...trace.map(({ gridW }) => gridW))).toBeLessThanOrEqual(25 * 690);
    expect(last.watts[0]).toBe(MAX_W);
    // The one that waits gives nothing to the one that charges.
    expect(Math.min(...trace.slice(30).map(({ watts }) => watts[1]!))).toBeGreaterThanOrEqual(0);
    expect(changes).toBeLessThanOrEqual(5);
  },
);

test.each([true, false])(
  "Two batteries that are to feed the grid share its limit (powers can be set: %s)",
  (isPowered) => {
    const limits = [makeLimit({ direction: "export", watts: isPowered ? 4_000 : 8_000 })];
    const spec: Spec = { plannedMode: "EXPORT_FOCUS", isPowered, limits, houseW: () => 900 };
    const { trace, last, changes } = runTwo(spec);
    const settled = trace.slice(30);
    expect(Math.min(...settled.map(({ gridW }) => gridW))).toBeGreaterThanOrEqual(-limits[0]!.watts);
    expect(last.gridW).toBeLessThan(isPowered ? -3_800 : -7_000);
    // The one that waits takes nothing of what the other gives.
    expect(Math.max(...settled.map(({ watts }) => watts[1]!))).toBeLessThanOrEqual(0);
    expect(changes).toBeLessThanOrEqual(5);
  },
);
