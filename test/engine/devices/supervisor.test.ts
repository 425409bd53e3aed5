import { describe, expect, test } from "vitest";
import { batteryOptions, chargerOptions, makeHome } from "../home.ts";

const SECOND = 1_000;
const MINUTE = 60 * SECOND;

describe("the supervisor", () => {
  test("shows a device's asset after its first answer, in the API's units", async () => {
    const home = makeHome();
    home.add("battery", batteryOptions());
    const run = await home.start();
    await home.world.clock.advance(2 * SECOND);
    const [entry] = run.engine.assets.list("battery");
    expect(entry?.asset).toMatchObject({
      vendor: "SOLAREDGE",
      isReachable: true,
      chargeState: { chargeRate: -1.234, batteryLevel: 55.5, batteryCapacity: 10.24, status: "DISCHARGING" },
      config: { operationMode: "SELF_RELIANCE" },
      information: { brand: "SolarEdge", model: "Home Battery", id: "B-1", siteName: "Home battery" },
    });
    await run.close();
  });

  test("starts with every device dead, and finds them when they come", async () => {
    const home = makeHome();
    for (let index = 0; index < 20; index += 1) home.add(`b${index}`, batteryOptions()).isUp = false;
    const run = await home.start();
    await home.world.clock.advance(10 * MINUTE);
    expect(run.engine.devices().filter(({ isReachable }) => isReachable)).toEqual([]);
    expect(run.engine.devices()[0]?.lastError).toBe("no answer to a connect");
    expect(run.engine.readiness()).toEqual({ isReady: true, failures: [] });
    for (const device of Object.values(home.devices)) device.isUp = true;
    await home.world.clock.advance(61 * SECOND);
    expect(run.engine.devices().filter(({ isReachable }) => isReachable)).toHaveLength(20);
    await run.close();
  });

  test.each(["connect", "read", "close"] as const)("a device that hangs on %s delays no other", async (call) => {
    const home = makeHome();
    home.add("hangs", batteryOptions()).hangsOn = call;
    const healthy = home.add("works", batteryOptions());
    const run = await home.start();
    await home.world.clock.advance(5 * MINUTE);
    const reads = healthy.calls.filter((made) => made.call === "read").map(({ atMs }) => atMs);
    const gaps = reads.slice(2).map((atMs, index) => atMs - (reads[index + 1] ?? 0));
    expect(new Set(gaps)).toEqual(new Set([SECOND]));
    expect(reads.length).toBeGreaterThanOrEqual(300);
    await run.close();
  });

  test("reads are aligned on the period and never overlap", async () => {
    const home = makeHome();
    const slow = home.add("slow", batteryOptions({ pollMs: 5 * SECOND, delayMs: 700 }));
    const run = await home.start();
    await home.world.clock.advance(MINUTE);
    const reads = slow.calls.filter(({ call }) => call === "read").map(({ atMs }) => atMs);
    expect(reads.slice(1).map((atMs) => atMs % (5 * SECOND))).toEqual(reads.slice(1).map(() => 0));
    expect(slow.mostInFlight).toBe(1);
    await run.close();
  });

  test("a device counts as unreachable after three failed turns, keeps its values, and comes back at once", async () => {
    const home = makeHome();
    const battery = home.add("battery", batteryOptions());
    const run = await home.start();
    await home.world.clock.advance(10 * SECOND);
    battery.isUp = false;
    await home.world.clock.advance(2_500);
    expect(run.engine.assets.list("battery")[0]?.asset.isReachable).toBe(true);
    await home.world.clock.advance(30 * SECOND);
    const dead = run.engine.assets.list("battery")[0]?.asset;
    expect(dead).toMatchObject({ isReachable: false, chargeState: { batteryLevel: 55.5 } });
    battery.isUp = true;
    await home.world.clock.advance(61 * SECOND);
    const alive = run.engine.assets.list("battery")[0]?.asset;
    expect(alive?.isReachable).toBe(true);
    expect(Date.parse(alive?.lastSeen ?? "")).toBeGreaterThan(Date.parse(dead?.lastSeen ?? ""));
    expect(run.process.log.texts().filter((text) => /^device (un)?reachable$/.test(text))).toEqual([
      "device reachable",
      "device unreachable",
      "device reachable",
    ]);
    await run.close();
  });

  test("turns in which nothing is due do not keep a connection that fails", async () => {
    const home = makeHome();
    const battery = home.add("battery", batteryOptions());
    battery.dueEvery = 3;
    const run = await home.start();
    await home.world.clock.advance(10 * SECOND);
    battery.isUp = false;
    await home.world.clock.advance(10 * MINUTE);
    expect(battery.calls.filter(({ call }) => call === "connect").length).toBeGreaterThan(1);
    expect(run.engine.devices()[0]?.isReachable).toBe(false);
    await run.close();
  });

  test("a device that sleeps is in reach, keeps its values, and answers all the same", async () => {
    const home = makeHome();
    const battery = home.add("battery", batteryOptions());
    const run = await home.start();
    await home.world.clock.advance(10 * SECOND);
    battery.isAsleep = true;
    for (let faults = 0; faults < 10; faults += 1) {
      battery.isUp = false;
      await home.world.clock.advance(1_500);
      battery.isUp = true;
      await home.world.clock.advance(10 * SECOND);
    }
    expect(battery.calls.filter(({ call }) => call === "connect")).toHaveLength(1);
    const shown = run.engine.assets.list("battery")[0]?.asset;
    expect(shown).toMatchObject({ isReachable: true, chargeState: { batteryLevel: 55.5 } });
    expect(Date.parse(shown?.lastSeen ?? "")).toBeGreaterThan(home.world.clock.nowMs() - 5 * SECOND);
    await run.close();
  });

  test("a dead device is asked less and less often, down to once a minute", async () => {
    const home = makeHome();
    const battery = home.add("battery", batteryOptions());
    battery.isUp = false;
    const run = await home.start();
    await home.world.clock.advance(60 * MINUTE);
    const attempts = battery.calls.filter(({ call }) => call === "connect").length;
    expect(attempts).toBeGreaterThanOrEqual(60);
    expect(attempts).toBeLessThanOrEqual(130);
    await run.close();
  });

  test("a hung driver is replaced", async () => {
    const home = makeHome();
    const battery = home.add("battery", batteryOptions());
    const run = await home.start();
    await home.world.clock.advance(5 * SECOND);
    battery.hangsOn = "read";
    await home.world.clock.advance(45 * SECOND);
    expect(run.engine.devices()[0]).toMatchObject({ isReachable: false, lastError: "read: no answer within 30 s" });
    battery.hangsOn = null;
    await home.world.clock.advance(2 * MINUTE);
    expect(run.engine.devices()[0]?.isReachable).toBe(true);
    expect(battery.openDrivers).toBe(1);
    await run.close();
    expect(battery.openDrivers).toBe(0);
  });

  test("a device that hangs while the gateway stops leaves nothing open", async () => {
    const home = makeHome();
    const battery = home.add("battery", batteryOptions());
    const run = await home.start();
    await home.world.clock.advance(5 * SECOND);
    const id = run.engine.assets.list("battery")[0]?.asset.id ?? "";
    const setting = { targetType: "battery", operationMode: "IDLE" } as const;
    await home.world.clock.resolve(run.engine.actions.start(id, setting), 10 * SECOND);
    await home.world.clock.advance(9 * SECOND);
    battery.hangsOn = "write";
    await run.close();
    expect(battery.calls.at(-1)).toMatchObject({ call: "close" });
    expect(run.process.resources).toEqual({ streams: 0, listeners: 0, timers: 0 });
  });

  test("a connection that comes after its deadline is closed", async () => {
    const home = makeHome();
    const battery = home.add("battery", batteryOptions({ delayMs: 31 * SECOND }));
    battery.heedsSignals = false;
    const run = await home.start();
    await home.world.clock.advance(32 * SECOND);
    expect(battery.calls.map(({ call }) => call)).toEqual(expect.arrayContaining(["connect", "close"]));
    expect(battery.openDrivers).toBe(0);
    await run.close();
  });

  test("a new connection is read before anything is written to it", async () => {
    const home = makeHome();
    const battery = home.add("battery", batteryOptions());
    const run = await home.start();
    await home.world.clock.advance(5 * SECOND);
    const id = run.engine.assets.list("battery")[0]?.asset.id ?? "";
    battery.hangsOn = "write";
    const setting = { targetType: "battery", operationMode: "IDLE" } as const;
    await home.world.clock.resolve(run.engine.actions.start(id, setting), 10 * SECOND);
    await home.world.clock.advance(9 * SECOND);
    expect(run.engine.assets.get("battery", id)?.isReachable).toBe(true);
    battery.hangsOn = null;
    // By the time the new connection stands, the command is due again.
    battery.delayMs = 6 * SECOND;
    await home.world.clock.advance(25 * SECOND);
    const calls = battery.calls.map(({ call }) => call);
    expect(calls.slice(calls.lastIndexOf("connect")).slice(0, 3)).toEqual(["connect", "read", "write"]);
    await run.close();
  });

  test("readings that are no values are dropped, and null stays null", async () => {
    const home = makeHome();
    const battery = home.add("battery", batteryOptions());
    battery.values["battery.soc"] = Number.NaN;
    battery.values["battery.capacity"] = Number.POSITIVE_INFINITY;
    battery.values["battery.reserve"] = null;
    battery.show("battery.power", true);
    const run = await home.start();
    await home.world.clock.advance(3 * SECOND);
    expect(run.engine.assets.list("battery")[0]?.asset.chargeState).toMatchObject({
      batteryLevel: null,
      batteryCapacity: null,
      dischargeLimit: null,
      chargeRate: null,
      status: null,
    });
    expect(run.process.log.texts("warn")).toEqual(["device gives readings that are no values"]);
    await run.close();
  });

  test("hints close together are one early read", async () => {
    const home = makeHome();
    const battery = home.add("battery", batteryOptions({ pollMs: 10 * MINUTE }));
    const run = await home.start();
    await home.world.clock.advance(5 * SECOND);
    const id = run.engine.assets.list("battery")[0]?.asset.id ?? "";
    const reads = () => battery.calls.filter(({ call }) => call === "read").length;
    const before = reads();
    for (let count = 0; count < 10; count += 1) expect(run.engine.refreshHint("battery", id)).toBe(true);
    await home.world.clock.advance(SECOND);
    expect(reads()).toBe(before + 1);
    run.engine.refreshHint("battery", id);
    await home.world.clock.advance(28 * SECOND);
    expect(reads()).toBe(before + 1);
    await home.world.clock.advance(2 * SECOND);
    expect(reads()).toBe(before + 2);
    expect(run.engine.refreshHint("charger", id)).toBe(false);
    await run.close();
  });

  test("an asset keeps its id over restarts and is there at once, even when its device is dead", async () => {
    const home = makeHome();
    const charger = home.add("charger", chargerOptions());
    const first = await home.start();
    await home.world.clock.advance(5 * SECOND);
    const before = first.engine.assets.list("charger")[0]?.asset;
    await first.close();
    charger.isUp = false;
    const second = await home.start();
    const after = second.engine.assets.list("charger")[0]?.asset;
    expect(after).toMatchObject({
      id: before?.id,
      vendor: "KEBA",
      lastSeen: before?.lastSeen,
      isReachable: false,
      chargeState: { isCharging: null, maxCurrent: null },
      information: before?.information,
      capabilities: before?.capabilities,
    });
    await second.close();
  });

  test("the clock and the store decide about readiness, dead devices do not", async () => {
    const home = makeHome();
    home.add("battery", batteryOptions()).isUp = false;
    const run = await home.start();
    home.world.clock.setQuality("unset");
    expect(run.engine.readiness()).toEqual({ isReady: false, failures: ["the clock is not set"] });
    home.world.clock.setQuality("synced");
    home.world.clock.setWallMs(Date.UTC(2001));
    expect(run.engine.readiness().failures).toEqual(["the clock is not set"]);
    await run.close();
  });
});
