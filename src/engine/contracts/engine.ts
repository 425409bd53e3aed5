/** What the engine offers to the API and to whoever embeds the gateway. No HTTP here, no adapter's name. */
import type { Action, ActionOrigin, ActionTargetType, AskedWish } from "../../domain/actions/action.ts";
import type { Asset, AssetKind, AssetTypes } from "../../domain/assets/asset.ts";
import type { ControlPoint, PointName, PointValue } from "../../points/points.ts";
import type { DeviceIdentity } from "../../sdk/driver.ts";

import type { Services } from "./services.ts";

/** An asset and when it was first known here; lists are ordered by that, newest first, then by id. */
export interface AssetEntry<Kind extends AssetKind> {
  readonly asset: AssetTypes[Kind];
  /** Wall-clock ms. */
  readonly createdAtMs: number;
}

/** The assets in memory. A read does no I/O. The same object comes back until something in it changes. */
export interface Assets {
  get<Kind extends AssetKind>(kind: Kind, id: string): AssetTypes[Kind] | null;
  /** All of a kind, newest created first, then by id. */
  list<Kind extends AssetKind>(kind: Kind): readonly AssetEntry<Kind>[];
  /**
   * Calls the listener with each asset that changes from now on, and with null when one is gone. The listener returns at
   * once and does not throw. Disposing ends it.
   */
  observe(listener: (kind: AssetKind, id: string, asset: Asset | null) => void): Disposable;
}

export type CancelOutcome =
  | { readonly kind: "cancelled"; readonly action: Action }
  | { readonly kind: "already-resolved"; readonly action: Action };

/** A client's request that may come again. */
export interface ClientRequest {
  /** The same for the same request, another for every other. Undefined: it cannot be told. */
  readonly requestKey: string | undefined;
}

/** Commands: stored, then driven to the device until it shows the wish (rule I3.1). */
export interface Actions {
  /**
   * Stores a PENDING action, synced to disk, before any I/O towards the device, and answers it; an identical pending one
   * is answered again. Throws a problem: `not-found`, `forbidden`, `service-controlled-entity` (of a client, while a
   * feature is in charge), `bad-request` (rule S2.1), `service-unavailable`. It is by a client when absent. A request
   * whose key an action was stored with is answered that action, whatever became of it.
   */
  start(targetId: string, wish: AskedWish, by?: ActionOrigin | ClientRequest): Promise<Action>;
  get(targetType: ActionTargetType, id: string): Action | null;
  /** Null when there is no such action. */
  cancel(targetType: ActionTargetType, id: string): Promise<CancelOutcome | null>;
  /** Cancels the target's pending action when it is of this origin. Answers it; null when there is none. */
  withdraw(targetId: string, origin: ActionOrigin): Promise<Action | null>;
  /** The target's pending action with who wanted it; null when there is none. */
  pendingOf(targetId: string): { readonly action: Action; readonly origin: ActionOrigin } | null;
  /** Calls the listener after an action was made or changed; it returns at once. Disposing ends it. */
  observe(listener: (action: Action) => void): Disposable;
}

export interface DeviceStatus {
  readonly id: string;
  readonly adapter: string;
  readonly identity: DeviceIdentity | null;
  readonly vendor: string | null;
  readonly isReachable: boolean;
  /** Why it is not reachable, in words for the installer; null while it is. */
  readonly lastError: string | null;
  /** Wall-clock ms of the last answer; null before the first. */
  readonly lastSeenMs: number | null;
  readonly assets: readonly { readonly kind: AssetKind; readonly id: string }[];
  /** The latest value of each point with its wall-clock ms. */
  readonly points: readonly { readonly point: PointName; readonly value: PointValue | null; readonly atMs: number }[];
  /** What another controller, or a person at the device, took from the gateway in this run; until the next command. */
  readonly takenOver: readonly TakenOver[];
}

/** A value that the gateway held on a device until somebody else changed it there. */
export interface TakenOver {
  readonly point: ControlPoint;
  readonly held: PointValue;
  readonly found: PointValue;
  /** Wall-clock ms. */
  readonly atMs: number;
}

/** Readings of all devices since the gateway started. */
export interface ReadingCounts {
  readonly taken: number;
  /** Those that were not what their point says. */
  readonly dropped: number;
}

export interface Readiness {
  readonly isReady: boolean;
  /** What is not nominal, in words. */
  readonly failures: readonly string[];
}

/**
 * Why a device could not be read now.
 * - `unauthorized`: it, or its vendor, does not accept the credentials any more.
 * - `rejected`: it, or its vendor, refuses to be read.
 * - `rate-limited`: its vendor, or the budget of requests to it, allows no further one now.
 * - `asleep`: it sleeps, and is not woken for that.
 * - `timeout`: it did not answer in time.
 * - `unavailable`: it, or its vendor, is not there, or answers with an error.
 */
export type ReadFailure = "unauthorized" | "rejected" | "rate-limited" | "asleep" | "timeout" | "unavailable";

export interface Engine {
  readonly assets: Assets;
  readonly actions: Actions;
  readonly services: Services;
  /** Asks for an early read of the device behind an asset; false when there is no such asset. */
  refreshHint(kind: AssetKind, id: string): boolean;
  /**
   * Reads the device behind an asset now, unless that was done within half a minute: then what came of it answers again.
   * Resolves after 20 s at most; null once the device answered. No more is asked of it than its loop and its vendor's
   * budget allow, and nothing wakes it.
   */
  readNow(kind: AssetKind, id: string): Promise<ReadFailure | null>;
  devices(): readonly DeviceStatus[];
  readonly readings: ReadingCounts;
  readiness(): Readiness;
  /** The devices whose loop has not turned for so long that only a new start helps; a silent device is none of them. */
  stalledLoops(): readonly string[];
}
