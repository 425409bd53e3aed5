/** Compares what is here with what was acknowledged, and asks for what is missing: rows that this side lost. */
import { type GapRequest, MAX_RANGES, PROTOCOL_VERSION } from "hemgate/cloud-protocol";
import type { Queryable } from "./database.ts";
import { missingEvents } from "./gaps.ts";
import { EVENT } from "./place.ts";

/**
 * What to ask a gateway for; what it has no more comes as a gap. Empty: all is here. Of the event stream only: a number of
 * another one that has no record need not be missing.
 */
export async function gapRequests(client: Queryable, gateway: string): Promise<readonly GapRequest[]> {
  const { rows } = await client.query<{ stream: string; epoch: string; applied: number }>(
    `SELECT stream, epoch, applied FROM stream_position
     WHERE gateway = $1 AND is_current AND applied > 0 AND stream = $2`,
    [gateway, EVENT],
  );
  const requests: GapRequest[] = [];
  for (const { stream, epoch, applied } of rows) {
    const missing = await missingEvents(client, { gateway, epoch }, { from: 1, through: applied });
    if (missing.length === 0) continue;
    requests.push({ v: PROTOCOL_VERSION, kind: "gap-request", stream, epoch, ranges: missing.slice(0, MAX_RANGES) });
  }
  return requests;
}
