/**
 * The telemetry stream, read from the history: each number is a quarter of an hour, so nothing is stored twice. If more
 * waits than the limit allows, the oldest quarter-hours are sent as means, then left out with a gap.
 */
import { HOUR_MS, MINUTE_MS } from "../../domain/duration.ts";
import type { Clock, Log, Random } from "../../platform/ports/ports.ts";
import type { CloudSettingsRecord } from "../../store/records/cloud/cloud-configuration.ts";
import type { CloudTelemetryRecord } from "../../store/records/cloud/cloud-telemetry.ts";
import type { Store, TelemetrySample } from "../../store/store.ts";
import type { Gap, SyncRecord, TelemetryPayload } from "../protocol/batch.ts";
import { MAX_RANGES } from "../protocol/limits.ts";
import type { Earlier, Page, PageLimits, Position, SyncSource } from "./source.ts";

type DeviceColumns = TelemetryPayload["devices"][number];
type Value = DeviceColumns["points"][string][number];

const QUARTER_MS = 15 * MINUTE_MS;
/**
 * Samples are written every five minutes; after this time a quarter-hour is on disk, including samples that came late.
 */
const SETTLE_MS = 6 * MINUTE_MS;
/** If the stream is so far ahead of the clock, the clock was wrong before. */
const STEP_BACK_MS = HOUR_MS;
/** Larger quarter-hours are sent as means. */
const MAX_RECORD_BYTES = 512 * 1024;
/** Estimated size of a quarter-hour until one was measured. */
const FIRST_ESTIMATE_BYTES = 64 * 1024;
/** Share of the limit that quarter-hours in full may use, and the weight of the latest one in the size estimate. */
const FULL_SHARE = 0.75;
const LATEST_SHARE = 0.1;
const EPOCH_BYTES = 8;
/** Earlier epochs that are stored. */
const MAX_EARLIER = 32;
const TABLE = "cloud-telemetry";
const KEY = "current";

export interface TelemetryStreamParts {
  readonly store: Pick<Store, "get" | "commit" | "commitAlong" | "history" | "historyHoles">;
  readonly clock: Pick<Clock, "nowMs" | "quality">;
  readonly random: Pick<Random, "secretBytes">;
  readonly log: Pick<Log, "warn">;
  /** Bytes of JSON that may wait, estimated. */
  readonly maxBytes: number;
  /** Returns the ids of all devices. */
  devices(): readonly string[];
  /** Returns the configured resolution. */
  mode(): CloudSettingsRecord["telemetry"];
}

/** Sends the history of all devices, one record for each quarter of an hour. */
export class TelemetryStream implements SyncSource {
  readonly stream = "telemetry";
  readonly #parts: TelemetryStreamParts;
  #meta: CloudTelemetryRecord | null;
  #isStarting = false;
  /** The next number; it never goes back within an epoch. */
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
      void this.start();
      return null;
    }
    const { epoch, startMs, acked } = this.#meta;
    const complete = Math.floor((clock.nowMs() - SETTLE_MS - startMs) / QUARTER_MS);
    const isAhead = startMs + (Math.max(this.#next - 1, acked) - 1) * QUARTER_MS > clock.nowMs() + STEP_BACK_MS;
    if (clock.quality() !== "unset" && isAhead) {
      void this.#start(Math.floor(clock.nowMs() / QUARTER_MS) * QUARTER_MS);
      return null;
    }
    if (clock.quality() !== "unset") this.#next = Math.max(this.#next, complete + 1);
    this.#next = Math.max(this.#next, acked + 1);
    return { epoch, acked, next: this.#next };
  }

  async start(): Promise<void> {
    const { clock, mode } = this.#parts;
    if (this.#meta !== null || clock.quality() === "unset" || mode() === "off") return;
    await this.#start(Math.floor(clock.nowMs() / QUARTER_MS) * QUARTER_MS);
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

  /** Returns gaps for the empty quarter-hours in which recorded samples may have been lost. */
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

  /** Goes back after the cloud service lost records: they are still in the history. */
  goBack(applied: number): void {
    if (this.#meta !== null && applied < this.#meta.acked) this.#keep({ ...this.#meta, acked: applied });
  }

  earlier(): readonly Earlier[] {
    return this.#meta?.earlier ?? [];
  }

  /** Starts a new epoch at the first lost quarter-hour, because it is still in the history. */
  async lostEarlier(known: readonly Earlier[]): Promise<boolean> {
    const lostMs = (this.#meta?.earlier ?? []).flatMap(({ epoch, startMs }) => {
      const left = known.find((each) => each.epoch === epoch);
      return left === undefined ? [] : [startMs + left.acked * QUARTER_MS];
    });
    await this.#start(Math.min(...lostMs));
    return false;
  }

  /** Starts a new epoch with the unacknowledged quarter-hours. */
  async startNewEpoch(): Promise<void> {
    const meta = this.#meta;
    if (meta !== null) await this.#start(meta.startMs + meta.acked * QUARTER_MS);
  }

  /** Returns how many of the newest quarter-hours are sent in full, and how many at all. */
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

  /** Returns the record of a quarter-hour; `null` if no device has a sample in it. */
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

  async #start(startMs: number): Promise<void> {
    if (this.#isStarting) return;
    this.#isStarting = true;
    const epoch = Buffer.from(this.#parts.random.secretBytes(EPOCH_BYTES)).toString("hex");
    const put: CloudTelemetryRecord = { epoch, startMs, acked: 0, earlier: this.#earlierThan(startMs) };
    try {
      await this.#parts.store.commit([{ table: TABLE, key: KEY, put }], []);
      this.#meta = put;
      this.#next = 1;
    } catch (err) {
      this.#parts.log.warn({ err }, "cannot start the telemetry stream; trying again");
    } finally {
      this.#isStarting = false;
    }
  }

  /** Returns the earlier epochs, each up to an instant; what follows is sent again in the new epoch. */
  #earlierThan(untilMs: number): NonNullable<CloudTelemetryRecord["earlier"]> {
    const epochs = this.#meta === null ? [] : [...(this.#meta.earlier ?? []), this.#meta];
    const before = epochs.map(({ epoch, startMs, acked }) => {
      return { epoch, startMs, acked: Math.min(acked, Math.floor((untilMs - startMs) / QUARTER_MS)) };
    });
    return before.filter(({ acked }) => acked > 0).slice(-MAX_EARLIER);
  }

  /** A power cut may lose this: some records are then sent again, and recognised by their numbers. */
  #keep(put: CloudTelemetryRecord): void {
    this.#meta = put;
    this.#parts.store.commitAlong([{ table: TABLE, key: KEY, put }]);
  }
}

/** Returns the samples of a device as columns; `null` where a sample does not contain a point. */
function columnsOf(deviceId: string, samples: readonly TelemetrySample[], fromMs: number): DeviceColumns {
  const names = new Set(samples.flatMap(({ values }) => values.map(({ point }) => point)));
  const rows = samples.map(({ values }) => new Map<string, Value>(values.map(({ point, value }) => [point, value])));
  const points = [...names].map((name) => [name, rows.map((row) => row.get(name) ?? null)]);
  return { deviceId, offsetsMs: samples.map(({ atMs }) => atMs - fromMs), points: Object.fromEntries(points) };
}

/** Returns one row at the start of the quarter-hour: the mean of a number, the last value of anything else. */
function meansOf({ deviceId, points }: DeviceColumns): DeviceColumns {
  const means = Object.entries(points).map(([name, values]) => [name, [meanOf(values)]]);
  return { deviceId, offsetsMs: [0], points: Object.fromEntries(means) };
}

function meanOf(values: readonly Value[]): Value {
  const known = values.filter((value) => value !== null);
  const numbers = known.filter((value) => typeof value === "number");
  if (numbers.length === 0) return known.at(-1) ?? null;
  return numbers.reduce((sum, value) => sum + value, 0) / numbers.length;
}
