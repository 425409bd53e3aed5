import { expect, test } from "vitest";
import { energyHouse, MINUTE, SECOND } from "./energy-house.ts";

test("a plug whose power is set takes surplus of that power, and is off without it after its minimum time", async () => {
  const house = energyHouse({}, {}, { isOn: false });
  const plug = house.home.add("plug", {
    values: { "charger.enabled": false, "charger.state": "PLUGGED_IN:STOPPED", "charger.power": 0 },
    controls: [{ point: "charger.enabled", values: [true, false], holdMs: null, safeDefault: null }],
    identity: { manufacturer: "Plugs", model: "P", serial: "P-1" },
  });
  const step = (): void => {
    const isOn = plug.values["charger.enabled"] === true;
    plug.show("charger.power", isOn ? 1_000 : 0);
    plug.show("charger.state", isOn ? "PLUGGED_IN:CHARGING" : "PLUGGED_IN:STOPPED");
    house.home.world.clock.timer(SECOND, step);
  };
  step();
  const run = await house.start();
  const { energy } = run.engine.services;
  const found = run.engine.assets.list("charger").find(({ asset }) => asset.information.serialNumber === "P-1");
  const id = found?.asset.id ?? "";
  house.world.sunW = 2_500;
  // Without its power it counts as a charger of 16 A, for which there is not enough sun.
  await house.home.world.clock.resolve(energy.setPolicy(id, { mode: "SURPLUS" }), 20 * SECOND);
  await house.advance(3 * MINUTE);
  expect(plug.values["charger.enabled"]).toBe(false);
  await house.home.world.clock.resolve(energy.setPolicy(id, { powerKw: 1 }), 20 * SECOND);
  await house.advance(3 * MINUTE);
  expect(plug.values["charger.enabled"]).toBe(true);
  expect(energy.device(id).policy).toMatchObject({ mode: "SURPLUS", powerKw: 1 });
  house.world.sunW = 0;
  await house.wait(6 * MINUTE);
  expect(plug.values["charger.enabled"]).toBe(true);
  await house.wait(6 * MINUTE);
  expect(plug.values["charger.enabled"]).toBe(false);
  await run.close();
});
