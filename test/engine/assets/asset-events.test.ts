import { describe, expect, test } from "vitest";
import { batteryOptions, chargerOptions, followSwitch, makeHome, type Run } from "../home.ts";

const SECOND = 1_000;
const MINUTE = 60 * SECOND;

/** Returns the journal's events of assets, without those of energy systems, which have their own tests. */
async function assetEvents(run: Run) {
  const entries = await run.store.journalAfter(null, 10_000);
  return entries
    .filter(({ event }) => !event.startsWith("user:hem-system:"))
    .map(({ event, payload }) => ({ event, payload: payload as Record<string, never> }));
}

describe("asset events", () => {
  test("A new asset is published as discovered without values, then with its state", async () => {
    const home = makeHome();
    home.add("battery", batteryOptions());
    const run = await home.start();
    await home.world.clock.advance(3 * SECOND);
    const [discovered, updated, ...more] = await assetEvents(run);
    expect(discovered).toMatchObject({
      event: "user:battery:discovered",
      payload: {
        user: { id: "home" },
        battery: {
          isReachable: false,
          information: { brand: "SolarEdge" },
          chargeState: { batteryLevel: null },
          capabilities: { importFocus: { isCapable: false } },
        },
      },
    });
    expect(updated).toMatchObject({
      event: "user:battery:updated",
      payload: {
        battery: { isReachable: true, chargeState: { batteryLevel: 55.5 } },
        updatedFields: expect.arrayContaining(["isReachable", "chargeState.batteryLevel", "config.operationMode"]),
      },
    });
    // An energy system is created for it at once.
    expect(more).toMatchObject([{ event: "user:battery:updated", payload: { updatedFields: ["hemSystemId"] } }]);
    await run.close();
  });

  test("A battery that is added to a connected inverter is discovered without a new connection", async () => {
    const home = makeHome();
    const inverter = home.add("roof", { values: { "inverter.power": 2_000 } });
    const run = await home.start();
    await home.world.clock.advance(3 * SECOND);
    inverter.show("battery.soc", 40);
    inverter.show("battery.power", 0);
    await home.world.clock.advance(3 * SECOND);
    const events = (await assetEvents(run)).map(({ event }) => event);
    expect(events).toContain("user:battery:discovered");
    expect(events).toContain("user:battery:updated");
    expect(inverter.calls.filter(({ call }) => call === "connect")).toHaveLength(1);
    await run.close();
  });

  test("A discrete change is published at once with the complete asset", async () => {
    const home = makeHome();
    const charger = home.add("charger", chargerOptions());
    const run = await home.start();
    await home.world.clock.advance(3 * SECOND);
    const before = (await assetEvents(run)).length;
    charger.show("charger.state", "UNPLUGGED");
    await home.world.clock.advance(1_500);
    expect((await assetEvents(run)).slice(before)).toMatchObject([
      {
        event: "user:charger:updated",
        payload: {
          charger: { information: { brand: "KEBA" }, chargeState: { isPluggedIn: false } },
          updatedFields: ["chargeState.isPluggedIn", "chargeState.powerDeliveryState"],
        },
      },
    ]);
    await run.close();
  });

  test("Changed numbers are collected and published for all assets in one write", async () => {
    const home = makeHome();
    for (let index = 0; index < 10; index += 1) home.add(`b${index}`, batteryOptions());
    const run = await home.start();
    await home.world.clock.advance(3 * SECOND);
    const before = (await assetEvents(run)).length;
    const drift = async (durationMs: number) => {
      for (let ms = 0; ms < durationMs; ms += SECOND) {
        // Batteries with identical values would be taken for one battery.
        for (const [index, battery] of Object.values(home.devices).entries()) {
          battery.show("battery.power", -1_000 * (index + 1) - ms / 1_000);
        }
        await home.world.clock.advance(SECOND);
      }
    };
    await drift(4 * MINUTE);
    expect((await assetEvents(run)).slice(before)).toEqual([]);
    await drift(5 * MINUTE);
    const published = (await assetEvents(run)).slice(before);
    expect(published).toHaveLength(10);
    expect(published[0]?.payload["updatedFields"]).toEqual(["chargeState.chargeRate"]);
    await run.close();
  });

  test("The numbers of a charging charger are published every two minutes", async () => {
    const home = makeHome();
    const charger = home.add("charger", chargerOptions());
    followSwitch(charger);
    charger.onWrite("charger.enabled", true);
    const run = await home.start();
    await home.world.clock.advance(3 * SECOND);
    const before = (await assetEvents(run)).length;
    for (let second = 0; second < 600; second += 1) {
      charger.show("charger.power", 7_000 + second);
      await home.world.clock.advance(SECOND);
    }
    expect((await assetEvents(run)).slice(before).length).toBeGreaterThanOrEqual(4);
    expect((await assetEvents(run)).slice(before).length).toBeLessThanOrEqual(5);
    await run.close();
  });

  test.each([
    ["a charging charger is published within two minutes", true, 2 * MINUTE],
    ["an idle charger is published within seven minutes", false, 7 * MINUTE],
  ])("Each changed number of %s", async (_name, isCharging, withinMs) => {
    const home = makeHome();
    const charger = home.add("charger", chargerOptions());
    followSwitch(charger);
    if (isCharging) charger.onWrite("charger.enabled", true);
    const run = await home.start();
    // Published at once in the middle of a tick, so that later changes are not in step with the ticks.
    await home.world.clock.advance(25 * SECOND);
    charger.show("charger.maxCurrent", 17);
    const before = (await assetEvents(run)).length;
    const startMs = home.world.clock.nowMs();
    for (let second = 0; second < 1_800; second += 1) {
      charger.show("charger.maxCurrent", 6 + (second % 23));
      await home.world.clock.advance(SECOND);
    }
    const entries = (await run.store.journalAfter(null, 10_000)).slice(before);
    expect(entries.length).toBeGreaterThan(2);
    for (const [at, { atMs }] of entries.entries()) {
      expect(atMs - (entries[at - 1]?.atMs ?? startMs)).toBeLessThanOrEqual(withinMs + SECOND);
    }
    await run.close();
  });

  test("A state that changes every second is published at most ten times a minute", async () => {
    const home = makeHome();
    const charger = home.add("charger", chargerOptions());
    const run = await home.start();
    await home.world.clock.advance(3 * SECOND);
    const before = (await assetEvents(run)).length;
    for (let second = 0; second < 600; second += 1) {
      charger.show("charger.state", second % 2 === 0 ? "UNPLUGGED" : "PLUGGED_IN:STOPPED");
      await home.world.clock.advance(SECOND);
    }
    expect((await assetEvents(run)).slice(before).length).toBeLessThanOrEqual(11 * 10 + 10);
    await run.close();
  });

  test("Changes that could not be stored are published when the disk works again", async () => {
    const home = makeHome();
    const charger = home.add("charger", chargerOptions());
    const run = await home.start();
    await home.world.clock.advance(3 * SECOND);
    home.disk.failWrites(...Array.from({ length: 3 }, () => "lost" as const));
    charger.show("charger.state", "UNPLUGGED");
    await home.world.clock.advance(3 * MINUTE);
    expect((await assetEvents(run)).at(-1)).toMatchObject({
      event: "user:charger:updated",
      payload: { charger: { chargeState: { isPluggedIn: false } } },
    });
    await run.close();
  });

  test("A device that no longer answers is published as not reachable, also after a restart", async () => {
    const home = makeHome();
    const battery = home.add("battery", batteryOptions());
    const first = await home.start();
    await home.world.clock.advance(3 * SECOND);
    first.process.kill();
    home.disk.crash();
    battery.isUp = false;
    const second = await home.start();
    await home.world.clock.advance(MINUTE);
    expect((await assetEvents(second)).at(-1)).toMatchObject({
      event: "user:battery:updated",
      payload: { battery: { isReachable: false } },
    });
    await second.close();
  });
});

test("Every reading is stored in the history", async () => {
  const home = makeHome();
  home.add("battery", batteryOptions());
  const run = await home.start();
  const startMs = home.world.clock.nowMs();
  await home.world.clock.advance(MINUTE);
  const samples = await run.store.history("battery", startMs - MINUTE, startMs + 2 * MINUTE);
  expect(samples.length).toBeGreaterThanOrEqual(60);
  expect(samples[0]?.values).toContainEqual({ point: "battery.power", value: -1_234 });
  await run.close();
});

test("Observers are called for each change of an asset until they unsubscribe", async () => {
  const home = makeHome();
  home.add("battery", batteryOptions());
  const run = await home.start();
  const seen: string[] = [];
  const observation = run.engine.assets.observe((kind) => void seen.push(kind));
  await home.world.clock.advance(5 * SECOND);
  expect(seen.length).toBeGreaterThanOrEqual(5);
  observation[Symbol.dispose]();
  const before = seen.length;
  await home.world.clock.advance(5 * SECOND);
  expect(seen).toHaveLength(before);
  await run.close();
});
