import { describe, expect, test } from "vitest";
import { openSandbox, send } from "../support/sandbox-house.ts";
import { asset, HOUR, MINUTE, make, SECOND } from "./simulated-house.ts";

describe("what goes wrong on purpose", () => {
  test("unreachable, until it is set again", async () => {
    await using house = await openSandbox();
    const made = await make(house, "vehicle");
    const url = `/local/simulated/vehicle/${made.id}`;
    expect(await send(house, "PATCH", url, { isReachable: false })).toMatchObject({ isReachable: false });
    await house.pass(MINUTE);
    expect((await asset(house, "vehicle", made.assetId)).isReachable).toBe(false);
    await send(house, "PATCH", url, { isReachable: true });
    await house.pass(5 * SECOND);
    expect((await asset(house, "vehicle", made.assetId)).isReachable).toBe(true);
  });

  test("a fault with an end is over by itself", async () => {
    await using house = await openSandbox();
    const made = await make(house, "meter");
    const faults = [{ kind: "unreachable", seconds: 600 }];
    const changed = await send(house, "PATCH", `/local/simulated/meter/${made.id}`, { faults });
    expect(changed.faults).toEqual([{ kind: "unreachable", until: expect.any(String), delaySeconds: null }]);
    await house.pass(5 * MINUTE);
    expect((await asset(house, "meter", made.assetId)).isReachable).toBe(false);
    await house.pass(5 * MINUTE + 5 * SECOND);
    expect((await asset(house, "meter", made.assetId)).isReachable).toBe(true);
    expect((await send(house, "GET", `/local/simulated/meter/${made.id}`)).faults).toEqual([]);
  });

  test("commands that are refused fail, slow ones take their time", async () => {
    await using house = await openSandbox();
    const made = await make(house, "vehicle", { state: { isPluggedIn: true, batteryLevel: 20 } });
    const url = `/local/simulated/vehicle/${made.id}`;
    await send(house, "PATCH", url, { faults: [{ kind: "rejects-commands" }] });
    const refused = await send(house, "POST", `/vehicles/${made.assetId}/charging`, { action: "STOP" });
    await house.pass(6 * MINUTE);
    expect(await send(house, "GET", `/vehicles/actions/${refused.id}`)).toMatchObject({
      state: "FAILED",
      failureReason: { type: "NO_RESPONSE" },
    });
    await send(house, "PATCH", url, { faults: [{ kind: "slow", delaySeconds: 60 }] });
    const slow = await send(house, "POST", `/vehicles/${made.assetId}/charging`, { action: "STOP" });
    await house.pass(45 * SECOND);
    expect((await send(house, "GET", `/vehicles/actions/${slow.id}`)).state).toBe("PENDING");
    await house.pass(30 * SECOND);
    expect((await send(house, "GET", `/vehicles/actions/${slow.id}`)).state).toBe("CONFIRMED");
  });

  test("credentials that are refused: everything that rule I3.4 says, and no hammering", async () => {
    await using house = await openSandbox();
    const made = await make(house, "vehicle", { vendor: "TESLA", state: { isPluggedIn: true } });
    const other = await make(house, "vehicle", { vendor: "BMW" });
    const url = `/local/simulated/vehicle/${made.id}`;
    await send(house, "PATCH", url, { faults: [{ kind: "invalid-credentials" }] });
    await house.pass(10 * SECOND);
    const shown = await asset(house, "vehicle", made.assetId);
    expect(shown.isReachable).toBe(false);
    for (const capability of Object.values(shown.capabilities)) {
      expect(capability).toEqual({ isCapable: false, interventionIds: [expect.any(String)] });
    }
    const [interventionId] = shown.capabilities.startCharging.interventionIds;
    expect(await send(house, "GET", `/interventions/${interventionId}`)).toMatchObject({
      vendor: "TESLA",
      vendorType: "vehicle",
      resolution: { action: "Link" },
    });
    expect((await asset(house, "vehicle", other.assetId)).isReachable).toBe(true);
    expect((await send(house, "GET", "/users/ann")).linkedVendors).toEqual([
      { vendor: "BMW", vendorType: "vehicle", isValid: true },
      { vendor: "TESLA", vendorType: "vehicle", isValid: false },
    ]);
    await send(house, "POST", `/vehicles/${made.assetId}/charging`, { action: "STOP" }, 400);
    await house.pass(2 * HOUR);
    const { clock } = house.home.world;
    const entries = await clock.resolve(house.run.store.journalAfter(null, 1_000), 10_000);
    const told = entries.filter(({ event }) => event === "user:credentials:invalidated");
    expect(told.map(({ payload }) => payload)).toEqual([{ user: { id: "ann" }, vendor: "TESLA" }]);
    await send(house, "PATCH", url, { faults: [] });
    await house.pass(10 * SECOND);
    const again = await asset(house, "vehicle", made.assetId);
    expect(again).toMatchObject({ isReachable: true, capabilities: { stopCharging: { isCapable: true } } });
    expect((await send(house, "GET", "/users/ann")).linkedVendors[1].isValid).toBe(true);
  });
});
