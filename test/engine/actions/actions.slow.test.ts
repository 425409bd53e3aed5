import { describe, expect, test } from "vitest";
import type { DesiredSetting } from "../../../src/domain/actions/action.ts";
import { DeviceError } from "../../../src/points/device-error.ts";
import { ignore, MINUTE, makeHouse, SECOND, START, STOP, start, stateOf } from "./action-house.ts";

const IMPORT: DesiredSetting = { targetType: "battery", operationMode: "IMPORT_FOCUS" };

const SELF: DesiredSetting = { targetType: "battery", operationMode: "SELF_RELIANCE" };

describe("an action (rule I3.1)", () => {
  test("is PENDING and on disk before anything reaches the device", async () => {
    const { home, run, charger, chargerId } = await makeHouse();
    let stored = 0;
    charger.onWrite = () => {
      stored = run.store.all("action").filter(({ action }) => action.state === "PENDING").length;
    };
    const action = await start(home, run, chargerId, START);
    expect(action).toMatchObject({ state: "PENDING", kind: "START", completedAt: null, failureReason: null });
    expect(charger.written("charger.enabled")).toEqual([]);
    await home.world.clock.advance(SECOND);
    expect(stored).toBe(1);
    await run.close();
  });

  test("is CONFIRMED when a reading after the command shows the setting, within a second", async () => {
    const { home, run, chargerId } = await makeHouse();
    const action = await start(home, run, chargerId, START);
    await home.world.clock.advance(SECOND);
    expect(stateOf(run, action)).toMatchObject({ state: "CONFIRMED", failureReason: null });
    await run.close();
  });

  test("is not confirmed by a reading that began before the command", async () => {
    const { home, run, battery, batteryId } = await makeHouse({ battery: { delayMs: 400 } });
    // The device shows the mode by itself while the command is still on its way.
    const action = await start(home, run, batteryId, IMPORT);
    await home.world.clock.runUntil(() => battery.calls.at(-1)?.call === "write", 10 * SECOND);
    expect(stateOf(run, action)?.state).toBe("PENDING");
    await home.world.clock.advance(2 * SECOND);
    expect(stateOf(run, action)?.state).toBe("CONFIRMED");
    await run.close();
  });

  test.each([
    ["charger", START, 15 * SECOND, 5 * MINUTE],
    ["battery", IMPORT, 30 * SECOND, 10 * MINUTE],
  ] as const)("of a %s is sent again and FAILS with NO_RESPONSE", async (kind, setting, resendMs, windowMs) => {
    const house = await makeHouse();
    const { home, run } = house;
    const device = house[kind];
    device.onWrite = ignore;
    const action = await start(home, run, kind === "battery" ? house.batteryId : house.chargerId, setting);
    await home.world.clock.advance(windowMs - SECOND);
    expect(stateOf(run, action)?.state).toBe("PENDING");
    const writes = device.calls.filter(({ call }) => call === "write").map(({ atMs }) => atMs);
    expect(writes.length).toBeGreaterThanOrEqual(windowMs / resendMs - 1);
    const gaps = writes.slice(1).map((atMs, index) => atMs - (writes[index] ?? 0));
    expect(Math.min(...gaps)).toBeGreaterThanOrEqual(resendMs);
    await home.world.clock.advance(2 * SECOND);
    expect(stateOf(run, action)).toMatchObject({ state: "FAILED", failureReason: { type: "NO_RESPONSE" } });
    const before = device.calls.filter(({ call }) => call === "write").length;
    await home.world.clock.advance(10 * MINUTE);
    expect(device.calls.filter(({ call }) => call === "write")).toHaveLength(before);
    await run.close();
  });

  test("is not confirmed by a device that shows it and took only a part of it", async () => {
    const { home, run, battery, batteryId } = await makeHouse();
    let isWhole = false;
    battery.onWrite = (point, value) => {
      battery.show(point, value);
      if (!isWhole) throw new DeviceError("rejected", "register 262 refused");
    };
    const action = await start(home, run, batteryId, IMPORT);
    await home.world.clock.advance(20 * SECOND);
    expect(stateOf(run, action)?.state).toBe("PENDING");
    isWhole = true;
    await home.world.clock.advance(40 * SECOND);
    expect(stateOf(run, action)?.state).toBe("CONFIRMED");
    await run.close();
  });

  test("STOP of a full vehicle is not confirmed while charging is still enabled", async () => {
    const { home, run, charger, chargerId } = await makeHouse();
    await start(home, run, chargerId, START);
    await home.world.clock.advance(5 * SECOND);
    charger.show("charger.state", "PLUGGED_IN:COMPLETE");
    charger.onWrite = ignore;
    const stop = await start(home, run, chargerId, STOP);
    await home.world.clock.advance(4 * MINUTE);
    expect(stateOf(run, stop)?.state).toBe("PENDING");
    charger.onWrite = (point, value) => charger.show(point, value);
    await home.world.clock.advance(20 * SECOND);
    expect(stateOf(run, stop)?.state).toBe("CONFIRMED");
    await run.close();
  });

  test("is CANCELLED with FAILED_PRECONDITION when the device was not reachable in the window", async () => {
    const { home, run, charger, chargerId } = await makeHouse();
    charger.isUp = false;
    await home.world.clock.advance(MINUTE);
    const action = await start(home, run, chargerId, START);
    await home.world.clock.advance(5 * MINUTE + SECOND);
    expect(stateOf(run, action)).toMatchObject({
      state: "CANCELLED",
      failureReason: { type: "FAILED_PRECONDITION", detail: "The device was not reachable." },
    });
    expect(charger.written("charger.enabled")).toEqual([]);
    await run.close();
  });

  test("waits for the plug and is CANCELLED with FAILED_PRECONDITION when it never comes", async () => {
    const { home, run, charger, chargerId } = await makeHouse();
    charger.isUp = false;
    await home.world.clock.advance(MINUTE);
    const action = await start(home, run, chargerId, START);
    charger.show("charger.state", "UNPLUGGED");
    charger.isUp = true;
    await home.world.clock.advance(6 * MINUTE);
    expect(stateOf(run, action)).toMatchObject({
      state: "CANCELLED",
      failureReason: { type: "FAILED_PRECONDITION", detail: "The charger was not plugged in." },
    });
    expect(charger.written("charger.enabled")).toEqual([]);
    await run.close();
  });

  test("is CANCELLED with FAILED_PRECONDITION when it is unplugged for the rest of the window", async () => {
    const { home, run, charger, chargerId } = await makeHouse();
    charger.onWrite = ignore;
    const action = await start(home, run, chargerId, START);
    await home.world.clock.advance(20 * SECOND);
    expect(charger.written("charger.enabled").length).toBeGreaterThan(0);
    charger.show("charger.state", "UNPLUGGED");
    await home.world.clock.advance(5 * MINUTE);
    expect(stateOf(run, action)).toMatchObject({
      state: "CANCELLED",
      failureReason: { type: "FAILED_PRECONDITION", detail: "The charger was not plugged in." },
    });
    await run.close();
  });

  test("goes on when the device comes back within the window", async () => {
    const { home, run, charger, chargerId } = await makeHouse();
    charger.isUp = false;
    await home.world.clock.advance(MINUTE);
    const action = await start(home, run, chargerId, START);
    charger.isUp = true;
    await home.world.clock.advance(2 * MINUTE);
    expect(stateOf(run, action)?.state).toBe("CONFIRMED");
    await run.close();
  });

  test("a newer action of the target cancels the pending one with CONFLICT", async () => {
    const { home, run, charger, chargerId } = await makeHouse();
    charger.onWrite = ignore;
    const older = await start(home, run, chargerId, START);
    await home.world.clock.advance(SECOND);
    const newer = await start(home, run, chargerId, { targetType: "charger", maxCurrent: 10 });
    expect(stateOf(run, older)).toMatchObject({ state: "CANCELLED", failureReason: { type: "CONFLICT" } });
    expect(stateOf(run, newer)?.state).toBe("PENDING");
    await run.close();
  });

  test("an identical pending action is answered again", async () => {
    const { home, run, charger, chargerId } = await makeHouse();
    charger.onWrite = ignore;
    const first = await start(home, run, chargerId, START);
    const second = await start(home, run, chargerId, START);
    expect(second).toEqual(first);
    expect(run.store.all("action")).toHaveLength(1);
    await run.close();
  });

  test("many at once leave one pending", async () => {
    const { home, run, battery, batteryId } = await makeHouse();
    battery.onWrite = ignore;
    const modes = ["IMPORT_FOCUS", "EXPORT_FOCUS", "IDLE"] as const;
    const all = Array.from({ length: 30 }, (_unused, index) =>
      run.engine.actions.start(batteryId, { targetType: "battery", operationMode: modes[index % 3] ?? "IDLE" }),
    );
    await home.world.clock.resolve(Promise.all(all), MINUTE);
    const states = run.store.all("action").map(({ action }) => action.state);
    expect(states.filter((state) => state === "PENDING")).toHaveLength(1);
    expect(states.filter((state) => state === "CANCELLED")).toHaveLength(29);
    await run.close();
  });

  test("a cancelled one is never sent again; cancelling twice answers what it became", async () => {
    const { home, run, charger, chargerId } = await makeHouse();
    charger.onWrite = ignore;
    const action = await start(home, run, chargerId, START);
    await home.world.clock.advance(SECOND);
    const sent = charger.written("charger.enabled").length;
    const outcome = await home.world.clock.resolve(run.engine.actions.cancel("charger", action.id), 10 * SECOND);
    expect(outcome).toMatchObject({
      kind: "cancelled",
      action: { state: "CANCELLED", failureReason: { type: "REQUESTED_CANCELLATION" } },
    });
    await home.world.clock.advance(10 * MINUTE);
    expect(charger.written("charger.enabled")).toHaveLength(sent);
    const again = await home.world.clock.resolve(run.engine.actions.cancel("charger", action.id), 10 * SECOND);
    expect(again?.kind).toBe("already-resolved");
    expect(await run.engine.actions.cancel("battery", action.id)).toBeNull();
    await run.close();
  });

  test("cancelled before the device's turn it is not sent at all", async () => {
    const { home, run, charger, chargerId } = await makeHouse();
    charger.isUp = false;
    await home.world.clock.advance(MINUTE);
    const action = await start(home, run, chargerId, START);
    await home.world.clock.resolve(run.engine.actions.cancel("charger", action.id), 10 * SECOND);
    charger.isUp = true;
    await home.world.clock.advance(5 * MINUTE);
    expect(charger.written("charger.enabled")).toEqual([]);
    await run.close();
  });

  test("a battery that is already so ends it as UNNECESSARY, without a command", async () => {
    const { home, run, battery, batteryId } = await makeHouse();
    const action = await start(home, run, batteryId, SELF);
    expect(action.state).toBe("PENDING");
    await home.world.clock.advance(SECOND);
    expect(stateOf(run, action)).toMatchObject({ state: "CANCELLED", failureReason: { type: "UNNECESSARY" } });
    expect(battery.written("battery.mode")).toEqual([]);
    await run.close();
  });

  test("what only seems so from an old reading is sent after a fresh one", async () => {
    const { home, run, battery, batteryId } = await makeHouse({ battery: { pollMs: 5 * MINUTE } });
    battery.show("battery.mode", "IDLE");
    const action = await start(home, run, batteryId, SELF);
    await home.world.clock.advance(5 * SECOND);
    expect(stateOf(run, action)?.state).toBe("CONFIRMED");
    expect(battery.written("battery.mode")).toEqual(["SELF_RELIANCE"]);
    await run.close();
  });

  test("a setting that is undone before it shows is sent, not called unnecessary", async () => {
    const { home, run, battery, batteryId } = await makeHouse();
    battery.onWrite = ignore;
    await start(home, run, batteryId, IMPORT);
    await home.world.clock.advance(SECOND);
    const back = await start(home, run, batteryId, SELF);
    await home.world.clock.advance(2 * SECOND);
    expect(battery.written("battery.mode")).toEqual(["IMPORT_FOCUS", "SELF_RELIANCE"]);
    expect(stateOf(run, back)?.state).toBe("CONFIRMED");
    await run.close();
  });

  test("ends with NOT_FOUND when its device is no longer configured, and the asset is gone", async () => {
    const { home, run, charger, chargerId } = await makeHouse();
    charger.onWrite = ignore;
    const action = await start(home, run, chargerId, START);
    await run.close();
    const next = await home.start({ devices: [{ id: "battery", adapter: "fake" }] });
    expect(stateOf(next, action)).toMatchObject({ state: "CANCELLED", failureReason: { type: "NOT_FOUND" } });
    expect(next.engine.assets.list("charger")).toEqual([]);
    expect(next.store.all("lease")).toEqual([]);
    const events = (await next.store.journalAfter(null, 1_000)).map(({ event }) => event);
    expect(events).toContain("user:charger:deleted");
    await next.close();
  });

  test("is told at every transition", async () => {
    const { home, run, chargerId } = await makeHouse();
    await start(home, run, chargerId, START);
    await home.world.clock.advance(2 * SECOND);
    const told = (await run.store.journalAfter(null, 1_000)).filter(
      ({ event }) => event === "user:vendor-action:updated",
    );
    expect(told.map(({ payload }) => payload)).toMatchObject([
      { user: { id: "home" }, vendorAction: { state: "PENDING" } },
      {
        user: { id: "home" },
        vendorAction: { state: "CONFIRMED" },
        // All of it may happen within one instant of the simulated clock, so that `updatedAt` is the same.
        updatedFields: expect.arrayContaining(["completedAt", "state"]),
      },
    ]);
    await run.close();
  });

  test("is accepted without waiting for others to share its sync", async () => {
    const { home, run, chargerId } = await makeHouse();
    const { clock } = home.world;
    const askedMs = clock.monotonicMs();
    await start(home, run, chargerId, START);
    expect(clock.monotonicMs() - askedMs).toBeLessThan(10);
    await run.close();
  });
});
