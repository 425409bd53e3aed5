import { describe, expect, test } from "vitest";
import { DeviceError } from "../../src/points/device-error.ts";
import type { DeviceRecord } from "../../src/store/records.ts";
import { batteryOptions, chargerOptions, type Home, makeHome, type Run } from "./home.ts";

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const LIMIT_MS = 30_000;

const LINKED: DeviceRecord = {
  id: "linked",
  adapter: "fake",
  options: {},
  source: "linked",
  userId: "home",
  name: null,
  scopes: null,
  createdAtMs: 1_000,
};

/** A home of one user with a device of the configuration and one that was linked. */
async function startHome(seed = 1, pollMs = SECOND): Promise<{ home: Home; run: Run; start(): Promise<Run> }> {
  const home = makeHome(seed);
  home.add("configured", batteryOptions({ pollMs }));
  home.add("linked", chargerOptions());
  const start = () => home.start({ devices: [{ id: "configured", adapter: "fake" }] });
  const run = await start();
  await home.world.clock.resolve(run.engine.services.fleet.add(LINKED), LIMIT_MS);
  await home.world.clock.advance(3 * SECOND);
  return { home, run, start };
}

async function told(home: Home, run: Run): Promise<readonly string[]> {
  const entries = await home.world.clock.resolve(run.store.journalAfter(null, 1_000), LIMIT_MS);
  return entries.map(({ event }) => event);
}

function shown(run: Run): number {
  return run.engine.assets.list("battery").length + run.engine.assets.list("charger").length;
}

describe("a kill", () => {
  test("at any moment of deleting a user leaves all of it or nothing", async () => {
    const outcomes = new Set<boolean>();
    for (let killAfterMs = 0; killAfterMs <= 300; killAfterMs += 10) {
      const { home, run, start } = await startHome(killAfterMs + 1);
      void run.engine.services.userRemovals.remove("home");
      await home.world.clock.advance(killAfterMs);
      run.process.kill();
      home.disk.crash();
      const later = await start();
      const isThere = later.engine.services.users.get("home") !== null;
      await home.world.clock.advance(3 * SECOND);
      expect(later.store.all("device").length, `${killAfterMs}`).toBe(isThere ? 1 : 0);
      expect(later.store.all("unlinked").length).toBe(isThere ? 0 : 1);
      expect(later.store.all("asset").length).toBe(isThere ? 2 : 0);
      expect(shown(later)).toBe(isThere ? 2 : 0);
      const deleted = (await told(home, later)).filter((event) => /^user:(battery|charger):deleted$/.test(event));
      expect(deleted.length).toBe(isThere ? 0 : 2);
      outcomes.add(isThere);
      await later.close();
    }
    expect(outcomes.size).toBe(2);
  });

  test("at any moment of deleting an authorization leaves the user as it was, or silent", async () => {
    const outcomes = new Set<boolean>();
    for (let killAfterMs = 0; killAfterMs <= 300; killAfterMs += 10) {
      const { home, run, start } = await startHome(killAfterMs + 1);
      void run.engine.services.userRemovals.deauthorize("home");
      await home.world.clock.advance(killAfterMs);
      run.process.kill();
      home.disk.crash();
      const later = await start();
      await home.world.clock.advance(3 * SECOND);
      const isSilent = later.engine.services.users.require("home").isDeauthorized;
      expect(shown(later)).toBe(2);
      const [battery] = later.engine.assets.list("battery");
      expect(battery?.asset.isReachable, `${killAfterMs}`).toBe(!isSilent);
      expect(later.store.get("device", "linked")?.isUnlinked ?? false).toBe(isSilent);
      outcomes.add(isSilent);
      await later.close();
    }
    expect(outcomes.size).toBe(2);
  });
});

describe("a disk that refuses", () => {
  test("lets a user's leave fail as a whole, with its devices at work", async () => {
    const { home, run } = await startHome();
    home.disk.failWrites("lost", "lost", "lost", "lost");
    const removing = home.world.clock.resolve(run.engine.services.userRemovals.remove("home"), LIMIT_MS);
    await expect(removing).rejects.toMatchObject({ slug: "service-unavailable" });
    await home.world.clock.advance(MINUTE);
    expect(run.engine.services.users.get("home")).not.toBeNull();
    expect(run.engine.assets.list("battery")[0]?.asset.isReachable).toBe(true);
    expect(run.engine.assets.list("charger")[0]?.asset.isReachable).toBe(true);
    await run.close();
  });

  test("does not keep the owners from being users", async () => {
    const home = makeHome();
    home.add("configured", batteryOptions());
    home.disk.failWrites("lost", "lost");
    const run = await home.start();
    expect(run.engine.services.users.list().map(({ id }) => id)).toEqual(["home"]);
    await run.close();
  });
});

describe("credentials that a device refuses", () => {
  async function refusing(now = true): Promise<{ home: Home; run: Run; isRefused: { now: boolean } }> {
    const { home, run } = await startHome(1, MINUTE);
    const isRefused = { now };
    const device = home.devices["linked"];
    if (device === undefined) throw new Error("no device");
    const connect = device.connect.bind(device);
    device.connect = async (clock, signal) => {
      const driver = await connect(clock, signal);
      const refuse = () => {
        if (isRefused.now) throw new DeviceError("unauthorized", "the token is not valid any more");
      };
      return {
        ...driver,
        identity: driver.identity,
        read: async (scope, limit) => {
          refuse();
          return await driver.read(scope, limit);
        },
      };
    };
    await home.world.clock.resolve(run.engine.services.fleet.restart(["linked"]), LIMIT_MS);
    await home.world.clock.advance(2 * SECOND);
    return { home, run, isRefused };
  }

  test("are asked again ever more seldom, whoever hints", async () => {
    const { home, run } = await refusing();
    const id = run.engine.assets.list("charger")[0]?.asset.id ?? "";
    const before = home.devices["linked"]?.calls.filter(({ call }) => call === "connect").length ?? 0;
    for (let minute = 0; minute < 8 * 60; minute += 1) {
      run.engine.refreshHint("charger", id);
      await home.world.clock.advance(MINUTE);
    }
    const connects = home.devices["linked"]?.calls.filter(({ call }) => call === "connect").length ?? 0;
    expect(connects - before).toBeGreaterThan(3);
    expect(connects - before).toBeLessThan(10);
    expect(run.engine.stalledLoops()).toEqual([]);
    expect((await told(home, run)).filter((event) => event === "user:credentials:invalidated")).toHaveLength(1);
    await run.close();
  });

  test("put the device out of reach at once, also when the disk cannot keep that they are not valid", async () => {
    const { home, run, isRefused } = await refusing(false);
    const isReachable = () =>
      run.engine.assets.list("charger").find(({ asset }) => asset.vendor === "KEBA")?.asset.isReachable;
    expect(isReachable()).toBe(true);
    home.disk.failWrites(...Array.from({ length: 20 }, () => "lost" as const));
    isRefused.now = true;
    await home.world.clock.advance(3 * SECOND);
    expect(isReachable()).toBe(false);
    await run.close();
  });

  test("are told over restarts as one loss, and are valid again when they are taken", async () => {
    const { home, run, isRefused } = await refusing();
    const { authorizations } = run.engine.services;
    expect(authorizations.isValid("home", "KEBA")).toBe(false);
    expect(authorizations.isValid("home", "SOLAREDGE")).toBe(true);
    await run.close();
    const later = await home.start({ devices: [{ id: "configured", adapter: "fake" }] });
    expect(later.engine.services.authorizations.isValid("home", "KEBA")).toBe(false);
    await home.world.clock.advance(MINUTE);
    isRefused.now = false;
    await home.world.clock.resolve(later.engine.services.fleet.change({ ...LINKED, name: "Again" }), LIMIT_MS);
    await home.world.clock.advance(3 * SECOND);
    expect(later.engine.services.authorizations.isValid("home", "KEBA")).toBe(true);
    const [charger] = later.engine.assets.list("charger");
    expect(charger?.asset).toMatchObject({ isReachable: true, capabilities: { startCharging: { isCapable: true } } });
    expect((await told(home, later)).filter((event) => event === "user:credentials:invalidated")).toHaveLength(1);
    await later.close();
  });

  test("of a device that is removed count no more", async () => {
    const { home, run } = await refusing();
    await home.world.clock.resolve(run.engine.services.fleet.remove(["linked"]), LIMIT_MS);
    expect(run.engine.services.authorizations.isValid("home", "KEBA")).toBe(true);
    await home.world.clock.advance(HOUR);
    await run.close();
  });
});
