import { describe, expect, test } from "vitest";
import { ProblemError } from "../../../src/domain/problem.ts";
import type { DeviceRecord } from "../../../src/store/records.ts";
import { batteryOptions, chargerOptions, followSwitch, type Home, makeHome, type Run } from "../home.ts";

const SECOND = 1_000;
const LIMIT_MS = 30_000;

function recordOf(id: string, change: Partial<DeviceRecord> = {}): DeviceRecord {
  return {
    id,
    adapter: "fake",
    options: {},
    source: "linked",
    userId: "ann",
    name: null,
    scopes: null,
    createdAtMs: 1_000,
    ...change,
  };
}

async function eventsOf(home: Home, run: Run): Promise<readonly string[]> {
  const entries = await home.world.clock.resolve(run.store.journalAfter(null, 1_000), LIMIT_MS);
  return entries.map(({ event }) => event);
}

describe("fleet", () => {
  test("A device runs as soon as it is added, and again after a restart", async () => {
    const home = makeHome();
    home.add("linked", batteryOptions());
    const run = await home.start({ devices: [] });
    await home.world.clock.resolve(run.engine.services.fleet.add(recordOf("linked")), LIMIT_MS);
    await home.world.clock.advance(3 * SECOND);
    const [entry] = run.engine.assets.list("battery");
    expect(entry?.asset).toMatchObject({ userId: "ann", isReachable: true, chargeState: { batteryLevel: 55.5 } });
    await run.close();
    const later = await home.start({ devices: [] });
    expect(later.engine.assets.get("battery", entry?.asset.id ?? "")).not.toBeNull();
    await home.world.clock.advance(3 * SECOND);
    expect(later.engine.assets.list("battery")[0]?.asset).toMatchObject({ id: entry?.asset.id, isReachable: true });
    await later.close();
  });

  test("A device with a configured id or with options that its adapter refuses cannot be added", async () => {
    const home = makeHome();
    home.add("configured", batteryOptions());
    const run = await home.start();
    const add = (record: DeviceRecord) => home.world.clock.resolve(run.engine.services.fleet.add(record), LIMIT_MS);
    await expect(add(recordOf("configured"))).rejects.toThrow("The configuration has a device");
    await expect(add(recordOf("x", { options: { port: 1 } }))).rejects.toThrow(ProblemError);
    await expect(add(recordOf("x", { adapter: "none" }))).rejects.toThrow("There is no adapter");
    expect(run.engine.services.fleet.list()).toEqual([]);
    await run.close();
  });

  test("A removed device gets its safe value, and its pending action and asset are removed in one commit", async () => {
    const home = makeHome();
    const device = home.add("linked", batteryOptions());
    const run = await home.start({ devices: [] });
    const { fleet } = run.engine.services;
    const { clock } = home.world;
    await clock.resolve(fleet.add(recordOf("linked")), LIMIT_MS);
    await clock.advance(3 * SECOND);
    const id = run.engine.assets.list("battery")[0]?.asset.id ?? "";
    const idle = await clock.resolve(
      run.engine.actions.start(id, { targetType: "battery", operationMode: "IDLE" }),
      LIMIT_MS,
    );
    await clock.advance(10 * SECOND);
    expect(run.engine.actions.get("battery", idle.id)?.state).toBe("CONFIRMED");
    device.refusesWrites = "not now";
    const pending = await clock.resolve(
      run.engine.actions.start(id, { targetType: "battery", operationMode: "IMPORT_FOCUS" }),
      LIMIT_MS,
    );
    await clock.advance(10 * SECOND);
    device.refusesWrites = null;
    await clock.resolve(fleet.remove(["linked", "unknown"]), LIMIT_MS);
    expect(device.values["battery.mode"]).toBe("SELF_RELIANCE");
    expect(device.openDrivers).toBe(0);
    expect(run.engine.assets.list("battery")).toEqual([]);
    expect(run.engine.actions.get("battery", pending.id)).toMatchObject({
      state: "CANCELLED",
      failureReason: { type: "NOT_FOUND" },
    });
    const events = (await eventsOf(home, run)).filter((event) => !event.startsWith("user:hem-system:"));
    expect(events.slice(-2)).toEqual(["user:vendor-action:updated", "user:battery:deleted"]);
    expect(run.store.all("asset")).toEqual([]);
    expect(run.store.all("lease")).toEqual([]);
    expect(run.store.all("device")).toEqual([]);
    await clock.advance(60 * SECOND);
    expect(run.store.all("asset")).toEqual([]);
    await expect(
      clock.resolve(run.engine.actions.start(id, { targetType: "battery", operationMode: "IDLE" }), LIMIT_MS),
    ).rejects.toThrow("No battery has the id");
    await run.close();
  });

  test("A device that hangs is removed in bounded time without delaying others", async () => {
    const home = makeHome();
    home.add("hangs", batteryOptions()).hangsOn = "read";
    const other = home.add("other", batteryOptions());
    const run = await home.start({ devices: [{ id: "other", adapter: "fake" }] });
    const { clock } = home.world;
    await clock.resolve(run.engine.services.fleet.add(recordOf("hangs")), LIMIT_MS);
    await clock.advance(5 * SECOND);
    const before = other.calls.length;
    await clock.resolve(run.engine.services.fleet.remove(["hangs"]), 4 * SECOND);
    await clock.advance(5 * SECOND);
    expect(other.calls.length).toBeGreaterThanOrEqual(before + 5);
    await run.close();
  });

  test("A changed device keeps its assets' ids and continues its pending action", async () => {
    const home = makeHome();
    const charger = home.add("linked", chargerOptions());
    followSwitch(charger);
    const run = await home.start({ devices: [] });
    const { fleet } = run.engine.services;
    const { clock } = home.world;
    await clock.resolve(fleet.add(recordOf("linked")), LIMIT_MS);
    await clock.advance(3 * SECOND);
    const id = run.engine.assets.list("charger")[0]?.asset.id ?? "";
    charger.isUp = false;
    const action = await clock.resolve(
      run.engine.actions.start(id, { targetType: "charger", kind: "START" }),
      LIMIT_MS,
    );
    await clock.advance(5 * SECOND);
    charger.isUp = true;
    await clock.resolve(fleet.change(recordOf("linked", { name: "Carport" })), LIMIT_MS);
    await clock.advance(20 * SECOND);
    expect(run.engine.assets.list("charger").map(({ asset }) => asset.id)).toEqual([id]);
    expect(run.engine.actions.get("charger", action.id)?.state).toBe("CONFIRMED");
    await run.close();
  });

  test("Assets of kinds that the scopes no longer grant are removed", async () => {
    const home = makeHome();
    home.add("hybrid", batteryOptions({ values: { "battery.soc": 50, "meter.power": 100 } }));
    const run = await home.start({ devices: [] });
    const { fleet } = run.engine.services;
    const { clock } = home.world;
    await clock.resolve(fleet.add(recordOf("hybrid")), LIMIT_MS);
    await clock.advance(3 * SECOND);
    expect(run.engine.assets.list("meter")).toHaveLength(1);
    const battery = run.engine.assets.list("battery")[0]?.asset.id;
    await clock.resolve(fleet.change(recordOf("hybrid", { scopes: ["battery:read:data"] })), LIMIT_MS);
    await clock.advance(3 * SECOND);
    expect(run.engine.assets.list("meter")).toEqual([]);
    expect(run.engine.assets.list("battery").map(({ asset }) => asset.id)).toEqual([battery]);
    expect(await eventsOf(home, run)).toContain("user:meter:deleted");
    await run.close();
  });

  test("A device that cannot be removed from disk keeps running", async () => {
    const home = makeHome();
    home.add("linked", batteryOptions());
    const run = await home.start({ devices: [] });
    const { fleet } = run.engine.services;
    const { clock } = home.world;
    await clock.resolve(fleet.add(recordOf("linked")), LIMIT_MS);
    await clock.advance(3 * SECOND);
    home.disk.failWrites("lost", "lost", "lost", "lost");
    await expect(clock.resolve(fleet.remove(["linked"]), LIMIT_MS)).rejects.toMatchObject({
      slug: "service-unavailable",
    });
    await clock.advance(60 * SECOND);
    expect(run.engine.assets.list("battery")[0]?.asset).toMatchObject({ isReachable: true });
    await run.close();
  });

  test("A kill at any moment of adding or removing leaves either a complete device or nothing", async () => {
    for (let killAfterMs = 0; killAfterMs <= 400; killAfterMs += 10) {
      for (const step of ["add", "remove"] as const) {
        const home = makeHome(killAfterMs + 1);
        home.add("linked", batteryOptions());
        const { clock } = home.world;
        const run = await home.start({ devices: [] });
        const adding = run.engine.services.fleet.add(recordOf("linked"));
        if (step === "remove") {
          await clock.resolve(adding, LIMIT_MS);
          await clock.advance(3 * SECOND);
          void run.engine.services.fleet.remove(["linked"]);
        }
        await clock.advance(killAfterMs);
        run.process.kill();
        home.disk.crash();
        const later = await home.start({ devices: [] });
        const isThere = later.store.all("device").length === 1;
        expect(later.store.all("asset").length > 0 && !isThere, `${step} ${killAfterMs}`).toBe(false);
        await clock.advance(3 * SECOND);
        expect(later.engine.assets.list("battery")).toHaveLength(isThere ? 1 : 0);
        const events = await eventsOf(home, later);
        expect(events.filter((event) => event === "user:battery:deleted").length).toBe(
          step === "remove" && !isThere ? 1 : 0,
        );
        await later.close();
      }
    }
  });
});
