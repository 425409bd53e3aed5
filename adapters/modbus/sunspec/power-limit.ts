import assert from "node:assert/strict";
import type { MapControl } from "../driver/device-map.ts";
import { isImplemented } from "./connect-values.ts";
import { ControlRegisters } from "./control-registers.ts";
import type { ModelInstance } from "./model-instance.ts";
import type { PollList } from "./poll-list.ts";
import { numberAt } from "./quantity.ts";

/** What models 123 and 704 call the same things. */
interface LimitPaths {
  readonly percent: string;
  readonly enable: string;
  readonly timer: string;
  /** What the limit becomes when the timer runs out: whether there is one, and how much. */
  readonly revertEnable: string | null;
}

const PATHS: ReadonlyMap<number, LimitPaths> = new Map([
  [123, { percent: "WMaxLimPct", enable: "WMaxLim_Ena", timer: "WMaxLimPct_RvrtTms", revertEnable: null }],
  [
    704,
    {
      percent: "WMaxLimPct",
      enable: "WMaxLimPctEna",
      timer: "WMaxLimPctRvrtTms",
      revertEnable: "WMaxLimPctEnaRvrt",
    },
  ],
]);

const DISABLED = 0;
const ENABLED = 1;
const NO_LIMIT_PCT = 100;

/** Reads the limit back: 100 while the device does not enforce one. */
export function addPowerLimit(polls: PollList, controls: ModelInstance): void {
  const paths = pathsOf(controls);
  const enable = polls.raw(controls, paths.enable, "normal");
  const percent = polls.raw(controls, paths.percent, "normal");
  if (enable === null || percent === null) return;
  polls.derive("inverter.powerLimit", [enable, percent], (registers) => {
    const enabled = numberAt(registers, enable);
    if (enabled === DISABLED) return NO_LIMIT_PCT;
    return enabled === ENABLED ? numberAt(registers, percent) : null;
  });
}

/**
 * Limits the inverter's output. A limit is a lease: on a device that cannot end it by itself the only value is 100, which
 * takes away a limit that somebody left. Null: the device cannot be limited.
 */
export function powerLimitControl(controls: ModelInstance, holdSeconds: number): MapControl | null {
  const paths = pathsOf(controls);
  const scale = controls.points.get(paths.percent)?.definition.sf ?? "";
  if (!isImplementedAll(controls, [paths.enable, paths.percent, scale])) return null;
  const hasTimer = isImplementedAll(controls, [
    paths.timer,
    ...(paths.revertEnable === null ? [] : [paths.revertEnable]),
  ]);
  const min = hasTimer ? 0 : NO_LIMIT_PCT;
  return {
    point: "inverter.powerLimit",
    range: { min, max: NO_LIMIT_PCT },
    holdMs: hasTimer ? holdSeconds * 1_000 : null,
    safeDefault: NO_LIMIT_PCT,
    async write(unit, value, _registers, signal) {
      assert(typeof value === "number" && value >= min && value <= NO_LIMIT_PCT, `inverter.powerLimit ${value}`);
      const registers = await ControlRegisters.read(unit, controls, signal);
      if (value === NO_LIMIT_PCT) await registers.write(paths.enable, DISABLED);
      else await limit(registers, paths, value, holdSeconds);
    },
  };
}

async function limit(registers: ControlRegisters, paths: LimitPaths, pct: number, holdSeconds: number): Promise<void> {
  const percent = registers.percent(paths.percent, pct);
  if (paths.revertEnable !== null) await registers.writeAndCheck(paths.revertEnable, DISABLED);
  await registers.startLease(paths.timer, holdSeconds);
  await registers.write(paths.percent, percent);
  await registers.write(paths.enable, ENABLED);
}

function pathsOf(controls: ModelInstance): LimitPaths {
  const paths = PATHS.get(controls.id);
  assert(paths !== undefined, `model ${controls.id} has no power limit`);
  return paths;
}

function isImplementedAll(instance: ModelInstance, paths: readonly string[]): boolean {
  return paths.every((path) => isImplemented(instance, path));
}
