/**
 * What the devices with a timer of their own do when the gateway dies: killed at random moments, over and over, in one
 * life of the device. `LEASE_KILLS` sets how often for each.
 */
import type { AdapterContext } from "hemgate/sdk";
import { MemoryDisk, SeededRandom, serveModbus, World } from "hemgate/testing";
import { describe, expect, test } from "vitest";
import { modbusAdapter } from "../../../../adapters/modbus/modbus-adapter.ts";
import { allProfiles } from "../../../../adapters/modbus/profile/known-profiles.ts";
import type { DesiredSetting } from "../../../../src/domain/actions/action.ts";
import type { AssetKind } from "../../../../src/domain/assets/asset.ts";
import type { TwinEffect } from "../../../twins/registers/twin-behaviour.ts";
import { isAtDefault } from "./expected-effect.ts";
import { ADDRESS, type LeaseHouse, openLeaseHouse, openSunSpecHouse, POLL_MS } from "./lease-house.ts";
import { SunSpecTwin } from "./sunspec-twin.ts";

const KNOWN_PROFILES = await allProfiles();

const KILLS = Number(process.env.LEASE_KILLS ?? 4);
/** Until a started gateway has read its device, taken up what it held and written it, whatever the device's pace. */
const SETTLED_MS = 40_000;
const TIMEOUT_MS = 5_000 + 3_000 * KILLS;

type Setting = DesiredSetting & { readonly targetType: AssetKind };

interface Row {
  /** A profile, or a SunSpec device. */
  readonly profile: string;
  /** The device's own timer at its longest, ms. */
  readonly timerMs: number;
  readonly setting: Setting;
  /** What the device does while the setting is held. */
  readonly isHeld: (effect: TwinEffect) => boolean;
}

const charge: Pick<Row, "setting" | "isHeld"> = {
  setting: { targetType: "battery", operationMode: "IMPORT_FOCUS" },
  isHeld: ({ battery }) => battery?.does === "charge",
};
const limit: Pick<Row, "setting" | "isHeld"> = {
  setting: { targetType: "charger", maxCurrent: 10 },
  isHeld: ({ charger }) => charger?.limitA === 10,
};
const stop: Pick<Row, "setting" | "isHeld"> = {
  setting: { targetType: "charger", kind: "STOP" },
  isHeld: ({ charger }) => charger?.isAllowed === false,
};

const hold: Pick<Row, "setting" | "isHeld"> = {
  setting: { targetType: "battery", operationMode: "IDLE" },
  isHeld: ({ battery }) => battery?.does === "idle",
};
const discharge: Pick<Row, "setting" | "isHeld"> = {
  setting: { targetType: "battery", operationMode: "EXPORT_FOCUS" },
  isHeld: ({ battery }) => battery?.does === "discharge",
};

const ROWS: readonly Row[] = [
  { profile: "sunspec", timerMs: 60_000, ...charge },
  { profile: "sunspec", timerMs: 60_000, ...hold },
  { profile: "sunspec", timerMs: 60_000, ...discharge },
  { profile: "keba-p40", timerMs: 60_000, ...limit },
  { profile: "keba-p30", timerMs: 60_000, ...limit },
  { profile: "keba-p30", timerMs: 60_000, ...stop },
  { profile: "heidelberg-ec", timerMs: 60_000, ...limit },
  { profile: "alfen-ng9xx", timerMs: 60_000, ...limit },
  { profile: "mennekes-compact", timerMs: 10_000, ...limit },
  { profile: "mennekes-compact", timerMs: 10_000, ...stop },
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

async function openHouse({ profile, timerMs }: Row, seed: number): Promise<LeaseHouse> {
  if (profile === "sunspec") return await openSunSpecHouse(seed, { limits: 123, holdSeconds: timerMs / 1_000 });
  const found = KNOWN_PROFILES.find(({ id }) => id === profile);
  if (found === undefined) throw new Error(`no profile ${profile}`);
  return await openLeaseHouse(found, seed);
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
  if (round === 0) await house.command(run, row.setting);
  await clock.advance(random.between(0, 1.5 * row.timerMs));
  const killedAtMs = clock.monotonicMs();
  const wasHeld = row.isHeld(twin.effect);
  await house.kill(run, row.timerMs + POLL_MS);
  if (!isAtDefault(twin.effect, before)) {
    problems.push(`round ${round}, killed at ${killedAtMs} ms: still does ${JSON.stringify(twin.effect)}`);
  }
  return { wasHeld, problems };
}

describe.each(ROWS.map((row) => [row.profile, JSON.stringify(row.setting), row] as const))(
  "%s, %s",
  (_id, _wish, row) => {
    test(
      `falls back within its timer and one poll, ${KILLS} times of ${KILLS}`,
      async () => {
        const house = await openHouse(row, 7);
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
      const house = await openHouse(row, 8);
      const { clock } = house.home.world;
      const run = await house.start();
      await clock.advance(SETTLED_MS);
      await house.command(run, row.setting);
      await clock.advance(SETTLED_MS);
      for (let second = 0; second < 300; second += 1) {
        await clock.advance(1_000);
        expect(row.isHeld(house.twin.effect), `${second} s: ${JSON.stringify(house.twin.effect)}`).toBe(true);
      }
      await run.close();
      expect(house.twin.wear.map(({ id }) => id)).toEqual([]);
    });
  },
);

describe("a SunSpec battery whose timer another tool keeps", () => {
  test.each([0, 3_600])("at %i s is not forced, and the command says why", async (foreignTimerS) => {
    const house = await openSunSpecHouse(9, { limits: 123, holdSeconds: 60, foreignTimerS });
    const { clock } = house.home.world;
    const run = await house.start();
    await clock.advance(SETTLED_MS);
    await house.command(run, charge.setting);
    for (let second = 0; second < 15 * 60; second += 5) {
      await clock.advance(5_000);
      expect(house.twin.effect.battery?.does).toBe("own-control");
    }
    const [record] = run.store.all("action");
    expect(record?.action).toMatchObject({ state: "FAILED", failureReason: { type: "NO_RESPONSE" } });
    expect(record?.action.failureReason?.detail).toContain(
      `InOutWRte_RvrtTms was set to 60 s and reads ${foreignTimerS} s`,
    );
    await run.close();
  });
});

// No command of the API limits an inverter, so whoever embeds the adapter is killed here.
describe.each([123, 704] as const)("a SunSpec inverter that is limited through model %i", (limits) => {
  test(`is free within its timer and one poll, ${KILLS} times of ${KILLS}`, async () => {
    const world = new World({ seed: 11 });
    const random = new SeededRandom(11);
    const twin = new SunSpecTwin({ clock: world.clock, limits });
    await serveModbus({ clock: world.clock, net: world.net.host() }, twin, ADDRESS);
    let held = 0;
    for (let round = 0; round < KILLS; round += 1) {
      const process = world.boot("gateway", new MemoryDisk());
      void keepLimited(process.adapterContext());
      await world.clock.advance(random.between(100, 90_000));
      held += twin.effect.inverterPercent === 40 ? 1 : 0;
      process.kill();
      await world.clock.advance(60_000 + POLL_MS);
      expect(twin.effect.inverterPercent, `round ${round}`).toBe(100);
    }
    expect(held).toBeGreaterThan(0.7 * KILLS);
  });
});

/** Limits the inverter to 40 % and renews that at half of its timer, until its process is killed. */
async function keepLimited(context: AdapterContext): Promise<void> {
  const never = new AbortController().signal;
  const options = modbusAdapter.options.parse({ ...ADDRESS, profile: "sunspec", holdSeconds: 60 });
  const driver = await modbusAdapter.start(context).connect("device", options, never);
  while (!never.aborted) {
    await driver.write("inverter.powerLimit", 40, never);
    await context.clock.sleep(30_000, never);
  }
}
