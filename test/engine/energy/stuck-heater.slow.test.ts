/** A heater that does not take up what is written for a while: it must not be left on with the last power it took. */
import { expect, test } from "vitest";
import { energyHouse, MINUTE, SECOND } from "./energy-house.ts";

const SUN_W = 4_000;

test("A heater that misses the end of the sun is switched off when it listens again, and then follows the sun again", async () => {
  const house = energyHouse();
  const heater = house.home.add("heater", {
    values: { "hvac.maxPower": 0, "hvac.power": 0, "hvac.temperature": 45 },
    controls: [{ point: "hvac.maxPower", range: { min: 0, max: 3_000 }, holdMs: null, safeDefault: 0 }],
    identity: { manufacturer: "my-PV", model: "AC-THOR", serial: "T-1" },
    vendors: ["MODBUS"],
  });
  const { onWrite } = heater;
  house.world.isPlugged = false;
  const run = await house.start();
  const id = run.engine.assets.list("hvac")[0]?.asset.id ?? "";
  await house.home.world.clock.resolve(run.engine.services.energy.setPolicy(id, { mode: "SURPLUS" }), 20 * SECOND);
  house.world.sunW = SUN_W;
  await house.wait(10 * MINUTE);
  expect(heater.values["hvac.maxPower"]).toBeGreaterThan(0);

  heater.onWrite = () => undefined;
  house.world.sunW = 0;
  await house.wait(14 * MINUTE);
  expect(heater.values["hvac.maxPower"]).toBeGreaterThan(0);
  expect(run.engine.services.energy.device(id)).toMatchObject({
    isControlled: false,
    reason: { code: "takes-no-command" },
  });

  heater.onWrite = onWrite;
  await house.wait(5 * MINUTE);
  expect(heater.values["hvac.maxPower"]).toBe(0);
  expect(run.store.all("lease")).toEqual([]);

  house.world.sunW = SUN_W;
  await house.wait(3 * MINUTE);
  expect(heater.values["hvac.maxPower"]).toBeGreaterThan(0);
  expect(run.engine.services.energy.device(id).reason?.code).toBe("surplus");
  await run.close();
});
