/** Which of a device's phases is which of the house: voltages of the same phase go together, and so do its currents. */
import type { PointName } from "../../sdk/points.ts";
import type { Finding } from "./finding.ts";
import { resample, type Source, variation } from "./house-history.ts";

type Order = readonly [number, number, number];
const ORDERS: readonly Order[] = [
  [0, 1, 2],
  [0, 2, 1],
  [1, 0, 2],
  [1, 2, 0],
  [2, 0, 1],
  [2, 1, 0],
];
const STEP_MS = 5_000;
const MIN_INSTANTS = 15;
/** How much nearer, V on average, another order has to be. */
const MIN_GAIN_V = 0.8;
/** What a current of the charger must move for its phase to be told, W. */
const MIN_STEP_W = 1_000;
const VOLTS = 230;
const LINES = ["l1", "l2", "l3"] as const;

/** Chargers whose phases are not those of the meter. */
export function checkPhases(sources: readonly Source[], fromMs: number, toMs: number): readonly Finding[] {
  const raster: number[] = [];
  for (let atMs = fromMs; atMs <= toMs; atMs += STEP_MS) raster.push(atMs);
  const meter = sources.find(({ kind }) => kind === "meter");
  if (meter === undefined) return [];
  return sources
    .filter(({ kind }) => kind === "charger")
    .flatMap((charger) => byVoltage(meter, charger, raster) ?? byCurrent(meter, charger, raster) ?? []);
}

function byVoltage(meter: Source, charger: Source, raster: readonly number[]): Finding | null {
  const house = phases(meter, (line): PointName => `meter.voltage.${line}`, raster);
  const box = phases(charger, (line): PointName => `charger.voltage.${line}`, raster);
  const whole = raster
    .map((_, index) => index)
    .filter((index) => [...house, ...box].every((row) => isLive(row[index])));
  if (whole.length < MIN_INSTANTS) return null;
  const distance = (order: Order): number =>
    order.reduce((sum, at, line) => sum + gap(box[line] ?? [], house[at] ?? [], whole), 0) / 3;
  const best = bestOrder(distance);
  const [asRead, after] = [distance([0, 1, 2]), distance(best)];
  if (asRead - after < MIN_GAIN_V || after > 0.5 * asRead) return null;
  const measured = `Its voltages are ${asRead.toFixed(1)} V from the meter's on average; in the order ${names(best)} ${after.toFixed(1)} V.`;
  return finding(charger, meter, measured, best);
}

function isLive(value: number | null | undefined): boolean {
  return typeof value === "number" && value > 90;
}

/** A vehicle that charges on fewer than three phases shows which of the meter's phases follow. */
function byCurrent(meter: Source, charger: Source, raster: readonly number[]): Finding | null {
  const house = phases(meter, (line): PointName => `meter.power.${line}`, raster);
  const box = phases(charger, (line): PointName => `charger.current.${line}`, raster);
  const whole = raster
    .map((_, index) => index)
    .filter((index) => [...house, ...box].every((row) => row[index] !== null));
  if (whole.length < MIN_INSTANTS) return null;
  const moved = box.map((row) => VOLTS * variation(whole.map((index) => row[index] ?? 0)));
  if (Math.max(...moved) - Math.min(...moved) < MIN_STEP_W) return null;
  const remaining = (order: Order): number =>
    order.reduce((sum, at, line) => {
      const rest = whole.map((index) => (house[at]?.[index] ?? 0) - VOLTS * (box[line]?.[index] ?? 0));
      return sum + variation(rest);
    }, 0);
  const best = bestOrder(remaining);
  const [asRead, after] = [remaining([0, 1, 2]), remaining(best)];
  if (asRead - after < MIN_STEP_W || after > 0.6 * asRead) return null;
  const measured = `What the charger draws moves other phases of the meter: ${Math.round(asRead)} W are unexplained, ${Math.round(after)} W in the order ${names(best)}.`;
  return finding(charger, meter, measured, best);
}

function phases(source: Source, name: (line: (typeof LINES)[number]) => PointName, raster: readonly number[]) {
  return LINES.map((line) => resample(source, name(line), raster));
}

function gap(a: readonly (number | null)[], b: readonly (number | null)[], at: readonly number[]): number {
  return at.reduce((sum, index) => sum + Math.abs((a[index] ?? 0) - (b[index] ?? 0)), 0) / at.length;
}

function bestOrder(costOf: (order: Order) => number): Order {
  return ORDERS.reduce((best, order) => (costOf(order) < costOf(best) ? order : best));
}

function names(order: Order): string {
  return order.map((line) => `L${line + 1}`).join(", ");
}

function finding({ deviceId, kind }: Source, meter: Source, measured: string, order: Order): Finding {
  const fix = { kind: "phases", deviceId, order } as const;
  return { check: "phase", deviceId, assetKind: kind, against: meter.deviceId, measured, fix };
}
