/** Reads the rows of an export page by page, so that a long time is never in memory as a whole. */
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../domain/duration.ts";
import type { ExportResolution } from "../../domain/export/export-query.ts";
import type { ExportRow, Measures } from "../../domain/export/export-table.ts";
import { localDayAt, localMonthAt, pieces } from "../../domain/statistics/statistics-calendar.ts";
import { type Flow, flowByBucket } from "../../domain/statistics/statistics-flow.ts";
import type { Span } from "../../domain/statistics/statistics-reading.ts";
import { QUARTER_MS, type SlotMs, slotStart } from "../../domain/statistics/statistics-row.ts";
import type { SlottedRow } from "../../domain/statistics/statistics-series.ts";
import type { PointName, PointValue } from "../../points/points.ts";
import type { Store } from "../../store/store.ts";
import { EnergyReader, type Stream } from "../statistics/energy-reader.ts";

/** The energy of one kind of a device, from when it was known. */
export interface ExportStream extends Stream {
  readonly measures: Measures;
  /** Wall-clock ms. */
  readonly knownFromMs: number;
}

/** The time of an export, with the present: nothing is read beyond it. */
export interface ExportTime extends Span {
  readonly resolution: Exclude<ExportResolution, "RAW">;
  readonly zone: string;
  readonly nowMs: number;
}

/** Time that a page of raw readings has. */
const RAW_PAGE_MS = HOUR_MS;
const PAGE_DAYS = 31;
const PAGE_MONTHS = 3;
/** Length of the buckets that a zone does not move, and the time that a page of them has. */
const SLOTS: Readonly<Record<"MINUTE" | "QUARTER_HOUR" | "HOUR", { slotMs: SlotMs; pageMs: number }>> = {
  MINUTE: { slotMs: MINUTE_MS, pageMs: 6 * HOUR_MS },
  QUARTER_HOUR: { slotMs: QUARTER_MS, pageMs: 7 * DAY_MS },
  HOUR: { slotMs: HOUR_MS, pageMs: 31 * DAY_MS },
};
const MWH_PER_KWH = 1_000_000;
/** W of one mWh in one ms. */
const W_PER_MWH_PER_MS = HOUR_MS / 1_000;

/** Yields a row for each bucket and stream, also for those of which nothing is known. */
export async function* energyPages(
  store: Pick<Store, "energy">,
  streams: readonly ExportStream[],
  time: ExportTime,
): AsyncGenerator<readonly ExportRow[]> {
  const reader = new EnergyReader(store);
  for (const buckets of bucketPages(time)) {
    const flows: { readonly stream: ExportStream; readonly flows: readonly Flow[] }[] = [];
    for (const stream of streams) {
      if (stream.knownFromMs >= (buckets.at(-1)?.toMs ?? 0)) continue;
      flows.push({ stream, flows: flowByBucket(await rowsOf(reader, stream, buckets, time), buckets) });
    }
    yield buckets.flatMap((bucket, index) =>
      flows.flatMap(({ stream, flows: ofStream }) => {
        const flow = ofStream[index];
        if (flow === undefined || stream.knownFromMs >= bucket.toMs) return [];
        return [energyRow(stream, bucket, flow)];
      }),
    );
  }
}

/** Yields a row for each time at which a device was read, with a value for each of the points. */
export async function* rawPages(
  store: Pick<Store, "history">,
  { deviceIds, points }: { readonly deviceIds: readonly string[]; readonly points: readonly PointName[] },
  span: Span,
): AsyncGenerator<readonly ExportRow[]> {
  const columns = new Map(points.map((point, index) => [point, index]));
  for (const { fromMs, toMs } of pieces(span, RAW_PAGE_MS)) {
    const rows: ExportRow[] = [];
    for (const deviceId of deviceIds) {
      for (const { atMs, values } of await store.history(deviceId, fromMs, toMs)) {
        const cells = new Array<PointValue | null>(points.length).fill(null);
        let isShown = false;
        for (const { point, value } of values) {
          const column = columns.get(point);
          if (column === undefined) continue;
          cells[column] = value;
          isShown = true;
        }
        if (isShown) rows.push([atMs, deviceId, ...cells]);
      }
    }
    yield rows.sort(([one], [other]) => one - other);
  }
}

function* bucketPages({ resolution, zone, fromMs, toMs }: ExportTime): Generator<readonly Span[]> {
  if (resolution === "DAY" || resolution === "MONTH") {
    const [bucketAt, length] = resolution === "DAY" ? [localDayAt, PAGE_DAYS] : [localMonthAt, PAGE_MONTHS];
    let page: Span[] = [];
    for (let bucket = bucketAt(zone, fromMs); bucket.fromMs < toMs; bucket = bucketAt(zone, bucket.toMs)) {
      page.push(bucket);
      if (page.length < length) continue;
      yield page;
      page = [];
    }
    if (page.length > 0) yield page;
    return;
  }
  const { slotMs, pageMs } = SLOTS[resolution];
  const whole = { fromMs: slotStart(fromMs, slotMs), toMs: Math.ceil(toMs / slotMs) * slotMs };
  for (const page of pieces(whole, pageMs)) yield pieces(page, slotMs);
}

async function rowsOf(
  reader: EnergyReader,
  stream: Stream,
  buckets: readonly Span[],
  { resolution, nowMs }: ExportTime,
): Promise<readonly SlottedRow[]> {
  const span = { fromMs: buckets[0]?.fromMs ?? 0, toMs: Math.min(buckets.at(-1)?.toMs ?? 0, nowMs) };
  if (resolution === "DAY" || resolution === "MONTH") {
    return await reader.cut(stream, span, [buckets.map(({ fromMs }) => fromMs)]);
  }
  const { slotMs } = SLOTS[resolution];
  return (await reader.rows(stream, slotMs, span)).map((row) => ({ row, slotMs }));
}

function energyRow({ deviceId, kind, measures }: ExportStream, { fromMs, toMs }: Span, flow: Flow): ExportRow {
  const { inMwh, outMwh, knownMs, level } = flow;
  const isKnown = knownMs > 0;
  return [
    fromMs,
    deviceId,
    kind,
    isKnown && measures.power ? rounded(((inMwh - outMwh) * W_PER_MWH_PER_MS) / knownMs / 1_000, 3) : null,
    isKnown && measures.in ? rounded(inMwh / MWH_PER_KWH, 6) : null,
    isKnown && measures.out ? rounded(outMwh / MWH_PER_KWH, 6) : null,
    level === null ? null : rounded(level, 1),
    rounded((Math.min(knownMs, toMs - fromMs) / (toMs - fromMs)) * 100, 1),
  ];
}

function rounded(value: number, digits: number): number {
  const scale = 10 ** digits;
  return Math.round(value * scale) / scale + 0;
}
