/** Starts a new epoch, so that two histories that diverged do not share numbers. */
import { GAP_EVENT, type Outbox } from "../../store/outbox/outbox.ts";
import { lostOf, type OutboxMeta } from "../../store/outbox/outbox-ledger.ts";
import type { NewJournalEntry } from "../../store/store.ts";
import type { Welcome } from "../protocol/handshake.ts";
import { type AppliedOf, appliedIn, isDelivered, type Verdict } from "./verdict.ts";

/** The first event of an epoch that starts because the histories differ. */
const RENEWED_EVENT = "system:cloud:renewed";

/** Why a new epoch starts, and what its first records are. */
export interface NewEpoch {
  readonly reason: Exclude<Verdict, "agreed"> | "database-lost";
  /** `null` if the cloud service was not asked. */
  readonly welcome: Welcome | null;
  /** Returns the current state of everything, as journal entries. */
  snapshot(): readonly NewJournalEntry[];
}

/** Starts a new epoch in the outbox. Rejects with a `StorageError`. */
export async function startNewEpoch(
  outbox: Outbox,
  meta: OutboxMeta,
  { reason, welcome, snapshot }: NewEpoch,
): Promise<void> {
  const applied: AppliedOf = welcome === null ? () => 0 : appliedIn(meta, welcome);
  await outbox.startNewEpoch({
    // The snapshot contains all states; only deletions are missing in it.
    isDelivered: (row) =>
      (row.stream === "state" && !row.event.endsWith(":deleted")) ||
      (welcome !== null && isDelivered(row, meta, welcome, applied)),
    mayHaveArrived: () => true,
    acked: reason === "receiver-lost" ? applied("event") : Math.max(applied("event"), meta.streams.event.acked),
    entries: () => [
      { event: RENEWED_EVENT, payload: { reason, before: meta.epoch } },
      ...(reason === "receiver-lost" ? gapEntries(meta, applied) : []),
      ...snapshot(),
    ],
  });
}

/** Returns the entry for events that were acknowledged, deleted here, and then lost by the cloud service. */
function gapEntries({ epoch, streams, earlier = [] }: OutboxMeta, applied: AppliedOf): readonly NewJournalEntry[] {
  const gaps = lostOf([...earlier, { epoch, acked: applied("event"), through: streams.event.acked }]);
  return gaps.length === 0 ? [] : [{ event: GAP_EVENT, payload: { gaps } }];
}
