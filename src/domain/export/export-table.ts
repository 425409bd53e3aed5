/** The tables of an export: their columns, with the unit in the name of each. */
import { POINT_UNITS, type PointName } from "../../points/points.ts";
import { ENERGY_POINTS, type EnergyKind } from "../statistics/statistics-hour.ts";

/** `time`: wall-clock ms. */
type ColumnType = "time" | "text" | "number" | "boolean";

export interface ExportColumn {
  readonly name: string;
  readonly type: ColumnType;
}

/** A value for each column; `null` where nothing is known. The first one is the time. */
export type ExportRow = readonly [atMs: number, ...(string | number | boolean | null)[]];

export interface ExportTable {
  readonly columns: readonly ExportColumn[];
  /** IANA zone of the times. */
  readonly zone: string;
  /** True if times have milliseconds. */
  readonly isRaw: boolean;
  /** The rows in pages, by time and then by device. */
  readonly pages: AsyncIterable<readonly ExportRow[]>;
}

const TIME: ExportColumn = { name: "time", type: "time" };
const DEVICE: ExportColumn = { name: "device", type: "text" };

/** The columns of energy by bucket. */
export const ENERGY_COLUMNS: readonly ExportColumn[] = [
  TIME,
  DEVICE,
  { name: "kind", type: "text" },
  { name: "power_kw", type: "number" },
  { name: "energy_in_kwh", type: "number" },
  { name: "energy_out_kwh", type: "number" },
  { name: "soc_percent", type: "number" },
  { name: "known_percent", type: "number" },
];

/** The suffix of a column for the unit of its point. */
const UNIT_SUFFIXES: Readonly<Record<string, string>> = {
  W: "_w",
  Wh: "_wh",
  "%": "_percent",
  V: "_v",
  A: "_a",
  Hz: "_hz",
  "°C": "_celsius",
  km: "_km",
  min: "_min",
};
const BOOLEANS: ReadonlySet<PointName> = new Set([
  "charger.enabled",
  "hvac.isActive",
  "contact.1",
  "contact.2",
  "contact.3",
  "contact.4",
  "vehicle.enabled",
]);
/** Where something is, is not exported. */
const PLACE = /\.(latitude|longitude)$/;

/** Returns the points that an export of raw readings has a column for, in the order of the list of points. */
export function exportedPoints(known: ReadonlySet<PointName>): readonly PointName[] {
  // The units have every point.
  const all = Object.keys(POINT_UNITS) as PointName[];
  return all.filter((point) => known.has(point) && !isPlace(point));
}

/** Returns the columns of raw readings of these points. */
export function rawColumns(points: readonly PointName[]): readonly ExportColumn[] {
  return [TIME, DEVICE, ...points.map(pointColumn)];
}

function pointColumn(point: PointName): ExportColumn {
  const isState = POINT_UNITS[point] === "";
  const type = BOOLEANS.has(point) ? "boolean" : isState ? "text" : "number";
  return { name: unitName(point), type };
}

/** Returns the name of a point for other programs, with its unit: `meter.energyImport` is `meter_energy_import_wh`. */
export function unitName(point: PointName): string {
  const snake = point.replaceAll(".", "_").replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  return `${snake}${UNIT_SUFFIXES[POINT_UNITS[point]] ?? ""}`;
}

/** True for a point that says where something is. */
export function isPlace(point: PointName): boolean {
  return PLACE.test(point);
}

/** The directions in which a device measures the energy of a kind. */
export interface Measures {
  readonly in: boolean;
  readonly out: boolean;
  readonly power: boolean;
}

/** Kinds whose power is the one direction that has a counter. */
const ONE_WAY: ReadonlySet<EnergyKind> = new Set(["inverter", "charger"]);

/** Returns the directions of energy that are known of a device with these points. */
export function measuresOf(kind: EnergyKind, points: ReadonlySet<PointName>): Measures {
  const { power, countersIn, countersOut } = ENERGY_POINTS[kind];
  const has = (counters: readonly PointName[]): boolean => counters.some((point) => points.has(point));
  const ways = { in: points.has(power) || has(countersIn), out: points.has(power) || has(countersOut) };
  return { ...ways, power: points.has(power) || (ways.in && (ways.out || ONE_WAY.has(kind))) };
}
