import type { LimitState } from "../../domain/energy/limit-machine.ts";
import type { Limitation } from "../../domain/energy/limitation.ts";
import type { SiteSettings } from "../../domain/energy/site-settings.ts";

/** The settings of the grid connection that were set over the API. The key is `site`. */
export interface SiteRecord {
  readonly settings: SiteSettings;
  /** Wall-clock ms of the last change; `null` if there was none. */
  readonly changedAtMs: number | null;
  /** Notes about the connection that the owner dismissed. */
  readonly dismissed: readonly string[];
}

/** One direction of a source of limits. */
export interface LimitDirectionRecord {
  readonly direction: "import" | "export";
  readonly scope: "connection" | "controllable";
  readonly state: LimitState;
  readonly failsafeW: number;
  readonly failsafeMs: number;
  readonly limit: {
    readonly watts: number;
    /** Wall-clock ms; `null` without an end. */
    readonly untilMs: number | null;
  } | null;
}

/** A source of limits, such as a client of the API. The key is its id. */
export interface LimitSourceRecord {
  readonly id: string;
  readonly kind: string;
  readonly name: string;
  /** `null`: it needs no heartbeat. */
  readonly heartbeatLostMs: number | null;
  readonly directions: readonly LimitDirectionRecord[];
  /** Of relay contacts: the names of those that were closed. */
  readonly closedContacts?: readonly string[];
}

/** A limitation, kept for two years. The key is its id. */
export type LimitationRecord = Limitation;
