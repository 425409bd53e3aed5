/** Small makers of what a gateway sends. */
import type { Batch, Boot, Gap, Hello, SyncRecord } from "../../src/sync/protocol/index.ts";

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

interface Covered {
  readonly stream?: string;
  readonly epoch?: string;
  readonly gaps?: readonly Gap[];
}

/** Covers `from` to `through`; records and gaps have to fill that. */
export function batch(
  from: number,
  through: number,
  told: readonly SyncRecord[],
  { stream = "event", epoch = EPOCH, gaps = [] }: Covered = {},
): Batch {
  const shape = { v: 1, kind: "batch", historical: false } as const;
  return { ...shape, stream, epoch, from, through, records: [...told], gaps: [...gaps] };
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
