/** Actions of a house: each event of one carries it whole, and the last one is how it is. */
import type { SyncRecord } from "hemgate/cloud-protocol";
import { z } from "zod";
import type { Queryable } from "./database.ts";
import type { Place } from "./place.ts";
import { storable } from "./text.ts";

const ACTION_EVENT = "user:vendor-action:updated";
const Told = z.looseObject({
  vendorAction: z.looseObject({ id: z.string().min(1).max(300), targetType: z.string().max(100) }),
});

export async function keepActions(
  client: Queryable,
  { gateway, turn }: Place,
  records: readonly SyncRecord[],
): Promise<void> {
  for (const { event, payload, seq } of records) {
    const told = event === ACTION_EVENT ? Told.safeParse(payload) : null;
    if (told?.success !== true) continue;
    const { id, targetType } = told.data.vendorAction;
    await client.query(
      `INSERT INTO action (gateway, id, target, turn, seq, body) VALUES ($1, $2, $3, $4, $5, $6)
       ON CONFLICT (gateway, id) DO UPDATE SET
         target = excluded.target, turn = excluded.turn, seq = excluded.seq, body = excluded.body
       WHERE (excluded.turn, excluded.seq) > (action.turn, action.seq)`,
      [gateway, storable(id), storable(targetType), turn, seq, JSON.stringify(told.data.vendorAction)],
    );
  }
}
