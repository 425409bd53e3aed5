/** What the month knows of a vendor's cloud: its devices as they are, how people sign in, and what it counts. */
import type { AssetKind } from "../../src/domain/assets/asset.ts";
import type { SimWebAnswer } from "../../src/testing/network/sim-web.ts";
import type { SeededRandom } from "../../src/testing/seeded-random.ts";
import type { AskedOfTwin, CloudTwin } from "../twins/clouds/cloud-twin.ts";
import type { LinkPage } from "./link-page.ts";

export type Value = number | string | boolean | null;

/** A field of an asset, and what it is at the device. */
export interface Fact {
  readonly kind: AssetKind;
  /** What the asset is called, where the account has several of its kind. */
  readonly name?: string;
  /** The group of fields with a `lastUpdated` of its own. */
  readonly group: string;
  readonly field: string;
  truth(): Value;
  /** How far a figure may be off. */
  readonly near?: number;
}

/** What a vendor grants in a stretch of time, as it counts itself. */
export interface Quota {
  readonly name: string;
  readonly limit: number;
  /** Units of it that are not kept for commands and logins. */
  readonly forPolls: number;
  readonly windowMs: number;
  readonly window: "sliding" | "day" | "month";
  /**
   * Only where the vendor tells what is left: the instant of the day at which it counts anew, ms after midnight UTC. The
   * gateway, which does not know it, may believe the vendor rather than its own sliding window.
   */
  readonly countsAnewAtMs?: number;
  units(asked: AskedOfTwin): number;
  /** False: the vendor does not count what it answered so. Default: it counts all that reaches it. */
  counts?(answer: SimWebAnswer): boolean;
  /** The device or site that a request counts for, where each has a quota of its own. */
  countsFor?(asked: AskedOfTwin): string;
  /** What it costs to read all of the account once; default 1. */
  readonly unitsARead?: number;
}

/** A command that a client may send. */
export interface Wish {
  readonly kind: AssetKind;
  readonly name?: string;
  /** After `/<kind>s/<id>/`. */
  readonly path: string;
  readonly body: object;
}

/** A moment of the house, true wall-clock ms. */
export interface Moment {
  readonly nowMs: number;
  /** 0 to 24 in the house's zone. */
  readonly hour: number;
}

export interface Estate {
  /** The connector's id, and its vendor code in the API. */
  readonly id: string;
  readonly vendor: string;
  readonly twin: CloudTwin;
  readonly facts: readonly Fact[];
  readonly quotas: readonly Quota[];
  /** What was measured is as old as this by the vendor's own doing, ms, and told as fresh by as much at most. */
  readonly lagMs: number;
  /** How old a value may be in peace: the interface's 7 minutes, or what the quota stretches that to, ms. */
  readonly ageMs: number;
  signIn(page: LinkPage): Promise<void>;
  /** The person takes the permission back, at the vendor. */
  revoke(): void;
  /** Access tokens and sessions end before their time. */
  expire?(): void;
  /** Another app of the account asks so much that little or nothing is left. */
  exhaust?(): void;
  /** Which device is told what; null: it is no command. */
  commandIn(asked: AskedOfTwin): string | null;
  /** True: it signs in, or renews a token. */
  isLogin(asked: AskedOfTwin): boolean;
  /** True: it may not be told for long: it sleeps. */
  isSilent?(): boolean;
  /** Life goes on, about once a minute. */
  live(moment: Moment): void;
  wish?(random: SeededRandom): Wish;
}
