/** Finds out which phase of the house is which phase of a charger, by comparing voltages and currents. */
import type { PointName } from "../../points/points.ts";
import { PHASES, type Phase } from "../energy/site/site-connection.ts";
import type { Finding } from "./finding.ts";
import { netOf, resample, resampleKnown, type Source, variation } from "./house-history.ts";
import { type Amount, measured } from "./measured-text.ts";

type Order = readonly [number, number, number];
const ORDERS: readonly Order[] = [
  [0, 1, 2],
  [0, 2, 1],
  [1, 0, 2],
  [1, 2, 0],
  [2, 0, 1],
  [2, 1, 0],
];
const STEP_MS = 1_000;
const MIN_INSTANTS = 20;
/** Number of readings of a charger's voltages that is needed; chargers report them rarely. */
const MIN_READINGS = 3;
/** Another order of the phases has to bring the voltages closer by this on average, V. */
const MIN_GAIN_V = 0.8;
/** The charger's power on a phase has to change by this for the phase to be recognized, W. */
const MIN_STEP_W = 1_000;
/** A charger with a lower current, A, does not charge. */
const MIN_CURRENT_A = 3;
const LINES = ["l1", "l2", "l3"] as const;

/** By device, the phases that its owner says it hangs on, its own L1 first. */
export type Wiring = ReadonlyMap<string, readonly Phase[]>;

/**
 * Finds chargers whose phases differ from the meter's, or from the ones that their owner has declared. Which of the two agrees
 * with the grid cannot be measured.
 */
export function checkPhases(sources: readonly Source[], wiring: Wiring = new Map()): readonly Finding[] {
  const meter = sources.find(({ kind }) => kind === "meter");
  if (meter === undefined) return [];
  return sources
    .filter(({ kind }) => kind === "charger")
    .flatMap((charger) => {
      const others = sources.filter((source) => source !== charger && source.kind !== "meter");
      const declared = wiring.get(charger.deviceId) ?? [];
      return byVoltage(meter, charger, declared) ?? byCurrent({ meter, charger, others }, declared) ?? [];
    });
}

/** Compares the voltages when the charger reports its own. The voltage drop of its cable is the same on all phases. */
function byVoltage(meter: Source, charger: Source, declared: readonly Phase[]): Finding | null {
  const raster = charger.series("charger.voltage.l1").map(({ atMs }) => atMs);
  const house = phases(meter, (line): PointName => `meter.voltage.${line}`, raster);
  const box = phases(charger, (line): PointName => `charger.voltage.${line}`, raster);
  const whole = raster
    .map((_, index) => index)
    .filter((index) => [...house, ...box].every((row) => isLive(row[index])));
  if (whole.length < MIN_READINGS) return null;
  const lossOf = (index: number): number => (sumAt(house, index) - sumAt(box, index)) / 3;
  const distance = (order: Order): number =>
    order.reduce((sum, at, line) => {
      const gaps = whole.map((index) =>
        Math.abs((box[line]?.[index] ?? 0) + lossOf(index) - (house[at]?.[index] ?? 0)),
      );
      return sum + gaps.reduce((all, each) => all + each, 0) / gaps.length;
    }, 0) / 3;
  const [best, second] = ORDERS.toSorted((a, b) => distance(a) - distance(b));
  if (best === undefined || second === undefined) return null;
  const [asRead, after] = [leastOf(expectedOrders(declared), distance), distance(best)];
  if (asRead - after < MIN_GAIN_V || after > 0.5 * asRead || after > 0.7 * distance(second)) return null;
  const volts = (amount: number): Amount => ({ amount, unit: "V", decimals: 1 });
  const what = measured("voltages", { before: volts(asRead), order: names(best), after: volts(after) });
  return finding(charger, meter, what, declared.length > 0 ? null : best);
}

/** The orders that agree with what is declared; of a device on one phase it is open which phases the others would be. */
function expectedOrders(declared: readonly Phase[]): readonly Order[] {
  if (declared.length === 0) return ORDERS.slice(0, 1);
  return ORDERS.filter((order) => declared.every((phase, line) => order[line] === PHASES.indexOf(phase)));
}

function leastOf(orders: readonly Order[], amountOf: (order: Order) => number): number {
  return Math.min(...orders.map(amountOf));
}

function isLive(value: number | null | undefined): boolean {
  return typeof value === "number" && value > 90;
}

function sumAt(rows: readonly (readonly (number | null)[])[], index: number): number {
  return rows.reduce((sum, row) => sum + (row[index] ?? 0), 0);
}

/**
 * Compares the powers while a vehicle charges on fewer than three phases. The charger's power shows how much changed, its
 * currents, which it may report more rarely, show on which of its phases.
 */
function byCurrent(
  { meter, charger, others }: { readonly meter: Source; readonly charger: Source; readonly others: readonly Source[] },
  declared: readonly Phase[],
): Finding | null {
  const shares = sharesOf(charger);
  if (shares === null) return null;
  const raster = meter.series("meter.power.l1").map(({ atMs }) => atMs);
  const house = phases(meter, (line): PointName => `meter.power.${line}`, raster);
  const power = resampleKnown(charger, "charger.power", raster, STEP_MS);
  // Solar panels and batteries are assumed to use all phases equally.
  const net = netOf(others, raster);
  const whole = raster
    .map((_, index) => index)
    .filter((index) => [...house, power, net].every((row) => typeof row[index] === "number"));
  const moved = variation(whole.map((index) => power[index] ?? 0));
  if (whole.length < MIN_INSTANTS || (Math.max(...shares) - Math.min(...shares)) * moved < MIN_STEP_W) return null;
  const remaining = (order: Order): number =>
    order.reduce((sum, at, line) => {
      const rest = whole.map(
        (index) => (house[at]?.[index] ?? 0) + (net[index] ?? 0) / 3 - (shares[line] ?? 0) * (power[index] ?? 0),
      );
      return sum + variation(rest);
    }, 0);
  const best = ORDERS.reduce((first, order) => (remaining(order) < remaining(first) ? order : first));
  const [asRead, after] = [leastOf(expectedOrders(declared), remaining), remaining(best)];
  if (asRead - after < MIN_STEP_W || after > 0.6 * asRead) return null;
  const rounded = (amount: number): Amount => ({ amount: Math.round(amount), unit: "W" });
  const what = measured("phases", { before: rounded(asRead), after: rounded(after), order: names(best) });
  return finding(charger, meter, what, declared.length > 0 ? null : best);
}

/** Returns the fraction of its power that the charger draws from each phase; `null` if it never charged when it was read. */
function sharesOf(charger: Source): readonly number[] | null {
  const raster = charger.series("charger.current.l1").map(({ atMs }) => atMs);
  const box = phases(charger, (line): PointName => `charger.current.${line}`, raster);
  const at = raster.findLastIndex((_, index) => sumAt(box, index) >= MIN_CURRENT_A);
  const sum = sumAt(box, at);
  return at < 0 ? null : box.map((row) => (row[at] ?? 0) / sum);
}

function phases(source: Source, name: (line: (typeof LINES)[number]) => PointName, raster: readonly number[]) {
  return LINES.map((line) => resample(source, name(line), raster));
}

function names(order: Order): string {
  return order.map((line) => `L${line + 1}`).join(", ");
}

/** `order`: `null` where the owner has declared the phases, since that is what has to be changed then. */
function finding(
  { deviceId, kind }: Source,
  meter: Source,
  what: ReturnType<typeof measured>,
  order: Order | null,
): Finding {
  const fix = order === null ? null : ({ kind: "phases", deviceId, order } as const);
  return { check: "phase", deviceId, assetKind: kind, against: meter.deviceId, ...what, fix };
}
