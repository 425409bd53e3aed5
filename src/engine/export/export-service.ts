/** Makes files of the history for other programs. */
import { ASSET_KINDS, type AssetKind } from "../../domain/assets/asset.ts";
import { DAY_MS } from "../../domain/duration.ts";
import { exportCsv } from "../../domain/export/export-csv.ts";
import { deviceIdsOf, type ExportQuery, type ExportResolution, momentMs } from "../../domain/export/export-query.ts";
import {
  ENERGY_COLUMNS,
  type ExportTable,
  exportedPoints,
  measuresOf,
  rawColumns,
} from "../../domain/export/export-table.ts";
import { problem } from "../../domain/problem.ts";
import { localText } from "../../domain/statistics/statistics-calendar.ts";
import { ENERGY_POINTS } from "../../domain/statistics/statistics-hour.ts";
import type { Span } from "../../domain/statistics/statistics-reading.ts";
import type { Clock } from "../../platform/ports/ports.ts";
import type { PointName } from "../../points/points.ts";
import type { Store } from "../../store/store.ts";
import { KEPT_DAYS } from "../../store/telemetry/retention.ts";
import type { Assets } from "../contracts/engine.ts";
import type { ExportFile, Exports } from "../contracts/export.ts";
import type { EngineConfig, TellingDevice } from "../engine-part.ts";
import type { Feature } from "../feature.ts";
import { wrongQuery } from "../statistics/wrong-query.ts";
import { type ExportStream, energyPages, rawPages } from "./export-pages.ts";
import { exportParquet } from "./parquet-file.ts";

/** Ids that an error names. */
const MAX_NAMED = 20;
const MEDIA_TYPES = { csv: "text/csv; charset=utf-8", parquet: "application/vnd.apache.parquet" } as const;

/** Days that each resolution is kept. */
const KEPT: Readonly<Record<ExportResolution, number>> = {
  RAW: KEPT_DAYS.samples,
  MINUTE: KEPT_DAYS.minutes,
  QUARTER_HOUR: KEPT_DAYS.quarterHours,
  HOUR: KEPT_DAYS.hours,
  DAY: KEPT_DAYS.hours,
  MONTH: KEPT_DAYS.hours,
};

export interface ExportNeeds {
  readonly clock: Pick<Clock, "nowMs">;
  readonly store: Pick<Store, "all" | "energy" | "get" | "history" | "historyHoles">;
  readonly assets: Pick<Assets, "list">;
  readonly config: Pick<EngineConfig, "site">;
  devices(): readonly TellingDevice[];
}

/** What of a device is exported: the kinds that the API shows of it, since when it is known, and its points. */
interface ExportedDevice {
  readonly id: string;
  readonly kinds: readonly { readonly kind: AssetKind | "hem"; readonly knownFromMs: number }[];
  readonly points: ReadonlySet<PointName>;
}

export class ExportService implements Exports {
  readonly #needs: ExportNeeds;

  constructor(needs: ExportNeeds) {
    this.#needs = needs;
  }

  async open(query: ExportQuery): Promise<ExportFile> {
    const { resolution, format } = query;
    const zone = query.timezone ?? this.#needs.config.site.timezone;
    const nowMs = this.#needs.clock.nowMs();
    const span = spanOf(query, zone, nowMs);
    const devices = this.#devices(deviceIdsOf(query));
    await this.#requireKept(resolution, span, { zone, nowMs });
    const table = this.#table(query, devices, { ...span, zone, nowMs });
    const day = localText(zone, span.fromMs).slice(0, "YYYY-MM-DD".length);
    return {
      mediaType: MEDIA_TYPES[format],
      name: `hemgate-${resolution.toLowerCase().replaceAll("_", "-")}-${day}.${format}`,
      bytes: format === "csv" ? encoded(exportCsv(table)) : exportParquet(table),
    };
  }

  #table(
    { resolution }: ExportQuery,
    devices: readonly ExportedDevice[],
    time: Span & { readonly zone: string; readonly nowMs: number },
  ): ExportTable {
    const { store } = this.#needs;
    const { zone } = time;
    if (resolution !== "RAW") {
      const pages = energyPages(store, streamsOf(devices), { ...time, resolution });
      return { columns: ENERGY_COLUMNS, zone, isRaw: false, pages };
    }
    const points = exportedPoints(new Set(devices.flatMap((device) => [...device.points])));
    const pages = rawPages(store, { deviceIds: devices.map(({ id }) => id), points }, time);
    return { columns: rawColumns(points), zone, isRaw: true, pages };
  }

  /** Throws `not-found` for an id that no device has. */
  #devices(ids: readonly string[] | null): readonly ExportedDevice[] {
    const all = this.#needs.devices();
    const unknown = ids?.find((id) => all.every(({ settings }) => settings.id !== id));
    if (unknown !== undefined) {
      const names = all.map(({ settings }) => settings.id);
      const known = names.length === 0 ? "there is no device" : `the devices are ${listed(names)}`;
      throw problem("not-found", `There is no device "${unknown}": ${known}.`, { title: "Device not found" });
    }
    const shown = this.#shownKinds();
    return all
      .filter(({ settings }) => ids?.includes(settings.id) ?? true)
      .map(({ settings: { id }, known }) => exportedDevice(id, known?.points ?? [], shown.get(id) ?? []));
  }

  /** The kinds of each device that the API shows: a second view of a device, and what a user does not grant, are not. */
  #shownKinds(): ReadonlyMap<string, ExportedDevice["kinds"]> {
    const { assets, store } = this.#needs;
    const shown = new Map<string, { kind: AssetKind; knownFromMs: number }[]>();
    for (const kind of ASSET_KINDS) {
      for (const { asset, createdAtMs } of assets.list(kind)) {
        const deviceId = store.get("asset", asset.id)?.deviceId;
        if (deviceId === undefined) continue;
        shown.set(deviceId, [...(shown.get(deviceId) ?? []), { kind, knownFromMs: createdAtMs }]);
      }
    }
    return shown;
  }

  /** Throws `bad-request` if the time begins before what is kept in this resolution. */
  async #requireKept(
    resolution: ExportResolution,
    { fromMs, toMs }: Span,
    { zone, nowMs }: { readonly zone: string; readonly nowMs: number },
  ): Promise<void> {
    const holes = await this.#needs.store.historyHoles(fromMs, toMs);
    const keptMs = nowMs - KEPT[resolution] * DAY_MS;
    const removed = resolution === "RAW" ? holes.find((hole) => hole.fromMs === Number.NEGATIVE_INFINITY) : undefined;
    const sinceMs = Math.max(keptMs, removed?.toMs ?? keptMs);
    if (fromMs >= sinceMs) return;
    const since = localText(zone, sinceMs);
    const coarser = resolution === "RAW" || resolution === "MINUTE" ? ", or for `QUARTER_HOUR`" : "";
    const other =
      KEPT[resolution] < KEPT.HOUR ? `${coarser} or \`HOUR\`, which ${coarser === "" ? "is" : "are"} kept longer` : "";
    throw wrongQuery("from", `\`${resolution}\` is kept since ${since} only: ask from then on${other}.`);
  }
}

/** Throws `bad-request` for a time that ends before it begins. */
function spanOf({ from, to }: ExportQuery, zone: string, nowMs: number): Span {
  const fromMs = momentMs(from, zone);
  const endMs = to === undefined ? nowMs : momentMs(to, zone);
  if (endMs > fromMs) return { fromMs, toMs: Math.max(fromMs, Math.min(endMs, nowMs)) };
  if (to === undefined) throw wrongQuery("from", `\`from\` is in the future; it is ${localText(zone, nowMs)} now.`);
  throw wrongQuery("to", "`to` has to be after `from`.");
}

function exportedDevice(id: string, reported: readonly PointName[], shown: ExportedDevice["kinds"]): ExportedDevice {
  const isShown = (point: PointName): boolean => {
    const kind = point.slice(0, point.indexOf("."));
    return ASSET_KINDS.every((each) => each !== kind) || shown.some((each) => each.kind === kind);
  };
  const points = new Set(reported.filter(isShown));
  const knownFromMs = Math.min(...shown.map((each) => each.knownFromMs));
  const load = { kind: "hem" as const, knownFromMs: shown.length === 0 ? Number.NEGATIVE_INFINITY : knownFromMs };
  return { id, points, kinds: points.has("hem.load") ? [...shown, load] : shown };
}

function streamsOf(devices: readonly ExportedDevice[]): readonly ExportStream[] {
  return devices.flatMap(({ id: deviceId, kinds, points }) =>
    kinds.flatMap(({ kind, knownFromMs }): ExportStream[] => {
      const measures = measuresOf(kind, points);
      const { level } = ENERGY_POINTS[kind];
      const isThere = measures.in || measures.out || (level !== null && points.has(level));
      return isThere ? [{ deviceId, kind, measures, knownFromMs }] : [];
    }),
  );
}

async function* encoded(texts: AsyncIterable<string>): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder();
  for await (const text of texts) yield encoder.encode(text);
}

function listed(ids: readonly string[]): string {
  const named = ids.slice(0, MAX_NAMED).join(", ");
  return ids.length > MAX_NAMED ? `${named} and ${ids.length - MAX_NAMED} more` : named;
}

export function createExports(needs: ExportNeeds): Feature<ExportService> {
  return { name: "exports", service: new ExportService(needs) };
}
