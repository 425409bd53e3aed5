import { describe, expect, test } from "vitest";
import { type Hour, STARTS, SWAPS } from "./swaps.ts";
import { live, watchSwap } from "./watch.ts";
import { WiredGateway } from "./wired-gateway.ts";
import { buildHouse } from "./wired-house.ts";

const HOURS = Object.keys(STARTS) as readonly Hour[];
const SEEDS = 5;
/** What may be missed: at an hour at which nothing moves that would tell it. */
const MAX_MISSED = 0.05;
const HONEST_S = 400;

describe("what an installer gets wrong", () => {
  test("is found over the API within three minutes, at least 95 % of it, and nobody else is blamed", async () => {
    const missed: string[] = [];
    const blamed: string[] = [];
    let made = 0;
    for (const swap of SWAPS) {
      for (const hour of swap.hours ?? HOURS) {
        const seed = 1 + (made % SEEDS);
        made += 1;
        const watched = await watchSwap(swap, hour, seed);
        const name = `${swap.name}, ${hour}, seed ${seed}`;
        if (watched.foundAtS === null) missed.push(name);
        for (const { deviceId, measured } of watched.blamed) blamed.push(`${name}: ${deviceId}: ${measured}`);
      }
    }
    expect(made).toBeGreaterThan(100);
    expect(blamed).toEqual([]);
    expect(missed.length / made, missed.join("; ")).toBeLessThanOrEqual(MAX_MISSED);
  }, 400_000);
});

describe.each(["registers", "clamps"] as const)("a house of %s in which all is right", (layout) => {
  test.each(HOURS)(
    "has no findings in the %s",
    async (hour) => {
      const house = await buildHouse({ seed: 2, start: STARTS[hour], layout });
      const gateway = new WiredGateway(house);
      await gateway.start();
      await live(house, gateway, HONEST_S);
      expect(await gateway.findings()).toEqual([]);
      await gateway.stop();
    },
    60_000,
  );
});
