/** Compares a meter's power with its voltages and currents, which shows a power that is wrong by a power of ten. */
import type { Finding } from "./finding.ts";
import type { Sample, Source } from "./house-history.ts";
import { measured } from "./measured-text.ts";

const LINES = ["l1", "l2", "l3"] as const;
/** Below this apparent power, VA, motors and power supplies draw mostly reactive power. */
const MIN_APPARENT_VA = 1_000;
const MIN_SAMPLES = 5;
const FACTORS = [0.001, 0.01, 0.1, 10, 100, 1_000] as const;

/** Finds meters whose power is wrong by a power of ten. */
export function checkApparentPower(sources: readonly Source[]): readonly Finding[] {
  return sources
    .filter(({ kind }) => kind === "meter")
    .flatMap((source): readonly Finding[] => {
      const pairs = source.samples.slice(-30).flatMap((sample) => pairOf(sample) ?? []);
      const last = pairs.at(-1);
      if (pairs.length < MIN_SAMPLES || last === undefined) return [];
      if (pairs.some(({ activeW, apparentVa }) => isPlausible(activeW, apparentVa))) return [];
      const factor = FACTORS.find((each) =>
        pairs.every(({ activeW, apparentVa }) => isPlausible(activeW * each, apparentVa)),
      );
      if (factor === undefined) return [];
      const { deviceId, kind: assetKind } = source;
      const points = ["meter.power", "meter.power.l1", "meter.power.l2", "meter.power.l3"] as const;
      return [
        {
          check: "scale",
          deviceId,
          assetKind,
          against: null,
          ...measured("apparent", {
            power: { amount: last.activeW, unit: "W", digits: 3 },
            apparent: { amount: last.apparentVa, unit: "VA", digits: 3 },
          }),
          fix: { kind: "scale", deviceId, points, factor },
        },
      ];
    });
}

function pairOf({ values }: Sample): { readonly activeW: number; readonly apparentVa: number } | null {
  let [activeW, apparentVa] = [0, 0];
  for (const line of LINES) {
    const [power, volts, amperes] = [
      values[`meter.power.${line}`],
      values[`meter.voltage.${line}`],
      values[`meter.current.${line}`],
    ];
    if (typeof power !== "number" || typeof volts !== "number" || typeof amperes !== "number") return null;
    activeW += Math.abs(power);
    apparentVa += Math.abs(volts * amperes);
  }
  return apparentVa < MIN_APPARENT_VA ? null : { activeW, apparentVa };
}

/** Returns true for a power factor that a house above 1 kVA can have, with some tolerance for the meter. */
function isPlausible(activeW: number, apparentVa: number): boolean {
  return activeW <= 1.15 * apparentVa && activeW >= 0.2 * apparentVa;
}
