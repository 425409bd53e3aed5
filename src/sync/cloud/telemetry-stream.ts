/**
 * The telemetry stream, read from the history: each number is a quarter of an hour, so nothing is kept twice. When more
 * waits than there is room for, the oldest quarters are sent as means, then left out with a gap.
 */
import type { Clock, Log, Random } from "../../platform/ports/ports.ts";
import type { CloudSettingsRecord } from "../../store/records/cloud/cloud-configuration.ts";
import type { CloudTelemetryRecord } from "../../store/records/cloud/cloud-telemetry.ts";
import type { Store, TelemetrySample } from "../../store/store.ts";
import type { Gap, SyncRecord, TelemetryPayload } from "../protocol/batch.ts";
import { MAX_RANGES } from "../protocol/limits.ts";
import { columnsOf, meansOf } from "./quarter-means.ts";
import type { Earlier, Page, PageLimits, Position, SyncSource } from "./source.ts";

const QUARTER_MS = 15 * 60_000;
/** What is written every five minutes is on disk by then, and a sample that came late is in it. */
const SETTLE_MS = 6 * 60_000;
/** A clock that was so far ahead was wrong. */
const STEP_BACK_MS = 60 * 60_000;
/** Larger quarters are sent as means. */
const MAX_RECORD_BYTES = 512 * 1024;
/** What a quarter takes until one was measured. */
const FIRST_ESTIMATE_BYTES = 64 * 1024;
/** Part of the room that quarters in full may take; and how much of the estimate the latest quarter is. */
const FULL_SHARE = 0.75;
const LATEST_SHARE = 0.1;
const EPOCH_BYTES = 8;
/** Epochs that are remembered. */
const MAX_EARLIER = 32;
const TABLE = "cloud-telemetry";
const KEY = "current";

export interface TelemetryStreamParts {
  readonly store: Pick<Store, "get" | "commit" | "commitAlong" | "history" | "historyHoles">;
  readonly clock: Pick<Clock, "nowMs" | "quality">;
  readonly random: Pick<Random, "secretBytes">;
  readonly log: Pick<Log, "warn">;
  /** Bytes of JSON that may wait, by estimate. */
  readonly maxBytes: number;
  /** The devices that there are. */
  devices(): readonly string[];
  mode(): CloudSettingsRecord["telemetry"];
}

export class TelemetryStream implements SyncSource {
  readonly stream = "telemetry";
  readonly #parts: TelemetryStreamParts;
  #meta: CloudTelemetryRecord | null;
  #isBeginning = false;
  /** Never goes back within an epoch. */
  #next = 1;
  #full = FIRST_ESTIMATE_BYTES;
  #mean = FIRST_ESTIMATE_BYTES / 64;

  constructor(parts: TelemetryStreamParts) {
    this.#parts = parts;
    this.#meta = parts.store.get(TABLE, KEY);
  }

  position(): Position | null {
    const { clock } = this.#parts;
    if (this.#parts.mode() === "off") return null;
    if (this.#meta === null) {
      void this.begin();
      return null;
    }
    const { epoch, startMs, acked } = this.#meta;
    const complete = Math.floor((clock.nowMs() - SETTLE_MS - startMs) / QUARTER_MS);
    const isAhead = startMs + (Math.max(this.#next - 1, acked) - 1) * QUARTER_MS > clock.nowMs() + STEP_BACK_MS;
    if (clock.quality() !== "unset" && isAhead) {
      void this.#begin(Math.floor(clock.nowMs() / QUARTER_MS) * QUARTER_MS);
      return null;
    }
    if (clock.quality() !== "unset") this.#next = Math.max(this.#next, complete + 1);
    this.#next = Math.max(this.#next, acked + 1);
    return { epoch, acked, next: this.#next };
  }

  async begin(): Promise<void> {
    const { clock, mode } = this.#parts;
    if (this.#meta !== null || clock.quality() === "unset" || mode() === "off") return;
    await this.#begin(Math.floor(clock.nowMs() / QUARTER_MS) * QUARTER_MS);
  }

  async read(after: number, limits: PageLimits): Promise<Page | null> {
    const position = this.position();
    const meta = this.#meta;
    if (position === null || meta === null) return null;
    const { epoch, next } = position;
    const { full, kept } = this.#room();
    const firstKept = next - kept;
    if (after + 1 < firstKept) return this.#dropped(meta, after, firstKept - 1);
    const records: SyncRecord[] = [];
    const empty: number[] = [];
    let bytes = 0;
    let seq = after;
    while (seq + 1 < next && records.length < limits.records && (seq === after || bytes < limits.bytes)) {
      if (empty.length >= MAX_RANGES) break;
      seq += 1;
      const record = await this.#record(meta, seq, seq >= next - full);
      if (record === null) {
        empty.push(seq);
        continue;
      }
      records.push(record);
      bytes += JSON.stringify(record).length;
    }
    return { epoch, records, gaps: await this.#lost(meta, empty), through: seq };
  }

  /** Of quarters of which nothing is there: those in which something may have been measured that is lost. */
  async #lost({ startMs }: CloudTelemetryRecord, empty: readonly number[]): Promise<readonly Gap[]> {
    const [first, last] = [empty[0], empty.at(-1)];
    if (first === undefined || last === undefined) return [];
    const holes = await this.#parts.store.historyHoles(startMs + (first - 1) * QUARTER_MS, startMs + last * QUARTER_MS);
    return empty.flatMap((seq): readonly Gap[] => {
      const [fromMs, throughMs] = [startMs + (seq - 1) * QUARTER_MS, startMs + seq * QUARTER_MS];
      const isLost = holes.some((hole) => hole.fromMs < throughMs && hole.toMs > fromMs);
      return isLost ? [{ from: seq, through: seq, reason: "dropped", fromMs, throughMs }] : [];
    });
  }

  firstAtMs(after: number): number | null {
    return this.#meta === null ? null : this.#meta.startMs + (after + 1) * QUARTER_MS;
  }

  async acknowledge(epoch: string, through: number): Promise<void> {
    this.note(epoch, through);
  }

  note(epoch: string, through: number): void {
    const meta = this.#meta;
    if (meta === null || meta.epoch !== epoch || through <= meta.acked) return;
    this.#keep({ ...meta, acked: through });
  }

  /** The cloud service has less than it acknowledged: what it lost is in the history still. */
  goBack(applied: number): void {
    if (this.#meta !== null && applied < this.#meta.acked) this.#keep({ ...this.#meta, acked: applied });
  }

  earlier(): readonly Earlier[] {
    return this.#meta?.earlier ?? [];
  }

  /** What the cloud service lost is in the history still: it begins anew there. */
  async lostEarlier(known: readonly Earlier[]): Promise<boolean> {
    const lostMs = (this.#meta?.earlier ?? []).flatMap(({ epoch, startMs }) => {
      const left = known.find((each) => each.epoch === epoch);
      return left === undefined ? [] : [startMs + left.acked * QUARTER_MS];
    });
    await this.#begin(Math.min(...lostMs));
    return false;
  }

  /** Begins another epoch, with what is not acknowledged. */
  async renew(): Promise<void> {
    const meta = this.#meta;
    if (meta !== null) await this.#begin(meta.startMs + meta.acked * QUARTER_MS);
  }

  /** How many of the newest quarters are sent in full, and how many at all. */
  #room(): { readonly full: number; readonly kept: number } {
    const { maxBytes } = this.#parts;
    const full = this.#parts.mode() === "quarter-hour" ? 0 : Math.floor((maxBytes * FULL_SHARE) / this.#full);
    return { full, kept: full + Math.floor((maxBytes - full * this.#full) / this.#mean) };
  }

  #dropped({ epoch, startMs }: CloudTelemetryRecord, after: number, through: number): Page {
    const fromMs = startMs + after * QUARTER_MS;
    const throughMs = startMs + through * QUARTER_MS;
    return { epoch, records: [], gaps: [{ from: after + 1, through, reason: "dropped", fromMs, throughMs }], through };
  }

  /** Null: nothing was measured. */
  async #record({ startMs }: CloudTelemetryRecord, seq: number, isFull: boolean): Promise<SyncRecord | null> {
    const fromMs = startMs + (seq - 1) * QUARTER_MS;
    const toMs = fromMs + QUARTER_MS;
    const devices: TelemetryPayload["devices"] = [];
    for (const deviceId of this.#parts.devices()) {
      const samples: readonly TelemetrySample[] = await this.#parts.store.history(deviceId, fromMs, toMs);
      if (samples.length > 0) devices.push(columnsOf(deviceId, samples, fromMs));
    }
    if (devices.length === 0) return null;
    const means = devices.map(meansOf);
    const bytes = JSON.stringify(devices).length;
    this.#full += (bytes - this.#full) * LATEST_SHARE;
    this.#mean += (JSON.stringify(means).length - this.#mean) * LATEST_SHARE;
    const isSent = isFull && bytes <= MAX_RECORD_BYTES;
    const payload: TelemetryPayload = isSent
      ? { fromMs, resolution: "full", devices }
      : { fromMs, resolution: "quarter-hour", devices: means };
    const shape = { seq, boot: 0, monotonicMs: 0, quality: "synced", event: "system:telemetry", entity: null } as const;
    return { ...shape, atMs: toMs, payload };
  }

  async #begin(startMs: number): Promise<void> {
    if (this.#isBeginning) return;
    this.#isBeginning = true;
    const epoch = Buffer.from(this.#parts.random.secretBytes(EPOCH_BYTES)).toString("hex");
    const put: CloudTelemetryRecord = { epoch, startMs, acked: 0, earlier: this.#earlierThan(startMs) };
    try {
      await this.#parts.store.commit([{ table: TABLE, key: KEY, put }], []);
      this.#meta = put;
      this.#next = 1;
    } catch (err) {
      this.#parts.log.warn({ err }, "telemetry for the cloud service not begun yet");
    } finally {
      this.#isBeginning = false;
    }
  }

  /** What epochs tell of the time before an instant; what they tell after it is told again. */
  #earlierThan(untilMs: number): NonNullable<CloudTelemetryRecord["earlier"]> {
    const epochs = this.#meta === null ? [] : [...(this.#meta.earlier ?? []), this.#meta];
    const before = epochs.map(({ epoch, startMs, acked }) => {
      return { epoch, startMs, acked: Math.min(acked, Math.floor((untilMs - startMs) / QUARTER_MS)) };
    });
    return before.filter(({ acked }) => acked > 0).slice(-MAX_EARLIER);
  }

  /** A power cut may take it: then a part is sent again, and known by its number. */
  #keep(put: CloudTelemetryRecord): void {
    this.#meta = put;
    this.#parts.store.commitAlong([{ table: TABLE, key: KEY, put }]);
  }
}
