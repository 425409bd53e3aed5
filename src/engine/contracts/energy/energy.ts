import type { MeasuredText } from "../../../domain/checks/measured-text.ts";
import type { ActiveLimit } from "../../../domain/energy/cycle/energy-snapshot.ts";
import type { LimitWrite } from "../../../domain/energy/limits/limit-machine.ts";
import type { Limitation, MeasuredPower } from "../../../domain/energy/limits/limitation.ts";
import type { SiteConnection } from "../../../domain/energy/site/site-connection.ts";
import type { SiteWarning } from "../../../domain/energy/site/site-mistakes.ts";
import type { SiteSetting, SiteSettings } from "../../../domain/energy/site/site-settings.ts";

/** Where the value of a setting comes from. What the file sets cannot be changed over the API. */
export type SettingOrigin = "file" | "api" | "default";

/** A note about the connection, for the health and the checks. */
export interface SiteNote {
  /** Id of the finding. */
  readonly id: "site-no-import-limit" | "site-no-grid-meter";
  /** In English. */
  readonly text: string;
  readonly words: MeasuredText;
  readonly state: "OPEN" | "DISMISSED";
  /** Wall-clock ms. */
  readonly sinceMs: number;
}

/** The settings in force. */
export interface SiteState {
  readonly settings: SiteSettings;
  readonly origins: Readonly<Record<SiteSetting, SettingOrigin>>;
  readonly warnings: readonly SiteWarning[];
  /** Wall-clock ms of the last change over the API; `null` if there was none. */
  readonly changedAtMs: number | null;
}

/** A change of the settings over the API: `null` removes a value. */
export type SiteChange = { readonly [Name in SiteSetting]?: SiteSettings[Name] | null | undefined };

/** The connection of the house to the grid, read from memory. */
export interface SiteConnections {
  /** Returns the connection as the control cycle uses it; the same object until something changes. */
  current(): SiteConnection;
  /** Calls the listener with each new connection, before it is on disk. Disposing the result unsubscribes. */
  observe(listener: (site: SiteConnection) => void): Disposable;
  state(): SiteState;
  /** Peak power of the panels, kW; `null` if it is not known. */
  panelsKw(): number | null;
  /**
   * Changes settings; resolves when they are on disk. Throws `bad-request` with an issue for each mistake, and `conflict`
   * for what the file sets.
   */
  update(change: SiteChange): Promise<SiteState>;
  /** Throws what `update` would throw, and changes nothing. */
  check(change: SiteChange): void;
  notes(): readonly SiteNote[];
  /** Marks a note as seen by the owner. Throws `not-found`. */
  dismiss(id: string): Promise<SiteNote>;
}

/** What a source demands in one direction. */
export interface DirectionDemand {
  readonly scope: "connection" | "controllable";
  /** `null`: only the failsafe changes. */
  readonly limit: LimitWrite | null;
  /** W; `null`: as the configuration has it. */
  readonly failsafeW: number | null;
  /** 2 to 24 h, ms; `null`: as the configuration has it. */
  readonly failsafeMs: number | null;
}

export interface LimitDemand {
  /** True if the demand is a heartbeat, too. */
  readonly isHeartbeat: boolean;
  /** How long the source may be silent, ms; `null`: it needs no heartbeat, and its limit stays. */
  readonly heartbeatLostMs: number | null;
  /** A direction that is left out stays as it is. */
  readonly import?: DirectionDemand | undefined;
  readonly export?: DirectionDemand | undefined;
}

/** One source of limits: a client of the API, an EEBus energy guard, an OpenADR program, an event of the grid. */
export interface LimitPort {
  /**
   * Applies a demand at once; resolves when it is on disk. Throws `bad-request` for what the state machine refuses, and
   * `service-unavailable` if the disk refuses: the limit applies nevertheless.
   */
  set(demand: LimitDemand): Promise<LimitSource>;
  /** Notes that the source lives. By itself it ends no failsafe. Throws `not-found` before the first demand. */
  heartbeat(): LimitSource;
  /** Removes the source with its limits, because it gives up control. Throws `not-found` before the first demand. */
  withdraw(): Promise<void>;
}

/** Who opens a port. The id stays the same over restarts. */
export interface LimitPortOptions {
  readonly id: string;
  readonly kind: "client" | "eebus" | "openadr" | "event";
  /** Shown to people, and kept with each limitation. */
  readonly name: string;
}

/** One direction of a source as it is now. */
export interface LimitSourceDirection {
  readonly direction: "import" | "export";
  readonly scope: "connection" | "controllable";
  readonly state: Limitation["state"];
  /** Wall-clock ms. */
  readonly sinceMs: number;
  /** What applies now, W; `null`: no limit. */
  readonly appliedW: number | null;
  /** Wall-clock ms of the end of the limit; `null` without an end. */
  readonly untilMs: number | null;
  /** W; `null` for a source that cannot be lost. */
  readonly failsafeW: number | null;
  /** ms; `null` for a source that cannot be lost. */
  readonly failsafeMs: number | null;
}

export interface LimitSource {
  readonly id: string;
  readonly kind: LimitPortOptions["kind"] | "contacts" | "schedule";
  readonly name: string;
  /** ms; `null`: it needs no heartbeat. */
  readonly heartbeatLostMs: number | null;
  readonly directions: readonly LimitSourceDirection[];
  /** What is allowed but hardly intended, as texts for people. */
  readonly warnings: readonly string[];
}

/** The limits of the grid operator. Of each direction and scope the lowest applies. */
export interface EnergyLimits {
  /** Returns what applies now; the same list until something changes. */
  active(): readonly ActiveLimit[];
  /** Calls the listener with each new list, before it is on disk. Disposing the result unsubscribes. */
  observe(listener: (limits: readonly ActiveLimit[]) => void): Disposable;
  /** Takes what the control cycle measured, for the records of the limitations that last. */
  note(measured: MeasuredPower): void;
  sources(): readonly LimitSource[];
  port(options: LimitPortOptions): LimitPort;
  /** Returns the limitations of the last two years, newest first. */
  limitations(): readonly Limitation[];
}
