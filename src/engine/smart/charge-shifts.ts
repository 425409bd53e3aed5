import { DAY_MS } from "../../domain/duration.ts";
import type { Random } from "../../platform/ports/ports.ts";
import type { ChargeShiftRecord, Write } from "../../store/records.ts";
import type { Store } from "../../store/store.ts";
import type { ChargeShift, ChargeShifts } from "../contracts/control.ts";

/** Shifts kept for each asset; the oldest go first. A car that is charged daily has one a day. */
const MAX_SHIFTS = 1_000;
/** Shifts are kept this long, ms: statistics of a year, and a month to look back on it. */
const SHIFT_AGE_MS = 400 * DAY_MS;

/** Keeps what smart charging moved. It returns writes; the caller commits them along with its own. */
export class ChargeShiftBook implements ChargeShifts {
  readonly #store: Pick<Store, "all">;
  readonly #random: Pick<Random, "uuid">;

  constructor({ store, random }: { readonly store: Pick<Store, "all">; readonly random: Pick<Random, "uuid"> }) {
    this.#store = store;
    this.#random = random;
  }

  between(assetId: string, fromMs: number, toMs: number): readonly ChargeShift[] {
    return this.#of(assetId)
      .filter(({ pausedAtMs, endedAtMs }) => pausedAtMs < toMs && (endedAtMs ?? Number.POSITIVE_INFINITY) > fromMs)
      .map(({ pausedAtMs, resumedAtMs, endedAtMs }) => ({ assetId, pausedAtMs, resumedAtMs, endedAtMs }));
  }

  /** Charging went on after a pause. An earlier shift that is still open ends with it. */
  opened(assetId: string, pausedAtMs: number, resumedAtMs: number): readonly Write[] {
    const opened = { id: this.#random.uuid(), assetId, pausedAtMs, resumedAtMs, endedAtMs: null };
    return [...this.closed(assetId, resumedAtMs), put(opened), ...this.#expired(assetId, resumedAtMs)];
  }

  /** Charging that was moved is over. */
  closed(assetId: string, atMs: number): readonly Write[] {
    return this.#of(assetId)
      .filter(({ endedAtMs }) => endedAtMs === null)
      .map((shift) => put({ ...shift, endedAtMs: Math.max(atMs, shift.resumedAtMs) }));
  }

  /** Oldest first. */
  #of(assetId: string): readonly ChargeShiftRecord[] {
    const own = this.#store.all("charge-shift").filter((shift) => shift.assetId === assetId);
    return own.toSorted((a, b) => a.pausedAtMs - b.pausedAtMs || a.resumedAtMs - b.resumedAtMs);
  }

  #expired(assetId: string, nowMs: number): readonly Write[] {
    const ended = this.#of(assetId).filter(({ endedAtMs }) => endedAtMs !== null);
    // The one that was open ends with this one, and this one comes on top.
    const tooMany = this.#of(assetId).length + 1 - MAX_SHIFTS;
    return ended.filter(({ resumedAtMs }, rank) => rank < tooMany || resumedAtMs < nowMs - SHIFT_AGE_MS).map(remove);
  }
}

function put(shift: ChargeShiftRecord): Write {
  return { table: "charge-shift", key: shift.id, put: shift };
}

function remove({ id }: ChargeShiftRecord): Write {
  return { table: "charge-shift", key: id, remove: true };
}
