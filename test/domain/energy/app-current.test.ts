/** A charger that its maker's app sets while a fuse lowers it now and then. */
import { expect, test } from "vitest";
import { controlCycle, EMPTY_MEMORY } from "../../../src/domain/energy/cycle/control-cycle.ts";
import type { CycleMemory } from "../../../src/domain/energy/cycle/cycle-memory.ts";
import { makeCharger, makeMeter, makeSite, makeSnapshot } from "./makers.ts";

const FOLLOWS_AFTER_S = 10;

interface App {
  /** From this second on the app has set 20 instead of 16 A. */
  readonly raisedS?: number;
  /** In these seconds the car draws 20 A whatever it is offered. */
  readonly ignores?: (atS: number) => boolean;
  /** What the house takes on L1, A. */
  readonly loadA: (atS: number) => number;
}

/** Behind 25 A; a car takes all that it is offered. */
function run({ raisedS, loadA, ignores = () => false }: App, seconds: number) {
  let memory: CycleMemory = EMPTY_MEMORY;
  let [offeredA, isEnabled] = [16, true];
  const commands: { dueS: number; isOn: boolean | null; currentA: number | null }[] = [];
  const alarms: string[] = [];
  for (let atS = 0; atS < seconds; atS += 1) {
    if (atS === raisedS) offeredA = 20;
    for (const { isOn, currentA } of commands.filter(({ dueS }) => dueS === atS)) {
      isEnabled = isOn ?? isEnabled;
      offeredA = currentA ?? offeredA;
    }
    const carA = isEnabled ? (ignores(atS) ? 20 : offeredA) : 0;
    const amps = [loadA(atS) + carA, 2 + carA, 2 + carA] as const;
    const powerW = (amps[0] + amps[1] + amps[2]) * 230;
    const measuredAtMs = atS * 1_000;
    const charger = makeCharger({
      ask: { by: "device" },
      range: { minA: 6, maxA: 32, stepA: 1 },
      isEnabled,
      offeredA,
      powerW: 3 * carA * 230,
      currentA: [carA, carA, carA],
      measuredAtMs,
      latencyMs: FOLLOWS_AFTER_S * 1_000,
    });
    const grid = makeMeter({ powerW, currentA: amps, measuredAtMs });
    const result = controlCycle(
      makeSnapshot({ nowMs: measuredAtMs, site: makeSite(), grid, chargers: [charger] }),
      memory,
    );
    memory = result.memory;
    alarms.push(...result.alarms.map(({ code }) => code));
    for (const decision of result.decisions) {
      if (decision.kind === "charger" && (decision.isOn ?? decision.currentA) !== null) {
        commands.push({ dueS: atS + FOLLOWS_AFTER_S, isOn: decision.isOn, currentA: decision.currentA });
      }
    }
  }
  return { offeredA, isEnabled, alarms, stops: commands.filter(({ isOn }) => isOn === false).length };
}

/** A kettle lowers the charger, which gets its current back at 150 s; an oven comes later. */
function kettleThenOven(ovenS: number): App["loadA"] {
  return (atS) => (atS >= 60 && atS < 120 ? 14 : atS >= ovenS && atS < ovenS + 100 ? 12 : 2);
}

test("A current that the app has raised since the guard gave it back is lowered by the fuse, and not taken to ignore a limit", () => {
  const end = run({ raisedS: 400, loadA: kettleThenOven(600) }, 900);
  expect(end).toEqual({ offeredA: 20, isEnabled: true, alarms: [], stops: 0 });
});

test("A car that draws more than the app has set, after the guard gave that back, is switched off and on again after its lock", () => {
  const ignores = (atS: number) => atS >= 300 && atS < 400;
  const end = run({ ignores, loadA: kettleThenOven(2_000) }, 1_500);
  expect(end).toEqual({ offeredA: 16, isEnabled: true, alarms: ["ignores-limit"], stops: 1 });
});
