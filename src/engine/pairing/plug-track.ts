import type { AssetTypes } from "../../domain/assets/asset.ts";
import { type PlugSide, POWER_WINDOW_MS, type PowerSince } from "../../domain/pairing/charger-pairing.ts";

/** Powers are kept for this long beside the window in which they are compared, for those that are told late. */
const KEPT_MS = 2 * POWER_WINDOW_MS;
/** A power that moves with every reading of every second is more than that. */
const MAX_POWERS = 1_500;

/** What was seen of a charger or vehicle after one more look; the same object when nothing of it changed. */
export function seenAgain(before: PlugSide | null, asset: AssetTypes["charger" | "vehicle"], atMs: number): PlugSide {
  const { userId, locationId, chargeState } = asset;
  const { isPluggedIn } = chargeState;
  const kilowatts = powerOf(chargeState);
  const wasPluggedIn = before?.isPluggedIn ?? null;
  const isKept = before?.powers.at(-1)?.kilowatts === kilowatts;
  if (
    before !== null &&
    isKept &&
    before.userId === userId &&
    before.locationId === locationId &&
    wasPluggedIn === isPluggedIn
  ) {
    return before;
  }
  const kept = before?.pluggedInAtMs ?? null;
  const pluggedInAtMs = isPluggedIn === true && wasPluggedIn === false ? atMs : isPluggedIn === true ? kept : null;
  const powers = isKept ? before.powers : withPower(before?.powers ?? [], { atMs, kilowatts });
  return { userId, locationId, isPluggedIn, pluggedInAtMs, powers };
}

/** What does not charge takes nothing; what charges may not tell how much. */
function powerOf({ isCharging, chargeRate }: AssetTypes["charger" | "vehicle"]["chargeState"]): number | null {
  if (isCharging === null) return null;
  return isCharging ? chargeRate : 0;
}

/** The last one before what is kept stays: it holds until the next. */
function withPower(powers: readonly PowerSince[], power: PowerSince): readonly PowerSince[] {
  const first = powers.findLastIndex(({ atMs }) => atMs <= power.atMs - KEPT_MS);
  return [...powers.slice(Math.max(0, first)), power].slice(-MAX_POWERS);
}
