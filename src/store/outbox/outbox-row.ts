/** A row of the outbox: a record to send to the cloud service. */
import { deflateRawSync, inflateRawSync } from "node:zlib";
import type { ClockQuality } from "../../platform/ports/ports.ts";
import { StorageError } from "../../platform/ports/storage-error.ts";
import { ENTRY_DICTIONARY } from "../entry-dictionary.ts";
import { type Place, parseJson, seal, unseal } from "../envelope.ts";
import { outboxKey, parseOutboxKey } from "../keys.ts";

/**
 * `event`: what happened; nothing is dropped. `state`: the newest state of each entity; a state that is replaced before
 * it was acknowledged is not sent.
 */
export const STREAMS = ["event", "state"] as const;
export type StreamName = (typeof STREAMS)[number];

/** A stream that a journal entry goes to. */
export interface Route {
  readonly stream: StreamName;
  /** The entity whose state the entry is; `null` for an event. */
  readonly entity: string | null;
}

interface Head {
  readonly entity: string | null;
  /** Number of the gateway's start in which the record was written. */
  readonly boot: number;
  /** Time of `atMs` on the monotonic clock; comparable only within one boot. */
  readonly monotonicMs: number;
  /** Quality of the clock at `atMs`. */
  readonly quality: ClockQuality;
  /** The record's numbers in earlier epochs, under which it may have arrived already. */
  readonly was?: readonly { readonly epoch: string; readonly seq: number }[];
}

/** The head as stored on disk. */
type PackedHead = readonly [
  entity: Head["entity"],
  boot: number,
  monotonicMs: number,
  quality: ClockQuality,
  was: NonNullable<Head["was"]> | null,
];

interface Body {
  /** Wall-clock ms. */
  readonly atMs: number;
  readonly event: string;
  readonly payload: unknown;
}

/** A record without a number. */
export interface NewRow extends Head {
  readonly stream: StreamName;
  /** JSON of its `Body`. */
  readonly json: string;
}

export interface OutboxRow extends Head, Body {
  readonly stream: StreamName;
  readonly epoch: string;
  /** Starts with 1 in each epoch and stream; only numbers of replaced states are missing. */
  readonly seq: number;
}

/** Maximum size of an unpacked row. */
const MAX_ROW_BYTES = 4 * 1024 * 1024;

/** Encodes a row. `epoch` and `seq` are its number, `place` is the end of the journal. */
export function sealRow(
  row: NewRow,
  { epoch, seq }: { readonly epoch: string; readonly seq: number },
  place: Place,
): { readonly key: string; readonly value: Uint8Array } {
  const { stream, json, entity, boot, monotonicMs, quality, was = null } = row;
  const key = outboxKey({ stream, epoch, seq });
  // The body is first, as in the dictionary, and the head has no names, because rows are most of what the outbox writes
  // to the disk.
  const text = `[${json},${JSON.stringify([entity, boot, monotonicMs, quality, was])}]`;
  const packed = deflateRawSync(Buffer.from(text, "utf8"), { dictionary: ENTRY_DICTIONARY });
  return { key, value: seal(key, place, packed, "packed") };
}

/** Decodes a row. Throws a `StorageError("damaged")` that names the key. */
export function openRow(key: string, sealed: Uint8Array): OutboxRow {
  const { stream, epoch, seq } = parseOutboxKey(key);
  const known = STREAMS.find((each) => each === stream);
  if (known === undefined) throw new StorageError("damaged", `${key}: unknown stream ${stream}`);
  const json = Buffer.from(unpacked(key, unseal(key, sealed).payload)).toString("utf8");
  const [body, [entity, boot, monotonicMs, quality, was]] = parseJson(key, json) as [Body, PackedHead];
  const head: Head = { entity, boot, monotonicMs, quality, ...(was !== null && { was }) };
  return { ...head, ...body, stream: known, epoch, seq };
}

/** Maximum number of earlier places of a record; the newest are kept. The cloud protocol has the same limit. */
const MAX_WAS = 64;

/**
 * Returns the record to be numbered in a new epoch. An event that `mayHaveArrived` carries its old number, so that it
 * is not applied twice; a repeated state has no second effect.
 */
export function renumbered(
  { epoch, seq, atMs, event, payload, was = [], ...row }: OutboxRow,
  mayHaveArrived: boolean,
): NewRow {
  const json = JSON.stringify({ atMs, event, payload });
  const places = [...was, { epoch, seq }].slice(-MAX_WAS);
  return { ...row, json, ...(mayHaveArrived && row.stream === "event" && { was: places }) };
}

function unpacked(key: string, packed: Uint8Array): Uint8Array {
  try {
    return inflateRawSync(packed, { dictionary: ENTRY_DICTIONARY, maxOutputLength: MAX_ROW_BYTES });
  } catch (cause) {
    throw new StorageError("damaged", `${key}: the checksum is valid but the value cannot be unpacked`, { cause });
  }
}
