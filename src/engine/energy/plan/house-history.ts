import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../../domain/duration.ts";
import { LoadProfile } from "../../../domain/energy/load-forecast.ts";
import { QUARTER_HOUR_MS } from "../../../domain/energy/plan/plan-inputs.ts";
import { publicHolidays } from "../../../domain/energy/public-holidays.ts";
import type { Clock } from "../../../platform/ports/ports.ts";
import type { HouseFlowReader, HouseQuarter } from "./house-flows.ts";

const HISTORY_DAYS = 56;
/** The sun is forecast from a week, two days ahead. */
const SUN_DAYS = 10;
/** The longest day has 25 hours. */
const LOAD_MS = 25 * HOUR_MS;
const QUARTERS_OF_HOUR = 4;
/** The end of a quarter hour is known when the meter was read after it. */
export const SETTLED_AFTER_MS = MINUTE_MS;

export interface HouseHistoryParts {
  readonly clock: Pick<Clock, "nowMs">;
  readonly flows: HouseFlowReader;
  readonly zone: string;
}

/** What was learned of a house up to the last whole quarter hour. Memory of some 300 kB, given back by `forget`. */
export class HouseHistory {
  readonly #parts: HouseHistoryParts;
  #profile: LoadProfile;
  #signature = "";
  #learnedToMs = 0;
  #quarters = 0;
  /** Mean production of quarter hours by their start, kW. */
  readonly #sun = new Map<number, number>();
  /** Mean load without what is planned, of the last day's quarter hours by their start, kW. */
  readonly #load = new Map<number, number>();

  constructor(parts: HouseHistoryParts) {
    this.#parts = parts;
    this.#profile = new LoadProfile(parts.zone, publicHolidays(parts.zone));
  }

  /** How much of the load was learned from, in quarter hours. */
  get quarters(): number {
    return this.#quarters;
  }

  get profile(): LoadProfile {
    return this.#profile;
  }

  get sun(): ReadonlyMap<number, number> {
    return this.#sun;
  }

  get load(): ReadonlyMap<number, number> {
    return this.#load;
  }

  /** Learns what is new; all of the last eight weeks if the devices of the house changed. */
  async update(userId: string, signal: AbortSignal): Promise<void> {
    const { clock, flows } = this.#parts;
    const toMs = Math.floor((clock.nowMs() - SETTLED_AFTER_MS) / QUARTER_HOUR_MS) * QUARTER_HOUR_MS;
    const signature = `${userId} ${flows.signature(userId)}`;
    // A clock that went back would teach the same quarter hours twice.
    if (signature !== this.#signature || this.#learnedToMs > toMs) this.forget();
    this.#signature = signature;
    const fromMs = Math.max(this.#learnedToMs, toMs - HISTORY_DAYS * DAY_MS);
    for await (const quarters of flows.days(userId, { fromMs, toMs }, signal)) this.#learn(quarters);
    this.#learnedToMs = toMs;
    for (const atMs of this.#sun.keys()) if (atMs < toMs - SUN_DAYS * DAY_MS) this.#sun.delete(atMs);
    for (const atMs of this.#load.keys()) if (atMs < toMs - LOAD_MS) this.#load.delete(atMs);
  }

  forget(): void {
    this.#profile = new LoadProfile(this.#parts.zone, publicHolidays(this.#parts.zone));
    this.#signature = "";
    this.#learnedToMs = 0;
    this.#quarters = 0;
    this.#sun.clear();
    this.#load.clear();
  }

  #learn(quarters: readonly HouseQuarter[]): void {
    const rows = quarters.flatMap(({ fromMs, consumption, chargers, heat }) =>
      consumption === null ? [] : [{ fromMs, kw: Math.max(0, consumption - chargers - heat) * QUARTERS_OF_HOUR }],
    );
    this.#profile.learn(rows);
    this.#quarters += rows.length;
    for (const { fromMs, kw } of rows) this.#load.set(fromMs, kw);
    for (const { fromMs, generation } of quarters)
      if (generation !== null) this.#sun.set(fromMs, generation * QUARTERS_OF_HOUR);
  }
}
