/** What people are notified of: conditions that begin and end. */
import type { CheckKind } from "../checks/finding.ts";
import { MINUTE_MS } from "../duration.ts";

export const NOTIFICATION_KINDS = [
  "device-silent",
  "grid-limit",
  "target-missed",
  "finding",
  "backup-failed",
  "update-available",
  "update-rolled-back",
] as const;
export type NotificationKind = (typeof NOTIFICATION_KINDS)[number];

/** What a text needs to say, beside the kind. */
export type ConditionFacts =
  | {
      readonly kind: "device-silent";
      readonly deviceId: string;
      readonly device: string;
      /** Wall-clock ms of the last answer; `null` before the first. */
      readonly lastSeenMs: number | null;
    }
  | {
      readonly kind: "grid-limit";
      readonly direction: "import" | "export";
      readonly scope: "connection" | "controllable";
      readonly watts: number;
    }
  | {
      readonly kind: "target-missed";
      /** Of the vehicle or charger. */
      readonly assetId: string;
      readonly device: string;
      /** When it has to be charged, wall-clock ms. */
      readonly atMs: number;
      readonly shortKwh: number;
    }
  | {
      readonly kind: "finding";
      readonly findingId: string;
      readonly deviceId: string;
      readonly device: string;
      readonly check: CheckKind;
    }
  | { readonly kind: "backup-failed" }
  | {
      readonly kind: "update-available";
      readonly version: string;
      /** The configuration has a time at which it is installed. */
      readonly isAutomatic: boolean;
    }
  | { readonly kind: "update-rolled-back"; readonly version: string };

/** Something that is so now. The key stays the same while it lasts, also over restarts. */
export interface Condition {
  readonly key: string;
  readonly facts: ConditionFacts;
}

/**
 * What became of a condition that is not reported any more.
 * - `over`: it ended, which people are notified of.
 * - `gone`: nobody has to know, because a person acted or what it was about does not exist any more.
 * - `unknown`: it cannot be seen now.
 */
export type Ending = "over" | "gone" | "unknown";

/** These are sent at once, also to who has a daily digest: they are about the next hours. */
const URGENT: ReadonlySet<NotificationKind> = new Set(["grid-limit", "target-missed"]);

export function isUrgent(kind: NotificationKind): boolean {
  return URGENT.has(kind);
}

/** How long a condition has to last, or to be over, before it counts, so that nobody hears of a blink. ms. */
export interface HoldTimes {
  readonly beginMs: number;
  readonly endMs: number;
}

/** Returns the hold times of a kind; a device has to be silent for `silentMs`. */
export function holdTimes(kind: NotificationKind, silentMs: number): HoldTimes {
  switch (kind) {
    case "device-silent":
      return { beginMs: silentMs, endMs: 10 * MINUTE_MS };
    case "grid-limit":
      return { beginMs: MINUTE_MS, endMs: 5 * MINUTE_MS };
    case "target-missed":
      return { beginMs: 10 * MINUTE_MS, endMs: 10 * MINUTE_MS };
    case "finding":
    case "backup-failed":
    case "update-available":
    case "update-rolled-back":
      return { beginMs: 0, endMs: 0 };
    default:
      return kind satisfies never;
  }
}
