/**
 * A house from a file: a CSV with a row an hour, in order, that says what the house used and what its roof got. It takes
 * the place of the made-up household and weather.
 */

import { HOUR_MS } from "hemgate/sdk";

/** What drives a house from outside. */
export interface HomeProfile {
  /** What the house uses at an instant, W. */
  loadW(atMs: number): number;
  /** What the sun gives at an instant, W per installed kW of panels. */
  sunWPerKw(atMs: number): number;
}

/** One hour of the file: the load in Wh (so also the mean power in W), and the sun's mean power per installed kW. */
interface Hour {
  readonly loadWh: number;
  readonly sunW: number;
}

const LOAD_COLUMN = "non_shiftable_load";
const SUN_COLUMN = "solar_generation";
/** A year in hours, with room for a leap day; longer files are a mistake. */
const MAX_ROWS = 8_784;
/** How far the power swings around the hour's mean, and how often an hour. */
const LOAD_SWING = { share: 0.1, perHour: 12 };
const SUN_SWING = { share: 0.05, perHour: 6 };

/**
 * Reads a house from CSV text. It needs the columns `non_shiftable_load` (kWh in the hour) and `solar_generation` (mean W
 * per installed kW); with `month` and `hour` (1 to 24, the hour that ends then) the rows fall on their dates, without
 * them the file starts on the first of January. It repeats when it ends. Throws an `Error` that names the line.
 */
export function parseHomeProfile(text: string, utcOffsetMs: number): HomeProfile {
  const lines = text.split(/\r?\n/).filter((line) => line.trim() !== "");
  const columns = (lines[0] ?? "").split(",").map((name) => name.trim());
  const loadAt = columns.indexOf(LOAD_COLUMN);
  const sunAt = columns.indexOf(SUN_COLUMN);
  if (loadAt < 0) throw new Error(`home file, line 1: no column "${LOAD_COLUMN}"`);
  if (sunAt < 0) throw new Error(`home file, line 1: no column "${SUN_COLUMN}"`);
  const rows = lines.slice(1).map((line) => line.split(","));
  if (rows.length === 0 || rows.length > MAX_ROWS) {
    throw new Error(`home file: ${rows.length} hours, expected 1 to ${MAX_ROWS}`);
  }
  const hours = rows.map((cells, index): Hour => {
    const line = index + 2;
    return {
      loadWh: numberIn(cells[loadAt], LOAD_COLUMN, line) * 1_000,
      sunW: numberIn(cells[sunAt], SUN_COLUMN, line),
    };
  });
  const firstHourOfYear = startOf(rows, columns.indexOf("month"), columns.indexOf("hour"));
  return profileOf(hours, firstHourOfYear, utcOffsetMs);
}

function profileOf(hours: readonly Hour[], firstHourOfYear: number, utcOffsetMs: number): HomeProfile {
  const hourAt = (localMs: number): Hour => {
    const year = new Date(localMs).getUTCFullYear();
    const hourOfYear = Math.floor((localMs - Date.UTC(year, 0, 1)) / HOUR_MS);
    const index = (((hourOfYear - firstHourOfYear) % hours.length) + hours.length) % hours.length;
    return hours[index] ?? { loadWh: 0, sunW: 0 };
  };
  return {
    loadW: (atMs) => hourAt(atMs + utcOffsetMs).loadWh * swing(atMs + utcOffsetMs, LOAD_SWING),
    sunWPerKw: (atMs) => hourAt(atMs + utcOffsetMs).sunW * swing(atMs + utcOffsetMs, SUN_SWING),
  };
}

/** Around 1, and 1 in the mean of each hour that is sampled in equal steps: values move and the hour's energy stays. */
function swing(localMs: number, { share, perHour }: { readonly share: number; readonly perHour: number }): number {
  return 1 + share * Math.sin((2 * Math.PI * perHour * (localMs % HOUR_MS)) / HOUR_MS);
}

function numberIn(cell: string | undefined, column: string, line: number): number {
  const value = cell === undefined || cell.trim() === "" ? Number.NaN : Number(cell);
  if (!Number.isFinite(value) || value < 0) {
    throw new Error(`home file, line ${line}: ${column} is ${JSON.stringify(cell ?? "")}, expected a number from 0`);
  }
  return value;
}

/** The hour of the (non-leap) year in which the first row begins, found at the first row that opens a month. */
function startOf(rows: readonly (readonly string[])[], monthAt: number, hourAt: number): number {
  if (monthAt < 0 || hourAt < 0) return 0;
  const opening = rows.findIndex((cells, index) => {
    const before = rows[index - 1];
    return before !== undefined && before[monthAt] !== cells[monthAt] && Number(cells[hourAt]) === 1;
  });
  const month = Number(rows[opening]?.[monthAt]);
  if (!Number.isInteger(month) || month < 1 || month > 12) return 0;
  return (Date.UTC(2025, month - 1, 1) - Date.UTC(2025, 0, 1)) / HOUR_MS - opening;
}
