/** What a cloud service keeps of one gateway. All of it is one database: a transaction changes it as a whole. */
import type { Batch, Gap, SyncRecord } from "../../../src/sync/protocol/batch.ts";
import type { Boot } from "../../../src/sync/protocol/fields.ts";
import type { Hello } from "../../../src/sync/protocol/handshake.ts";

/** A stream in an epoch, such as `event/0f…`. */
type Place = string;

interface KnownBoot extends Boot {
  /** What was applied of each epoch in which it was the start welcomed last, when it was that for the last time. */
  readonly applied: Readonly<Record<Place, number>>;
}

export interface Met {
  readonly isFork: boolean;
  readonly knownBoot: Boot | null;
  readonly streams: Record<string, { epoch: string; applied: number }>;
  readonly earlier: { stream: string; epoch: string; applied: number }[];
}

/** One that was told as an event has numbers only. */
type KnownGap = Pick<Gap, "from" | "through" | "fromMs" | "throughMs">;

const GAP_EVENT = "system:outbox:gap";

export class CloudMemory {
  /** Events in the order in which they had their effect. */
  readonly effects: SyncRecord[] = [];
  readonly telemetry: SyncRecord[] = [];
  /** The newest state of each entity. */
  readonly states = new Map<string, SyncRecord>();
  readonly gaps: { readonly place: Place; readonly gap: KnownGap }[] = [];
  readonly #boots = new Map<string, KnownBoot>();
  #latest: string | null = null;
  readonly #epochs = new Set<string>();
  /** The epoch of each stream that the latest hello named. */
  readonly #current = new Map<string, string>();
  /** Places that another epoch took over from; a late hello must not bring them back. */
  readonly #retired = new Set<Place>();
  readonly #applied = new Map<Place, number>();
  /** What tells a record from all others, whatever its number. */
  readonly #identities = new Set<string>();
  /** Places of events under which another copy of the card may still send what is here under another number. */
  readonly #named = new Set<Place>();

  /** The same, for a backup. */
  copy(): CloudMemory {
    const copy = new CloudMemory();
    copy.effects.push(...this.effects);
    copy.telemetry.push(...this.telemetry);
    copy.gaps.push(...this.gaps);
    copy.#latest = this.#latest;
    for (const [key, value] of this.states) copy.states.set(key, value);
    for (const [key, value] of this.#boots) copy.#boots.set(key, value);
    for (const epoch of this.#epochs) copy.#epochs.add(epoch);
    for (const place of this.#retired) copy.#retired.add(place);
    for (const [key, value] of this.#current) copy.#current.set(key, value);
    for (const [key, value] of this.#applied) copy.#applied.set(key, value);
    for (const identity of this.#identities) copy.#identities.add(identity);
    for (const place of this.#named) copy.#named.add(place);
    return copy;
  }

  /** See docs/cloud-protocol.md, Meeting. */
  meet({ boots, streams, earlier = [] }: Hello): Met {
    const isLatestAmong = this.#latest === null || boots.some(({ id }) => id === this.#latest);
    const named = Object.entries(streams);
    const isKnown = named.some(([, { epoch }]) => this.#epochs.has(epoch));
    const isRetired = named.some(([stream, { epoch }]) => this.#retired.has(`${stream}/${epoch}`));
    const isFork = isRetired || (!isLatestAmong && isKnown);
    const known = boots.findLast(({ id }) => this.#boots.has(id));
    const remembered = known === undefined ? undefined : this.#boots.get(known.id);
    const isLatest = known?.id === this.#latest;
    const at = (place: Place): number => {
      if (!isFork || (isLatest && this.#places.includes(place))) return this.#applied.get(place) ?? 0;
      return remembered?.applied[place] ?? 0;
    };
    const positions = named.map(([stream, { epoch }]) => {
      return [stream, { epoch, applied: at(`${stream}/${epoch}`) }] as const;
    });
    if (!isFork) this.#welcome(boots, streams);
    return {
      isFork,
      knownBoot: known ?? null,
      streams: Object.fromEntries(positions),
      earlier: earlier.map(({ stream, epoch }) => {
        return { stream, epoch, applied: this.#applied.get(`${stream}/${epoch}`) ?? 0 };
      }),
    };
  }

  /** See docs/cloud-protocol.md, Applying a batch. Null: an epoch, or a start, that is not the latest. */
  apply(batch: Batch): { readonly through: number; readonly missing: Pick<Gap, "from" | "through">[] } | null {
    const { stream, epoch, from, through, bootId } = batch;
    if (this.#current.get(stream) !== epoch || this.#latest !== bootId) return null;
    const place = `${stream}/${epoch}`;
    const applied = this.#applied.get(place) ?? 0;
    if (from > applied + 1) return { through: applied, missing: [{ from: applied + 1, through: from - 1 }] };
    for (const record of batch.records) if (record.seq > applied) this.#take(batch, record);
    for (const gap of batch.gaps) if (gap.through > applied) this.gaps.push({ place, gap });
    this.#applied.set(place, Math.max(applied, through));
    return { through: Math.max(applied, through), missing: [] };
  }

  #welcome(boots: readonly Boot[], streams: Hello["streams"]): void {
    const last = boots.at(-1);
    const latest = this.#latest === null ? undefined : this.#boots.get(this.#latest);
    if (latest !== undefined) {
      const left = this.#places.map((place) => [place, this.#applied.get(place) ?? 0] as const);
      this.#boots.set(latest.id, { ...latest, applied: { ...latest.applied, ...Object.fromEntries(left) } });
    }
    for (const [stream, { epoch }] of Object.entries(streams)) {
      this.#epochs.add(epoch);
      const before = this.#current.get(stream);
      if (before !== undefined && before !== epoch) this.#retired.add(`${stream}/${before}`);
      this.#current.set(stream, epoch);
    }
    if (last === undefined) return;
    this.#boots.set(last.id, { applied: {}, ...this.#boots.get(last.id), ...last });
    this.#latest = last.id;
  }

  get #places(): readonly Place[] {
    return [...this.#current].map(([stream, epoch]) => `${stream}/${epoch}`);
  }

  #take({ stream, epoch }: Batch, record: SyncRecord): void {
    const { boot, monotonicMs, event, payload } = record;
    const identity = JSON.stringify([stream, boot, monotonicMs, event, payload]);
    const mayBeKnown = record.was !== undefined || this.#named.has(`${epoch}/${record.seq}`);
    const isKnown = stream === "event" && mayBeKnown && this.#identities.has(identity);
    this.#identities.add(identity);
    for (const at of record.was ?? []) this.#named.add(`${at.epoch}/${at.seq}`);
    if (isKnown) return;
    if (stream === "telemetry") this.telemetry.push(record);
    else if (stream === "state") this.states.set(record.entity ?? "", record);
    else this.#happened(record);
  }

  #happened(record: SyncRecord): void {
    this.effects.push(record);
    if (record.event !== GAP_EVENT) return;
    const gaps: unknown = Reflect.get(Object(record.payload), "gaps");
    for (const gap of Array.isArray(gaps) ? gaps : []) this.gaps.push({ place: `${gap.stream}/${gap.epoch}`, gap });
  }
}
