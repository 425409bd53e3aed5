/** Made-up vehicles and chargers: what their simulation knows and what is found by their readings is the same. */
import { expect, test } from "vitest";
import type { RealHouse } from "../support/real-house.ts";
import { openSandbox, send } from "../support/sandbox-house.ts";

const MINUTE = 60_000;
const PLACE = { latitude: 48.1, longitude: 11.6 };

async function makeAll(house: RealHouse) {
  const make = (kind: string, body: object) =>
    send(house, "POST", `/local/simulated/${kind}`, { userId: "ann", ...body });
  const one = await make("charger", { name: "One" });
  const two = await make("charger", { name: "Two" });
  const vehicle = await make("vehicle", { location: PLACE, state: { batteryLevel: 20 } });
  const fields = { name: "Home", timezoneName: "UTC", ...PLACE };
  const location = await send(house, "POST", "/users/ann/locations", fields, 201);
  for (const { assetId } of [one, two]) {
    await send(house, "PUT", `/chargers/${assetId}`, { locationId: location.id });
  }
  await house.pass(15 * MINUTE);
  return { one, two, vehicle };
}

async function plug(house: RealHouse, vehicle: { id: string }, pluggedInChargerId: string | null) {
  const state = { isPluggedIn: pluggedInChargerId !== null, pluggedInChargerId };
  await send(house, "PATCH", `/local/simulated/vehicle/${vehicle.id}`, { state });
}

test("a made-up vehicle is shown at the made-up charger that it hangs on, and at the next one when it moves", async () => {
  await using house = await openSandbox();
  const { one, two, vehicle } = await makeAll(house);
  const shown = async () => ({
    vehicle: (await send(house, "GET", `/vehicles/${vehicle.assetId}`)).chargeState.pluggedInChargerId,
    one: (await send(house, "GET", `/chargers/${one.assetId}`)).chargeState.pluggedInVehicleId,
    two: (await send(house, "GET", `/chargers/${two.assetId}`)).chargeState.pluggedInVehicleId,
  });
  expect(await shown()).toEqual({});
  await plug(house, vehicle, one.id);
  await house.pass(10 * MINUTE);
  expect(await shown()).toEqual({ vehicle: one.assetId, one: vehicle.assetId });
  await plug(house, vehicle, null);
  await house.pass(MINUTE);
  expect(await shown()).toEqual({ vehicle: null, one: null });
  await plug(house, vehicle, two.id);
  await house.pass(11 * MINUTE);
  expect(await shown()).toEqual({ vehicle: two.assetId, one: null, two: vehicle.assetId });
});

test("what older versions do not know is not shown to them", async () => {
  await using house = await openSandbox();
  const { one, vehicle } = await makeAll(house);
  await plug(house, vehicle, one.id);
  await house.pass(10 * MINUTE);
  const older = await house.ask({ url: `/vehicles/${vehicle.assetId}`, headers: { "service-version": "2024-01-01" } });
  expect(older.statusCode).toBe(200);
  expect(older.json().chargeState).not.toHaveProperty("pluggedInChargerId");
});
