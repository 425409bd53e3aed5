import type { PointName, Reading } from "../../points/points.ts";
import type { Fix } from "./finding.ts";

const PHASE = /^(.*\.l)([123])$/;

/** Applies the confirmed fixes of a device to its readings. */
export function correct(readings: readonly Reading[], fixes: readonly Fix[]): readonly Reading[] {
  return fixes.reduce(applied, readings);
}

function applied(readings: readonly Reading[], fix: Fix): readonly Reading[] {
  switch (fix.kind) {
    case "invert":
      return withTotal(
        readings.map((reading) => (fix.points.includes(reading.point) ? scaled(reading, -1) : reading)),
        fix.points,
      );
    case "scale":
      return readings.map((reading) => (fix.points.includes(reading.point) ? scaled(reading, fix.factor) : reading));
    case "phases":
      return readings.map((reading) => moved(reading, fix.order));
    case "hide":
      return readings.filter(({ point }) => !point.startsWith(`${fix.assetKind}.`));
    case "replace":
      return readings;
    default:
      return fix satisfies never;
  }
}

/**
 * Replaces the total power by the sum of the phases if single phases of a meter were inverted. The total is left out if
 * a phase was not read with it, and `null` if a phase is.
 */
function withTotal(readings: readonly Reading[], inverted: readonly PointName[]): readonly Reading[] {
  if (inverted.includes("meter.power") || !inverted.some((point) => PHASE_POWERS.includes(point))) return readings;
  return readings.flatMap((reading): readonly Reading[] => {
    if (reading.point !== "meter.power") return [reading];
    const phases = PHASE_POWERS.map((point) => readings.find((each) => each.point === point));
    if (phases.some((phase) => phase === undefined)) return [];
    const values = phases.map((phase) => phase?.value).filter((value) => typeof value === "number");
    const sum = values.reduce((total, value) => total + value, 0);
    return [{ point: "meter.power", value: values.length < phases.length ? null : Number(sum.toPrecision(15)) }];
  });
}

const PHASE_POWERS: readonly PointName[] = ["meter.power.l1", "meter.power.l2", "meter.power.l3"];

function scaled(reading: Reading, factor: number): Reading {
  if (typeof reading.value !== "number") return reading;
  // Fifteen digits remove the rounding error of binary fractions; adding 0 turns −0 into 0.
  const value = Number((reading.value * factor).toPrecision(15)) + 0;
  return Object.assign({}, reading, { value });
}

/** Renames a phase of the device: its `l1` is the house's phase `order[0]`, counted from 0. */
function moved(reading: Reading, order: readonly [number, number, number]): Reading {
  const match = PHASE.exec(reading.point);
  if (match === null) return reading;
  const line = order[Number(match[2]) - 1] ?? Number(match[2]) - 1;
  return Object.assign({}, reading, { point: `${match[1]}${line + 1}` as PointName });
}
