/** What the two sides' positions say about their histories. Pure but for reading rows. */
import type { Outbox } from "../../store/outbox/outbox.ts";
import { newest, type OutboxMeta } from "../../store/outbox/outbox-ledger.ts";
import { type OutboxRow, STREAMS, type StreamName } from "../../store/outbox/outbox-row.ts";
import type { Welcome } from "../protocol/meeting.ts";
import type { Earlier, SyncSource } from "./source.ts";

/**
 * `agreed`: go on. `receiver-lost`: the cloud service has less than it acknowledged. `restored`: this disk is older than
 * what the cloud service was told, or a copy of it is. `cloned`: another box speaks in our name while we run.
 */
export type Verdict = "agreed" | "receiver-lost" | "restored" | "cloned";

/** Of one stream, in the outbox's epoch. */
export type AppliedOf = (stream: StreamName) => number;

export function appliedIn({ epoch }: OutboxMeta, welcome: Welcome): AppliedOf {
  return (stream) => {
    const at = welcome.streams[stream];
    return at?.epoch === epoch ? at.applied : 0;
  };
}

/** `wasWelcomed`: this very start of the gateway was, before. Rejects with a `StorageError`. */
export async function judge(
  outbox: Outbox,
  meta: OutboxMeta,
  welcome: Welcome,
  wasWelcomed: boolean,
): Promise<Verdict> {
  const applied = appliedIn(meta, welcome);
  if (STREAMS.some((stream) => applied(stream) < meta.streams[stream].acked)) return "receiver-lost";
  if (welcome.isFork) return wasWelcomed ? "cloned" : "restored";
  if (STREAMS.some((stream) => applied(stream) >= meta.streams[stream].next)) return "restored";
  for (const stream of STREAMS) {
    if (await hasUnsentBelow(outbox, meta, stream, applied(stream))) return "restored";
  }
  return "agreed";
}

/** Whether the streams beside the outbox's stand where the cloud service says; one that does not begins anew. */
export async function agreesFurther(sources: readonly SyncSource[], welcome: Welcome): Promise<boolean> {
  for (const source of sources) {
    const own = source.position();
    const at = welcome.streams[source.stream];
    if (own === null || at === undefined || at.epoch !== own.epoch) continue;
    if (at.applied < own.acked) source.goBack?.(at.applied);
    if (at.applied < own.next) continue;
    await source.renew?.();
    return false;
  }
  return true;
}

/** Whether the cloud service has of epochs before what it acknowledged; a stream that it has less of tells of that. */
export async function agreesEarlier(sources: readonly SyncSource[], { earlier = [] }: Welcome): Promise<boolean> {
  let isAgreed = true;
  for (const source of sources) {
    const lost = (source.earlier?.() ?? []).flatMap(({ epoch, acked }): readonly Earlier[] => {
      const at = earlier.find((each) => each.stream === source.stream && each.epoch === epoch);
      return at === undefined || at.applied >= acked ? [] : [{ epoch, acked: at.applied }];
    });
    if (lost.length === 0) continue;
    const isTold = await source.lostEarlier?.(lost);
    isAgreed &&= isTold ?? true;
  }
  return isAgreed;
}

/** The cloud service has it for good, under this number. What it could not have been sent it has not. */
export function isDelivered(row: OutboxRow, meta: OutboxMeta, { knownBoot }: Welcome, applied: AppliedOf): boolean {
  const [sent] = meta.boots;
  const last = Math.min(sent.number, knownBoot?.number ?? -1);
  return row.epoch === meta.epoch && row.boot <= last && row.seq <= applied(row.stream);
}

/**
 * A row of a start that never sent anything has a number that the cloud service has from somebody else. What is sent, is
 * sent after its start is on disk as welcomed: the first of the boots.
 */
async function hasUnsentBelow(
  outbox: Outbox,
  { boots, streams }: OutboxMeta,
  stream: StreamName,
  applied: number,
): Promise<boolean> {
  const [sent] = boots;
  if (newest(boots).number === sent.number) return false;
  for (let after = streams[stream].acked; after < applied; ) {
    const page = await outbox.read(stream, after, { records: 500, bytes: 256 * 1024 });
    if (page === null || page.through <= after) return false;
    if (page.records.some(({ seq, boot }) => seq <= applied && boot > sent.number)) return true;
    after = page.through;
  }
  return false;
}
