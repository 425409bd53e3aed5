import type { Action } from "../../domain/actions/action.ts";
import type { Asset } from "../../domain/assets/asset.ts";
import { changesBetween } from "../../domain/assets/changes.ts";
import { HOUR_MS } from "../../domain/duration.ts";
import { instant } from "../../domain/fields.ts";
import type { HemSystem } from "../../domain/hem/hem-system.ts";
import type { HemPower } from "../../engine/contracts/hem.ts";
import type { LiveRequest, LiveStream } from "../../engine/contracts/live.ts";
import type { Clock } from "../../platform/ports/ports.ts";
import { entryText, eventText, type Payload, type PayloadMapper } from "../webhooks/event-text.ts";
import { kindOf, type LiveEntry, ownerOf } from "./live-entry.ts";
import type { LiveMemory } from "./live-memory.ts";

/** A comment is sent after this time without an event, so that proxies and readers know that the stream is alive. */
const HEARTBEAT_MS = 15_000;
/**
 * The longest time of a stream, so that it ends soon after the token that opened it has expired. The reader reconnects
 * with a new token.
 */
const MAX_STREAM_MS = HOUR_MS;
const HEARTBEAT_TEXT = ": alive\n\n";
/** Tells the reader to wait 3 s before it reconnects. */
const GREETING = "retry: 3000\n\n";

/** Why a stream starts with a snapshot: it is the first one, or it cannot resume the previous one. */
type SnapshotReason = "start" | "restarted" | "expired";

export interface StreamParts {
  readonly memory: LiveMemory;
  readonly epoch: number;
  readonly clock: Pick<Clock, "nowMs" | "timer">;
  readonly mapped: PayloadMapper;
  isDeauthorized(userId: string): boolean;
  /** Returns the running action of a target; `null` if there is none. */
  pendingAction(targetId: string): Action | null;
  /** Returns the energy systems of a user, or of all users for `null`. */
  systems(userId: string | null): readonly HemSystem[];
  onClose(stream: MemoryStream): void;
}

/** A live stream. It stores only the keys of unsent changes, each once, however slow its reader is. */
export class MemoryStream implements LiveStream {
  readonly #parts: StreamParts;
  readonly #request: LiveRequest;
  /** Keys of unsent changes, with the place of the first one; oldest first. */
  readonly #pending = new Map<string, number>();
  /** The last state that was sent, by key. */
  readonly #lastSent = new Map<string, Asset | Action>();
  /** Texts to send before everything else. */
  readonly #front: string[] = [GREETING];
  readonly #end: Disposable;
  #heartbeat: Disposable;
  #isHeartbeatDue = false;
  /** Unsent keys of the snapshot; `null` if the reader has the whole state. */
  #snapshot: Set<string> | null = null;
  #startSeq: number;
  #listener: () => void = () => undefined;
  #isOver = false;

  constructor(parts: StreamParts, request: LiveRequest) {
    this.#parts = parts;
    this.#request = request;
    this.#startSeq = parts.memory.seq;
    this.#heartbeat = this.#startHeartbeat();
    this.#end = parts.clock.timer(MAX_STREAM_MS, () => this[Symbol.dispose]());
    this.#begin();
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  watch(listener: () => void): void {
    this.#listener = listener;
  }

  /** Adds a change of an entry. */
  note(key: string, entry: LiveEntry): void {
    if (!this.#wants(entry) || this.#pending.has(key)) return;
    this.#pending.set(key, entry.seq);
    this.#listener();
  }

  next(): string | null {
    if (this.#isOver) return null;
    const text = this.#front.shift() ?? this.#nextChange() ?? (this.#isHeartbeatDue ? HEARTBEAT_TEXT : null);
    if (text === null) return null;
    this.#isHeartbeatDue = false;
    this.#heartbeat[Symbol.dispose]();
    this.#heartbeat = this.#startHeartbeat();
    return text;
  }

  [Symbol.dispose](): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#heartbeat[Symbol.dispose]();
    this.#end[Symbol.dispose]();
    this.#pending.clear();
    this.#lastSent.clear();
    this.#parts.onClose(this);
    this.#listener();
  }

  #begin(): void {
    const from = this.#resumePoint();
    if (typeof from === "string") {
      this.#beginSnapshot(from);
      return;
    }
    this.#startSeq = from.seq;
    for (const key of from.keys) {
      const entry = this.#parts.memory.get(key);
      if (entry !== undefined && this.#wants(entry)) this.#pending.set(key, entry.seq);
    }
  }

  /**
   * Returns the place where the reader's last stream ended and the keys that changed since; or the reason why it cannot
   * resume.
   */
  #resumePoint(): SnapshotReason | { readonly seq: number; readonly keys: readonly string[] } {
    const { memory, epoch } = this.#parts;
    const { lastEventId } = this.#request;
    if (lastEventId === null) return "start";
    const [, lastEpoch, lastSeq] = /^(\d{1,15})-(\d{1,15})$/.exec(lastEventId) ?? [];
    if (Number(lastEpoch) !== epoch) return "restarted";
    const seq = Number(lastSeq);
    const keys = memory.after(seq);
    return keys === null ? "expired" : { seq, keys };
  }

  #beginSnapshot(reason: SnapshotReason): void {
    const { memory } = this.#parts;
    this.#pending.clear();
    this.#lastSent.clear();
    this.#startSeq = memory.seq;
    const keys = memory.assets().flatMap(([key, entry]) => (this.#wants(entry) ? [key] : []));
    for (const key of keys) this.#pending.set(key, this.#startSeq);
    for (const key of this.#houseKeys()) this.#pending.set(key, this.#startSeq);
    this.#snapshot = new Set(keys);
    const head = { reason, version: this.#request.version, assets: keys.length };
    this.#front.push(`event: snapshot\ndata: ${JSON.stringify(head)}\n\n`);
    this.#front.push(...this.#systemTexts());
    if (keys.length === 0) this.#endSnapshot();
  }

  /** Returns the keys of the house powers, without those of deleted systems, which stay in memory. */
  #houseKeys(): readonly string[] {
    const { kinds, userId } = this.#request;
    const systems = kinds === null ? this.#parts.systems(userId) : [];
    const ids = new Set(systems.map(({ id }) => id));
    return this.#parts.memory.houses().flatMap(([key, entry]) => {
      const isThere = entry.type === "house" && ids.has(entry.power.hemSystemId);
      return isThere && this.#wants(entry) ? [key] : [];
    });
  }

  #systemTexts(): readonly string[] {
    const { kinds, userId } = this.#request;
    const systems = kinds === null ? this.#parts.systems(userId) : [];
    return systems
      .filter((system) => !this.#parts.isDeauthorized(system.userId))
      .flatMap((hemSystem) => this.#event("user:hem-system:current", { user: { id: hemSystem.userId }, hemSystem }));
  }

  /** Ends the snapshot: from now on the reader can resume at a place. */
  #endSnapshot(): void {
    this.#snapshot = null;
    this.#front.push(`event: live\nid: ${this.#id()}\ndata: {}\n\n`);
  }

  #nextChange(): string | null {
    for (const key of this.#pending.keys()) {
      this.#pending.delete(key);
      const entry = this.#parts.memory.get(key);
      if (entry === undefined) {
        // The entry was deleted before this slow reader received it, so it gets a new snapshot.
        this.#beginSnapshot("expired");
        return this.#front.shift() ?? null;
      }
      const texts = this.#wants(entry) ? this.#textsOf(key, entry) : [];
      if (this.#snapshot?.delete(key) === true && this.#snapshot.size === 0) this.#endSnapshot();
      const [text, ...rest] = [...texts, ...this.#front.splice(0)];
      this.#front.push(...rest);
      if (text !== undefined) return text;
    }
    return null;
  }

  /**
   * The id of the last entry before the first unsent one: everything up to it was sent, in this state or a newer one.
   */
  #id(): string {
    const [firstPending] = this.#pending.values();
    const seq = firstPending === undefined ? this.#parts.memory.seq : firstPending - 1;
    return `${this.#parts.epoch}-${seq}`;
  }

  #wants(entry: LiveEntry): boolean {
    const { kinds, userId } = this.#request;
    const owner = ownerOf(entry);
    if (owner !== null && ((userId !== null && owner !== userId) || this.#parts.isDeauthorized(owner))) return false;
    if (entry.type === "house") return kinds === null;
    const kind = kindOf(entry);
    return kinds === null || kind === null || kinds.includes(kind);
  }

  #textsOf(key: string, entry: LiveEntry): string[] {
    switch (entry.type) {
      case "asset":
        return this.#assetTexts(key, entry);
      case "action":
        return this.#actionTexts(key, entry.action);
      case "house":
        return this.#event("user:hem-system:power", powerPayload(entry.power));
      case "event":
        return this.#messages(entryText(entry.entry, this.#request.version, this.#parts.mapped));
      default:
        return entry satisfies never;
    }
  }

  #assetTexts(key: string, { kind, asset, isGone, firstSeq }: LiveEntry & { type: "asset" }): string[] {
    const before = this.#lastSent.get(key);
    const payload = { user: { id: asset.userId }, [kind]: asset };
    if (isGone) {
      this.#lastSent.delete(key);
      if (before === undefined && this.#snapshot?.has(key) === true) return [];
      return this.#event(`user:${kind}:deleted`, payload);
    }
    this.#lastSent.set(key, asset);
    if (before !== undefined) {
      const updatedFields = changesBetween(before, asset).paths;
      return updatedFields.length === 0 ? [] : this.#event(`user:${kind}:updated`, { ...payload, updatedFields });
    }
    const isNew = this.#snapshot?.has(key) !== true && firstSeq > this.#startSeq;
    const texts = this.#event(`user:${kind}:${isNew ? "discovered" : "current"}`, payload);
    const action = this.#snapshot === null ? null : this.#parts.pendingAction(asset.id);
    if (action === null) return texts;
    this.#lastSent.set(`action/${action.id}`, action);
    const current = { user: { id: action.userId }, vendorAction: action };
    return [...texts, ...this.#event("user:vendor-action:current", current)];
  }

  #actionTexts(key: string, action: Action): string[] {
    const updatedFields = changesBetween(this.#lastSent.get(key) ?? {}, action).paths;
    if (action.state === "PENDING") this.#lastSent.set(key, action);
    else this.#lastSent.delete(key);
    if (updatedFields.length === 0) return [];
    const payload = { user: { id: action.userId }, vendorAction: action, updatedFields };
    return this.#event("user:vendor-action:updated", payload);
  }

  /** Returns the message of an event; none if the version does not have the event. */
  #event(event: string, payload: Payload): string[] {
    const { clock, mapped } = this.#parts;
    const { version } = this.#request;
    const own = mapped(event, payload, version);
    return this.#messages(own === null ? null : eventText({ createdAtMs: clock.nowMs(), version, event }, own));
  }

  #messages(json: string | null): string[] {
    return json === null ? [] : [this.#message(json)];
  }

  #message(json: string): string {
    return this.#snapshot === null ? `id: ${this.#id()}\ndata: ${json}\n\n` : `data: ${json}\n\n`;
  }

  #startHeartbeat(): Disposable {
    return this.#parts.clock.timer(HEARTBEAT_MS, () => {
      this.#isHeartbeatDue = true;
      this.#listener();
    });
  }
}

/** Returns the payload of a house's power, in kW. */
function powerPayload({ userId, hemSystemId, gridW, generationW, batteryW, loadW, loadFrom, atMs }: HemPower): Payload {
  const kw = (watts: number | null): number | null => (watts === null ? null : Math.round(watts) / 1_000);
  const power = { load: kw(loadW), grid: kw(gridW), generation: kw(generationW), battery: kw(batteryW), unit: "kW" };
  return { user: { id: userId }, hemSystemId, power: { ...power, loadFrom, lastUpdated: instant(atMs) } };
}
