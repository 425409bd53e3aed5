/** Reads a batch whose records may break the contract, so that one of them does not cost the others. */
import { z } from "zod";
import { Batch, type Gap, LOSS_EVENT, Losses, SyncRecord, TelemetryPayload } from "./batch.ts";
import { type Range, Seq } from "./fields.ts";
import { MAX_BATCH_RECORDS, MAX_REASON } from "./limits.ts";
import type { Refused } from "./meeting.ts";
import { ProtocolError, problemOf } from "./messages.ts";

const Head = Batch.omit({ records: true, gaps: true });
const Parts = z.object({ records: z.array(z.unknown()).max(MAX_BATCH_RECORDS), gaps: Batch.shape.gaps });
const Numbered = z.object({ seq: Seq });
const Quarter = TelemetryPayload.pick({ fromMs: true });

/** A batch of which all can be taken: the numbers of `refused` are gaps in it. */
export interface ReadBatch {
  readonly batch: Batch;
  readonly refused: readonly Refused[];
}

/** Throws a `ProtocolError` when it does not say which numbers it is about. */
export function readBatch(value: unknown): ReadBatch {
  const read = Head.safeParse(value);
  if (!read.success) throw new ProtocolError(`batch: ${problemOf(read.error)}`);
  const head: Batch = { ...read.data, records: [], gaps: [] };
  const { stream, from, through } = head;
  if (through < from) throw new ProtocolError(`batch: it ends with ${through}, before it begins with ${from}`);
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
  const told: readonly Range[] = [
    ...parts.data.gaps,
    ...refused,
    ...records.map(({ seq }) => ({ from: seq, through: seq })),
  ];
  const untold = untoldOf(head, told);
  if (typeof untold === "string") return withoutRecords(head, untold);
  // In the other streams a number may be neither.
  if (stream === "event") refused.push(...untold.map((each) => ({ ...each, reason: "neither a record nor a gap" })));
  if (refused.length > MAX_BATCH_RECORDS) return withoutRecords(head, "too many numbers are not told of");
  const gaps = [...parts.data.gaps, ...refused.map(gapOf)].sort((one, other) => one.from - other.from);
  return { batch: { ...head, records, gaps }, refused };
}

/** Numbers of a batch that nothing tells of, ascending; what is out of place, as text, when something is. */
function untoldOf({ from, through }: Range, told: readonly Range[]): readonly Range[] | string {
  const untold: Range[] = [];
  let next = from;
  for (const part of told.toSorted((one, other) => one.from - other.from)) {
    const { from: first, through: last } = part;
    if (first < next || last < first || last > through) {
      return `numbers ${first} to ${last} are out of place in ${from} to ${through}`;
    }
    if (first > next) untold.push({ from: next, through: first - 1 });
    next = last + 1;
  }
  return next > through ? untold : [...untold, { from: next, through }];
}

/** The batch with a gap in the place of all that it tells. */
export function withoutRecords({ records: _records, gaps: _gaps, ...head }: Batch, problem: string): ReadBatch {
  const refused = [{ from: head.from, through: head.through, reason: problem.slice(0, MAX_REASON) }];
  return { batch: { ...head, records: [], gaps: refused.map(gapOf) }, refused };
}

function gapOf({ from, through }: Refused): Gap {
  return { from, through, reason: "malformed" };
}

/** What is wrong with it, as text, when something is. */
function readRecord(stream: string, value: unknown): SyncRecord | string {
  const read = SyncRecord.safeParse(value);
  if (!read.success) return problemOf(read.error);
  const { entity, event, payload } = read.data;
  if (stream === "state" && entity === null) return "entity: a state is of something";
  const shape = stream === "telemetry" ? Quarter : stream === "event" && event === LOSS_EVENT ? Losses : null;
  const told = shape?.safeParse(payload);
  return told === undefined || told.success ? read.data : `payload.${problemOf(told.error)}`.slice(0, MAX_REASON);
}
