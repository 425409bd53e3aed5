/** Compares the histories of the gateway and the cloud service by their positions. */
import type { Outbox } from "../../store/outbox/outbox.ts";
import { newest, type OutboxMeta } from "../../store/outbox/outbox-ledger.ts";
import { type OutboxRow, STREAMS, type StreamName } from "../../store/outbox/outbox-row.ts";
import type { Welcome } from "../protocol/handshake.ts";
import type { Earlier, SyncSource } from "./source.ts";

/**
 * `agreed`: the histories match. `receiver-lost`: the cloud service has less than it acknowledged. `restored`: this
 * disk is older than what the cloud service has, or a copy of such a disk. `cloned`: another gateway connects under the
 * same name while this one runs.
 */
export type Verdict = "agreed" | "receiver-lost" | "restored" | "cloned";

/** Returns the last number of a stream that the cloud service has, in the outbox's epoch. */
export type AppliedOf = (stream: StreamName) => number;

/** Returns what the cloud service has of the outbox's epoch; 0 for a stream of another epoch. */
export function appliedIn({ epoch }: OutboxMeta, welcome: Welcome): AppliedOf {
  return (stream) => {
    const at = welcome.streams[stream];
    return at?.epoch === epoch ? at.applied : 0;
  };
}

/**
 * Compares both histories. `wasWelcomed`: the cloud service welcomed this start of the gateway before. Rejects with a
 * `StorageError`.
 */
export async function compareHistories(
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

/**
 * Checks the streams other than the outbox's. A stream that is behind the cloud service starts a new epoch. Returns
 * true if all agree; false if another hello is needed.
 */
export async function checkOtherStreams(sources: readonly SyncSource[], welcome: Welcome): Promise<boolean> {
  for (const source of sources) {
    const own = source.position();
    const at = welcome.streams[source.stream];
    if (own === null || at === undefined || at.epoch !== own.epoch) continue;
    if (at.applied < own.acked) source.goBack?.(at.applied);
    if (at.applied < own.next) continue;
    await source.startNewEpoch?.();
    return false;
  }
  return true;
}

/**
 * Checks the earlier epochs. A stream of which the cloud service has less than it acknowledged reports or resends the
 * rest. Returns true if all agree; false if another hello is needed.
 */
export async function checkEarlierEpochs(sources: readonly SyncSource[], { earlier = [] }: Welcome): Promise<boolean> {
  let isAgreed = true;
  for (const source of sources) {
    const lost = (source.earlier?.() ?? []).flatMap(({ epoch, acked }): readonly Earlier[] => {
      const at = earlier.find((each) => each.stream === source.stream && each.epoch === epoch);
      return at === undefined || at.applied >= acked ? [] : [{ epoch, acked: at.applied }];
    });
    if (lost.length === 0) continue;
    const isResolved = await source.lostEarlier?.(lost);
    isAgreed &&= isResolved ?? true;
  }
  return isAgreed;
}

/** True if the cloud service has the row under its number. It has nothing of a start that it never welcomed. */
export function isDelivered(row: OutboxRow, meta: OutboxMeta, { knownBoot }: Welcome, applied: AppliedOf): boolean {
  const [sent] = meta.boots;
  const last = Math.min(sent.number, knownBoot?.number ?? -1);
  return row.epoch === meta.epoch && row.boot <= last && row.seq <= applied(row.stream);
}

/**
 * True if a row of a start that never sent anything has a number that the cloud service has already, from another
 * gateway or disk. Before a start sends anything, it is stored as welcomed: it is then the first of the boots.
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
