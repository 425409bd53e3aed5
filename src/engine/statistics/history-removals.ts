/** What devices of removed users and removed assets did is forgotten with them. */
import { MINUTE_MS } from "../../domain/duration.ts";
import type { Clock, Log } from "../../platform/ports/ports.ts";
import { WakeSignal } from "../../platform/wake-signal.ts";
import type { Write } from "../../store/records.ts";
import type { Store } from "../../store/store.ts";
import type { Forgetter, Removal } from "../contracts/users.ts";
import type { EnginePart } from "../engine-part.ts";
import type { Feature } from "../feature.ts";

/** A disk that refused is asked again after this long. */
const RETRY_MS = 10 * MINUTE_MS;

export interface HistoryRemovalParts {
  readonly clock: Pick<Clock, "timer">;
  readonly log: Log;
  readonly store: Pick<Store, "all" | "get" | "commit" | "forgetHistory">;
}

export class HistoryRemovals implements Forgetter, EnginePart {
  readonly #parts: HistoryRemovalParts;
  readonly #wake: WakeSignal;

  constructor(parts: HistoryRemovalParts) {
    this.#parts = parts;
    this.#wake = new WakeSignal(parts.clock);
  }

  /** Notes, in the removal's own commit, the devices of which no asset is left: a crash forgets none of them. */
  forget(removal: Removal): readonly Write[] {
    if (removal.kind !== "assets") return [];
    const { store } = this.#parts;
    const leaving = new Set<string>();
    const staying = new Set<string>();
    for (const { id, deviceId } of store.all("asset")) (removal.assetIds.has(id) ? leaving : staying).add(deviceId);
    return [...leaving.difference(staying)].map(
      (deviceId): Write => ({ table: "forgotten", key: deviceId, put: { deviceId } }),
    );
  }

  onForgotten(): void {
    this.#wake.notify();
  }

  async run(signal: AbortSignal): Promise<void> {
    do {
      await this.#drop();
    } while (await this.#nextRound(signal));
  }

  async #nextRound(signal: AbortSignal): Promise<boolean> {
    try {
      await this.#wake.wait(RETRY_MS, signal);
      return true;
    } catch {
      return false;
    }
  }

  async #drop(): Promise<void> {
    const { store, log } = this.#parts;
    for (const { deviceId } of store.all("forgotten")) {
      try {
        await store.forgetHistory(deviceId);
        await store.commit([{ table: "forgotten", key: deviceId, remove: true }], []);
      } catch (err) {
        log.warn({ err, deviceId }, "history not forgotten yet");
      }
    }
  }
}

export function createHistoryRemovals(parts: HistoryRemovalParts): Feature<HistoryRemovals> {
  const service = new HistoryRemovals(parts);
  return { name: "historyRemovals", service, forgetter: service, loop: service };
}
