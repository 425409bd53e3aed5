/** The compact form in which a day's prices are stored. */
import type { PriceRun } from "../../store/records/market.ts";
import type { PriceSlot } from "../contracts/places.ts";

/** Returns the stored form of ascending slots without overlaps. */
export function toRuns(slots: readonly PriceSlot[]): readonly PriceRun[] {
  const runs: { fromMs: number; slotMs: number; toMs: number; prices: string[] }[] = [];
  for (const { fromMs, toMs, cost } of slots) {
    const run = runs.at(-1);
    if (run !== undefined && run.toMs === fromMs && run.slotMs === toMs - fromMs) {
      run.prices.push(cost);
      run.toMs = toMs;
    } else {
      runs.push({ fromMs, slotMs: toMs - fromMs, toMs, prices: [cost] });
    }
  }
  return runs.map(({ fromMs, slotMs, prices }) => ({ fromMs, slotMs, prices: prices.join(" ") }));
}

/** Returns the slots of the stored form. */
export function fromRuns(runs: readonly PriceRun[]): readonly PriceSlot[] {
  return runs.flatMap(({ fromMs, slotMs, prices }) =>
    prices.split(" ").map((cost, index) => {
      const startMs = fromMs + index * slotMs;
      return { fromMs: startMs, toMs: startMs + slotMs, cost };
    }),
  );
}
