/**
 * What was replaced or removed stays in LevelDB's files until they are compacted. So a database whose files may hold
 * secrets in clear, or sealed with an older key, is compacted once when it is opened.
 */
import type { Database, Log } from "../platform/ports/ports.ts";
import { compactAll, type Operation, writeSynced } from "./database.ts";
import { type Place, sealJson, unsealJson } from "./envelope.ts";
import { SEALED_KEY } from "./keys.ts";
import type { Differences } from "./reconcile.ts";
import type { RecordCodec } from "./record-codec.ts";

/** Part of the batch that writes differences: from then on the files are not all sealed with the first key. */
export function clearTraces(codec: RecordCodec, { resealed }: Pick<Differences, "resealed">): readonly Operation[] {
  return codec.firstKeyId === null || resealed > 0 ? [{ type: "del", key: SEALED_KEY }] : [];
}

/** Compacts, unless that was done with this key already. What does not succeed is done when it is opened next. */
export async function sealAll(
  database: Database,
  { firstKeyId }: RecordCodec,
  { place, log }: { readonly place: Place; readonly log: Log },
): Promise<void> {
  if (firstKeyId === null) return;
  try {
    const sealed = await database.get(SEALED_KEY);
    if (sealed !== undefined && unsealJson(SEALED_KEY, sealed) === firstKeyId) return;
    await compactAll(database);
    await writeSynced(database, [{ type: "put", key: SEALED_KEY, value: sealJson(SEALED_KEY, place, firstKeyId) }]);
    log.info({ secretKey: firstKeyId }, "all secrets in the store are sealed with this key");
  } catch (err) {
    log.warn({ err }, "what was there before secrets were sealed is not off the disk yet; the next start tries again");
  }
}
