import type { Asset, AssetKind } from "../../domain/assets/asset.ts";
import { type Changes, changesBetween } from "../../domain/assets/changes.ts";
import { MINUTE_MS } from "../../domain/duration.ts";
import type { Clock, Log } from "../../platform/ports/ports.ts";
import type { Write } from "../../store/records.ts";
import type { Store } from "../../store/store.ts";
import { assetUpdated } from "../events.ts";
import { ROUND_MS, untilNext } from "../rounds.ts";

/** Interval at which collected changes are checked; a divisor of the round. */
const DRIFT_TICK_MS = 60_000;
/**
 * A changed number is published within this time. All that are due are published in one round, so that they share one
 * synced write. With the read itself it takes less than 7 minutes (rule I6).
 */
const DRIFTING = { withinMs: 6 * MINUTE_MS, everyMs: ROUND_MS } as const;
/** While a charger or vehicle charges, its numbers are published within 2 minutes (rule I6). */
const CHARGING = { withinMs: 2 * MINUTE_MS, everyMs: DRIFT_TICK_MS } as const;
/** Changes published at once per asset and tick; a state that changes more often is collected like a number. */
const MAX_AT_ONCE_PER_TICK = 10;

/** An asset in the state in which it was last published. */
interface Published {
  readonly kind: AssetKind;
  /** Returns the records to store along with a change that is published at once. */
  readonly records: () => readonly Write[];
  asset: Asset;
  /** When it was last published, monotonic ms. */
  atMs: number;
  /** Changes published at once in this tick. */
  atOnce: number;
  isCommitting: boolean;
}

interface PendingChange {
  readonly published: Published;
  readonly asset: Asset;
  readonly changes: Changes;
}

export interface AssetJournalOptions {
  readonly store: Pick<Store, "commit">;
  readonly clock: Pick<Clock, "monotonicMs" | "sleep">;
  readonly log: Log;
  /** Returns the present state of an asset. */
  current(kind: AssetKind, id: string): Asset | null;
}

/**
 * Publishes changes of assets to the journal: states at once, numbers every few minutes. It compares each asset with its
 * last published state, so a failed commit loses nothing: the next one contains its changes.
 */
export class AssetJournal {
  readonly #options: AssetJournalOptions;
  readonly #published = new Map<string, Published>();
  #hasFailed = false;

  constructor(options: AssetJournalOptions) {
    this.#options = options;
  }

  /** Publishes the changes against `asset` from now on. */
  begin(kind: AssetKind, asset: Asset, records: () => readonly Write[]): void {
    const atMs = this.#options.clock.monotonicMs();
    this.#published.set(asset.id, { kind, records, asset, atMs, atOnce: 0, isCommitting: false });
  }

  /** Publishes no more changes of the asset. */
  forget(id: string): void {
    this.#published.delete(id);
  }

  /** Marks fields of the asset as published, because another commit contained them. */
  amend(id: string, fields: object): void {
    const published = this.#published.get(id);
    if (published !== undefined) published.asset = Object.assign({}, published.asset, fields);
  }

  /** Publishes a changed state of the asset at once. */
  note(asset: Asset): void {
    const published = this.#published.get(asset.id);
    if (published === undefined || published.isCommitting || published.asset === asset) return;
    const changes = changesBetween(published.asset, asset);
    if (!changes.isDiscrete || published.atOnce >= MAX_AT_ONCE_PER_TICK) return;
    published.atOnce += 1;
    void this.#publish([{ published, asset, changes }], published.records());
  }

  /** Publishes collected changes every tick until the signal aborts. Never rejects. */
  async run(signal: AbortSignal): Promise<void> {
    while (await this.#nextTick(signal)) {
      const due = this.#due();
      if (due.length > 0) await this.#publish(due, []);
    }
  }

  async #nextTick(signal: AbortSignal): Promise<boolean> {
    try {
      const { clock } = this.#options;
      await clock.sleep(untilNext(clock, DRIFT_TICK_MS), signal);
      return true;
    } catch {
      return false;
    }
  }

  #due(): readonly PendingChange[] {
    const nowMs = this.#options.clock.monotonicMs();
    const isRound = nowMs % ROUND_MS < DRIFT_TICK_MS;
    const due: PendingChange[] = [];
    for (const [id, published] of this.#published) {
      const asset = this.#options.current(published.kind, id);
      const isTooFrequent = published.atOnce >= MAX_AT_ONCE_PER_TICK;
      published.atOnce = 0;
      if (asset === null || published.isCommitting || published.asset === asset) continue;
      const changes = changesBetween(published.asset, asset);
      if (changes.paths.length === 0) continue;
      // At the next tick it would be too late.
      const { withinMs, everyMs } = isCharging(asset) ? CHARGING : DRIFTING;
      const isDue = (isRound || everyMs < ROUND_MS) && nowMs - published.atMs + everyMs > withinMs;
      // A state that is still not published could not be stored, or changed too often.
      if (isDue || isTooFrequent || changes.isDiscrete) due.push({ published, asset, changes });
    }
    return due;
  }

  async #publish(pending: readonly PendingChange[], writes: readonly Write[]): Promise<void> {
    for (const { published } of pending) published.isCommitting = true;
    try {
      await this.#options.store.commit(
        writes,
        pending.map(({ published, asset, changes }) => assetUpdated(published.kind, asset, changes.paths)),
      );
      this.#hasFailed = false;
      const atMs = this.#options.clock.monotonicMs();
      for (const { published, asset } of pending) Object.assign(published, { asset, atMs, isCommitting: false });
      for (const { published, asset } of pending) this.note(this.#options.current(published.kind, asset.id) ?? asset);
    } catch (err) {
      if (!this.#hasFailed) this.#options.log.warn({ err }, "cannot store changes of assets; will retry every minute");
      this.#hasFailed = true;
      for (const { published } of pending) published.isCommitting = false;
    }
  }
}

function isCharging(asset: Asset): boolean {
  return "chargeState" in asset && "isCharging" in asset.chargeState && asset.chargeState.isCharging === true;
}
