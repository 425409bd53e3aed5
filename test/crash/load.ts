/** What the child writes and what the parent expects: pure, so that both agree. */
import { createHash } from "node:crypto";
import type { Write } from "../../src/store/records.ts";
import type { NewJournalEntry, TelemetrySample } from "../../src/store/store.ts";

export const WRITERS = 16;
export const DEVICES: readonly string[] = ["inverter", "meter", "charger"];

export interface Commit {
  readonly writes: readonly Write[];
  readonly journal: readonly NewJournalEntry[];
}

export function writerKey(writer: number): string {
  return `w${writer}`;
}

/** The `count`-th commit of a writer: a record, a second one that comes and goes, and a journal entry. */
export function commitOf(writer: number, count: number): Commit {
  const key = writerKey(writer);
  const client: Write = {
    table: "client",
    key,
    put: { id: key, name: contentOf(writer, count), createdAtMs: count, secretHash: "", salt: "", apiVersion: "" },
  };
  const asset: Write = hasAsset(count)
    ? { table: "asset", key, put: { id: key, kind: "meter", deviceId: key, createdAtMs: count } }
    : { table: "asset", key, remove: true };
  return { writes: [client, asset], journal: [{ event: "written", payload: { writer, count } }] };
}

export function hasAsset(count: number): boolean {
  return count % 2 === 0;
}

/** Up to 2 kB that follow from writer and count, so that a mixed-up value is found. */
export function contentOf(writer: number, count: number): string {
  const digest = createHash("sha256").update(`${writer}/${count}`).digest("hex");
  return digest.repeat(1 + (count % 32));
}

export function sampleOf(deviceId: string, atMs: number): TelemetrySample {
  const power = Math.round(Math.sin(atMs / 1e5 + deviceId.length) * 50_000) / 10;
  const state = atMs % 7 === 0 ? "IDLE" : "CHARGING";
  return {
    deviceId,
    atMs,
    values: [
      { point: "meter.power", value: power },
      { point: "battery.status", value: state },
      { point: "meter.frequency", value: atMs % 5 === 0 ? null : 50 },
    ],
  };
}
