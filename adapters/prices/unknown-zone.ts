import type { MarketMistake } from "hemgate/sdk";

/** Says that a source has no such zone, and which ones it has. */
export function unknownZone(kind: string, candidates: readonly string[]): MarketMistake {
  return { field: "zone", problem: `no such ${kind}; there are ${candidates.join(", ")}`, candidates };
}
