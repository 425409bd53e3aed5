import type {
  ChargingSession,
  ChargingStatistics,
  ConsumerKind,
  InverterStatistics,
  ProductionStatistics,
  StatisticsResolution,
  VendorResolution,
  VendorStatistics,
} from "../../domain/statistics/statistics.ts";

/** The assets and the time of a statistic: wall-clock ms, the end excluded. */
export interface StatisticsQuery<Kind extends "inverter" | ConsumerKind> {
  readonly userId: string;
  readonly kind: Kind;
  /** One asset; `undefined` for all of the kind. */
  readonly assetId?: string | undefined;
  /** Only assets at this location. */
  readonly locationId?: string | undefined;
  readonly fromMs: number;
  /** `undefined` for now. */
  readonly toMs?: number | undefined;
}

export interface SeriesQuery<Kind extends "inverter" | ConsumerKind> extends StatisticsQuery<Kind> {
  readonly resolution: StatisticsResolution;
  /** The UTC offset by which days and longer buckets are cut, ms. */
  readonly offsetMs: number;
}

export interface VendorQuery {
  readonly resolution: VendorResolution;
  /** Wall-clock ms; whole hours. */
  readonly fromMs: number;
  readonly toMs?: number | undefined;
}

/** A day, or a month if `day` is `null`, in the inverter's time zone. */
export interface InverterPeriod {
  readonly year: number;
  /** 1 to 12. */
  readonly month: number;
  /** 1 to 31. */
  readonly day: number | null;
}

export interface InverterAnswer {
  readonly statistics: InverterStatistics;
  /** When the statistics may change next, wall-clock ms; `null` if they are final. */
  readonly retryAtMs: number | null;
}

/**
 * Consumption, production and costs of devices (rules I4.11 and S8). All methods throw `not-found` for an unknown user or
 * an asset of another user or kind, `bad-request` for an invalid time, and `service-unavailable` while the history cannot
 * be read.
 */
export interface Statistics {
  charging(query: SeriesQuery<ConsumerKind>): Promise<readonly ChargingStatistics[]>;
  /** Returns the sessions that overlap the time, by start. A session appears at most 15 minutes after its end. */
  sessions(query: StatisticsQuery<ConsumerKind>): Promise<readonly ChargingSession[]>;
  production(query: SeriesQuery<"inverter">): Promise<readonly ProductionStatistics[]>;
  /** Returns the statistics of an inverter; with `userId`, only if it belongs to that user. */
  vendor(inverterId: string, query: VendorQuery, userId?: string): Promise<VendorStatistics>;
  inverter(inverterId: string, period: InverterPeriod): Promise<InverterAnswer>;
}
