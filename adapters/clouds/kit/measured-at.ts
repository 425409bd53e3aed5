import type { CloudReading } from "./connector.ts";
import { toInstant } from "./zoned-time.ts";

const DOUBLED_MS = 3_600_000;

/**
 * When a reading was measured, of the newest wall time that a vendor gives; empty when it cannot be told. In the hour that
 * a zone has twice, it is the time of the sixty minutes before the vendor was asked, at wall-clock ms `askedAtMs`.
 */
export function measuredAt(
  localText: string | null | undefined,
  zone: string | null,
  askedAtMs: number,
): Pick<CloudReading, "measuredAtMs"> {
  if (localText == null || zone === null) return {};
  const atMs = toInstant(localText, zone, { notBeforeMs: askedAtMs - DOUBLED_MS + 1 });
  return atMs === null ? {} : { measuredAtMs: atMs };
}
