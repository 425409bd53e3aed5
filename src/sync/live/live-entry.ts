import type { Action } from "../../domain/actions/action.ts";
import { ASSET_KINDS, type Asset, type AssetKind } from "../../domain/assets/asset.ts";
import type { HemPower } from "../../engine/contracts/hem.ts";
import type { JournalEntry } from "../../store/records.ts";
import { userOf } from "../webhooks/event-text.ts";

/** The newest state of something that live streams report, and its place in their order. */
export type LiveEntry =
  | {
      readonly type: "asset";
      readonly kind: AssetKind;
      /** The current state, or the last one if the asset is gone. */
      readonly asset: Asset;
      readonly isGone: boolean;
      /** The place of the first entry of this asset. */
      readonly firstSeq: number;
      readonly seq: number;
    }
  | { readonly type: "action"; readonly action: Action; readonly seq: number }
  | { readonly type: "house"; readonly power: HemPower; readonly seq: number }
  | { readonly type: "event"; readonly entry: JournalEntry; readonly seq: number };

/** Returns the user of an entry; `null` if it has none. */
export function ownerOf(entry: LiveEntry): string | null {
  if (entry.type === "asset") return entry.asset.userId;
  if (entry.type === "house") return entry.power.userId;
  return entry.type === "action" ? entry.action.userId : userOf(entry.entry);
}

/** Returns the kind of asset of an entry; `null` if it is about no asset, or about several. */
export function kindOf(entry: LiveEntry): AssetKind | null {
  if (entry.type === "asset") return entry.kind;
  if (entry.type === "action") return entry.action.targetType;
  if (entry.type === "house") return null;
  const { event, payload } = entry.entry;
  const [space, named] = event.split(":");
  const target = targetOf(payload);
  const kind =
    space === "local" ? target.energyDevice?.deviceType : named === "schedule" ? target.schedule?.targetType : named;
  return ASSET_KINDS.find((each) => each === kind) ?? null;
}

/** What an event of a schedule or of the energy manager says about its asset. */
interface Target {
  readonly schedule?: { readonly targetType?: unknown } | null;
  readonly energyDevice?: { readonly deviceType?: unknown } | null;
}

function targetOf(payload: unknown): Target {
  return typeof payload === "object" && payload !== null ? payload : {};
}

/** Journal events that are not sent, because the state itself is sent, and sooner. */
const OWN_EVENTS: ReadonlySet<string> = new Set([
  "user:vendor-action:updated",
  ...ASSET_KINDS.flatMap((kind) => ["discovered", "updated", "deleted"].map((happened) => `user:${kind}:${happened}`)),
]);

/** Returns true if live streams send the state itself instead of this journal event. */
export function isOwnEvent(event: string): boolean {
  return OWN_EVENTS.has(event);
}
