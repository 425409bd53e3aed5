import type { Asset, AssetKind } from "../../domain/assets/asset.ts";
import { type Changes, changesBetween } from "../../domain/assets/changes.ts";
import type { Clock, Log } from "../../platform/ports/ports.ts";
import type { Write } from "../../store/records.ts";
import type { Store } from "../../store/store.ts";
import { assetUpdated } from "../events.ts";
import { ROUND_MS, untilNext } from "../rounds.ts";

/** How often the gathered changes are looked at; a whole number of times in a round. */
const DRIFT_TICK_MS = 60_000;
/**
 * No change of a number is untold for longer than this; all that are due go out in one round, so that they share one
 * synced write. With the read itself it stays below 7 minutes (rule I6).
 */
const DRIFTING = { withinMs: 6 * 60_000, everyMs: ROUND_MS } as const;
/** While a charger or vehicle charges its numbers are told sooner (rule I6: charging 2 minutes). */
const CHARGING = { withinMs: 2 * 60_000, everyMs: DRIFT_TICK_MS } as const;
/** Changes told at once per asset and tick; a state that flutters faster is gathered like a number. */
const MAX_AT_ONCE_PER_TICK = 10;

interface Told {
  readonly kind: AssetKind;
  /** Records that go along with what is told at once. */
  readonly records: () => readonly Write[];
  /** The asset as the journal last told it. */
  asset: Asset;
  /** Monotonic ms. */
  atMs: number;
  atOnce: number;
  isCommitting: boolean;
}

interface News {
  readonly told: Told;
  readonly asset: Asset;
  readonly changes: Changes;
}

export interface AssetJournalOptions {
  readonly store: Pick<Store, "commit">;
  readonly clock: Pick<Clock, "monotonicMs" | "sleep">;
  readonly log: Log;
  /** The asset as it is now. */
  current(kind: AssetKind, id: string): Asset | null;
}

/**
 * Tells the journal what changed of assets: a state at once, numbers every few minutes. It compares what was told with
 * what is, so a commit that the disk refused loses nothing: the next one tells it.
 */
export class AssetJournal {
  readonly #options: AssetJournalOptions;
  readonly #told = new Map<string, Told>();
  #isRefused = false;

  constructor(options: AssetJournalOptions) {
    this.#options = options;
  }

  /** From here on changes against `asset` are told. */
  begin(kind: AssetKind, asset: Asset, records: () => readonly Write[]): void {
    const atMs = this.#options.clock.monotonicMs();
    this.#told.set(asset.id, { kind, records, asset, atMs, atOnce: 0, isCommitting: false });
  }

  /** Nothing more is told of the asset. */
  forget(id: string): void {
    this.#told.delete(id);
  }

  /** Somebody else journaled these fields of the asset, in a commit with more: they are not told again. */
  amend(id: string, fields: object): void {
    const told = this.#told.get(id);
    if (told !== undefined) told.asset = Object.assign({}, told.asset, fields);
  }

  /** The asset may have changed. */
  note(asset: Asset): void {
    const told = this.#told.get(asset.id);
    if (told === undefined || told.isCommitting || told.asset === asset) return;
    const changes = changesBetween(told.asset, asset);
    if (!changes.isDiscrete || told.atOnce >= MAX_AT_ONCE_PER_TICK) return;
    told.atOnce += 1;
    void this.#tell([{ told, asset, changes }], told.records());
  }

  /** Tells what was gathered, every tick until the signal aborts. Never rejects. */
  async run(signal: AbortSignal): Promise<void> {
    while (await this.#nextTick(signal)) {
      const due = this.#due();
      if (due.length > 0) await this.#tell(due, []);
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

  #due(): readonly News[] {
    const nowMs = this.#options.clock.monotonicMs();
    const isRound = nowMs % ROUND_MS < DRIFT_TICK_MS;
    const due: News[] = [];
    for (const [id, told] of this.#told) {
      const asset = this.#options.current(told.kind, id);
      const isFluttering = told.atOnce >= MAX_AT_ONCE_PER_TICK;
      told.atOnce = 0;
      if (asset === null || told.isCommitting || told.asset === asset) continue;
      const changes = changesBetween(told.asset, asset);
      if (changes.paths.length === 0) continue;
      // At the next look it would be too late.
      const { withinMs, everyMs } = isCharging(asset) ? CHARGING : DRIFTING;
      const isDue = (isRound || everyMs < ROUND_MS) && nowMs - told.atMs + everyMs > withinMs;
      // A state that is still untold was refused by the disk, or fluttered.
      if (isDue || isFluttering || changes.isDiscrete) due.push({ told, asset, changes });
    }
    return due;
  }

  async #tell(news: readonly News[], writes: readonly Write[]): Promise<void> {
    for (const { told } of news) told.isCommitting = true;
    try {
      await this.#options.store.commit(
        writes,
        news.map(({ told, asset, changes }) => assetUpdated(told.kind, asset, changes.paths)),
      );
      this.#isRefused = false;
      const atMs = this.#options.clock.monotonicMs();
      for (const { told, asset } of news) Object.assign(told, { asset, atMs, isCommitting: false });
      for (const { told, asset } of news) this.note(this.#options.current(told.kind, asset.id) ?? asset);
    } catch (err) {
      if (!this.#isRefused) this.#options.log.warn({ err }, "changes of assets not stored yet");
      this.#isRefused = true;
      for (const { told } of news) told.isCommitting = false;
    }
  }
}

function isCharging(asset: Asset): boolean {
  return "chargeState" in asset && "isCharging" in asset.chargeState && asset.chargeState.isCharging === true;
}
