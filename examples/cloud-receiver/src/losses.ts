/** Numbers of epochs before that a gateway lost before they arrived, or that were lost here: it tells of both by an event. */
import type { SyncRecord } from "hemgate/cloud-protocol";
import { z } from "zod";
import type { Queryable } from "./database.ts";
import { EVENT } from "./place.ts";
import { storable } from "./text.ts";

const LOSS_EVENT = "system:outbox:gap";
const Loss = z.object({ epoch: z.string(), stream: z.string(), from: z.int().min(1), through: z.int().min(1) });
const Told = z.looseObject({ gaps: z.array(Loss).max(1_000) });

/** Marks events that are not here of them as a hole, in the order of their epoch. */
export async function keepLosses(client: Queryable, gateway: string, records: readonly SyncRecord[]): Promise<void> {
  for (const { event, payload } of records) {
    const told = event === LOSS_EVENT ? Told.safeParse(payload) : null;
    for (const { epoch, stream, from, through } of told?.data?.gaps ?? []) {
      if (stream !== EVENT) continue;
      await client.query(
        `INSERT INTO gap (gateway, stream, epoch, turn, from_seq, through_seq, reason)
         SELECT p.gateway, p.stream, p.epoch, p.turn, m.from_seq, m.through_seq, 'lost'
         FROM stream_position p
         CROSS JOIN missing_events(p.gateway, p.epoch, $4::bigint, $5::bigint) AS m
         WHERE p.gateway = $1 AND p.stream = $2 AND p.epoch = $3 ON CONFLICT DO NOTHING`,
        [gateway, stream, storable(epoch), from, through],
      );
    }
  }
}
