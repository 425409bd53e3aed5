/** What the cloud service is to be told, as it stands in the outbox. */
import { deflateRawSync, inflateRawSync } from "node:zlib";
import type { ClockQuality } from "../../platform/ports/ports.ts";
import { StorageError } from "../../platform/ports/storage-error.ts";
import { ENTRY_DICTIONARY } from "../entry-dictionary.ts";
import { type Place, parseJson, seal, unseal } from "../envelope.ts";
import { outboxKey, parseOutboxKey } from "../keys.ts";

/**
 * `event` is what happened, of which nothing is dropped. `state` is how things are: the newest of each entity is kept,
 * and what it supersedes before it was acknowledged is not sent.
 */
export const STREAMS = ["event", "state"] as const;
export type StreamName = (typeof STREAMS)[number];

/** Where an entry goes. */
export interface Route {
  readonly stream: StreamName;
  /** What the entry is the state of; null for an event. */
  readonly entity: string | null;
}

interface Head {
  readonly entity: string | null;
  /** Number of the gateway's start in which the record was written. */
  readonly boot: number;
  /** Of the same moment as `atMs`; only those of one boot can be compared. */
  readonly monotonicMs: number;
  /** Of the clock that gave `atMs`. */
  readonly quality: ClockQuality;
  /** The places that it had in epochs before, under which it may have arrived already. */
  readonly was?: readonly { readonly epoch: string; readonly seq: number }[];
}

/** As it stands on disk. */
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

/** A record that has no number yet. */
export interface NewRow extends Head {
  readonly stream: StreamName;
  /** JSON of its `Body`. */
  readonly json: string;
}

export interface OutboxRow extends Head, Body {
  readonly stream: StreamName;
  readonly epoch: string;
  /** From 1 in each epoch and stream; no number is left out but for superseded states. */
  readonly seq: number;
}

/** More is no record of ours. */
const MAX_ROW_BYTES = 4 * 1024 * 1024;

/** `epoch` and `seq` are its number, `place` is where the journal is. */
export function sealRow(
  row: NewRow,
  { epoch, seq }: { readonly epoch: string; readonly seq: number },
  place: Place,
): { readonly key: string; readonly value: Uint8Array } {
  const { stream, json, entity, boot, monotonicMs, quality, was = null } = row;
  const key = outboxKey({ stream, epoch, seq });
  // The body first, as the dictionary has it, and the head without names: rows are what the outbox writes to the card.
  const text = `[${json},${JSON.stringify([entity, boot, monotonicMs, quality, was])}]`;
  const packed = deflateRawSync(Buffer.from(text, "utf8"), { dictionary: ENTRY_DICTIONARY });
  return { key, value: seal(key, place, packed, "packed") };
}

/** Throws a `StorageError("damaged")` that names the key. */
export function openRow(key: string, sealed: Uint8Array): OutboxRow {
  const { stream, epoch, seq } = parseOutboxKey(key);
  const known = STREAMS.find((each) => each === stream);
  if (known === undefined) throw new StorageError("damaged", `${key}: there is no stream ${stream}`);
  const json = Buffer.from(unpacked(key, unseal(key, sealed).payload)).toString("utf8");
  const [body, [entity, boot, monotonicMs, quality, was]] = parseJson(key, json) as [Body, PackedHead];
  const head: Head = { entity, boot, monotonicMs, quality, ...(was !== null && { was }) };
  return { ...head, ...body, stream: known, epoch, seq };
}

/** Places that a record had before, of which the newest are kept: what the contract with the cloud service allows. */
const MAX_WAS = 64;

/**
 * The record, to be numbered anew in another epoch. One that `mayHaveArrived` keeps its old number with it, so that it has
 * no second effect; a state that comes again has none.
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
    throw new StorageError("damaged", `${key}: the checksum matches and the value cannot be unpacked`, { cause });
  }
}
