import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../../domain/duration.ts";
import type { BatteryView, EnergySnapshot } from "../../../domain/energy/cycle/energy-snapshot.ts";
import { FULL_SHARE, fullByMs } from "../../../domain/energy/plan/full-charge.ts";
import type { Clock } from "../../../platform/ports/ports.ts";
import type { Write } from "../../../store/records.ts";
import type { Store } from "../../../store/store.ts";
import type { Forgetter, Removal } from "../../contracts/users.ts";

/** A battery that is full for long is written down this often, ms. */
const WRITTEN_EVERY_MS = HOUR_MS;
/** Some count themselves full a little lower: from this share on, if they take no power that they are offered. */
const OWN_FULL_SHARE = 0.97;
const REFUSES_AFTER_MS = 10 * MINUTE_MS;
/** Less is not charging, and more than the other is fed in: then power is offered, W. */
const TAKEN_W = 100;
const OFFERED_W = 500;
/** One that takes nothing below that, as with a ceiling in the device, is not tried with again for so long, ms. */
const LET_GO_MS = DAY_MS;

export interface FullChargeParts {
  readonly clock: Pick<Clock, "nowMs" | "monotonicMs" | "quality">;
  readonly store: Pick<Store, "get" | "all" | "commitAlong">;
}

/** Keeps when each battery was last full, and says which are to be full again. */
export class FullCharges implements Forgetter {
  readonly #parts: FullChargeParts;
  /** By battery, since when it takes none of the power that it is offered, monotonic ms. */
  readonly #refusesSinceMs = new Map<string, number>();
  /** By battery, until when it is left alone, monotonic ms. */
  readonly #letGoUntilMs = new Map<string, number>();

  constructor(parts: FullChargeParts) {
    this.#parts = parts;
  }

  /** Takes note of what batteries show. The count of one that is new begins now. */
  note({ batteries, grid }: Pick<EnergySnapshot, "batteries" | "grid">): void {
    // A wrong clock would count other days.
    if (this.#parts.clock.quality() !== "synced") return;
    for (const battery of batteries) {
      if (battery.soc === null) continue;
      const isFull = this.#isFull(battery, battery.soc, grid.powerW);
      const lastMs = this.#lastMs(battery.id);
      const nowMs = this.#parts.clock.nowMs();
      const isNews = lastMs === null || lastMs > nowMs || (isFull && nowMs - lastMs >= WRITTEN_EVERY_MS);
      if (isNews) this.#write(battery.id, nowMs);
    }
  }

  /** Returns until when a battery is to be full, wall-clock ms; `null`: it need not be. */
  dueBy(id: string): number | null {
    const { clock } = this.#parts;
    const lastMs = this.#lastMs(id);
    const isLetGo = clock.monotonicMs() < (this.#letGoUntilMs.get(id) ?? Number.NEGATIVE_INFINITY);
    return lastMs === null || isLetGo || clock.quality() !== "synced" ? null : fullByMs(lastMs, clock.nowMs());
  }

  forget(removal: Removal): readonly Write[] {
    if (removal.kind !== "assets") return [];
    const records = this.#parts.store.all("full-charge").filter(({ assetId }) => removal.assetIds.has(assetId));
    return records.map(({ assetId }) => ({ table: "full-charge", key: assetId, remove: true }));
  }

  #isFull(battery: BatteryView, soc: number, gridW: number | null): boolean {
    if (soc >= FULL_SHARE * 100) return true;
    if (!this.#refuses(battery, gridW)) return false;
    if (soc >= OWN_FULL_SHARE * 100) return true;
    if (battery.mode === "IMPORT_FOCUS")
      this.#letGoUntilMs.set(battery.id, this.#parts.clock.monotonicMs() + LET_GO_MS);
    return false;
  }

  #refuses({ id, mode, powerW }: BatteryView, gridW: number | null): boolean {
    const isFed = mode === "SELF_RELIANCE" && gridW !== null && gridW < -OFFERED_W;
    const isOffered = mode === "IMPORT_FOCUS" || isFed;
    if (!isOffered || powerW === null || Math.abs(powerW) > TAKEN_W) {
      this.#refusesSinceMs.delete(id);
      return false;
    }
    const nowMs = this.#parts.clock.monotonicMs();
    const sinceMs = this.#refusesSinceMs.get(id) ?? nowMs;
    this.#refusesSinceMs.set(id, sinceMs);
    return nowMs - sinceMs >= REFUSES_AFTER_MS;
  }

  #lastMs(id: string): number | null {
    return this.#parts.store.get("full-charge", id)?.atMs ?? null;
  }

  #write(assetId: string, atMs: number): void {
    this.#parts.store.commitAlong([{ table: "full-charge", key: assetId, put: { assetId, atMs } }]);
  }
}
