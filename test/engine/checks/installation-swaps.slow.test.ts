import { describe, expect, test } from "vitest";
import { type Hour, STARTS, SWAPS } from "./swaps.ts";
import { watchHouse, watchSwap } from "./watch.ts";
import { WiredGateway } from "./wired-gateway.ts";
import { buildHouse } from "./wired-house.ts";

const HOURS = Object.keys(STARTS) as readonly Hour[];
const SEEDS = 5;
/** Which of the 111 are tried: every third; `SWAPS_EVERY=1` tries all, which takes minutes. */
const EVERY = Number(process.env["SWAPS_EVERY"] ?? 3);
/** Share of mistakes that may be missed, at hours without a change of power that would show them. */
const MAX_MISSED = 0.05;
const HONEST_S = 400;

describe("installation mistakes", () => {
  test("At least 95 % of installation mistakes are found within three minutes, and no other device is blamed", async () => {
    const missed: string[] = [];
    const blamed: string[] = [];
    let made = 0;
    let tried = 0;
    for (const swap of SWAPS) {
      for (const hour of swap.hours ?? HOURS) {
        const seed = 1 + (made % SEEDS);
        made += 1;
        if (made % EVERY !== 0) continue;
        tried += 1;
        const watched = await watchSwap(swap, hour, seed);
        const name = `${swap.name}, ${hour}, seed ${seed}`;
        if (watched.foundAtS === null) missed.push(name);
        for (const { deviceId, measured } of watched.blamed) blamed.push(`${name}: ${deviceId}: ${measured}`);
      }
    }
    expect(made).toBeGreaterThan(100);
    expect(blamed).toEqual([]);
    expect(missed.length / tried, missed.join("; ")).toBeLessThanOrEqual(MAX_MISSED);
  }, 400_000);
});

describe.each(["registers", "clamps"] as const)("correct installation with %s", (layout) => {
  test.each(HOURS)(
    "A correct installation has no findings at %s",
    async (hour) => {
      const house = await buildHouse({ seed: 2, start: STARTS[hour], layout });
      const gateway = new WiredGateway(house);
      await gateway.start();
      await watchHouse(house, gateway, HONEST_S);
      expect(await gateway.findings()).toEqual([]);
      await gateway.stop();
    },
    60_000,
  );
});
