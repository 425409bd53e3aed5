import type { Inverter } from "../../domain/assets/inverter.ts";
import { HOUR_MS, MINUTE_MS } from "../../domain/duration.ts";
import { instant } from "../../domain/fields.ts";
import { problem } from "../../domain/problem.ts";
import type { InverterStatistics, VendorStatistics } from "../../domain/statistics/statistics.ts";
import { localDay, localDayAt, localMonth, localText, pieces } from "../../domain/statistics/statistics-calendar.ts";
import { flowByBucket } from "../../domain/statistics/statistics-flow.ts";
import { MAX_GAP_MS, type Span } from "../../domain/statistics/statistics-reading.ts";
import { QUARTER_MS } from "../../domain/statistics/statistics-row.ts";
import type { Clock } from "../../platform/ports/ports.ts";
import type { Store } from "../../store/store.ts";
import type { AssetEntry, Assets } from "../contracts/engine.ts";
import type { InverterAnswer, InverterPeriod, VendorQuery } from "../contracts/statistics.ts";
import { EnergyReader, type Stream } from "./energy-reader.ts";
import { assetNotFound } from "./measured-assets.ts";
import { wrongQuery } from "./wrong-query.ts";

const MWH_PER_KWH = 1_000_000;
/** The vendor statistics' month at its longest (rule S8.3). */
const MAX_VENDOR_MS = 31 * 24 * HOUR_MS;
/** What is read of an hour no longer changes this long after it: the line to the next reading, and its way to the disk. */
const FINAL_AFTER_MS = MAX_GAP_MS + 10 * MINUTE_MS;

export interface InverterProductionParts {
  readonly clock: Pick<Clock, "nowMs">;
  readonly store: Pick<Store, "energy" | "get">;
  readonly assets: Assets;
}

/** Returns what single inverters produced, in their local time. */
export class InverterProduction {
  readonly #parts: InverterProductionParts;
  readonly #reader: EnergyReader;

  constructor(parts: InverterProductionParts) {
    this.#parts = parts;
    this.#reader = new EnergyReader(parts.store);
  }

  /** Whole hours or days that touch the asked time, as far as something is known of them. */
  async vendor(
    inverterId: string,
    { resolution, fromMs, toMs }: VendorQuery,
    userId?: string,
  ): Promise<VendorStatistics> {
    const { asset } = this.#entry(inverterId);
    if (asset.userId !== (userId ?? asset.userId)) throw assetNotFound(inverterId);
    const nowMs = this.#parts.clock.nowMs();
    const endMs = toMs ?? nowMs;
    if (fromMs % HOUR_MS !== 0) throw wrongQuery("startDate", "`startDate` must be the start of an hour.");
    if (fromMs > endMs) throw wrongQuery("endDate", "`startDate` is after `endDate`.");
    if (endMs - fromMs > MAX_VENDOR_MS) throw wrongQuery("startDate", "At most one month can be asked for.");
    const zone = asset.timezone ?? "UTC";
    const buckets =
      resolution === "HOUR" ? wholeHours({ fromMs, toMs: endMs }) : wholeDays(zone, { fromMs, toMs: endMs });
    const values = await this.#values(inverterId, buckets);
    const data = buckets.flatMap((bucket, index) => {
      const value = values[index] ?? null;
      return value === null ? [] : [{ date: instant(bucket.fromMs), value }];
    });
    return { production: { unit: "kWh", data } };
  }

  async period(inverterId: string, period: InverterPeriod): Promise<InverterAnswer> {
    const entry = this.#entry(inverterId);
    const zone = entry.asset.timezone ?? "UTC";
    const buckets = bucketsOf(zone, period);
    const last = buckets.at(-1);
    if (last === undefined) throw wrongQuery("day", "The calendar has no such day.");
    if (last.toMs <= localDayAt(zone, installedAtMs(entry.asset)).fromMs) {
      throw problem("bad-request", "The inverter was not installed yet.");
    }
    const values = await this.#values(inverterId, buckets);
    const data = buckets.map(({ fromMs }, index) => ({ date: localText(zone, fromMs), value: values[index] ?? null }));
    const series = { unit: "kWh" as const, data };
    const statistics: InverterStatistics = {
      timezone: zone,
      resolutions: period.day === null ? { DAY: series } : { QUARTER_HOUR: series },
    };
    return { statistics, retryAtMs: this.#retryAtMs(buckets[0]?.fromMs ?? 0, last.toMs) };
  }

  /** kWh per bucket; null where nothing is known. */
  async #values(inverterId: string, buckets: readonly Span[]): Promise<readonly (number | null)[]> {
    const { createdAtMs } = this.#entry(inverterId);
    const deviceId = this.#parts.store.get("asset", inverterId)?.deviceId;
    const [first, last] = [buckets[0], buckets.at(-1)];
    if (deviceId === undefined || first === undefined || last === undefined) return buckets.map(() => null);
    const stream: Stream = { deviceId, kind: "inverter" };
    const span = {
      fromMs: Math.max(first.fromMs, Math.floor(createdAtMs / MINUTE_MS) * MINUTE_MS),
      toMs: Math.min(last.toMs, this.#parts.clock.nowMs()),
    };
    if (span.fromMs >= span.toMs) return buckets.map(() => null);
    const rows = await this.#reader.cut(stream, span, [buckets.map(({ fromMs }) => fromMs)]);
    return flowByBucket(rows, buckets).map(({ inMwh, knownMs }) => {
      return knownMs === 0 ? null : Math.round(inMwh) / MWH_PER_KWH;
    });
  }

  /** Null once nothing of the time changes any more. */
  #retryAtMs(fromMs: number, toMs: number): number | null {
    const nowMs = this.#parts.clock.nowMs();
    const finalMs = toMs + FINAL_AFTER_MS;
    if (nowMs >= finalMs) return null;
    return Math.min(finalMs, Math.max(nowMs, fromMs) + QUARTER_MS);
  }

  #entry(inverterId: string): AssetEntry<"inverter"> {
    const found = this.#parts.assets.list("inverter").find(({ asset }) => asset.id === inverterId);
    if (found === undefined) throw assetNotFound(inverterId);
    return found;
  }
}

function installedAtMs({ information }: Inverter): number {
  return Date.parse(information.installationDate);
}

function bucketsOf(zone: string, { year, month, day }: InverterPeriod): Span[] {
  if (day === null) return localMonth(zone, year, month);
  const span = localDay(zone, { year, month, day });
  return span === null ? [] : pieces(span, QUARTER_MS);
}

function wholeHours({ fromMs, toMs }: Span): Span[] {
  return pieces({ fromMs, toMs: Math.ceil(toMs / HOUR_MS) * HOUR_MS }, HOUR_MS);
}

function wholeDays(zone: string, { fromMs, toMs }: Span): Span[] {
  const days: Span[] = [];
  for (let day = localDayAt(zone, fromMs); day.fromMs < toMs; day = localDayAt(zone, day.toMs)) days.push(day);
  return days;
}
