import { describe, expect, test } from "vitest";
import { makeTeslaHome, makeVehicle, SIGNAL } from "./tesla-houses.ts";
import { read } from "./values-of.ts";

describe("a vehicle", () => {
  test("that charges shows all points in our units", async () => {
    const device = await makeTeslaHome({ vehicles: [makeVehicle()] }).open();
    const readings = await read(device);
    expect(readings).toEqual({
      "vehicle.soc": 55,
      "vehicle.chargeLimit": 80,
      "vehicle.range": expect.closeTo(321.87, 2),
      "vehicle.state": "PLUGGED_IN:CHARGING",
      "vehicle.power": 6_900,
      "vehicle.timeToFull": 95,
      "vehicle.enabled": true,
      "vehicle.maxCurrent": 10,
      "vehicle.latitude": 52.5,
      "vehicle.longitude": 13.4,
      "vehicle.odometer": expect.closeTo(16_093.44, 2),
    });
    expect(Object.keys(readings).sort()).toEqual([...device.points].sort());
    expect(device.identity).toMatchObject({
      model: "Model Y",
      serial: "LRWYHCEK0PC123456",
      year: 2023,
      name: "Nikola",
    });
    expect(device.tempo()).toBe("usual");
  });

  test.each([
    ["one phase at 6 A", { amps: 6, phases: 1 }, 1_380],
    ["three phases at 16 A", { amps: 16, phases: 3 }, 11_040],
    ["a fast charger", { isFastCharging: true, volts: 400, amps: 300, phases: 1 }, 120_000],
    ["not charging", { chargingState: "Stopped" }, 0],
  ])("draws what %s gives", async (_what, changes, watts) => {
    const home = makeTeslaHome({ vehicles: [makeVehicle(changes)] });
    expect((await read(await home.open()))["vehicle.power"]).toBe(watts);
  });

  test.each([
    ["Disconnected", "UNPLUGGED", true],
    ["Starting", "PLUGGED_IN:INITIALIZING", true],
    ["Complete", "PLUGGED_IN:COMPLETE", true],
    ["Stopped", "PLUGGED_IN:STOPPED", false],
    ["NoPower", "PLUGGED_IN:NO_POWER", true],
    ["<invalid>", "UNKNOWN", true],
  ])("that tells %s is %s", async (chargingState, state, isEnabled) => {
    const home = makeTeslaHome({ vehicles: [makeVehicle({ chargingState })] });
    expect(await read(await home.open())).toMatchObject({
      "vehicle.state": state,
      "vehicle.enabled": isEnabled,
      "vehicle.timeToFull": null,
    });
  });

  test("that does not share its place has none", async () => {
    const home = makeTeslaHome({ vehicles: [makeVehicle({ isLocationShared: false })] });
    expect(await read(await home.open())).toMatchObject({ "vehicle.latitude": null, "vehicle.longitude": null });
  });

  test("that sleeps keeps its last values with their age, and is not woken", async () => {
    const home = makeTeslaHome({ vehicles: [makeVehicle({ chargingState: "Stopped" })] });
    const device = await home.open();
    const awake = await device.read(SIGNAL);
    const toldAtMs = home.clock.nowMs();
    home.twin.vehicles[0]!.power = "asleep";
    await home.clock.advance(3_600_000);
    expect(await device.read(SIGNAL)).toEqual(awake.filter(({ value }) => value !== null));
    expect(awake.find(({ point }) => point === "vehicle.soc")?.measuredAtMs).toBe(toldAtMs);
    expect(home.twin.asked.filter(({ url }) => url.pathname.endsWith("/vehicle_data"))).toHaveLength(1);
    expect(home.twin.asked.filter(({ url }) => url.pathname.endsWith("/wake_up"))).toEqual([]);
  });

  test("that slept from the start tells nothing yet but that it sleeps", async () => {
    const home = makeTeslaHome({ vehicles: [makeVehicle({ power: "asleep" })] });
    const device = await home.open();
    expect(await device.read(SIGNAL)).toEqual([]);
    expect(device.isAsleep).toBe(true);
    home.twin.wake(home.twin.vehicles[0]!);
    await device.read(SIGNAL);
    expect(device.isAsleep).toBe(false);
  });

  test("that falls asleep between two questions keeps its last values", async () => {
    const home = makeTeslaHome({ vehicles: [makeVehicle()] });
    const device = await home.open();
    const awake = await device.read(SIGNAL);
    const serve = home.twin.serve.bind(home.twin);
    home.twin.serve = (request) => {
      if (request.path.includes("/vehicle_data")) home.twin.vehicles[0]!.power = "asleep";
      return serve(request);
    };
    expect(await device.read(SIGNAL)).toEqual(awake);
  });

  test("is asked so seldom while it does nothing that it can fall asleep", async () => {
    const home = makeTeslaHome({ vehicles: [makeVehicle({ chargingState: "Complete" })] });
    const device = await home.open();
    await device.read(SIGNAL);
    expect(device.tempo()).toBe("idle");
    await home.clock.advance(20 * 60_000);
    await device.read(SIGNAL);
    expect(home.twin.vehicles[0]?.power).toBe("asleep");
  });
});

describe("a vehicle's commands", () => {
  test("stop, start and limit its charging", async () => {
    const home = makeTeslaHome({ vehicles: [makeVehicle()] });
    const device = await home.open();
    await device.write("vehicle.enabled", false, SIGNAL);
    expect(await read(device)).toMatchObject({ "vehicle.enabled": false, "vehicle.state": "PLUGGED_IN:STOPPED" });
    await device.write("vehicle.enabled", true, SIGNAL);
    await device.write("vehicle.maxCurrent", 8, SIGNAL);
    expect(await read(device)).toMatchObject({ "vehicle.enabled": true, "vehicle.maxCurrent": 8 });
    expect(device.tempo()).toBe("active");
  });

  test("that ask for what is so already are no failure", async () => {
    const home = makeTeslaHome({ vehicles: [makeVehicle()] });
    const device = await home.open();
    await device.write("vehicle.enabled", true, SIGNAL);
    expect(home.twin.asked.at(-1)?.url.pathname).toContain("charge_start");
  });

  test("are refused by an unplugged vehicle, with its reason", async () => {
    const home = makeTeslaHome({ vehicles: [makeVehicle({ chargingState: "Disconnected" })] });
    const device = await home.open();
    const wish = device.write("vehicle.enabled", true, SIGNAL);
    await expect(wish).rejects.toMatchObject({ kind: "refused", message: expect.stringContaining("disconnected") });
    // That has nothing to do with signatures.
    expect(home.twin.asked.filter(({ url }) => url.pathname.endsWith("/fleet_status"))).toHaveLength(1);
  });

  test.each([4, 17, 6.5])("ask for no %s A", async (amperes) => {
    const home = makeTeslaHome({ vehicles: [makeVehicle()] });
    const device = await home.open();
    await device.read(SIGNAL);
    const before = home.twin.asked.length;
    await expect(device.write("vehicle.maxCurrent", amperes, SIGNAL)).rejects.toMatchObject({ kind: "refused" });
    expect(home.twin.asked).toHaveLength(before);
  });

  test("that must be signed since an update say so, and wait for a word of the owner's", async () => {
    const home = makeTeslaHome({ vehicles: [makeVehicle()] });
    const device = await home.open();
    home.twin.vehicles[0]!.isSigned = true;
    expect(device.controls[0]?.confidence).toBe("documented");
    const wish = device.write("vehicle.enabled", false, SIGNAL);
    await expect(wish).rejects.toMatchObject({ kind: "refused", message: expect.stringContaining("signed commands") });
    expect(device.controls[0]?.confidence).toBe("unverified");
  });

  test("that a vehicle refuses stay plain while nobody tells of signatures", async () => {
    const home = makeTeslaHome({ vehicles: [makeVehicle()] });
    const device = await home.open();
    home.twin.vehicles[0]!.isSigned = true;
    home.twin.hidesStatus = true;
    await expect(device.write("vehicle.enabled", false, SIGNAL)).rejects.toMatchObject({ kind: "refused" });
    expect(device.controls[0]?.confidence).toBe("documented");
  });

  test("are forbidden to a login without the scope", async () => {
    const home = makeTeslaHome({ vehicles: [makeVehicle()] });
    const device = await home.open();
    home.twin.lacksCommandScope = true;
    await expect(device.write("vehicle.enabled", false, SIGNAL)).rejects.toMatchObject({ kind: "forbidden" });
  });
});
