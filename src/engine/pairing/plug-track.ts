import type { AssetTypes } from "../../domain/assets/asset.ts";
import { type PlugSide, POWER_WINDOW_MS, type PowerSince } from "../../domain/pairing/charger-pairing.ts";

/** Powers are kept this much longer than the compared window, because some devices report late. */
const KEPT_MS = 2 * POWER_WINDOW_MS;
/** Limit for powers that change with every reading. */
const MAX_POWERS = 1_500;

/** Returns the observed plug and powers of a charger or vehicle after an update; the same object if nothing changed. */
export function withUpdate(before: PlugSide | null, asset: AssetTypes["charger" | "vehicle"], atMs: number): PlugSide {
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

/** Returns the charging power, kW: 0 if not charging, `null` if unknown. */
function powerOf({ isCharging, chargeRate }: AssetTypes["charger" | "vehicle"]["chargeState"]): number | null {
  if (isCharging === null) return null;
  return isCharging ? chargeRate : 0;
}

/** Adds a power and drops old ones, except the last before the kept time, which holds until the next. */
function withPower(powers: readonly PowerSince[], power: PowerSince): readonly PowerSince[] {
  const first = powers.findLastIndex(({ atMs }) => atMs <= power.atMs - KEPT_MS);
  return [...powers.slice(Math.max(0, first)), power].slice(-MAX_POWERS);
}
