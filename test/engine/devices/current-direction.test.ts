/** Which direction the currents of a device have, whatever adapter tells them. */
import { describe, expect, test } from "vitest";
import type { PointName, PointTypes } from "../../../src/points/points.ts";
import { makeHome } from "../home.ts";

type Values = { readonly [Name in PointName]?: PointTypes[Name] | null };

/** A device whose points were read a few times, and what the gateway shows of it. */
async function openDevice(values: Values) {
  const home = makeHome();
  const device = home.add("device", { values });
  const run = await home.start();
  await home.world.clock.advance(5_000);
  const shown = (point: PointName) => run.engine.devices()[0]?.points.find((each) => each.point === point)?.value;
  return {
    device,
    shown,
    pass: () => home.world.clock.advance(2_000),
    [Symbol.asyncDispose]: () => run.close(),
  };
}

describe("the current of a meter", () => {
  test("has the sign of its own phase's power", async () => {
    await using house = await openDevice({
      "meter.current.l1": 4,
      "meter.current.l2": 1,
      "meter.current.l3": -2,
      "meter.power.l1": 900,
      "meter.power.l2": -200,
      "meter.power.l3": 400,
      "meter.power": 1_100,
    });
    expect([house.shown("meter.current.l1"), house.shown("meter.current.l2"), house.shown("meter.current.l3")]).toEqual(
      [4, -1, 2],
    );
    house.device.show("meter.power.l1", -900);
    await house.pass();
    expect(house.shown("meter.current.l1")).toBe(-4);
  });

  test("is null while its phase's power is unknown, and back when it is known", async () => {
    await using house = await openDevice({ "meter.current.l1": 4, "meter.power.l1": null, "meter.power": -900 });
    expect(house.shown("meter.current.l1")).toBeNull();
    house.device.show("meter.power.l1", -900);
    await house.pass();
    expect(house.shown("meter.current.l1")).toBe(-4);
  });

  test("has no sign at 0 W, and 0 A is never -0", async () => {
    await using house = await openDevice({
      "meter.current.l1": 0.4,
      "meter.power.l1": 0,
      "meter.current.l2": 0,
      "meter.power.l2": -3,
    });
    expect(house.shown("meter.current.l1")).toBe(0.4);
    expect(house.shown("meter.current.l2")).toBe(0);
  });

  test("has the sign of the whole power where there is one phase only", async () => {
    await using house = await openDevice({ "meter.current.l1": 4, "meter.power": -900 });
    expect(house.shown("meter.current.l1")).toBe(-4);
  });

  test("stays as the device gives it where no power of its phase is told", async () => {
    await using house = await openDevice({ "meter.current.l1": -4, "meter.current.l2": 2, "meter.power": 900 });
    expect([house.shown("meter.current.l1"), house.shown("meter.current.l2")]).toEqual([-4, 2]);
  });
});

test("a charger's current is negative only while it takes power out of the vehicle", async () => {
  await using house = await openDevice({ "charger.current.l1": 16, "charger.power": -3_600 });
  expect(house.shown("charger.current.l1")).toBe(-16);
  house.device.show("charger.power", null);
  await house.pass();
  expect(house.shown("charger.current.l1")).toBe(16);
  house.device.show("charger.power", 3_600);
  await house.pass();
  expect(house.shown("charger.current.l1")).toBe(16);
});
