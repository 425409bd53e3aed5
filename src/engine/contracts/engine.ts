/** The interface of the engine for the API and for programs that embed the gateway. It knows neither HTTP nor adapters. */
import type { Action, ActionOrigin, ActionTargetType, RequestedSetting } from "../../domain/actions/action.ts";
import type { Asset, AssetKind, AssetTypes } from "../../domain/assets/asset.ts";
import type { ForeignChange } from "../../domain/checks/finding.ts";
import type { PointName, PointValue } from "../../points/points.ts";
import type { DeviceIdentity } from "../../sdk/driver.ts";

import type { Services } from "./services.ts";

/** An asset with its time of discovery. */
export interface AssetEntry<Kind extends AssetKind> {
  readonly asset: AssetTypes[Kind];
  /** Wall-clock ms. */
  readonly createdAtMs: number;
}

/** The assets, read from memory. The same object is returned until something in it changes. */
export interface Assets {
  get<Kind extends AssetKind>(kind: Kind, id: string): AssetTypes[Kind] | null;
  /** Returns all assets of a kind; newest created first, then by id. */
  list<Kind extends AssetKind>(kind: Kind): readonly AssetEntry<Kind>[];
  /**
   * Calls the listener with each changed asset, and with `null` for a removed one. The listener must return at once and not
   * throw. Disposing the result unsubscribes.
   */
  observe(listener: (kind: AssetKind, id: string, asset: Asset | null) => void): Disposable;
}

/** The result of a cancellation: an action that is resolved already cannot be cancelled. */
export type CancelOutcome =
  | { readonly kind: "cancelled"; readonly action: Action }
  | { readonly kind: "already-resolved"; readonly action: Action };

/** A client's request that may be repeated. */
export interface ClientRequest {
  /** The idempotency key of the request; `undefined` if it has none. */
  readonly requestKey: string | undefined;
}

/** Runs commands: stores each action, then writes to the device until it shows the setting (rule I3.1). */
export interface Actions {
  /**
   * Stores a PENDING action, synced to disk, before any I/O with the device, and returns it; an identical pending action is
   * returned as it is. A repeated request with the same key returns the action that the first one stored. Without `by` the
   * command is from a client. Throws a problem: `not-found`, `forbidden`, `service-controlled-entity` (for clients, while a
   * feature controls the target), `bad-request` (rule S2.1), `service-unavailable`.
   */
  start(targetId: string, setting: RequestedSetting, by?: ActionOrigin | ClientRequest): Promise<Action>;
  get(targetType: ActionTargetType, id: string): Action | null;
  /** Cancels a pending action; returns `null` if the action is unknown. */
  cancel(targetType: ActionTargetType, id: string): Promise<CancelOutcome | null>;
  /** Cancels the target's pending action if it has this origin, and returns it; `null` if there is none. */
  withdraw(targetId: string, origin: ActionOrigin): Promise<Action | null>;
  /** Returns the target's pending action with its origin; `null` if there is none. */
  pendingOf(targetId: string): { readonly action: Action; readonly origin: ActionOrigin } | null;
  /** Calls the listener after an action was created or changed; it must return at once. Disposing the result unsubscribes. */
  observe(listener: (action: Action) => void): Disposable;
}

/** The state of a device for the installer. */
export interface DeviceStatus {
  readonly id: string;
  /** As a person called it, in the configuration or over the API; `null` if nobody did. */
  readonly name: string | null;
  readonly adapter: string;
  readonly identity: DeviceIdentity | null;
  readonly vendor: string | null;
  readonly isReachable: boolean;
  /** Why it is not reachable, as text; `null` while it is. */
  readonly lastError: string | null;
  /** Whether it fails as a device does that serves another program now; `false` while it is reachable. */
  readonly mayBeInUse: boolean;
  /** Wall-clock ms of the last answer; `null` before the first. */
  readonly lastSeenMs: number | null;
  readonly assets: readonly { readonly kind: AssetKind; readonly id: string }[];
  /** The latest value of each point with its wall-clock ms. */
  readonly points: readonly { readonly point: PointName; readonly value: PointValue | null; readonly atMs: number }[];
  /** The open control conflicts of the device. */
  readonly takenOver: readonly TakenOver[];
}

/** A value that somebody else changed on a device although the gateway controls it. */
export type TakenOver = Pick<ForeignChange, "point" | "held" | "found"> & {
  /** Wall-clock ms. */
  readonly atMs: number;
};

/** Counts the readings of all devices since the start. */
export interface ReadingCounts {
  readonly taken: number;
  /** Readings that were dropped because the value does not fit the point. */
  readonly dropped: number;
}

/** The readiness of the gateway. */
export interface Readiness {
  readonly isReady: boolean;
  /** The parts that do not work, as text. */
  readonly failures: readonly string[];
}

/**
 * Why a device could not be read now.
 * - `unauthorized`: the device or its vendor no longer accepts the credentials.
 * - `rejected`: the device or its vendor refuses the request.
 * - `rate-limited`: the vendor or the polling quota allows no request now.
 * - `asleep`: the device sleeps, and a read does not wake it.
 * - `timeout`: the device did not answer in time.
 * - `unavailable`: the device or its vendor cannot be reached, or answers with an error.
 */
export type ReadFailure = "unauthorized" | "rejected" | "rate-limited" | "asleep" | "timeout" | "unavailable";

/** The engine: devices, assets, actions and the services of all features. */
export interface Engine {
  readonly assets: Assets;
  readonly actions: Actions;
  readonly services: Services;
  /** Requests an early read of an asset's device; returns false if the asset is unknown. */
  refreshHint(kind: AssetKind, id: string): boolean;
  /**
   * Reads an asset's device now, within the limits of its loop and its vendor's quota, without waking it. Resolves within
   * 20 s, with `null` if the device answered. A read within the last half minute is not repeated; its result is returned.
   */
  readNow(kind: AssetKind, id: string): Promise<ReadFailure | null>;
  devices(): readonly DeviceStatus[];
  readonly readings: ReadingCounts;
  readiness(): Readiness;
  /** Returns the ids of devices whose loop is stuck until a restart. A device that does not answer is not one of them. */
  stalledLoops(): readonly string[];
}
