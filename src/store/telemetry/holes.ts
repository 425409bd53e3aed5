/**
 * Times in which samples are known to be lost: dropped because the disk was full, too old, or lost with a damaged
 * database.
 */
import type { Database } from "../../platform/ports/ports.ts";
import { intact } from "../critical-image.ts";
import { type Operation, scan } from "../database.ts";
import { sealJson, unsealJson } from "../envelope.ts";
import type { Hole } from "../store.ts";
import { gapsBefore, WHOLE_SINCE_KEY } from "./telemetry-keys.ts";

/** Returns the operation that records that samples before an instant, wall-clock ms, may be missing. */
export function wholeSince(atMs: number): Operation {
  return { type: "put", key: WHOLE_SINCE_KEY, value: sealJson(WHOLE_SINCE_KEY, { epoch: 0, seq: 0 }, atMs) };
}

/** Returns the instant before which samples may be missing, wall-clock ms; `null` if there is none. */
export async function readWholeSince(database: Database): Promise<number | null> {
  const sealed = await database.get(WHOLE_SINCE_KEY);
  const since = sealed === undefined ? undefined : intact(() => unsealJson(WHOLE_SINCE_KEY, sealed));
  return typeof since === "number" ? since : null;
}

/** Reads the holes that overlap [fromMs, toMs), from the disk and from those not written yet. */
export async function readHoles(
  database: Database,
  waiting: readonly Hole[],
  fromMs: number,
  toMs: number,
): Promise<readonly Hole[]> {
  const holes: Hole[] = [...waiting];
  const since = await readWholeSince(database);
  if (since !== null) holes.push({ fromMs: Number.NEGATIVE_INFINITY, toMs: since });
  await scan(database, gapsBefore(toMs), (key, value) => {
    const gap = intact(() => unsealJson(key, value) as Hole);
    if (gap !== undefined) holes.push({ fromMs: gap.fromMs, toMs: gap.toMs });
    return true;
  });
  return holes.filter((hole) => hole.fromMs < toMs && hole.toMs > fromMs);
}
