/** Answers to commands, which come as events like any other. */
import { ANSWER_EVENT, Answer, type SyncRecord } from "hemgate/cloud-protocol";
import type { Queryable } from "./database.ts";
import { storable } from "./text.ts";

/** The first answer to a command stands; an outcome that was given to it here, without one, does not. */
export async function keepAnswers(client: Queryable, gateway: string, records: readonly SyncRecord[]): Promise<void> {
  for (const { event, payload, atMs } of records) {
    const answer = event === ANSWER_EVENT ? Answer.safeParse(payload) : null;
    if (answer?.success !== true) continue;
    const { commandId, outcome, status, contentType, body, detail } = answer.data;
    await client.query(
      `UPDATE command SET outcome = $3, status = $4, content_type = $5, answer = $6, detail = $7, answered_ms = $8
       WHERE gateway = $1 AND id = $2 AND (outcome IS NULL OR answered_ms IS NULL)`,
      [
        gateway,
        commandId,
        outcome,
        status,
        contentType === null ? null : storable(contentType),
        JSON.stringify(body ?? null),
        detail === null ? null : storable(detail),
        atMs,
      ],
    );
  }
}
