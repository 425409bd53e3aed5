/** Compares powers with the energy counters of the same device, which shows a wrong unit or sign within minutes. */
import type { PointName } from "../../points/points.ts";
import { HOUR_MS, MINUTE_MS } from "../duration.ts";
import type { Finding } from "./finding.ts";
import type { Source } from "./house-history.ts";
import { type Amount, measured } from "./measured-text.ts";

interface Pair {
  readonly power: PointName;
  /** Counts while the power is positive. */
  readonly counter: PointName;
  /** Counts while the power is negative. */
  readonly reverse?: PointName;
}

const PAIRS: Readonly<Record<string, Pair>> = {
  meter: { power: "meter.power", counter: "meter.energyImport", reverse: "meter.energyExport" },
  inverter: { power: "inverter.power", counter: "inverter.energy" },
  battery: { power: "battery.power", counter: "battery.energyCharged", reverse: "battery.energyDischarged" },
  charger: { power: "charger.power", counter: "charger.energy" },
};

const MIN_SPAN_MS = 2 * MINUTE_MS;
/** Less energy than this proves nothing, Wh. */
const MIN_ENERGY_WH = 15;
/** A counter with fewer steps is too coarse for the time span. */
const MIN_STEPS = 5;
const FACTORS = [1_000, 100, 10, 0.1, 0.01, 0.001] as const;

/** Returns true if the power of the source is certainly right and not wrong by the factor. */
type IsSure = (source: Source, factor: number) => boolean;

/** Finds counters that differ from the integrated power by a power of ten or by their direction. */
export function checkCounters(sources: readonly Source[], isPowerSure: IsSure): readonly Finding[] {
  return sources.flatMap((source) => {
    const pair = PAIRS[source.kind];
    return pair === undefined ? [] : [...judge(source, pair, isPowerSure)];
  });
}

function* judge(source: Source, { power, counter, reverse }: Pair, isPowerSure: IsSure): Generator<Finding> {
  const forward = grown(source, counter);
  if (forward === null) return;
  const [gain, spent] = [forward.gain, energy(source, power, 1, forward)];
  const opposite = reverse === undefined ? 0 : energy(source, power, -1, forward);
  if (opposite >= MIN_ENERGY_WH && spent < 0.1 * opposite && isNear(gain / opposite)) {
    yield turned(source, power, counter, gain, opposite);
    return;
  }
  const factor = spent < MIN_ENERGY_WH ? undefined : FACTORS.find((each) => isNear((gain * each) / spent));
  if (factor === undefined) return;
  // Either the power or the counter is wrong. Only the rest of the house can show which.
  yield slipped(source, counter, gain, spent, isPowerSure(source, 1 / factor) ? factor : null);
}

interface Growth {
  readonly fromMs: number;
  readonly toMs: number;
  readonly gain: number;
}

/** Returns how far a counter advanced between its first and its last step; `null` with too few steps or too little time. */
function grown(source: Source, counter: PointName): Growth | null {
  const series = source.series(counter);
  const steps = series.filter(({ value }, index) => index > 0 && value !== series[index - 1]?.value);
  const [first, last] = [steps[0], steps.at(-1)];
  if (first === undefined || last === undefined || steps.length < MIN_STEPS) return null;
  const span = { fromMs: first.atMs, toMs: last.atMs, gain: last.value - first.value };
  return span.gain > 0 && span.toMs - span.fromMs >= MIN_SPAN_MS ? span : null;
}

/** Integrates the power in one direction, Wh. */
function energy(source: Source, power: PointName, sign: 1 | -1, { fromMs, toMs }: Growth): number {
  const series = source.series(power).filter(({ atMs }) => atMs >= fromMs && atMs <= toMs);
  let sum = 0;
  for (let index = 1; index < series.length; index++) {
    const [before, now] = [series[index - 1], series[index]];
    if (before === undefined || now === undefined) continue;
    sum += (Math.max(0, sign * before.value) * (now.atMs - before.atMs)) / HOUR_MS;
  }
  return sum;
}

function isNear(ratio: number): boolean {
  return ratio > 0.8 && ratio < 1.25;
}

function slipped(
  { deviceId, kind }: Source,
  counter: PointName,
  gain: number,
  spent: number,
  factor: number | null,
): Finding {
  return {
    check: "scale",
    deviceId,
    assetKind: kind,
    against: null,
    ...measured("counter", { counter, gain: energyOf(gain), spent: energyOf(spent) }),
    fix: factor === null ? null : { kind: "scale", deviceId, points: [counter], factor },
  };
}

function turned(
  { deviceId, kind }: Source,
  power: PointName,
  counter: PointName,
  gain: number,
  spent: number,
): Finding {
  return {
    check: "sign",
    deviceId,
    assetKind: kind,
    against: null,
    ...measured("counterTurned", { counter, gain: energyOf(gain), spent: energyOf(spent) }),
    fix: {
      kind: "invert",
      deviceId,
      points: kind === "meter" ? [power, "meter.power.l1", "meter.power.l2", "meter.power.l3"] : [power],
    },
  };
}

function energyOf(value: number): Amount {
  return { amount: value, unit: "Wh", digits: 3 };
}
