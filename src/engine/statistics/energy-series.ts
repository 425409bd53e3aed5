import { HOUR_MS, MINUTE_MS } from "../../domain/duration.ts";
import { instant } from "../../domain/fields.ts";
import { problem } from "../../domain/problem.ts";
import type {
  ChargingSession,
  ChargingStatistics,
  ConsumerKind,
  ProductionStatistics,
} from "../../domain/statistics/statistics.ts";
import { bucketAt, bucketsIn } from "../../domain/statistics/statistics-bucket.ts";
import { clip, type Span } from "../../domain/statistics/statistics-reading.ts";
import type { EnergyRow } from "../../domain/statistics/statistics-row.ts";
import { BucketTallies, tallyOf } from "../../domain/statistics/statistics-series.ts";
import { type Session, SessionFinder } from "../../domain/statistics/statistics-session.ts";
import type { Tally } from "../../domain/statistics/statistics-tally.ts";
import type { SeriesQuery, StatisticsQuery } from "../contracts/statistics.ts";
import { EnergyReader } from "./energy-reader.ts";
import {
  costsByPlace,
  costsFor,
  type MeasuredAsset,
  type MeasuredKind,
  type MeasuredParts,
  measuredAssets,
} from "./measured-assets.ts";

/** Quarter hours of a year and a bit. */
const MAX_BUCKETS = 40_000;
/** A session is followed beyond the asked time in steps of this length. */
const FOLLOW_MS = 48 * HOUR_MS;
/** Three months: a heat pump may run all winter. */
const MAX_FOLLOWS = 45;
/** Rows read beyond a span's ends, so that the rise and fall of a session are seen. */
const MARGIN_MS = HOUR_MS;

/** Sums of what assets consumed or produced, by bucket and by session. */
export class EnergySeries {
  readonly #parts: MeasuredParts;
  readonly #reader: EnergyReader;

  constructor(parts: MeasuredParts) {
    this.#parts = parts;
    this.#reader = new EnergyReader(parts.store);
  }

  async charging(query: SeriesQuery<ConsumerKind>): Promise<readonly ChargingStatistics[]> {
    const found = await this.#tallies(query);
    return found.map(({ bucket, tally }) => ({ ...tally.sums(), date: instant(bucket.fromMs) }));
  }

  async production(query: SeriesQuery<"inverter">): Promise<readonly ProductionStatistics[]> {
    const found = await this.#tallies(query);
    return found.map(({ bucket, tally }) => {
      const { kw, kwhSum, price, costSum, isCostKnown, kwhPriced } = tally.sums();
      return { kw, kwhSum, price, earningsSum: costSum, isCostKnown, kwhPriced, date: instant(bucket.fromMs) };
    });
  }

  async sessions(query: StatisticsQuery<ConsumerKind>): Promise<readonly ChargingSession[]> {
    const nowMs = this.#parts.clock.nowMs();
    const found: ChargingSession[] = [];
    for (const asset of measuredAssets(this.#parts, query)) {
      const finder = new SessionFinder(nowMs);
      const add = (sessions: readonly Session[]): void => {
        for (const session of sessions) {
          if (session.isFinished && clip(session, asset.span) !== null) found.push(this.#sessionOf(asset, session));
        }
      };
      const edgesIn = (span: Span): readonly number[] => costsFor(this.#parts, asset, span).edges;
      const span = await this.#sessionSpan(asset, nowMs);
      for await (const rows of this.#reader.flowing(asset.stream, span, edgesIn)) add(finder.add(rows));
      add(finder.end());
    }
    return found.sort((one, other) => Date.parse(one.from) - Date.parse(other.from));
  }

  #sessionOf(asset: MeasuredAsset, session: Session): ChargingSession {
    const first = session.rows[0]?.row.atMs ?? session.fromMs;
    const last = session.rows.at(-1);
    const span = { fromMs: first, toMs: last === undefined ? session.toMs : last.row.atMs + last.slotMs };
    const sums = tallyOf({ rows: session.rows, costs: costsFor(this.#parts, asset, span) }).sums();
    return {
      ...sums,
      id: asset.id,
      locationId: asset.locationId,
      from: instant(session.fromMs),
      to: instant(session.toMs),
    };
  }

  /** The asked time, and beyond its ends as long as a session goes on there; whole hours. */
  async #sessionSpan({ stream, span }: MeasuredAsset, nowMs: number): Promise<Span> {
    const hourAt = async (atMs: number): Promise<EnergyRow | undefined> =>
      (await this.#reader.rows(stream, HOUR_MS, { fromMs: atMs, toMs: atMs + HOUR_MS }))[0];
    let fromMs = Math.floor((span.fromMs - MARGIN_MS) / HOUR_MS) * HOUR_MS;
    let toMs = Math.ceil((span.toMs + MARGIN_MS) / HOUR_MS) * HOUR_MS;
    for (let follow = 0; follow < MAX_FOLLOWS; follow++) {
      const first = await hourAt(fromMs);
      if (!isNear(first?.flowFromMs, fromMs)) break;
      fromMs -= FOLLOW_MS;
    }
    for (let follow = 0; follow < MAX_FOLLOWS && toMs < nowMs; follow++) {
      const last = await hourAt(toMs - HOUR_MS);
      if (!isNear(last?.flowToMs, toMs)) break;
      toMs += FOLLOW_MS;
    }
    return { fromMs, toMs };
  }

  async #tallies(query: SeriesQuery<MeasuredKind>): Promise<readonly { bucket: Span; tally: Tally }[]> {
    const { resolution, offsetMs } = query;
    const assets = measuredAssets(this.#parts, query);
    const whole = {
      fromMs: Math.min(...assets.map(({ span }) => span.fromMs)),
      toMs: Math.max(...assets.map(({ span }) => span.toMs)),
    };
    if (assets.length === 0) return [];
    const { fromMs, toMs } = bucketAt(resolution, whole.fromMs, offsetMs);
    if ((whole.toMs - whole.fromMs) / (toMs - fromMs) > MAX_BUCKETS) {
      throw problem("bad-request", "The time holds too many entries of this resolution; ask for a shorter one.");
    }
    const buckets = bucketsIn(resolution, whole, offsetMs);
    const parts: Span[] = buckets.flatMap((bucket) => clip(bucket, whole) ?? []);
    const edges = parts.map((part) => part.fromMs);
    const tallies = new BucketTallies(parts);
    for (const season of seasonsOf(whole)) {
      const costsAt = costsByPlace(this.#parts, season);
      for (const asset of assets) {
        const span = clip(asset.span, season);
        if (span === null) continue;
        const costs = costsAt({ ...asset, span });
        const rows = await this.#reader.cut(asset.stream, span, [edges, costs.edges]);
        tallies.add({ rows, costs });
      }
    }
    return [...tallies.entries()].flatMap(([index, tally]) => {
      const bucket = buckets[index];
      return bucket !== undefined && tally.isShown ? [{ bucket, tally }] : [];
    });
  }
}

/** Parts of a span that end with a quarter of the year in UTC: they are added up one after the other, to hold less at once. */
function seasonsOf(span: Span): Span[] {
  const seasons: Span[] = [];
  for (let fromMs = span.fromMs; fromMs < span.toMs; ) {
    const at = new Date(fromMs);
    const endMs = Date.UTC(at.getUTCFullYear(), at.getUTCMonth() - (at.getUTCMonth() % 3) + 3);
    const toMs = Math.min(endMs, span.toMs);
    seasons.push({ fromMs, toMs });
    fromMs = toMs;
  }
  return seasons;
}

/** True when consumption reaches the edge of a time, so that a session may go on beyond. */
function isNear(atMs: number | null | undefined, edgeMs: number): boolean {
  return atMs !== undefined && atMs !== null && Math.abs(atMs - edgeMs) < MINUTE_MS;
}
