/** An AC-THOR's twin behind the real adapter, engine and energy manager: surplus by power, with its timer. */
import { serveModbus } from "hemgate/testing";
import { expect, test } from "vitest";
import { modbusAdapter } from "../../../adapters/modbus/modbus-adapter.ts";
import { makeHome, type Run } from "../../engine/home.ts";
import { createTwin } from "../../twins/registers/create-twin.ts";

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const ADDRESS = { host: "heater", port: 502 };

async function openHouse() {
  const home = makeHome(1, { adapters: [modbusAdapter] });
  const { clock, net } = home.world;
  const twin = await createTwin("my-pv-ac-thor", { clock });
  await serveModbus({ clock, net: net.host() }, twin, ADDRESS);
  const world = { sunW: 0 };
  const meter = home.add("meter", { values: { "meter.power": 0 }, identity: { model: "M", serial: "M-1" } });
  const step = (): void => {
    meter.show("meter.power", 200 + (twin.effect.heaterW ?? 0) - world.sunW);
    clock.timer(SECOND / 2, step);
  };
  step();
  const heater = { id: "heater", adapter: "modbus", ...ADDRESS, profile: "my-pv-ac-thor" };
  const start = async (): Promise<Run> => {
    const run = await home.start({ devices: [{ id: "meter", adapter: "fake" }, heater] });
    await clock.advance(20 * SECOND);
    return run;
  };
  const heaterId = (run: Run): string => run.engine.assets.list("hvac")[0]?.asset.id ?? "";
  const setMode = (run: Run, mode: "OFF" | "SURPLUS" | "PLANNED" | "FAST", powerKw: number | null = null) =>
    clock.resolve(run.engine.services.energy.setPolicy(heaterId(run), { mode, powerKw }), 10 * SECOND);
  return { twin, start, clock, world, heaterId, setMode, meter, disk: home.disk };
}

test("the surplus goes into the tank, renewed before the device's timer, and follows the sun", async () => {
  const { twin, start, clock, world, heaterId, setMode, meter } = await openHouse();
  const run = await start();
  world.sunW = 1_700;
  await setMode(run, "SURPLUS");
  await clock.advance(3 * MINUTE);
  for (let at = 0; at < 60; at += 1) {
    await clock.advance(SECOND);
    expect(twin.effect.heaterW).toBeGreaterThan(1_400);
  }
  expect(Number(meter.values["meter.power"])).toBeLessThanOrEqual(10);
  expect(run.engine.services.energy.device(heaterId(run))).toMatchObject({
    deviceType: "hvac",
    inCharge: "energy",
    isControlled: true,
    reason: { code: "surplus" },
  });
  expect(run.engine.services.energy.state().chargers.powerKw).toBeNull();
  world.sunW = 600;
  await clock.advance(30 * SECOND);
  expect(twin.effect.heaterW).toBeLessThanOrEqual(500);
  world.sunW = 0;
  await clock.advance(12 * MINUTE);
  expect(twin.effect.heaterW).toBe(0);
  await run.close();
});

test("FAST takes what the owner's rod can, and a stop of the gateway ends it", async () => {
  const { twin, start, clock, setMode } = await openHouse();
  const run = await start();
  await setMode(run, "FAST", 2);
  await clock.advance(MINUTE);
  expect(twin.effect.heaterW).toBe(2_000);
  await run.close();
  expect(twin.effect.heaterW).toBe(0);
});

test("in mode PLANNED without prices the water is kept at its lowest temperature as the tank's sensor shows it", async () => {
  const { twin, start, clock, setMode } = await openHouse();
  twin.set("heater.temperature", 44);
  const run = await start();
  await setMode(run, "PLANNED");
  await clock.advance(2 * MINUTE);
  expect(run.engine.assets.list("hvac")[0]?.asset).toMatchObject({ temperatureState: { currentTemperature: 44 } });
  expect(twin.effect.heaterW).toBe(3_000);
  twin.set("heater.temperature", 46);
  await clock.advance(2 * MINUTE);
  expect(twin.effect.heaterW).toBe(3_000);
  twin.set("heater.temperature", 47.5);
  await clock.advance(15 * MINUTE);
  expect(twin.effect.heaterW).toBe(0);
  await run.close();
});

test("after a crash the device's own timer ends the heating, and the next start takes the mode up again", async () => {
  const { twin, start, clock, setMode, disk } = await openHouse();
  const run = await start();
  await setMode(run, "FAST");
  await clock.advance(MINUTE);
  expect(twin.effect.heaterW).toBe(3_000);
  run.process.kill();
  disk.crash();
  await clock.advance(12 * SECOND);
  expect(twin.effect.heaterW).toBe(0);
  const next = await start();
  await clock.advance(30 * SECOND);
  expect(twin.effect.heaterW).toBe(3_000);
  await setMode(next, "OFF");
  await clock.advance(30 * SECOND);
  expect(twin.effect.heaterW).toBe(0);
  await next.close();
});
