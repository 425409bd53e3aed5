/** The sandbox environment over HTTP: made-up devices of every kind, what they do over time, and what goes wrong. */
import { describe, expect, test } from "vitest";
import { ASSET_KINDS } from "../../../src/domain/assets/asset.ts";
import { openRealHouse } from "../support/real-house.ts";
import { openSandbox, send } from "../support/sandbox-house.ts";
import { asset, HOUR, MINUTE, make, PLURALS, SECOND } from "./simulated-house.ts";

describe("a made-up device", () => {
  test.each(ASSET_KINDS)("of the kind %s is an asset of its user at once", async (kind) => {
    await using house = await openSandbox();
    const made = await send(house, "POST", `/local/simulated/${kind}`, {
      userId: "ann",
      name: "Mine",
      model: "One",
      year: 2024,
      location: { latitude: 48.1, longitude: 11.6 },
    });
    expect(made).toMatchObject({ kind, vendor: "SIMULATED", userId: "ann", isReachable: true, faults: [] });
    await house.pass(6 * SECOND);
    const shown = await asset(house, kind, made.assetId);
    expect(shown).toMatchObject({ id: made.assetId, userId: "ann", vendor: "SIMULATED", isReachable: true });
    if (kind !== "charger" && kind !== "hvac")
      expect(shown.location).toMatchObject({ latitude: 48.1, longitude: 11.6 });
    expect((await send(house, "GET", "/users/ann")).linkedVendors).toEqual([
      { vendor: "SIMULATED", vendorType: kind, isValid: true },
    ]);
    expect((await send(house, "GET", `/local/simulated/${kind}`)).data).toMatchObject([{ id: made.id }]);
    await send(house, "DELETE", `/local/simulated/${kind}/${made.id}`, undefined, 204);
    await send(house, "GET", `/${PLURALS[kind]}/${made.assetId}`, undefined, 404);
    await send(house, "GET", `/local/simulated/${kind}/${made.id}`, undefined, 404);
    expect(house.run.store.all("device")).toEqual([]);
    expect(house.run.store.all("simulated")).toEqual([]);
  });

  test("says what stands on its plate, and may be of a vendor of its category", async () => {
    await using house = await openSandbox();
    const vehicle = await make(house, "vehicle", { vendor: "tesla", name: "Blue", model: "Model 3", year: 2023 });
    expect(await asset(house, "vehicle", vehicle.assetId)).toMatchObject({
      vendor: "TESLA",
      information: {
        displayName: "Blue",
        brand: "Tesla",
        model: "Model 3",
        year: 2023,
        vin: expect.stringMatching(/^SIM/),
      },
    });
    const unit = await make(house, "hvac", { vendor: "TADO", category: "HEATING", groupName: "Downstairs" });
    const shown = await asset(house, "hvac", unit.assetId);
    expect(shown.information).toMatchObject({ category: "HEATING", groupName: "Downstairs" });
    expect(shown.capabilities.capableModes).toEqual(["OFF", "HEAT"]);
    await send(house, "POST", "/local/simulated/vehicle", { vendor: "TADO" }, 400);
    await send(house, "POST", "/local/simulated/vehicle", { userId: "a/b" }, 400);
    await send(house, "POST", "/local/simulated/vehicle", { state: { batteryLevel: 101 } }, 400);
    await send(house, "POST", "/local/simulated/vehicle", { state: { temperature: 20 } }, 400);
    await send(house, "POST", "/local/simulated/vehicle", { username: "ann" }, 400);
    await send(house, "PATCH", `/local/simulated/charger/${vehicle.id}`, {}, 404);
  });

  test("is called in the list of devices as it was made, and as it is renamed", async () => {
    await using house = await openSandbox();
    const { id } = await make(house, "hvac", { vendor: "TADO", name: "Heat pump" });
    const names = async () => (await send(house, "GET", "/local/devices")).map(({ name }: { name: unknown }) => name);
    expect(await names()).toEqual(["Heat pump"]);
    await send(house, "PATCH", `/local/simulated/hvac/${id}`, { name: "Cellar" });
    await house.pass(6 * SECOND);
    expect(await names()).toEqual(["Cellar"]);
    await send(house, "PATCH", `/local/devices/simulated-${id}`, { name: "Mine" }, 204);
    await send(house, "PATCH", `/local/simulated/hvac/${id}`, { name: "Attic" });
    await house.pass(6 * SECOND);
    expect(await names()).toEqual(["Mine"]);
  });

  test("is a client's affair in a sandbox only", async () => {
    await using house = await openRealHouse();
    await send(house, "GET", "/local/simulated/vehicle", undefined, 404);
    await send(house, "GET", "/simulated/vehicles", undefined, 404);
  });

  test("is described, in every version", async () => {
    await using house = await openSandbox();
    for (const version of ["2024-10-01", "2024-01-01", "2023-04-01"]) {
      const { paths, components } = await send(house, "GET", `/openapi.json?version=${version}`);
      for (const kind of ASSET_KINDS) expect(Object.keys(paths)).toContain(`/local/simulated/${kind}`);
      expect(Object.keys(paths["/simulated/vehicles"])).toContain("post");
      expect(components.schemas.SimulatedVehicle.properties.state).toBeDefined();
    }
  });

  test("goes on over a restart, and over a kill, as if nobody had stopped it", async () => {
    const house = await openSandbox();
    const made = await make(house, "vehicle", { state: { batteryLevel: 20, isPluggedIn: true } });
    await send(house, "POST", `/vehicles/${made.assetId}/charging`, { action: "STOP" });
    await house.pass(MINUTE);
    const stopped = await asset(house, "vehicle", made.assetId);
    await house[Symbol.asyncDispose]();
    await house.pass(HOUR);
    const later = await openSandbox(house.home);
    await later.pass(10 * SECOND);
    const again = await asset(later, "vehicle", made.assetId);
    expect(again.chargeState).toMatchObject({
      powerDeliveryState: "PLUGGED_IN:STOPPED",
      batteryLevel: stopped.chargeState.batteryLevel,
    });
    await send(later, "POST", `/vehicles/${made.assetId}/charging`, { action: "START" });
    await later.pass(MINUTE);
    later.run.process.kill();
    later.home.disk.crash();
    await later.pass(HOUR);
    await using last = await openSandbox(house.home);
    await last.pass(10 * SECOND);
    const { chargeState } = await asset(last, "vehicle", made.assetId);
    expect(chargeState.powerDeliveryState).toBe("PLUGGED_IN:CHARGING");
    // 11 kW at 92 % for an hour and two minutes are 17 % of 60 kWh.
    expect(chargeState.batteryLevel - stopped.chargeState.batteryLevel).toBeCloseTo(17.4, 0);
  });
});

describe("what made-up devices do", () => {
  test("a vehicle charges, slower towards its limit, and is complete there", async () => {
    await using house = await openSandbox();
    const made = await make(house, "vehicle", { state: { batteryLevel: 60, chargeLimit: 90, isPluggedIn: true } });
    const begun = (await asset(house, "vehicle", made.assetId)).chargeState;
    expect(begun).toMatchObject({ isCharging: true, powerDeliveryState: "PLUGGED_IN:CHARGING", chargeRate: 11 });
    expect(begun.chargeTimeRemaining).toBeGreaterThan(90);
    await house.pass(90 * MINUTE);
    const late = (await asset(house, "vehicle", made.assetId)).chargeState;
    expect(late.batteryLevel).toBeGreaterThan(80);
    expect(late.chargeRate).toBeLessThan(begun.chargeRate);
    await house.pass(HOUR);
    expect((await asset(house, "vehicle", made.assetId)).chargeState).toMatchObject({
      batteryLevel: 90,
      isCharging: false,
      isFullyCharged: true,
      chargeRate: null,
      chargeTimeRemaining: null,
      powerDeliveryState: "PLUGGED_IN:COMPLETE",
    });
  });

  test("a vehicle on a made-up charger shows the same charging, and either can stop it", async () => {
    await using house = await openSandbox();
    const charger = await make(house, "charger", { vendor: "EASEE", state: { maxCurrent: 10 } });
    const vehicle = await make(house, "vehicle", { state: { batteryLevel: 30 } });
    await send(house, "PATCH", `/local/simulated/vehicle/${vehicle.id}`, {
      state: { isPluggedIn: true, pluggedInChargerId: charger.id },
    });
    await house.pass(10 * SECOND);
    const both = async () => ({
      charger: (await asset(house, "charger", charger.assetId)).chargeState,
      vehicle: (await asset(house, "vehicle", vehicle.assetId)).chargeState,
    });
    const charging = await both();
    expect(charging.charger).toMatchObject({ isPluggedIn: true, isCharging: true, chargeRate: 6.9 });
    expect(charging.vehicle).toMatchObject({ isPluggedIn: true, isCharging: true, chargeRate: 6.9 });
    await send(house, "POST", `/chargers/${charger.assetId}/charging`, { action: "STOP" });
    await house.pass(20 * SECOND);
    const stopped = await both();
    expect(stopped.charger.powerDeliveryState).toBe("PLUGGED_IN:STOPPED");
    expect(stopped.vehicle.powerDeliveryState).toBe("PLUGGED_IN:NO_POWER");
    await send(house, "PATCH", `/local/simulated/vehicle/${vehicle.id}`, { state: { isPluggedIn: false } });
    await house.pass(10 * SECOND);
    expect((await both()).charger.isPluggedIn).toBe(false);
    const elsewhere = { state: { isPluggedIn: true, pluggedInChargerId: vehicle.id } };
    await send(house, "PATCH", `/local/simulated/vehicle/${vehicle.id}`, elsewhere, 400);
  });

  test("a charger gives an unknown vehicle what it wants", async () => {
    await using house = await openSandbox();
    const charger = await make(house, "charger", { state: { isPluggedIn: true, energyWanted: 5 } });
    const id = charger.assetId;
    expect((await asset(house, "charger", id)).chargeState).toMatchObject({ isCharging: true, chargeRate: 11.04 });
    await house.pass(HOUR);
    expect((await asset(house, "charger", id)).chargeState.powerDeliveryState).toBe("PLUGGED_IN:NO_POWER");
  });

  test("an HVAC unit brings the room to the setpoint of its hold", async () => {
    await using house = await openSandbox();
    const unit = await make(house, "hvac", { state: { currentTemperature: 17, outdoorTemperature: 2, maxPower: 3 } });
    await send(house, "POST", `/hvacs/${unit.assetId}/permanent-hold`, { mode: "HEAT", heatSetpoint: 22 });
    await house.pass(MINUTE);
    expect(await asset(house, "hvac", unit.assetId)).toMatchObject({
      thermostatState: { mode: "HEAT", heatSetpoint: 22, holdType: "PERMANENT" },
      temperatureState: { isActive: true },
      consumptionRate: 3,
    });
    await house.pass(6 * HOUR);
    const { temperatureState } = await asset(house, "hvac", unit.assetId);
    expect(temperatureState.currentTemperature).toBeCloseTo(22, 0);
  });

  test("a home's meter shows what its sun, battery and people leave over", async () => {
    await using house = await openSandbox();
    const place = { location: { latitude: 48.1, longitude: 11.6 } };
    const inverter = await make(house, "inverter", { ...place, state: { cloudCover: 0 } });
    const meter = await make(house, "meter", { ...place, state: { householdPower: 1 } });
    const battery = await make(house, "battery", { ...place, state: { batteryLevel: 40, maxPower: 2 } });
    const seen: number[] = [];
    for (let hour = 0; hour < 10; hour += 2) {
      const produced = (await asset(house, "inverter", inverter.assetId)).productionState.productionRate;
      const stored = (await asset(house, "battery", battery.assetId)).chargeState.chargeRate;
      const { power } = (await asset(house, "meter", meter.assetId)).energyState;
      expect(power).toBeCloseTo(1 + stored - produced, 1);
      seen.push(produced);
      // Nothing has to live through the hours between two looks.
      house.home.world.clock.setWallMs(house.home.world.clock.nowMs() + 2 * HOUR);
      await house.pass(MINUTE);
    }
    expect(Math.max(...seen)).toBeGreaterThan(1);
    expect(Math.min(...seen)).toBe(0);
  });

  test.each([
    ["IMPORT_FOCUS", "CHARGING", 5],
    ["EXPORT_FOCUS", "DISCHARGING", -5],
    ["IDLE", "IDLE", 0],
  ])("a battery follows the mode %s", async (operationMode, status, chargeRate) => {
    await using house = await openSandbox();
    const battery = await make(house, "battery", { state: { batteryLevel: 50 } });
    const command = { operationMode };
    const action = await send(house, "POST", `/batteries/${battery.assetId}/operation-mode`, command);
    await house.pass(20 * SECOND);
    expect((await send(house, "GET", `/batteries/actions/${action.id}`)).state).toBe("CONFIRMED");
    const shown = await asset(house, "battery", battery.assetId);
    expect(shown).toMatchObject({ config: { operationMode }, chargeState: { status, chargeRate } });
  });
});

describe("an account's vehicle, in the older form", () => {
  const ACCOUNT = {
    vendor: "VOLVO",
    username: "ann@example.com",
    password: "secret",
    name: "Car",
    model: "EX30",
    year: 2024,
  };

  test("is made, changed, listed and taken away", async () => {
    await using house = await openSandbox();
    const made = await send(house, "POST", "/simulated/vehicles", { ...ACCOUNT, userId: "ann" });
    expect(made).toMatchObject({ vendor: "VOLVO", username: "ann@example.com", userId: "ann", isReachable: true });
    expect(JSON.stringify(made)).not.toContain("secret");
    const url = `/simulated/vehicles/${made.id}`;
    const changed = await send(house, "PATCH", url, {
      isReachable: true,
      chargeState: { batteryLevel: 33, isPluggedIn: true, isCharging: false },
      location: { latitude: 1, longitude: 2 },
    });
    expect(changed.chargeState).toMatchObject({ batteryLevel: 33, isPluggedIn: true, isCharging: false });
    await house.pass(10 * SECOND);
    const [vehicle] = (await send(house, "GET", "/users/ann/vehicles")).data;
    expect(vehicle).toMatchObject({
      chargeState: { batteryLevel: 33, powerDeliveryState: "PLUGGED_IN:STOPPED" },
      location: { latitude: 1, longitude: 2 },
    });
    expect((await send(house, "GET", "/simulated/vehicles")).data).toMatchObject([{ id: made.id }]);
    expect(await send(house, "DELETE", url)).toMatchObject({ id: made.id, name: "Car" });
    await send(house, "GET", url, undefined, 404);
    expect((await send(house, "GET", "/users/ann/vehicles")).data).toEqual([]);
  });

  test("belongs to nobody until somebody signs in", async () => {
    await using house = await openSandbox();
    expect((await send(house, "POST", "/simulated/vehicles", ACCOUNT)).userId).toBeNull();
    expect((await send(house, "GET", "/vehicles")).data).toEqual([]);
    const { password: _password, ...incomplete } = ACCOUNT;
    await send(house, "POST", "/simulated/vehicles", incomplete, 400);
  });
});
