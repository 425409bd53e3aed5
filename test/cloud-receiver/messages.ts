/** Small makers of what a gateway sends. */
import type { Batch, Boot, Gap, Hello, SyncRecord, TelemetryPayload } from "../../src/sync/protocol/index.ts";

export const EPOCH = "00000000000000a1";
export const NEXT_EPOCH = "00000000000000a2";
export const AT_MS = 1_795_000_000_000;

export function record(seq: number, more: Partial<SyncRecord> = {}): SyncRecord {
  const event = more.entity === undefined ? "user:intervention:told" : "user:meter:updated";
  return {
    seq,
    boot: 1,
    monotonicMs: seq * 1_000,
    atMs: AT_MS + seq * 1_000,
    quality: "synced",
    event,
    entity: null,
    payload: { n: seq },
    ...more,
  };
}

export function records(from: number, through: number): readonly SyncRecord[] {
  return Array.from({ length: through - from + 1 }, (_, index) => record(from + index));
}

const QUARTER_MS = 15 * 60_000;

/** What a meter measured in a quarter of an hour: the first by number begins at `AT_MS`. */
export function quarter(number: number, resolution: TelemetryPayload["resolution"]): SyncRecord {
  const fromMs = AT_MS + (number - 1) * QUARTER_MS;
  const devices = [{ deviceId: "m", offsetsMs: [0], points: { power: [number] } }];
  const payload: TelemetryPayload = { fromMs, resolution, devices };
  const shape = { boot: 0, monotonicMs: 0, atMs: fromMs + QUARTER_MS, event: "system:telemetry" };
  return record(number, { ...shape, payload });
}

interface Covered {
  readonly stream?: string;
  readonly epoch?: string;
  readonly gaps?: readonly Gap[];
  /** Of the start that sends it; the gateway's of tests puts that of its own hello there. */
  readonly bootId?: string;
}

/** Covers `from` to `through`; records and gaps have to fill that. */
export function batch(
  from: number,
  through: number,
  told: readonly SyncRecord[],
  { stream = "event", epoch = EPOCH, gaps = [], bootId = boot(1).id }: Covered = {},
): Batch {
  const shape = { v: 1, kind: "batch", historical: false } as const;
  return { ...shape, bootId, stream, epoch, from, through, records: [...told], gaps: [...gaps] };
}

export function boot(number: number, id = `boot-${number}`): Boot {
  return { number, id };
}

export function hello(gateway: string, boots: readonly Boot[], epoch = EPOCH): Hello {
  const position = { epoch, acked: 0, next: 1 };
  return {
    v: 1,
    kind: "hello",
    meeting: `meeting-${boots.map(({ id }) => id).join("-")}-${epoch}`,
    versions: [1],
    gateway,
    software: "hemgate/0.1.0",
    boots: [...boots],
    streams: { event: position, state: position, telemetry: position },
    clock: { atMs: AT_MS, quality: "synced" },
  };
}
