/**
 * What the devices with a timer of their own do when the gateway dies: killed at random moments, over and over, in one
 * life of the device. `LEASE_KILLS` sets how often for each.
 */
import type { DeviceProfile } from "hemgate/sdk";
import type { TwinEffect } from "hemgate/testing";
import { describe, expect, test } from "vitest";
import { KNOWN_PROFILES } from "../../../../adapters/modbus/known-profiles.ts";
import type { ActionWish } from "../../../../src/domain/action.ts";
import type { AssetKind } from "../../../../src/domain/asset.ts";
import { isAtDefault } from "./expected-effect.ts";
import { type LeaseHouse, openLeaseHouse, POLL_MS } from "./lease-house.ts";

const KILLS = Number(process.env.LEASE_KILLS ?? 10);
/** Until a started gateway has read its device, taken up what it held and written it, whatever the device's pace. */
const SETTLED_MS = 40_000;
const TIMEOUT_MS = 5_000 + 3_000 * KILLS;

type Wish = ActionWish & { readonly targetType: AssetKind };

interface Row {
  readonly profile: string;
  /** The device's own timer at its longest, ms. */
  readonly timerMs: number;
  readonly wish: Wish;
  /** What the device does while the wish is held. */
  readonly isHeld: (effect: TwinEffect) => boolean;
}

const charge: Pick<Row, "wish" | "isHeld"> = {
  wish: { targetType: "battery", operationMode: "IMPORT_FOCUS" },
  isHeld: ({ battery }) => battery?.does === "charge",
};
const limit: Pick<Row, "wish" | "isHeld"> = {
  wish: { targetType: "charger", maxCurrent: 10 },
  isHeld: ({ charger }) => charger?.limitA === 10,
};
const stop: Pick<Row, "wish" | "isHeld"> = {
  wish: { targetType: "charger", kind: "STOP" },
  isHeld: ({ charger }) => charger?.isAllowed === false,
};

const ROWS: readonly Row[] = [
  { profile: "keba-p30", timerMs: 60_000, ...limit },
  { profile: "keba-p30", timerMs: 60_000, ...stop },
  { profile: "heidelberg-ec", timerMs: 60_000, ...limit },
  { profile: "alfen-ng9xx", timerMs: 60_000, ...limit },
  { profile: "mennekes-compact", timerMs: 10_000, ...limit },
  { profile: "webasto-next-tq", timerMs: 60_000, ...limit },
  { profile: "foxess-h3", timerMs: 60_000, ...charge },
  { profile: "foxess-h3-pro", timerMs: 60_000, ...charge },
  { profile: "huawei-sun2000-luna", timerMs: 120_000, ...charge },
  { profile: "sma-hybrid", timerMs: 60_000, ...charge },
  { profile: "sma-sunny-island", timerMs: 60_000, ...charge },
  { profile: "solaredge-storedge", timerMs: 120_000, ...charge },
  { profile: "kostal-plenticore", timerMs: 30_000, ...charge },
  { profile: "solax-g3g4", timerMs: 60_000, ...charge },
];

function profileOf({ profile }: Row): DeviceProfile {
  const found = KNOWN_PROFILES.find(({ id }) => id === profile);
  if (found === undefined) throw new Error(`no profile ${profile}`);
  return found;
}

interface Death {
  /** Whether the device did as it was told at that moment. */
  readonly wasHeld: boolean;
  readonly problems: readonly string[];
}

/** Lives through one run that ends at a random moment. */
async function dieOnce(house: LeaseHouse, row: Row, before: TwinEffect, round: number): Promise<Death> {
  const { home, twin, random } = house;
  const { clock } = home.world;
  const problems: string[] = [];
  const requestsBefore = twin.requests;
  const writesBefore = twin.writes.length;
  const run = await house.start();
  if (round === 0) await clock.advance(SETTLED_MS);
  await clock.runUntil(() => twin.writes.length > writesBefore || round === 0, SETTLED_MS);
  // A device is read before it is written to.
  if (twin.writes.length > writesBefore && twin.requests - requestsBefore <= twin.writes.length - writesBefore) {
    problems.push(`round ${round}: written to before it was read`);
  }
  if (round === 0) await house.command(run, row.wish);
  await clock.advance(random.between(0, 1.5 * row.timerMs));
  const killedAtMs = clock.monotonicMs();
  const wasHeld = row.isHeld(twin.effect);
  await house.kill(run, row.timerMs + POLL_MS);
  if (!isAtDefault(twin.effect, before)) {
    problems.push(`round ${round}, killed at ${killedAtMs} ms: still does ${JSON.stringify(twin.effect)}`);
  }
  return { wasHeld, problems };
}

describe.each(ROWS.map((row) => [row.profile, JSON.stringify(row.wish), row] as const))("%s, %s", (_id, _wish, row) => {
  test(
    `falls back within its timer and one poll, ${KILLS} times of ${KILLS}`,
    async () => {
      const house = await openLeaseHouse(profileOf(row), 7);
      const before = house.twin.effect;
      const deaths: Death[] = [];
      for (let round = 0; round < KILLS; round += 1) deaths.push(await dieOnce(house, row, before, round));
      expect(deaths.flatMap(({ problems }) => problems)).toEqual([]);
      // Most of them while there was something to lose.
      expect(deaths.filter(({ wasHeld }) => wasHeld).length).toBeGreaterThan(0.7 * KILLS);
      expect(house.twin.wear.map(({ id }) => id)).toEqual([]);
    },
    TIMEOUT_MS,
  );

  test("is held without a gap while the gateway lives, and given back by an orderly stop", async () => {
    const house = await openLeaseHouse(profileOf(row), 8);
    const { clock } = house.home.world;
    const run = await house.start();
    await clock.advance(SETTLED_MS);
    await house.command(run, row.wish);
    await clock.advance(SETTLED_MS);
    for (let second = 0; second < 300; second += 1) {
      await clock.advance(1_000);
      expect(row.isHeld(house.twin.effect), `${second} s: ${JSON.stringify(house.twin.effect)}`).toBe(true);
    }
    await run.close();
    expect(house.twin.wear.map(({ id }) => id)).toEqual([]);
  });
});
