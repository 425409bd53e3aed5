/**
 * Removes old secrets from the disk. Replaced and removed values stay in LevelDB's files until they are compacted, so a
 * database that may contain secrets in clear text or sealed with an older key is compacted once when it is opened.
 */
import type { Database, Log } from "../platform/ports/ports.ts";
import { compactAll, type Operation, writeSynced } from "./database.ts";
import { type Place, sealJson, unsealJson } from "./envelope.ts";
import { SEALED_KEY } from "./keys.ts";
import type { Differences } from "./reconcile.ts";
import type { RecordCodec } from "./record-codec.ts";

/**
 * Returns the operation that marks the files as not completely sealed; it is part of the batch that writes the
 * differences.
 */
export function clearTraces(codec: RecordCodec, { resealed }: Pick<Differences, "resealed">): readonly Operation[] {
  return codec.firstKeyId === null || resealed > 0 ? [{ type: "del", key: SEALED_KEY }] : [];
}

/** Compacts the database unless that was done with this key already. After a failure it is done at the next start. */
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
    log.warn({ err }, "cannot remove old secrets from the disk; the next start tries again");
  }
}
