/** What a telemetry database says of itself when it is opened. */
import type { Database } from "../../platform/ports/ports.ts";
import { StorageError } from "../../platform/ports/storage-error.ts";
import { intact } from "../critical-image.ts";
import { writeSynced } from "../database.ts";
import { sealJson, unsealJson } from "../envelope.ts";
import { wholeSince } from "./holes.ts";
import { EPOCH_KEY, LAYOUT_KEY } from "./telemetry-keys.ts";

/** Layout of the keys; blocks carry their own format. */
const LAYOUT = 1;

/**
 * Answers the epoch that the database remembers; 0: none. An empty one gets the layout, and `lostAtMs`, wall-clock ms, if it
 * takes the place of one that was lost then, or if it `isSalvaged` from one. Rejects with a `StorageError("newer")`.
 */
export async function adoptLayout(database: Database, lostAtMs: number | null, isSalvaged = false): Promise<number> {
  const layout = await readCounter(database, LAYOUT_KEY);
  if (layout !== null && layout > LAYOUT) {
    throw new StorageError("newer", `the telemetry database has layout ${layout}, this version of hemgate knows 1`);
  }
  if (layout === null || isSalvaged) {
    const value = sealJson(LAYOUT_KEY, { epoch: 0, seq: 0 }, LAYOUT);
    const lost = lostAtMs === null ? [] : [wholeSince(lostAtMs)];
    await writeSynced(database, [{ type: "put", key: LAYOUT_KEY, value }, ...lost]);
  }
  return (await readCounter(database, EPOCH_KEY)) ?? 0;
}

/** Null when there is none or it is damaged. */
async function readCounter(database: Database, key: string): Promise<number | null> {
  const sealed = await database.get(key);
  const value = sealed === undefined ? undefined : intact(() => unsealJson(key, sealed));
  return typeof value === "number" ? value : null;
}
