/** House powers from devices of which some report values that are minutes old. */
import { describe, expect, test } from "vitest";
import type { FakeDevice } from "../../../src/testing/fake-adapter.ts";
import { batteryOptions, makeHome } from "../home.ts";

const SECOND = 1_000;
const MINUTE = 60 * SECOND;

/** Opens a gateway with a local meter and an inverter behind a cloud that measures every five minutes. */
async function openGateway() {
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

describe("house power with a slow device", () => {
  test("House power is shown for the moment of the slowest device's measurement, with that time", async () => {
    await using gateway = await openGateway();
    expect(gateway.power()).toMatchObject({ gridW: 500, generationW: 2_000, loadW: 2_500 });
    // A cloud covers the sun: the meter shows it at once, the inverter minutes later.
    await gateway.clock.advance(2 * MINUTE);
    gateway.meter.show("meter.power", 2_300);
    await gateway.clock.advance(MINUTE);
    const before = gateway.power();
    expect(before).toMatchObject({ gridW: 500, generationW: 2_000, loadW: 2_500 });
    expect(before?.ageMs).toBeGreaterThan(3 * MINUTE);
    gateway.measure(gateway.panels, 200);
    await gateway.clock.advance(3 * MINUTE);
    const after = gateway.power();
    expect(after).toMatchObject({ gridW: 2_300, generationW: 200, loadW: 2_500 });
    expect(after?.ageMs).toBeLessThan(4 * MINUTE);
  });

  test("House power is unknown when a device has reported nothing new for a quarter of an hour", async () => {
    await using gateway = await openGateway();
    await gateway.clock.advance(14 * MINUTE);
    expect(gateway.power()).toMatchObject({ gridW: 500, loadW: 2_500 });
    await gateway.clock.advance(2 * MINUTE);
    // The device still answers, but with its old measurement.
    expect(gateway.run.engine.assets.list("inverter")[0]?.asset.isReachable).toBe(true);
    const power = gateway.power();
    expect(power).toMatchObject({ gridW: 500, generationW: null, loadW: null, loadFrom: null });
    expect(power?.ageMs).toBeLessThan(MINUTE);
  });
});

test.each([
  ["its poll interval", {}, null],
  ["the interval that the driver declares", { tellsEveryMs: 5 * MINUTE }, 2_000],
])("House power uses an old measurement for as long as %s allows", async (_how, more, generationW) => {
  const home = makeHome();
  const { clock } = home.world;
  const panels = home.add("panels", { values: { "inverter.power": 2_000 }, pollMs: SECOND, ...more });
  panels.measuredAtMs["inverter.power"] = clock.nowMs();
  const run = await home.start();
  await clock.advance(10 * MINUTE);
  expect(run.engine.services.housePowers.list()).toMatchObject([{ generationW }]);
  await run.close();
});

test("House power is shown without delay if all devices measure now", async () => {
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

test("House power that stays the same is reported again while it is measured, and not after the meter is silent", async () => {
  const home = makeHome();
  const meter = home.add("meter", { values: { "meter.power": 500 } });
  const run = await home.start();
  const { clock } = home.world;
  await clock.advance(20 * SECOND);
  const seenMs: number[] = [];
  using _watch = run.engine.services.housePowers.observe(({ gridW, atMs }) => {
    if (gridW === 500) seenMs.push(atMs);
  });
  await clock.advance(2 * MINUTE);
  expect(seenMs.length).toBeGreaterThanOrEqual(4);
  expect(seenMs.length).toBeLessThanOrEqual(6);
  meter.isUp = false;
  await clock.advance(MINUTE);
  const { length } = seenMs;
  await clock.advance(5 * MINUTE);
  expect(seenMs).toHaveLength(length);
  await run.close();
});
