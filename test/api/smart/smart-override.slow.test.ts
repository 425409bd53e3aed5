import { describe, expect, it } from "vitest";
import { chargerOptions, followSwitch, makeHome } from "../../engine/home.ts";
import { carOptions, followCarSwitch, showCharging } from "../../engine/smart/cars.ts";
import { openRealHouse, type RealHouse } from "../support/real-house.ts";

async function carHouse(values: Parameters<typeof carOptions>[0] = {}) {
  const home = makeHome();
  const car = home.add("car", carOptions(values));
  followCarSwitch(car);
  const house = await openRealHouse({ home });
  await house.pass(12_000);
  const id = await onlyId(house, "vehicles");
  return { house, car, id, url: `/vehicles/${id}/smart-override` };
}

async function onlyId(house: RealHouse, plural: string): Promise<string> {
  return (await house.ask({ url: `/${plural}` })).json<{ data: { id: string }[] }>().data[0]?.id ?? "";
}

const STOPPED = { "vehicle.state": "PLUGGED_IN:STOPPED", "vehicle.enabled": false, "vehicle.power": 0 } as const;

describe("a smart override", () => {
  it("starts charging by an action and is active until charging stops", async () => {
    const { house, car, url, id } = await carHouse(STOPPED);
    await using _ = house;
    const made = await house.ask({ method: "POST", url });
    expect(made.statusCode).toBe(200);
    const { vendorActionId } = made.json<{ vendorActionId: string }>();
    expect(made.json()).toEqual({
      createdAt: expect.any(String),
      endedAt: null,
      targetType: "vehicle",
      targetId: id,
      vendorActionId: expect.any(String),
      userId: "home",
      vendor: "TESLA",
    });
    await house.pass(30_000);
    expect((await house.ask({ url: `/vehicles/actions/${vendorActionId}` })).json()).toMatchObject({
      state: "CONFIRMED",
    });
    expect(car.values["vehicle.state"]).toBe("PLUGGED_IN:CHARGING");
    expect((await house.ask({ url })).json()).toEqual(made.json());
    showCharging(car, false);
    await house.pass(30_000);
    expect(await house.ask({ url })).toMatchObject({ statusCode: 404 });
  });

  it("has no action when the target charges already, and answers the active one again unchanged", async () => {
    const { house, url } = await carHouse();
    await using _ = house;
    const made = await house.ask({ method: "POST", url });
    expect(made.json()).toMatchObject({ vendorActionId: null, endedAt: null });
    await house.pass(5_000);
    expect((await house.ask({ method: "POST", url })).json()).toEqual(made.json());
  });

  it("is ended by the user while charging goes on", async () => {
    const { house, car, url } = await carHouse(STOPPED);
    await using _ = house;
    await house.ask({ method: "POST", url });
    await house.pass(30_000);
    const ended = await house.ask({ method: "DELETE", url });
    expect(ended.statusCode).toBe(200);
    expect(ended.json()).toMatchObject({ endedAt: expect.any(String) });
    await house.pass(60_000);
    expect(car.values["vehicle.state"]).toBe("PLUGGED_IN:CHARGING");
    const again = await house.ask({ method: "DELETE", url });
    expect(again.statusCode).toBe(404);
    expect(again.json()).toMatchObject({ title: "No Smart Override Exists" });
  });

  it.each([
    [{ "vehicle.state": "UNPLUGGED", "vehicle.enabled": false } as const, "The vehicle is not plugged in."],
    [{ ...STOPPED, "vehicle.soc": 100 } as const, "The vehicle is fully charged."],
  ])("is refused where charging cannot start: %j", async (values, detail) => {
    const { house, url } = await carHouse(values);
    await using _ = house;
    const refused = await house.ask({ method: "POST", url });
    expect(refused.statusCode).toBe(400);
    expect(refused.json()).toMatchObject({ detail });
    expect(await house.ask({ url })).toMatchObject({ statusCode: 404 });
  });

  it("ends when its start comes to nothing", async () => {
    const { house, car, url } = await carHouse(STOPPED);
    await using _ = house;
    car.onWrite = () => undefined;
    await house.ask({ method: "POST", url });
    await house.pass(4 * 60_000);
    expect(await house.ask({ url })).toMatchObject({ statusCode: 200 });
    await house.pass(2 * 60_000);
    expect(await house.ask({ url })).toMatchObject({ statusCode: 404 });
  });

  it("does not know a vehicle that is a charger, or nobody", async () => {
    const home = makeHome();
    followSwitch(home.add("box", chargerOptions()));
    await using house = await openRealHouse({ home });
    await house.pass(2_000);
    const id = await onlyId(house, "chargers");
    expect((await house.ask({ method: "POST", url: `/vehicles/${id}/smart-override` })).statusCode).toBe(404);
    const made = await house.ask({ method: "POST", url: `/chargers/${id}/external-start` });
    expect(made.json()).toMatchObject({ targetType: "charger", vendorActionId: expect.any(String) });
    expect(await house.ask({ url: `/vehicles/${id}/smart-override` })).toMatchObject({ statusCode: 404 });
    expect((await house.ask({ url: `/chargers/${id}/smart-override` })).json()).toEqual(made.json());
  });
});

describe("a restart", () => {
  it.each([
    ["kept while the car still charges", true, 200],
    ["ended when the car stopped meanwhile", false, 404],
  ])("leaves an override %s", async (_name, isCharging, status) => {
    const { house, car, url } = await carHouse();
    await house.ask({ method: "POST", url });
    await house[Symbol.asyncDispose]();
    showCharging(car, isCharging);
    await using next = await openRealHouse({ home: house.home });
    await next.pass(5 * 60_000);
    expect(await next.ask({ url })).toMatchObject({ statusCode: status });
  });

  it("goes on charging a car that its action started", async () => {
    const { house, car, url } = await carHouse(STOPPED);
    await house.ask({ method: "POST", url });
    await house.pass(60_000);
    await house[Symbol.asyncDispose]();
    await using next = await openRealHouse({ home: house.home });
    await next.pass(5 * 60_000);
    expect(car.values["vehicle.state"]).toBe("PLUGGED_IN:CHARGING");
    expect(await next.ask({ url })).toMatchObject({ statusCode: 200 });
  });
});
