import { HOUR_MS } from "../../../domain/duration.ts";
import type { EnergySnapshot, InverterView } from "../../../domain/energy/cycle/energy-snapshot.ts";
import { COMPARED_MS } from "../../../domain/forecast/forecast-adjustment.ts";
import type { Clock } from "../../../platform/ports/ports.ts";
import type { Store } from "../../../store/store.ts";

const KEY = "site";
const FULL_PCT = 100;
/** An inverter that gives less than this below its limit, % of its rated power, would perhaps not give more without it. */
const NEAR_PCT = 5;

export interface CurtailedHoursParts {
  readonly clock: Pick<Clock, "nowMs" | "quality">;
  readonly store: Pick<Store, "get" | "commitAlong">;
}

/** Writes down the hours in which a limit held an inverter: what it gave then says nothing about the forecast. */
export class CurtailedHours {
  readonly #parts: CurtailedHoursParts;

  constructor(parts: CurtailedHoursParts) {
    this.#parts = parts;
  }

  note({ inverters }: Pick<EnergySnapshot, "inverters">): void {
    const { clock, store } = this.#parts;
    if (clock.quality() !== "synced" || !inverters.some(isCurtailed)) return;
    const hourMs = Math.floor(clock.nowMs() / HOUR_MS) * HOUR_MS;
    const known = store.get("curtailed-hours", KEY)?.startsMs ?? [];
    if (known.includes(hourMs)) return;
    // A wrong clock may have dated some hours in other years.
    const kept = known.filter((startMs) => Math.abs(hourMs - startMs) <= COMPARED_MS);
    store.commitAlong([{ table: "curtailed-hours", key: KEY, put: { startsMs: [...kept, hourMs] } }]);
  }
}

function isCurtailed({ limitPct, powerW, ratedW }: InverterView): boolean {
  if (limitPct === null || limitPct >= FULL_PCT || powerW === null || powerW <= 0) return false;
  return ratedW === null || powerW >= ((limitPct - NEAR_PCT) / FULL_PCT) * ratedW;
}
