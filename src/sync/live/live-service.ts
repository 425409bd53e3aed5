import { ASSET_KINDS, type Asset, type AssetKind } from "../../domain/assets/asset.ts";
import { DAY_MS } from "../../domain/duration.ts";
import type { HemSystem } from "../../domain/hem/hem-system.ts";
import type { Actions, Assets } from "../../engine/contracts/engine.ts";
import type { HousePowers } from "../../engine/contracts/hem.ts";
import type { Live, LiveRequest, LiveStream } from "../../engine/contracts/live.ts";
import type { Clock, Log } from "../../platform/ports/ports.ts";
import { sleep } from "../../platform/sleep.ts";
import { WakeSignal } from "../../platform/wake-signal.ts";
import type { JournalPlace } from "../../store/records/webhooks.ts";
import type { Store } from "../../store/store.ts";
import { isPublic, type PayloadMapper } from "../webhooks/event-text.ts";
import { isOwnEvent, type LiveEntry } from "./live-entry.ts";
import { type LiveChange, LiveMemory } from "./live-memory.ts";
import { MemoryStream } from "./live-stream.ts";

/** Open streams at a time: browser pages of a house and some automations. */
const MAX_STREAMS = 32;
const PAGE = 200;
const STORE_RETRY_MS = 5_000;
/** The longest wait for the wake-up that follows each journal entry, ms. */
const IDLE_MS = DAY_MS;

export interface LiveOptions {
  readonly store: Pick<Store, "epoch" | "journalEnd" | "watchJournal" | "journalAfter">;
  readonly clock: Clock;
  readonly log: Log;
  readonly assets: Assets;
  readonly actions: Pick<Actions, "observe" | "pendingOf">;
  readonly mapped: PayloadMapper;
  isDeauthorized(userId: string): boolean;
  readonly powers: Pick<HousePowers, "list" | "observe">;
  /** Returns the energy systems of a user, or of all users for `null`. */
  systems(userId: string | null): readonly HemSystem[];
}

/** Serves live streams: follows assets and actions in memory, and everything else in the journal. */
export class LiveService implements Live, AsyncDisposable {
  readonly #options: LiveOptions;
  readonly #memory = new LiveMemory();
  readonly #streams = new Set<MemoryStream>();
  readonly #observations = new DisposableStack();
  readonly #wake: WakeSignal;
  readonly #stop = new AbortController();
  readonly #tail: Promise<void>;
  #place: JournalPlace;

  constructor(options: LiveOptions) {
    this.#options = options;
    const { assets, actions, powers, store, clock } = options;
    this.#wake = new WakeSignal(clock);
    this.#place = store.journalEnd;
    for (const kind of ASSET_KINDS) for (const { asset } of assets.list(kind)) this.#noteAsset(kind, asset.id, asset);
    this.#observations.use(assets.observe((kind, id, asset) => this.#noteAsset(kind, id, asset)));
    this.#observations.use(actions.observe((action) => this.#note(`action/${action.id}`, { type: "action", action })));
    for (const power of powers.list()) this.#note(`house/${power.hemSystemId}`, { type: "house", power });
    this.#observations.use(
      powers.observe((power) => this.#note(`house/${power.hemSystemId}`, { type: "house", power })),
    );
    this.#observations.use(store.watchJournal(() => this.#wake.notify()));
    this.#tail = this.#followJournal(this.#stop.signal);
  }

  open(request: LiveRequest): LiveStream | null {
    if (this.#streams.size >= MAX_STREAMS) return null;
    const { store, clock, mapped, actions, isDeauthorized, systems } = this.#options;
    const stream = new MemoryStream(
      {
        memory: this.#memory,
        epoch: store.epoch,
        clock,
        mapped,
        isDeauthorized,
        systems,
        pendingAction: (targetId) => actions.pendingOf(targetId)?.action ?? null,
        onClose: (closed) => this.#streams.delete(closed),
      },
      request,
    );
    this.#streams.add(stream);
    return stream;
  }

  endStreams(): void {
    for (const stream of this.#streams) stream[Symbol.dispose]();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#observations[Symbol.dispose]();
    this.#stop.abort(new Error("the gateway stops"));
    this.endStreams();
    await this.#tail;
  }

  #noteAsset(kind: AssetKind, id: string, asset: Asset | null): void {
    const key = `asset/${id}`;
    const known = this.#memory.get(key);
    const before = known?.type === "asset" && !known.isGone ? known : null;
    const last = asset ?? before?.asset;
    if (last === undefined) return;
    const firstSeq = before?.firstSeq ?? this.#memory.seq + 1;
    this.#note(key, { type: "asset", kind, asset: last, isGone: asset === null, firstSeq });
  }

  #note(key: string, change: LiveChange): void {
    const entry: LiveEntry = this.#memory.note(key, change);
    for (const stream of this.#streams) stream.note(key, entry);
  }

  /** Never rejects. */
  async #followJournal(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      try {
        if (!(await this.#readPage())) await this.#wake.wait(IDLE_MS, signal);
      } catch (err) {
        if (signal.aborted) return;
        this.#options.log.warn({ err }, "cannot read the journal for live streams; trying again");
        await sleep(this.#options.clock, STORE_RETRY_MS, signal).catch(() => undefined);
      }
    }
  }

  /** Reads a page of the journal. Returns true if there may be more. */
  async #readPage(): Promise<boolean> {
    const entries = await this.#options.store.journalAfter(this.#place, PAGE);
    for (const entry of entries) {
      this.#place = { epoch: entry.epoch, seq: entry.seq };
      if (!isPublic(entry.event) || isOwnEvent(entry.event)) continue;
      this.#note(`event/${entry.epoch}-${entry.seq}`, { type: "event", entry });
    }
    return entries.length > 0;
  }
}
