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

/** Whose energy, and when: wall-clock ms, the end excluded. */
export interface StatisticsQuery<Kind extends "inverter" | ConsumerKind> {
  readonly userId: string;
  readonly kind: Kind;
  /** One asset, else all of the kind. */
  readonly assetId?: string | undefined;
  /** Only assets that are at this location. */
  readonly locationId?: string | undefined;
  readonly fromMs: number;
  /** Absent: now. */
  readonly toMs?: number | undefined;
}

export interface SeriesQuery<Kind extends "inverter" | ConsumerKind> extends StatisticsQuery<Kind> {
  readonly resolution: StatisticsResolution;
  /** How far the clock that days and longer follow is ahead of UTC, ms. */
  readonly offsetMs: number;
}

export interface VendorQuery {
  readonly resolution: VendorResolution;
  /** Wall-clock ms; whole hours. */
  readonly fromMs: number;
  readonly toMs?: number | undefined;
}

/** An inverter's own day, or (day null) month. */
export interface InverterPeriod {
  readonly year: number;
  /** 1 to 12. */
  readonly month: number;
  /** 1 to 31. */
  readonly day: number | null;
}

export interface InverterAnswer {
  readonly statistics: InverterStatistics;
  /** When some of it may have changed, wall-clock ms; null when it is final. */
  readonly retryAtMs: number | null;
}

/**
 * What devices consumed, produced and cost (rules I4.11 and S8). All of them throw `not-found` for an unknown
 * user or an asset that is not of the user and kind, `bad-request` for a time that makes no sense, and
 * `service-unavailable` while the history cannot be read.
 */
export interface Statistics {
  charging(query: SeriesQuery<ConsumerKind>): Promise<readonly ChargingStatistics[]>;
  /** Sessions that touch the time, in the order of their start; one appears at most 15 minutes after it ended. */
  sessions(query: StatisticsQuery<ConsumerKind>): Promise<readonly ChargingSession[]>;
  production(query: SeriesQuery<"inverter">): Promise<readonly ProductionStatistics[]>;
  /** With a user, only of an inverter of that user. */
  vendor(inverterId: string, query: VendorQuery, userId?: string): Promise<VendorStatistics>;
  inverter(inverterId: string, period: InverterPeriod): Promise<InverterAnswer>;
}
