/** What a house uses now, from devices of which some tell of minutes ago. */
import { describe, expect, test } from "vitest";
import type { FakeDevice } from "../../../src/testing/fake-adapter.ts";
import { batteryOptions, makeHome } from "../home.ts";

const SECOND = 1_000;
const MINUTE = 60 * SECOND;

/** A meter in the house, and panels behind a cloud that measures every five minutes. */
async function openHouse() {
  const home = makeHome();
  const { clock } = home.world;
  const meter = home.add("meter", { values: { "meter.power": 500 } });
  const panels = home.add("panels", { values: { "inverter.power": 2_000 }, pollMs: 5 * MINUTE });
  panels.measuredAtMs["inverter.power"] = clock.nowMs();
  const run = await home.start();
  await clock.advance(20 * SECOND);
  const power = () => {
    const [now] = run.engine.services.housePowers.list();
    return now === undefined ? null : { ...now, ageMs: clock.nowMs() - now.atMs };
  };
  const measure = (device: FakeDevice, watts: number) => {
    device.values["inverter.power"] = watts;
    device.measuredAtMs["inverter.power"] = clock.nowMs();
  };
  return { clock, home, meter, panels, run, power, measure, [Symbol.asyncDispose]: () => run.close() };
}

describe("a house with a device that tells of minutes ago", () => {
  test("is shown as it was then, and says when that was", async () => {
    await using house = await openHouse();
    expect(house.power()).toMatchObject({ gridW: 500, generationW: 2_000, loadW: 2_500 });
    // A cloud comes up: the meter shows it at once, the panels minutes later.
    await house.clock.advance(2 * MINUTE);
    house.meter.show("meter.power", 2_300);
    await house.clock.advance(MINUTE);
    const before = house.power();
    expect(before).toMatchObject({ gridW: 500, generationW: 2_000, loadW: 2_500 });
    expect(before?.ageMs).toBeGreaterThan(3 * MINUTE);
    house.measure(house.panels, 200);
    await house.clock.advance(3 * MINUTE);
    const after = house.power();
    expect(after).toMatchObject({ gridW: 2_300, generationW: 200, loadW: 2_500 });
    expect(after?.ageMs).toBeLessThan(4 * MINUTE);
  });

  test("is not known any more when it tells nothing new for a quarter of an hour", async () => {
    await using house = await openHouse();
    await house.clock.advance(14 * MINUTE);
    expect(house.power()).toMatchObject({ gridW: 500, loadW: 2_500 });
    await house.clock.advance(2 * MINUTE);
    // The device answers all the time, with what it measured long ago.
    expect(house.run.engine.assets.list("inverter")[0]?.asset.isReachable).toBe(true);
    const power = house.power();
    expect(power).toMatchObject({ gridW: 500, generationW: null, loadW: null, loadFrom: null });
    expect(power?.ageMs).toBeLessThan(MINUTE);
  });
});

test.each([
  ["by its polls", {}, null],
  ["by what it says", { tellsEveryMs: 5 * MINUTE }, 2_000],
])("what is fetched each second counts for as long as the device tells seldom: %s", async (_how, more, generationW) => {
  const home = makeHome();
  const { clock } = home.world;
  const panels = home.add("panels", { values: { "inverter.power": 2_000 }, pollMs: SECOND, ...more });
  panels.measuredAtMs["inverter.power"] = clock.nowMs();
  const run = await home.start();
  await clock.advance(10 * MINUTE);
  expect(run.engine.services.housePowers.list()).toMatchObject([{ generationW }]);
  await run.close();
});

test("a house whose devices all tell of now is shown as it is", async () => {
  const home = makeHome();
  const meter = home.add("meter", { values: { "meter.power": 500 } });
  home.add("battery", batteryOptions());
  const run = await home.start();
  await home.world.clock.advance(MINUTE);
  meter.show("meter.power", 900);
  await home.world.clock.advance(10 * SECOND);
  const [power] = run.engine.services.housePowers.list();
  expect(power).toMatchObject({ gridW: 900, loadW: 2_134 });
  expect(home.world.clock.nowMs() - (power?.atMs ?? 0)).toBeLessThan(20 * SECOND);
  await run.close();
});
