/** Commands on vehicles over HTTP, driven to made-up vehicles: what is refused in which words, and how actions end. */
import { describe, expect, test } from "vitest";
import type { DeviceRecord } from "../../../src/store/records.ts";
import type { RealHouse } from "../support/real-house.ts";
import { openSandbox, send } from "../support/sandbox-house.ts";

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const LIMIT_MS = 30_000;

async function makeVehicle(house: RealHouse, state: object, more: object = {}) {
  const made = await send(house, "POST", "/local/simulated/vehicle", { userId: "ann", state, ...more });
  await house.pass(6 * SECOND);
  return { id: made.assetId, simulated: `/local/simulated/vehicle/${made.id}` };
}

/** A vehicle that its user linked with these scopes. */
async function linkVehicle(house: RealHouse, scopes: readonly string[]) {
  const location = { latitude: 48.1, longitude: 11.6 };
  const made = await send(house, "POST", "/local/simulated/vehicle", { state: { isPluggedIn: true }, location });
  const record: DeviceRecord = {
    id: "linked",
    adapter: "simulated",
    options: { simulatedId: made.id, grant: 0 },
    source: "linked",
    userId: "ann",
    name: null,
    scopes,
    createdAtMs: 1_000,
  };
  await house.home.world.clock.resolve(house.run.engine.services.fleet.add(record), LIMIT_MS);
  await house.pass(6 * SECOND);
  return (await send(house, "GET", "/vehicles")).data[0];
}

const charging = (house: RealHouse, id: string, action: "START" | "STOP", status = 200) =>
  send(house, "POST", `/vehicles/${id}/charging`, { action }, status);
const maxCurrent = (house: RealHouse, id: string, current: number, status = 200) =>
  send(house, "POST", `/vehicles/${id}/max-current`, { maxCurrent: current }, status);
const actionOf = (house: RealHouse, id: string) => send(house, "GET", `/vehicles/actions/${id}`);

describe("charging a vehicle", () => {
  test("stops and starts, and the action ends when the vehicle shows it", async () => {
    await using house = await openSandbox();
    const { id } = await makeVehicle(house, { isPluggedIn: true });
    const stop = await charging(house, id, "STOP");
    expect(stop).toMatchObject({
      userId: "ann",
      state: "PENDING",
      targetId: id,
      targetType: "vehicle",
      kind: "STOP",
      completedAt: null,
      failureReason: null,
    });
    await house.pass(10 * SECOND);
    expect(await actionOf(house, stop.id)).toMatchObject({ state: "CONFIRMED", completedAt: expect.any(String) });
    const { chargeState } = await send(house, "GET", `/vehicles/${id}`);
    expect(chargeState).toMatchObject({ isCharging: false, powerDeliveryState: "PLUGGED_IN:STOPPED" });
    const start = await charging(house, id, "START");
    await house.pass(10 * SECOND);
    expect((await actionOf(house, start.id)).state).toBe("CONFIRMED");
  });

  test.each([
    [{ isPluggedIn: true }, "START", "already charging"],
    [{ isPluggedIn: true, isChargingEnabled: false }, "STOP", "already stopped"],
    [{ isPluggedIn: false }, "START", "The vehicle is not plugged in."],
    [{ isPluggedIn: false }, "STOP", "The vehicle is not plugged in."],
    [{ isPluggedIn: true, batteryLevel: 80, chargeLimit: 80 }, "START", "The vehicle is fully charged."],
    [{ isPluggedIn: true, batteryLevel: 80, chargeLimit: 80 }, "STOP", "already stopped"],
  ] as const)("in %j refuses %s: %s", async (state, action, detail) => {
    await using house = await openSandbox();
    const { id } = await makeVehicle(house, state);
    const refused = await charging(house, id, action, 400);
    expect(refused).toMatchObject({ type: expect.stringContaining("bad-request"), title: "Bad Request", detail });
    expect(house.run.store.all("action")).toEqual([]);
  });

  test("refuses a body that is not closed, and an unknown vehicle", async () => {
    await using house = await openSandbox();
    const { id } = await makeVehicle(house, { isPluggedIn: true });
    for (const body of [{}, { action: "PAUSE" }, { action: "STOP", now: true }, { kind: "STOP" }]) {
      const refused = await send(house, "POST", `/vehicles/${id}/charging`, body, 400);
      expect(refused.issues.length).toBeGreaterThan(0);
    }
    await charging(house, "00000000-0000-4000-8000-000000000000", "STOP", 404);
    await charging(house, "no-uuid", "STOP", 404);
  });

  test("answers an identical pending action again, and cancels a different one with CONFLICT", async () => {
    await using house = await openSandbox();
    const { id, simulated } = await makeVehicle(house, { isPluggedIn: true });
    await send(house, "PATCH", simulated, { faults: [{ kind: "slow", delaySeconds: 120 }] });
    const stop = await charging(house, id, "STOP");
    await house.pass(20 * SECOND);
    expect((await charging(house, id, "STOP")).id).toBe(stop.id);
    const other = await maxCurrent(house, id, 8);
    expect(other).toMatchObject({ targetType: "vehicle", targetState: { maxCurrent: 8 } });
    expect(other).not.toHaveProperty("kind");
    expect(await actionOf(house, stop.id)).toMatchObject({
      state: "CANCELLED",
      failureReason: { type: "CONFLICT", detail: expect.any(String) },
    });
  });

  test("is cancelled once; a second time answers 409 with the action", async () => {
    await using house = await openSandbox();
    const { id, simulated } = await makeVehicle(house, { isPluggedIn: true });
    await send(house, "PATCH", simulated, { faults: [{ kind: "slow", delaySeconds: 600 }] });
    const stop = await charging(house, id, "STOP");
    const url = `/vehicles/actions/${stop.id}/cancel`;
    const cancelled = await send(house, "POST", url);
    expect(cancelled).toMatchObject({ state: "CANCELLED", failureReason: { type: "REQUESTED_CANCELLATION" } });
    expect(await send(house, "POST", url, undefined, 409)).toEqual(cancelled);
    const unknown = "/vehicles/actions/00000000-0000-4000-8000-000000000000";
    expect(await send(house, "GET", unknown, undefined, 404)).toBeNull();
    expect(await send(house, "POST", `${unknown}/cancel`, undefined, 404)).toBeNull();
    expect(await send(house, "GET", `/chargers/actions/${stop.id}`, undefined, 404)).toBeNull();
  });

  test("times out: NO_RESPONSE when it was told, FAILED_PRECONDITION when it could not be", async () => {
    await using house = await openSandbox();
    const { id, simulated } = await makeVehicle(house, { isPluggedIn: true });
    await send(house, "PATCH", simulated, { faults: [{ kind: "slow", delaySeconds: 3_600 }] });
    const told = await charging(house, id, "STOP");
    await house.pass(6 * MINUTE);
    expect(await actionOf(house, told.id)).toMatchObject({ state: "FAILED", failureReason: { type: "NO_RESPONSE" } });
    await send(house, "PATCH", simulated, { faults: [], isReachable: false });
    await house.pass(MINUTE);
    const untold = await charging(house, id, "STOP");
    await house.pass(6 * MINUTE);
    expect(await actionOf(house, untold.id)).toMatchObject({
      state: "CANCELLED",
      failureReason: { type: "FAILED_PRECONDITION" },
    });
  });

  test("ends with NOT_FOUND when the vehicle is sold meanwhile", async () => {
    await using house = await openSandbox();
    const { id, simulated } = await makeVehicle(house, { isPluggedIn: true });
    await send(house, "PATCH", simulated, { faults: [{ kind: "slow", delaySeconds: 600 }] });
    const stop = await charging(house, id, "STOP");
    await send(house, "DELETE", simulated, undefined, 204);
    expect(await actionOf(house, stop.id)).toMatchObject({
      state: "CANCELLED",
      failureReason: { type: "NOT_FOUND" },
    });
  });
});

describe("a vehicle's maximum current", () => {
  test("is set, and slows charging down", async () => {
    await using house = await openSandbox();
    const { id } = await makeVehicle(house, { isPluggedIn: true });
    const action = await maxCurrent(house, id, 6);
    await house.pass(10 * SECOND);
    expect((await actionOf(house, action.id)).state).toBe("CONFIRMED");
    const { chargeState } = await send(house, "GET", `/vehicles/${id}`);
    expect(chargeState).toMatchObject({ maxCurrent: 6, chargeRate: 4.14 });
  });

  test("is refused outside of the range, and when it is so already", async () => {
    await using house = await openSandbox();
    const { id } = await makeVehicle(house, { isPluggedIn: true, maxCurrent: 16 });
    expect((await maxCurrent(house, id, 16, 400)).detail).toBe("already at the current setting");
    expect((await maxCurrent(house, id, 33, 400)).detail).toContain("from 6 to 32 A");
    await maxCurrent(house, id, 0, 400);
    await maxCurrent(house, id, -6, 400);
  });
});

describe("scopes of a vehicle", () => {
  test("without control every command is forbidden; without location there is none", async () => {
    await using house = await openSandbox();
    const vehicle = await linkVehicle(house, ["vehicle:read:data"]);
    expect(vehicle.scopes).toEqual(["vehicle:read:data"]);
    expect(vehicle.location).toEqual({ id: null, latitude: null, longitude: null, lastUpdated: null });
    const refused = await charging(house, vehicle.id, "STOP", 403);
    expect(refused.type).toContain("forbidden");
    expect(refused.detail).toContain("vehicle:control:charging");
    await maxCurrent(house, vehicle.id, 8, 403);
  });

  test("that are granted are enough", async () => {
    await using house = await openSandbox();
    const scopes = ["vehicle:control:charging", "vehicle:read:data", "vehicle:read:location"];
    const vehicle = await linkVehicle(house, scopes);
    expect(vehicle.location).toMatchObject({ latitude: 48.1, longitude: 11.6 });
    await charging(house, vehicle.id, "STOP");
  });
});

describe("an HVAC unit that is already so", () => {
  test("takes the command as an action that ends as UNNECESSARY", async () => {
    await using house = await openSandbox();
    const state = { mode: "HEAT", heatSetpoint: 21, holdType: "PERMANENT" };
    const made = await send(house, "POST", "/local/simulated/hvac", { userId: "ann", state });
    await house.pass(6 * SECOND);
    const hold = { mode: "HEAT", heatSetpoint: 21 };
    const action = await send(house, "POST", `/hvacs/${made.assetId}/permanent-hold`, hold);
    expect(action.state).toBe("PENDING");
    await house.pass(20 * SECOND);
    expect(await send(house, "GET", `/hvacs/actions/${action.id}`)).toMatchObject({
      state: "CANCELLED",
      failureReason: { type: "UNNECESSARY" },
    });
  });
});
