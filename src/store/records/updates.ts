/** The later version that a look for updates found, until it is installed. The key is `current`. */
export interface AvailableUpdateRecord {
  readonly version: string;
}

/** The look for a later version, or the update, that goes on or was the last one. The key is `current`. */
export interface UpdateTaskRecord {
  readonly kind: "check" | "install";
  /** A time of the configuration began it. */
  readonly isScheduled: boolean;
  /** The later version is on disk, and the gateway is stopped for it. */
  readonly isPrepared: boolean;
  /** The version before the update; `null` while nobody has said. */
  readonly from: string | null;
  readonly to: string | null;
  /** Wall-clock ms. */
  readonly beganAtMs: number;
  /** Wall-clock ms; `null` until it is reported how it ended. */
  readonly endedAtMs: number | null;
  readonly outcome: "newest" | "available" | "kept" | "rolled-back" | "skipped" | "failed" | null;
  /** Why it ended so, for people; `null` if nothing went wrong. */
  readonly reason: string | null;
}
