/** The limit of the feed-in that is in force. */
import type { Reason } from "./energy-decision.ts";
import type { EnergySnapshot } from "./energy-snapshot.ts";

export interface ExportLimit {
  readonly id: string;
  readonly watts: number;
  readonly reason: Reason;
}

/** The lowest limit of all sources; `null`: none. */
export function exportLimit({ limits, site, feedInStopsUntilMs: untilMs = null }: EnergySnapshot): ExportLimit | null {
  const all: ExportLimit[] = limits
    .filter(({ direction }) => direction === "export")
    .map(({ id, source, watts, untilMs }) => ({
      id,
      watts: Math.max(0, watts),
      reason: { code: "grid-operator", subject: source, untilMs },
    }));
  if (site.exportKw !== null) {
    all.push({
      id: "feed-in",
      watts: site.exportKw * 1000,
      reason: { code: "feed-in", subject: null, untilMs: null },
    });
  }
  if (untilMs !== null)
    all.push({ id: "negative-price", watts: 0, reason: { code: "negative-price", subject: null, untilMs } });
  let lowest: ExportLimit | null = null;
  for (const limit of all) if (lowest === null || limit.watts < lowest.watts) lowest = limit;
  return lowest;
}
