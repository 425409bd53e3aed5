import assert from "node:assert/strict";
import { POINT_UNITS, type PointName } from "hemgate/sdk";

/** How a unit becomes the one that points have: `value * factor + offset`. */
interface Conversion {
  readonly to: string;
  readonly factor: number;
  readonly offset?: number;
}

/** Units as the firmwares write them. */
const UNITS: Readonly<Record<string, Conversion>> = {
  mW: { to: "W", factor: 0.001 },
  W: { to: "W", factor: 1 },
  kW: { to: "W", factor: 1_000 },
  MW: { to: "W", factor: 1_000_000 },
  mWh: { to: "Wh", factor: 0.001 },
  Wh: { to: "Wh", factor: 1 },
  Wmin: { to: "Wh", factor: 1 / 60 },
  Ws: { to: "Wh", factor: 1 / 3_600 },
  kWh: { to: "Wh", factor: 1_000 },
  MWh: { to: "Wh", factor: 1_000_000 },
  mV: { to: "V", factor: 0.001 },
  V: { to: "V", factor: 1 },
  kV: { to: "V", factor: 1_000 },
  mA: { to: "A", factor: 0.001 },
  A: { to: "A", factor: 1 },
  mHz: { to: "Hz", factor: 0.001 },
  cHz: { to: "Hz", factor: 0.01 },
  Hz: { to: "Hz", factor: 1 },
  "%": { to: "%", factor: 1 },
  "°C": { to: "°C", factor: 1 },
  "d°C": { to: "°C", factor: 0.1 },
  "°F": { to: "°C", factor: 5 / 9, offset: -160 / 9 },
  km: { to: "km", factor: 1 },
  min: { to: "min", factor: 1 },
};

/** A value in the point's unit. */
export type ToPoint = (value: number) => number;

/** How a unit that the bridge knows becomes the point's. Throws when it never can: the bridge is wrong then. */
export function toPoint(unit: string, point: PointName): ToPoint {
  const convert = conversionTo(unit, point);
  assert(convert !== null, `${unit} measures no ${point}`);
  return convert;
}

/** How a unit that a device names becomes the point's; null when it never can. */
export function conversionTo(unit: string, point: PointName): ToPoint | null {
  const conversion = UNITS[unit];
  const target = POINT_UNITS[point];
  if (conversion === undefined) return unit === target ? (value) => value : null;
  if (conversion.to !== target) return null;
  const { factor, offset = 0 } = conversion;
  return (value) => tidy(value * factor + offset);
}

/** Takes the dust of binary fractions away: 0.3 kW is 300 W and not 300.00000000000006. */
function tidy(value: number): number {
  return Number(value.toPrecision(12));
}
