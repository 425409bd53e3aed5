import { HOUR_MS, MINUTE_MS } from "hemgate/sdk";
import type { CloudReading } from "../connector.ts";
import { toInstant } from "./zoned-time.ts";

const DOUBLED_MS = HOUR_MS;
/** A request waits for a new token or its turn, and the vendor's clock may be ahead. */
const LATER_MS = 5 * MINUTE_MS;

/**
 * When a reading was measured, of the newest wall time that a vendor gives; empty when it is unknown. In the hour that
 * a zone has twice, it is within the sixty minutes that end some minutes after `askedAtMs`, the wall-clock ms at which the
 * vendor was to be asked.
 */
export function measuredAt(
  localText: string | null | undefined,
  zone: string | null,
  askedAtMs: number,
): Pick<CloudReading, "measuredAtMs"> {
  if (localText == null || zone === null) return {};
  const atMs = toInstant(localText, zone, { notBeforeMs: askedAtMs + LATER_MS - DOUBLED_MS + 1 });
  return atMs === null ? {} : { measuredAtMs: atMs };
}
