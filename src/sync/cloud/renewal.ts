/** Begins another epoch, so that two histories that parted do not share numbers. */
import { GAP_EVENT, type Outbox } from "../../store/outbox/outbox.ts";
import { lostOf, type OutboxMeta } from "../../store/outbox/outbox-ledger.ts";
import type { NewJournalEntry } from "../../store/store.ts";
import type { Welcome } from "../protocol/meeting.ts";
import { type AppliedOf, appliedIn, isDelivered, type Verdict } from "./verdict.ts";

/** The first event of an epoch that began because of what the cloud service knows. */
const RENEWED_EVENT = "system:cloud:renewed";

export interface Renewal {
  readonly reason: Exclude<Verdict, "agreed"> | "database-lost";
  /** Null: the cloud service was not asked. */
  readonly welcome: Welcome | null;
  /** How everything is now. */
  snapshot(): readonly NewJournalEntry[];
}

/** Rejects with a `StorageError`. */
export async function renew(outbox: Outbox, meta: OutboxMeta, { reason, welcome, snapshot }: Renewal): Promise<void> {
  const applied: AppliedOf = welcome === null ? () => 0 : appliedIn(meta, welcome);
  await outbox.renew({
    // The snapshot tells all states anew; only what is gone is not in it.
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

/** Events that were acknowledged, deleted, and lost afterwards. */
function gapEntries({ epoch, streams, earlier = [] }: OutboxMeta, applied: AppliedOf): readonly NewJournalEntry[] {
  const gaps = lostOf([...earlier, { epoch, acked: applied("event"), through: streams.event.acked }]);
  return gaps.length === 0 ? [] : [{ event: GAP_EVENT, payload: { gaps } }];
}
