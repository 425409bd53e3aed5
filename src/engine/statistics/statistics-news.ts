/**
 * Tells clients that asked for an inverter's unfinished day or month that its data changed (rule S8.4). What was
 * asked before a restart is not known after it: those clients ask again at their `retryAfter`.
 */
import { MINUTE_MS } from "../../domain/duration.ts";
import type { Clock, Log } from "../../platform/ports/ports.ts";
import type { NewJournalEntry, Store } from "../../store/store.ts";
import type { Assets } from "../contracts/engine.ts";
import type { InverterAnswer, InverterPeriod } from "../contracts/statistics.ts";
import type { EnginePart } from "../engine-part.ts";
import { userEvent } from "../events.ts";

/** Changes of days and months are published together, at most this often. */
const PUBLISH_EVERY_MS = 15 * MINUTE_MS;
/** Days and months that are watched; the one that was asked for longest ago goes first. */
const MAX_WATCHED = 100;

interface Watched {
  readonly inverterId: string;
  readonly period: InverterPeriod;
  /** The data that the client received last, as a response or as an event; JSON. */
  readonly sent: string;
}

export interface StatisticsNewsParts {
  readonly clock: Pick<Clock, "sleep">;
  readonly log: Log;
  readonly store: Pick<Store, "commit">;
  readonly assets: Assets;
  /** The statistics as they are now. */
  read(inverterId: string, period: InverterPeriod): Promise<InverterAnswer>;
}

export class StatisticsNews implements EnginePart {
  readonly #parts: StatisticsNewsParts;
  readonly #watched = new Map<string, Watched>();

  constructor(parts: StatisticsNewsParts) {
    this.#parts = parts;
  }

  /** Watches data that a client received and that are not final. */
  watch(inverterId: string, period: InverterPeriod, { statistics }: InverterAnswer): void {
    const key = `${inverterId} ${period.year}-${period.month}-${period.day}`;
    this.#watched.delete(key);
    this.#watched.set(key, { inverterId, period, sent: JSON.stringify(statistics) });
    const [oldest] = this.#watched.keys();
    if (this.#watched.size > MAX_WATCHED && oldest !== undefined) this.#watched.delete(oldest);
  }

  async run(signal: AbortSignal): Promise<void> {
    while (await this.#nextRound(signal)) {
      try {
        await this.#publish();
      } catch (err) {
        this.#parts.log.warn({ err }, "cannot publish changed statistics; trying again in the next round");
      }
    }
  }

  async #nextRound(signal: AbortSignal): Promise<boolean> {
    try {
      await this.#parts.clock.sleep(PUBLISH_EVERY_MS, signal);
      return true;
    } catch {
      return false;
    }
  }

  async #publish(): Promise<void> {
    const entries: NewJournalEntry[] = [];
    const after = new Map<string, Watched | null>();
    for (const [key, watched] of this.#watched) {
      const { inverterId, period } = watched;
      const inverter = this.#parts.assets.get("inverter", inverterId);
      const answer = inverter === null ? null : await this.#parts.read(inverterId, period);
      if (inverter === null || answer === null) {
        after.set(key, null);
        continue;
      }
      const current = JSON.stringify(answer.statistics);
      if (current !== watched.sent) {
        const { year, month, day } = period;
        const statistics = { ...answer.statistics, inverterId, year, month, day };
        entries.push(userEvent("inverter:statistics-updated", inverter.userId, { statistics }));
      }
      after.set(key, answer.retryAtMs === null ? null : { ...watched, sent: current });
    }
    if (entries.length > 0) await this.#parts.store.commit([], entries);
    for (const [key, watched] of after) {
      if (watched === null) this.#watched.delete(key);
      else this.#watched.set(key, watched);
    }
  }
}
