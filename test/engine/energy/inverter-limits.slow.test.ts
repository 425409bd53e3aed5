/** An inverter at a limit of the feed-in: with a rated power that is not known, over a crash, and with a limit of its own. */
import { expect, test } from "vitest";
import type { EnergySources } from "../../../src/engine/contracts/energy/energy-manager.ts";
import { DeviceError } from "../../../src/points/device-error.ts";
import type { ControlPoint, PointValue } from "../../../src/points/points.ts";
import { type EnergyHouse, energyHouse, MINUTE, SECOND } from "./energy-house.ts";

/** Panels that never had the sun for all of the inverter's 10 kW, so that its rated power is estimated too low. */
function sunnyHouse(sources: Partial<EnergySources> = {}, exportKw: number | null = 3): EnergyHouse {
  const house = energyHouse({ fuseA: 63, exportKw }, sources, { isOn: false });
  house.world.isPlugged = false;
  house.world.sunW = 8_000;
  return house;
}

/** Its inverter takes no lower limit than `min`, %, as one of Hoymiles, and refuses what is below. */
function boundedHouse(min: number): EnergyHouse {
  const house = sunnyHouse({}, 0);
  const range = { min, max: 100 };
  const controls = [{ point: "inverter.powerLimit", range, holdMs: null, safeDefault: 100 }];
  const { onWrite } = house.panels;
  return Object.assign(house, {
    panels: Object.assign(house.panels, {
      controls,
      onWrite: (point: ControlPoint, value: PointValue) => {
        if (Number(value) < min) throw new DeviceError("rejected", `${point} does not take ${value}`);
        onWrite(point, value);
      },
    }),
  });
}

/** Returns for how many seconds more than the limit was fed in, and the most that was, W. */
async function fedIn(house: EnergyHouse, ms: number): Promise<{ readonly overS: number; readonly mostW: number }> {
  let [overS, mostW] = [0, 0];
  for (let atMs = 0; atMs < ms; atMs += SECOND) {
    await house.advance(SECOND);
    const watts = -Number(house.meter.values["meter.power"]);
    mostW = Math.max(mostW, watts);
    if (watts > 3_000) overS += 1;
  }
  return { overS, mostW };
}

test("Where its rated power is estimated too low it is lowered once, and does not swing across the limit", async () => {
  const house = sunnyHouse();
  const run = await house.start();
  await house.advance(30 * SECOND);
  expect(await fedIn(house, 5 * MINUTE)).toMatchObject({ overS: 0 });
  await run.close();
});

test("After a crash under a limit it gets no more than the limit leaves, from the first write on", async () => {
  const house = sunnyHouse();
  const run = await house.start();
  await house.advance(2 * MINUTE);
  run.process.kill();
  house.home.disk.crash();
  const next = await house.start();
  expect(await fedIn(house, 3 * MINUTE)).toMatchObject({ overS: 0 });
  await next.close();
  expect(house.panels.values["inverter.powerLimit"]).toBe(100);
});

test("A limit that it had before is what it gets back, and then no limit is named any more", async () => {
  const price: { stopsUntilMs: number | null } = { stopsUntilMs: 1e9 };
  const house = sunnyHouse({ feedInStopsUntilMs: () => price.stopsUntilMs }, null);
  house.panels.show("inverter.powerLimit", 70);
  const run = await house.start();
  await house.advance(2 * MINUTE);
  expect(house.panels.values["inverter.powerLimit"]).toBeLessThan(20);
  price.stopsUntilMs = null;
  await house.wait(10 * MINUTE);
  expect(house.panels.values["inverter.powerLimit"]).toBe(70);
  const id = run.engine.assets.list("inverter")[0]?.asset.id ?? "";
  expect(run.engine.services.energy.device(id).reason?.code).toBe("nothing-to-do");
  await run.close();
});

test("After the operator's limit it comes back step by step, also in a house where nothing else is to be decided", async () => {
  const limit = { id: "l", source: "w3", direction: "export", scope: "connection", watts: 0, untilMs: null } as const;
  const operator: { limits: ReturnType<EnergySources["limits"]> } = { limits: [limit] };
  const house = energyHouse({}, { limits: () => operator.limits }, { isOn: false });
  house.world.isPlugged = false;
  house.world.sunW = 8_000;
  const run = await house.start();
  await house.advance(2 * MINUTE);
  operator.limits = [];
  await house.advance(MINUTE);
  expect(house.panels.values["inverter.powerLimit"]).toBeLessThan(25);
  await house.wait(12 * MINUTE);
  expect(house.panels.values["inverter.powerLimit"]).toBe(100);
  expect(run.store.all("lease")).toEqual([]);
  expect(run.engine.services.energy.state().isActive).toBe(false);
  await run.close();
});

test("Where no limit as low as it should be can be set, the lowest is, and it comes back with the room", async () => {
  const house = boundedHouse(10);
  house.world.loadA = 0.5;
  const run = await house.start();
  await house.advance(MINUTE);
  expect(house.panels.values["inverter.powerLimit"]).toBe(10);
  await house.advance(2 * MINUTE);
  expect(house.panels.values["inverter.powerLimit"]).toBe(10);
  house.world.loadA = 6;
  await house.advance(2 * MINUTE);
  expect(Number(house.panels.values["inverter.powerLimit"])).toBeGreaterThan(25);
  await run.close();
  expect(house.panels.values["inverter.powerLimit"]).toBe(100);
});

test("One that takes nothing but its full power is not said to be held", async () => {
  const house = boundedHouse(100);
  const run = await house.start();
  await house.advance(MINUTE);
  const id = run.engine.assets.list("inverter")[0]?.asset.id ?? "";
  expect(run.engine.services.energy.device(id).reason?.code).not.toBe("feed-in");
  await run.close();
});
