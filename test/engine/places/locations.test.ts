import { describe, expect, it } from "vitest";
import { newBattery } from "../../../src/domain/assets/battery.ts";
import type { Location } from "../../../src/domain/places/location.ts";
import { createLocationOverlay } from "../../../src/engine/places/location-overlay.ts";
import { LocationRemovals, type RemovalStep } from "../../../src/engine/places/location-removals.ts";
import type { Write } from "../../../src/store/records.ts";
import { batteryOptions, makeHome } from "../home.ts";

const HOUSE = { name: "House", latitude: 52.52, longitude: 13.405, timezoneName: "Europe/Berlin" };

describe("vehicles without the location scope", () => {
  it("A vehicle without the scope for its location is at no location, whatever its coordinates", async () => {
    const home = makeHome();
    home.add("car", {
      values: { "vehicle.soc": 50, "vehicle.latitude": HOUSE.latitude, "vehicle.longitude": HOUSE.longitude },
    });
    const run = await home.start({ devices: [{ id: "car", adapter: "fake", scopes: ["vehicle:read:data"] }] });
    await home.world.clock.advance(5_000);
    await home.world.clock.resolve(run.engine.services.locations.create("home", HOUSE), 1_000);
    const [entry] = run.engine.assets.list("vehicle");
    const location = { id: null, latitude: null, longitude: null, lastUpdated: null };
    expect(entry?.asset).toMatchObject({ locationId: null, location });
    await run.close();
  });
});

describe("devices with coordinates", () => {
  it("A device with coordinates is at its user's location, and never at that of another user", async () => {
    const home = makeHome();
    const values = { "battery.latitude": HOUSE.latitude, "battery.longitude": HOUSE.longitude };
    home.add("one", batteryOptions({ values: { "battery.soc": 5, ...values } }));
    home.add("other", batteryOptions({ values: { "battery.soc": 5, ...values } }));
    const run = await home.start({
      devices: [
        { id: "one", adapter: "fake", owner: "one" },
        { id: "other", adapter: "fake", owner: "other" },
      ],
    });
    await home.world.clock.advance(5_000);
    const { id } = await home.world.clock.resolve(run.engine.services.locations.create("one", HOUSE), 1_000);
    const ids = run.engine.assets.list("battery").map(({ asset }) => [asset.userId, asset.location.id]);
    expect(Object.fromEntries(ids)).toEqual({ one: id, other: null });
    await run.close();
  });
});

describe("devices without coordinates", () => {
  const battery = newBattery({
    id: "2f1c9f0e-5a53-4f57-8a0c-0f6f5a0f8f11",
    userId: "home",
    scopes: ["battery:read:data", "battery:read:location"],
    siteName: "Battery",
    timezone: "UTC",
    lastSeenMs: 0,
    installedAtMs: 0,
    device: {
      identity: { manufacturer: null, model: null, serial: null, version: null },
      vendors: ["SUNSPEC"],
      points: [],
      controls: [],
    },
  });
  const parts = {
    placesOf: () => [{ ...HOUSE, id: "there" }],
    placementOf: () => null,
    siteKnownSince: () => "2026-01-01T00:00:00.000Z",
  };

  it("A device without coordinates is at the place of the site", () => {
    const overlay = createLocationOverlay({ ...parts, site: HOUSE });
    const shown = overlay.battery?.(battery, {});
    expect(shown?.location).toEqual({
      id: "there",
      latitude: HOUSE.latitude,
      longitude: HOUSE.longitude,
      lastUpdated: "2026-01-01T00:00:00.000Z",
    });
    expect(overlay.battery?.(shown ?? battery, {})).toBe(shown);
  });

  it("It is there since the start of the gateway, also since one with an unset clock", async () => {
    const home = makeHome(1, { place: HOUSE });
    home.add("battery", batteryOptions());
    const { clock } = home.world;
    const startMs = clock.nowMs();
    clock.setWallMs(0);
    clock.setQuality("unset");
    const run = await home.start();
    const since = (): number => {
      const { lastUpdated } = run.engine.assets.list("battery")[0]!.asset.location;
      return Math.round((Date.parse(lastUpdated ?? "") - startMs) / 60_000);
    };
    await clock.advance(60_000);
    clock.setWallMs(startMs + 60_000);
    clock.setQuality("synced");
    await clock.advance(60_000);
    expect(since()).toBe(0);
    await clock.advance(60_000);
    expect(since()).toBe(0);
    await run.close();
  });

  it.each(["the site", "the device"])(
    "Without the location scope a device has no location, although %s has one",
    (who) => {
      const overlay = createLocationOverlay({ ...parts, site: who === "the site" ? HOUSE : null });
      const values = { "battery.latitude": HOUSE.latitude, "battery.longitude": HOUSE.longitude };
      const reported = who === "the site" ? {} : values;
      const hidden = overlay.battery?.({ ...battery, scopes: ["battery:read:data"] }, reported);
      expect(hidden?.location).toEqual({ id: null, latitude: null, longitude: null, lastUpdated: null });
    },
  );

  it("A device without coordinates has no location if the site has no place", () => {
    const overlay = createLocationOverlay({ ...parts, site: null });
    expect(overlay.battery?.(battery, {})).toBe(battery);
  });
});

describe("removal of a location", () => {
  const location: Location = { id: "there", userId: "home", createdAt: "2026-01-01T00:00:00.000Z", ...HOUSE };
  const write = (key: string): Write => ({ table: "location", key, remove: true });

  function openRemovals(isRefused = false) {
    const commits: (readonly Write[])[] = [];
    const commit = async (writes: readonly Write[]): Promise<void> => {
      if (isRefused) throw new Error("the disk is full");
      commits.push(writes);
    };
    const locationRemovals: RemovalStep[] = [];
    return { commits, locationRemovals, removals: new LocationRemovals({ commit }, { locationRemovals }) };
  }

  it("The removal of a location is one commit with the changes of all features", async () => {
    const { commits, locationRemovals, removals } = openRemovals();
    const seen: string[] = [];
    for (const name of ["a", "b"]) {
      locationRemovals.push(async ({ id }, commit) => {
        seen.push(`${name} asked about ${id}`);
        await commit({ writes: [write(name)], entries: [] });
        seen.push(`${name} stored`);
      });
    }
    await removals.run(location);
    expect(commits).toEqual([[write("a"), write("b")]]);
    expect(seen).toEqual(["a asked about there", "b asked about there", "b stored", "a stored"]);
  });

  it("The removal of a location changes nothing if the commit fails", async () => {
    const { commits, locationRemovals, removals } = openRemovals(true);
    let isApplied = false;
    locationRemovals.push(async (_location, commit) => {
      await commit({ writes: [write("a")], entries: [] });
      isApplied = true;
    });
    await expect(removals.run(location)).rejects.toThrow("the disk is full");
    expect([commits, isApplied]).toEqual([[], false]);
  });
});
