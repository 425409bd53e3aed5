/** Parses a batch record by record, so that one malformed record does not invalidate the others. */
import { z } from "zod";
import { Batch, type Gap, LOSS_EVENT, Losses, SyncRecord, TelemetryPayload } from "./batch.ts";
import { type Range, Seq } from "./fields.ts";
import type { Refused } from "./handshake.ts";
import { MAX_BATCH_RECORDS, MAX_REASON } from "./limits.ts";
import { ProtocolError, problemOf } from "./messages.ts";

const Head = Batch.omit({ records: true, gaps: true });
const Parts = z.object({ records: z.array(z.unknown()).max(MAX_BATCH_RECORDS), gaps: Batch.shape.gaps });
const Numbered = z.object({ seq: Seq });
const Quarter = TelemetryPayload.pick({ fromMs: true });

/** A valid batch: malformed records are gaps in it, and listed in `refused`. */
export interface ReadBatch {
  readonly batch: Batch;
  readonly refused: readonly Refused[];
}

/** Parses a batch. Throws a `ProtocolError` if its range of numbers cannot be read. */
export function readBatch(value: unknown): ReadBatch {
  const read = Head.safeParse(value);
  if (!read.success) throw new ProtocolError(`batch: ${problemOf(read.error)}`);
  const head: Batch = { ...read.data, records: [], gaps: [] };
  const { stream, from, through } = head;
  if (through < from) throw new ProtocolError(`batch: through (${through}) is less than from (${from})`);
  const parts = Parts.safeParse(value);
  if (!parts.success) return withoutRecords(head, problemOf(parts.error));
  const records: SyncRecord[] = [];
  const refused: Refused[] = [];
  for (const each of parts.data.records) {
    const read = readRecord(stream, each);
    if (typeof read !== "string") {
      records.push(read);
      continue;
    }
    const { seq = 0 } = Numbered.safeParse(each).data ?? {};
    if (seq < from || seq > through) return withoutRecords(head, read);
    refused.push({ from: seq, through: seq, reason: read });
  }
  const covered: readonly Range[] = [
    ...parts.data.gaps,
    ...refused,
    ...records.map(({ seq }) => ({ from: seq, through: seq })),
  ];
  const uncovered = uncoveredBy(covered, head);
  if (typeof uncovered === "string") return withoutRecords(head, uncovered);
  // In the other streams a number may be neither.
  if (stream === "event")
    refused.push(...uncovered.map((each) => ({ ...each, reason: "neither a record nor in a gap" })));
  if (refused.length > MAX_BATCH_RECORDS)
    return withoutRecords(head, "too many numbers are neither a record nor in a gap");
  const gaps = [...parts.data.gaps, ...refused.map(gapOf)].sort((one, other) => one.from - other.from);
  return { batch: { ...head, records, gaps }, refused };
}

/**
 * Returns the numbers of a batch that no record and no gap covers, ascending; or, as text, why the parts are invalid.
 */
function uncoveredBy(parts: readonly Range[], { from, through }: Range): readonly Range[] | string {
  const uncovered: Range[] = [];
  let next = from;
  for (const part of parts.toSorted((one, other) => one.from - other.from)) {
    const { from: first, through: last } = part;
    if (first < next || last < first || last > through) {
      return `numbers ${first} to ${last} overlap others or are outside of ${from} to ${through}`;
    }
    if (first > next) uncovered.push({ from: next, through: first - 1 });
    next = last + 1;
  }
  return next > through ? uncovered : [...uncovered, { from: next, through }];
}

/** Returns the batch with one gap instead of all records. */
export function withoutRecords({ records: _records, gaps: _gaps, ...head }: Batch, problem: string): ReadBatch {
  const refused = [{ from: head.from, through: head.through, reason: problem.slice(0, MAX_REASON) }];
  return { batch: { ...head, records: [], gaps: refused.map(gapOf) }, refused };
}

function gapOf({ from, through }: Refused): Gap {
  return { from, through, reason: "malformed" };
}

/** Returns the record or, as text, why it is malformed. */
function readRecord(stream: string, value: unknown): SyncRecord | string {
  const read = SyncRecord.safeParse(value);
  if (!read.success) return problemOf(read.error);
  const { entity, event, payload } = read.data;
  if (stream === "state" && entity === null) return "entity: required in the state stream";
  const shape = stream === "telemetry" ? Quarter : stream === "event" && event === LOSS_EVENT ? Losses : null;
  const parsed = shape?.safeParse(payload);
  return parsed === undefined || parsed.success ? read.data : `payload.${problemOf(parsed.error)}`.slice(0, MAX_REASON);
}
