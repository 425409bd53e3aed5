/** Heat pumps that take more power by a higher setpoint only. */
import { expect, test } from "vitest";
import { GridLimitsConfig } from "../../../src/config/grid-limits-config.ts";
import type { ActiveLimit } from "../../../src/domain/energy/cycle/energy-snapshot.ts";
import type { FakeDevice } from "../../../src/testing/fake-adapter.ts";
import type { Run } from "../home.ts";
import { type EnergyHouse, energyHouse, MINUTE, SECOND } from "./energy-house.ts";
import { pumpId, setPolicy } from "./heat-pump-settings.ts";

const OWN_C = 20.5;
const POINT = "hvac.heatSetpoint";

/** It runs while its setpoint is above 20.5 °C. The meter does not see it, so surplus stays as the sun has it. */
function withPump(house: EnergyHouse, more: readonly object[] = []): FakeDevice {
  const pump = house.home.add("heat-pump", {
    values: { "hvac.mode": "HEAT", [POINT]: OWN_C, "hvac.power": 0, "hvac.temperature": 20.4 },
    controls: [
      { point: "hvac.mode", values: ["OFF", "HEAT"], holdMs: null, safeDefault: null },
      { point: POINT, range: { min: 15, max: 25 }, holdMs: null, safeDefault: "as-found" },
      ...(more as []),
    ],
    identity: { manufacturer: "Lambda", model: "EU13L", serial: "L-1", category: "HEAT_PUMP" },
    vendors: ["MODBUS"],
  });
  const step = (): void => {
    pump.show("hvac.power", Number(pump.values[POINT]) > OWN_C ? 2_000 : 0);
    house.home.world.clock.timer(SECOND, step);
  };
  step();
  return pump;
}

function leases(run: Run): number {
  return run.store.all("lease").filter(({ origin }) => origin === "energy").length;
}

test("surplus raises the setpoint by 2 K, and after the minimum time it is back and nobody holds it", async () => {
  const house = energyHouse({}, {}, { isOn: false });
  const pump = withPump(house);
  const run = await house.start();
  house.world.sunW = 4_000;
  await setPolicy(house, run, { mode: "SURPLUS", powerKw: 2 });
  await house.advance(3 * MINUTE);
  expect(pump.values[POINT]).toBe(OWN_C + 2);
  const shown = run.engine.services.energy.device(pumpId(run));
  expect(shown).toMatchObject({ inCharge: "energy", isControlled: true, flow: { powerKw: 2 } });
  house.world.sunW = 0;
  await house.wait(25 * MINUTE);
  expect(pump.written(POINT)).toEqual([OWN_C + 2, OWN_C]);
  expect(leases(run)).toBe(0);
  // Its owner may set what they like while it is not raised, and the next raise begins there.
  pump.show(POINT, 19);
  await house.wait(5 * MINUTE);
  expect(pump.values[POINT]).toBe(19);
  house.world.sunW = 4_000;
  await house.wait(15 * MINUTE);
  expect(pump.values[POINT]).toBe(21);
  await run.close();
  expect(pump.values[POINT]).toBe(19);
});

test("a raise is never above what the owner has set as the highest temperature", async () => {
  const house = energyHouse({}, {}, { isOn: false });
  const pump = withPump(house);
  const run = await house.start();
  await setPolicy(house, run, { mode: "FAST", powerKw: 2, heat: { minC: 19, maxC: 21.5 } });
  await house.advance(MINUTE);
  expect(pump.values[POINT]).toBe(21.5);
  await setPolicy(house, run, { mode: "OFF" });
  await house.wait(25 * MINUTE);
  expect([pump.values[POINT], leases(run)]).toEqual([OWN_C, 0]);
  await setPolicy(house, run, { mode: "FAST", heat: { minC: 19, maxC: 20.6 } });
  await house.wait(15 * MINUTE);
  expect(pump.values[POINT]).toBe(OWN_C);
  await run.close();
});

test("a highest temperature that is lowered while it is raised lowers the raise, or ends it", async () => {
  const house = energyHouse({}, {}, { isOn: false });
  const pump = withPump(house);
  const run = await house.start();
  await setPolicy(house, run, { mode: "FAST", powerKw: 2 });
  await house.advance(MINUTE);
  expect(pump.values[POINT]).toBe(OWN_C + 2);
  await setPolicy(house, run, { heat: { minC: 19, maxC: 21.5 } });
  await house.advance(MINUTE);
  expect(pump.values[POINT]).toBe(21.5);
  await setPolicy(house, run, { heat: { minC: 19, maxC: 20.6 } });
  await house.advance(MINUTE);
  expect([pump.values[POINT], leases(run)]).toEqual([OWN_C, 0]);
  await run.close();
});

test("what somebody sets while it is raised stays, and a crash leaves no raise behind", async () => {
  const house = energyHouse({}, {}, { isOn: false });
  const pump = withPump(house);
  const run = await house.start();
  await setPolicy(house, run, { mode: "FAST", powerKw: 2 });
  await house.advance(MINUTE);
  expect(pump.values[POINT]).toBe(OWN_C + 2);
  run.process.kill();
  house.home.disk.crash();
  const next = await house.start();
  const cleared = next.engine.services.energy.clearPolicy(pumpId(next));
  await house.home.world.clock.resolve(cleared, 20 * SECOND);
  await house.advance(3 * MINUTE);
  expect([pump.values[POINT], leases(next)]).toEqual([OWN_C, 0]);
  await setPolicy(house, next, { mode: "FAST" });
  await house.advance(MINUTE);
  pump.show(POINT, 18);
  await house.advance(3 * MINUTE);
  expect([pump.values[POINT], leases(next)]).toEqual([18, 0]);
  await next.close();
  expect(pump.values[POINT]).toBe(18);
});

test("a unit that does not heat is not raised, and one with holds has no mode", async () => {
  const house = energyHouse({}, {}, { isOn: false });
  const pump = withPump(house);
  pump.show("hvac.mode", "OFF");
  const run = await house.start();
  await setPolicy(house, run, { mode: "FAST", powerKw: 2 });
  await house.advance(2 * MINUTE);
  expect(pump.written(POINT)).toEqual([]);
  await run.close();
  const other = energyHouse({}, {}, { isOn: false });
  const holdType = { point: "hvac.holdType", values: ["SCHEDULED", "PERMANENT"], holdMs: null, safeDefault: null };
  withPump(other, [holdType]);
  const second = await other.start();
  expect(second.engine.services.energy.canHeat(pumpId(second))).toBe(false);
  await second.close();
});

test("a pump with a mode that the grid operator has stopped goes back to what it was in", async () => {
  let watts: number | null = null;
  const limits = (): readonly ActiveLimit[] =>
    watts === null ? [] : [{ id: "l", source: "s", direction: "import", scope: "controllable", watts, untilMs: null }];
  const gridLimits = GridLimitsConfig.parse({ controllable: [{ device: "heat-pump", kind: "heat-pump", kw: 5 }] });
  const house = energyHouse({}, { limits }, { isOn: false }, { gridLimits });
  const pump = withPump(house);
  const run = await house.start();
  await setPolicy(house, run, { mode: "FAST", powerKw: 2 });
  await house.advance(MINUTE);
  expect(pump.values[POINT]).toBe(OWN_C + 2);
  watts = 500;
  await house.advance(MINUTE);
  expect([pump.values["hvac.mode"], pump.values[POINT]]).toEqual(["OFF", OWN_C]);
  watts = null;
  await house.wait(30 * MINUTE);
  expect([pump.values["hvac.mode"], pump.values[POINT]]).toEqual(["HEAT", OWN_C + 2]);
  await run.close();
});
