import { HOUR_MS } from "../../domain/duration.ts";
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
import {
  type AssetEnergy,
  type SlottedRow,
  tallyByBucket,
  tallyOf,
} from "../../domain/statistics/statistics-series.ts";
import { type Session, sessionsIn } from "../../domain/statistics/statistics-session.ts";
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
      const sessions = sessionsIn(await this.#sessionRows(asset, nowMs), nowMs);
      for (const session of sessions) {
        if (session.isFinished && clip(session, asset.span) !== null) found.push(this.#sessionOf(asset, session));
      }
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

  /** The rows of the asked time, and beyond its ends as long as a session goes on there. */
  async #sessionRows({ stream, span }: MeasuredAsset, nowMs: number): Promise<readonly SlottedRow[]> {
    const read = (part: Span): Promise<readonly SlottedRow[]> => this.#reader.flowing(stream, part);
    let fromMs = Math.floor((span.fromMs - MARGIN_MS) / HOUR_MS) * HOUR_MS;
    let toMs = Math.ceil((span.toMs + MARGIN_MS) / HOUR_MS) * HOUR_MS;
    let rows = await read({ fromMs, toMs });
    for (let follow = 0; follow < MAX_FOLLOWS && isFlowing(rows[0], fromMs, "first"); follow++) {
      rows = [...(await read({ fromMs: fromMs - FOLLOW_MS, toMs: fromMs })), ...rows];
      fromMs -= FOLLOW_MS;
    }
    for (let follow = 0; follow < MAX_FOLLOWS && toMs < nowMs && isFlowing(rows.at(-1), toMs, "last"); follow++) {
      rows = [...rows, ...(await read({ fromMs: toMs, toMs: toMs + FOLLOW_MS }))];
      toMs += FOLLOW_MS;
    }
    return rows;
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
    const energies: AssetEnergy[] = [];
    const parts: Span[] = buckets.flatMap((bucket) => clip(bucket, whole) ?? []);
    const edges = parts.map((part) => part.fromMs);
    const costsAt = costsByPlace(this.#parts, whole);
    for (const asset of assets) {
      const costs = costsAt(asset);
      const rows = await this.#reader.cut(asset.stream, asset.span, [edges, costs.edges]);
      energies.push({ rows, costs });
    }
    const tallies = tallyByBucket(energies, parts);
    return buckets.flatMap((bucket, index) => {
      const tally = tallies[index];
      return tally?.isShown === true ? [{ bucket, tally }] : [];
    });
  }
}

/** True when consumption reaches the edge of what was read, so that it may go on beyond. */
function isFlowing(row: SlottedRow | undefined, edgeMs: number, end: "first" | "last"): boolean {
  const atMs = end === "first" ? row?.row.flowFromMs : row?.row.flowToMs;
  return atMs !== undefined && atMs !== null && Math.abs(atMs - edgeMs) < HOUR_MS;
}
