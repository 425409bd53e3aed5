/** Writes an export as CSV (RFC 4180): a header line with units in the names, empty cells where nothing is known. */
import { Temporal } from "temporal-polyfill";
import { csvCell } from "../csv.ts";
import { MINUTE_MS } from "../duration.ts";
import { QUARTER_MS } from "../statistics/statistics-row.ts";
import type { ExportRow, ExportTable } from "./export-table.ts";

/** Rows that are written at once. */
const ROWS_AT_ONCE = 1_000;
/** Characters of an ISO instant up to its seconds, and up to its milliseconds. */
const TO_SECONDS = 19;
const TO_MILLISECONDS = 23;

/** Yields the file as text, piece by piece. */
export async function* exportCsv({ columns, zone, isRaw, pages }: ExportTable): AsyncGenerator<string> {
  yield lineOf(columns.map(({ name }) => name));
  const timeText = timeTexts(zone, isRaw);
  const textOf = ([atMs, ...cells]: ExportRow): string => lineOf([timeText(atMs), ...cells.map(csvCell)]);
  for await (const rows of pages) {
    for (let start = 0; start < rows.length; start += ROWS_AT_ONCE) {
      yield rows
        .slice(start, start + ROWS_AT_ONCE)
        .map(textOf)
        .join("");
    }
  }
}

function lineOf(cells: readonly string[]): string {
  return `${cells.join(",")}\r\n`;
}

/**
 * Returns a function that formats instants as RFC 3339 with the zone's offset at that time. Offsets change at full quarter
 * hours of UTC, so each is computed once for a quarter hour.
 */
function timeTexts(zone: string, isRaw: boolean): (atMs: number) => string {
  const length = isRaw ? TO_MILLISECONDS : TO_SECONDS;
  let quarter = Number.NaN;
  let offsetMs = 0;
  let offsetText = "";
  return (atMs) => {
    if (Math.floor(atMs / QUARTER_MS) !== quarter) {
      quarter = Math.floor(atMs / QUARTER_MS);
      const local = Temporal.Instant.fromEpochMilliseconds(atMs).toZonedDateTimeISO(zone);
      offsetText = local.offset;
      offsetMs = Math.round(local.offsetNanoseconds / 1_000_000 / MINUTE_MS) * MINUTE_MS;
    }
    return `${new Date(atMs + offsetMs).toISOString().slice(0, length)}${offsetText}`;
  };
}
