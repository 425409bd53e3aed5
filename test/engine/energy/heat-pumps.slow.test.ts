import { expect, test } from "vitest";
import { GridLimitsConfig } from "../../../src/config/grid-limits-config.ts";
import type { ActiveLimit } from "../../../src/domain/energy/cycle/energy-snapshot.ts";
import type { FakeDevice } from "../../../src/testing/fake-adapter.ts";
import { makeTemperatureSchedule } from "../schedules/schedule-house.ts";
import { type EnergyHouse, energyHouse, MINUTE, SECOND } from "./energy-house.ts";
import { pumpId, setPolicy } from "./heat-pump-settings.ts";

const SG_READY = [
  { point: "hvac.mode", values: ["OFF", "AUTO", "HEAT"], holdMs: null, safeDefault: "AUTO" },
  { point: "hvac.holdType", values: ["SCHEDULED", "PERMANENT"], holdMs: null, safeDefault: null },
] as const;

/** A heat pump that takes 2 kW more while it is asked to. The meter does not see it, so surplus stays as the sun has it. */
function withHeatPump(house: EnergyHouse, autoW = 0): FakeDevice {
  const pump = house.home.add("heat-pump", {
    values: { "hvac.mode": "AUTO", "hvac.holdType": "SCHEDULED", "hvac.power": 0, "hvac.isActive": false },
    controls: SG_READY,
    identity: { manufacturer: "Stiebel Eltron", model: "WPM", serial: "W-1", category: "HEAT_PUMP" },
    vendors: ["MODBUS"],
  });
  const step = (): void => {
    const mode = pump.values["hvac.mode"];
    pump.show("hvac.power", mode === "HEAT" ? 2_000 : mode === "AUTO" ? autoW : 0);
    house.home.world.clock.timer(SECOND, step);
  };
  step();
  return pump;
}

test("surplus asks a heat pump to take more power, and it goes back to its own programme after its minimum time", async () => {
  const house = energyHouse({}, {}, { isOn: false });
  const pump = withHeatPump(house);
  const run = await house.start();
  house.world.sunW = 4_000;
  await setPolicy(house, run, { mode: "SURPLUS", powerKw: 2 });
  await house.advance(3 * MINUTE);
  expect(pump.values["hvac.mode"]).toBe("HEAT");
  const shown = run.engine.services.energy.device(pumpId(run));
  expect(shown).toMatchObject({ deviceType: "hvac", inCharge: "energy", isControlled: true, flow: { powerKw: 2 } });
  expect(shown.reason?.code).toBe("surplus");
  house.world.sunW = 0;
  await house.wait(10 * MINUTE);
  expect(pump.values["hvac.mode"]).toBe("HEAT");
  await house.wait(15 * MINUTE);
  expect(pump.values["hvac.mode"]).toBe("AUTO");
  expect(pump.written("hvac.mode")).toEqual(["HEAT", "AUTO"]);
  await run.close();
});

test("the mode before is back after the mode is cleared and after a stop of the gateway", async () => {
  const house = energyHouse({}, {}, { isOn: false });
  const pump = withHeatPump(house);
  const run = await house.start();
  await setPolicy(house, run, { mode: "FAST" });
  await house.advance(MINUTE);
  expect(pump.values["hvac.mode"]).toBe("HEAT");
  await run.close();
  expect(pump.values["hvac.mode"]).toBe("AUTO");
  const next = await house.start();
  await house.advance(MINUTE);
  expect(pump.values["hvac.mode"]).toBe("HEAT");
  const cleared = next.engine.services.energy.clearPolicy(pumpId(next));
  await house.home.world.clock.resolve(cleared, 20 * SECOND);
  await house.advance(MINUTE);
  expect(pump.values["hvac.mode"]).toBe("AUTO");
  expect(next.store.all("lease").filter(({ origin }) => origin === "energy")).toEqual([]);
  await next.close();
});

test("without a mode a heat pump is left alone, and its power counts among the controllable devices", async () => {
  const limits = [
    { id: "l", source: "s", direction: "import", scope: "controllable", watts: 7_560, untilMs: null },
  ] as const;
  const house = energyHouse({}, { limits: () => limits }, { isOn: true, maxA: 16 });
  const pump = withHeatPump(house);
  const run = await house.start();
  await house.advance(2 * MINUTE);
  expect(house.charger.values["charger.maxCurrent"]).toBe(10);
  pump.show("hvac.mode", "HEAT");
  await house.advance(2 * MINUTE);
  // 7.56 kW without the 2 kW of the heat pump: 8 A on three phases.
  expect(house.charger.values["charger.maxCurrent"]).toBe(8);
  expect(pump.written("hvac.mode")).toEqual([]);
  await run.close();
});

test("the record of a limit has the energy of a heat pump without a mode, which counts with the limit", async () => {
  const house = energyHouse({}, {}, { isOn: false });
  const pump = withHeatPump(house);
  const run = await house.start();
  const { energyLimits } = run.engine.services;
  const dim = (isActive: boolean): Promise<unknown> => {
    const limit = { isActive, watts: 4_200, durationMs: null };
    const demand = { scope: "controllable", limit, failsafeW: null, failsafeMs: null } as const;
    const port = energyLimits.port({ id: "operator", kind: "client", name: "Operator" });
    return house.home.world.clock.resolve(
      port.set({ isHeartbeat: false, heartbeatLostMs: null, import: demand }),
      10 * SECOND,
    );
  };
  pump.show("hvac.mode", "HEAT");
  await house.advance(MINUTE);
  await dim(true);
  await house.advance(6 * MINUTE);
  await dim(false);
  // 2 kW for 6 min.
  expect(energyLimits.limitations()[0]?.reaction.energyWh).toBeCloseTo(200, -1);
  await run.close();
});

test("what somebody sets at the heat pump stays until a mode is set again", async () => {
  const house = energyHouse({}, {}, { isOn: false });
  const pump = withHeatPump(house);
  const run = await house.start();
  await setPolicy(house, run, { mode: "FAST" });
  await house.advance(MINUTE);
  pump.show("hvac.mode", "OFF");
  await house.advance(5 * MINUTE);
  expect(pump.values["hvac.mode"]).toBe("OFF");
  expect(run.engine.services.energy.device(pumpId(run)).inCharge).toBe("device");
  await setPolicy(house, run, { mode: "FAST" });
  await house.advance(MINUTE);
  expect(pump.values["hvac.mode"]).toBe("HEAT");
  await run.close();
});

test("what somebody sets at the heat pump while the grid operator stops it is what it gets back", async () => {
  let watts: number | null = null;
  const limits = (): readonly ActiveLimit[] =>
    watts === null ? [] : [{ id: "l", source: "s", direction: "import", scope: "controllable", watts, untilMs: null }];
  const gridLimits = GridLimitsConfig.parse({ controllable: [{ device: "heat-pump", kind: "heat-pump", kw: 5 }] });
  const house = energyHouse({}, { limits }, { isOn: false }, { gridLimits });
  const pump = withHeatPump(house, 2_000);
  pump.show("hvac.mode", "HEAT");
  const run = await house.start();
  await house.advance(2 * MINUTE);
  watts = 500;
  await house.advance(2 * MINUTE);
  expect(pump.values["hvac.mode"]).toBe("OFF");
  pump.show("hvac.mode", "AUTO");
  await house.advance(2 * MINUTE);
  expect(pump.values["hvac.mode"]).toBe("OFF");
  watts = null;
  await house.wait(30 * MINUTE);
  expect(pump.values["hvac.mode"]).toBe("AUTO");
  expect(run.store.all("lease").filter(({ origin }) => origin === "energy")).toEqual([]);
  await run.close();
});

test("a block that somebody has ended does not come back when the heat pump gets a mode", async () => {
  let watts: number | null = null;
  const limits = (): readonly ActiveLimit[] =>
    watts === null ? [] : [{ id: "l", source: "s", direction: "import", scope: "controllable", watts, untilMs: null }];
  const gridLimits = GridLimitsConfig.parse({ controllable: [{ device: "heat-pump", kind: "heat-pump", kw: 5 }] });
  // The fuse keeps the cycle deciding.
  const house = energyHouse({ fuseA: 63 }, { limits }, { isOn: false }, { gridLimits });
  const pump = withHeatPump(house, 2_000);
  const run = await house.start();
  await house.advance(MINUTE);
  watts = 500;
  await house.advance(MINUTE);
  for (let i = 0; i < 6; i += 1) {
    pump.show("hvac.mode", "AUTO");
    await house.advance(20 * SECOND);
  }
  expect(pump.values["hvac.mode"]).toBe("AUTO");
  watts = null;
  await house.wait(20 * MINUTE);
  expect(pump.values["hvac.mode"]).toBe("AUTO");
  await setPolicy(house, run, { mode: "SURPLUS" });
  await house.advance(5 * MINUTE);
  expect(pump.values["hvac.mode"]).toBe("AUTO");
  await run.close();
});

/** A mode asks for more power; a schedule and a client switch the unit off. */
test.each([
  ["mode", "schedule", { owner: "schedule", inCharge: null, mode: "OFF" }],
  ["mode", "client", { owner: "energy", inCharge: "device", mode: "OFF" }],
  ["schedule", "mode", { owner: "energy", inCharge: "energy", mode: "HEAT" }],
  ["schedule", "client", { owner: "schedule", inCharge: null, mode: "OFF" }],
  // A client's hold is permanent until a client ends it.
  ["client", "mode", { owner: "energy", inCharge: "device", mode: "OFF" }],
  ["client", "schedule", { owner: "schedule", inCharge: null, mode: "OFF" }],
] as const)(
  "after %s and then %s have asked for a heat pump, the right one is in charge",
  async (first, second, expected) => {
    const house = energyHouse({}, {}, { isOn: false });
    const pump = withHeatPump(house);
    const run = await house.start();
    const id = pumpId(run);
    const { energy, schedules, controllers } = run.engine.services;
    const off = { holdType: "PERMANENT", mode: "OFF" } as const;
    const ask = {
      mode: () => energy.setPolicy(id, { mode: "FAST" }),
      schedule: () => schedules.create("home", makeTemperatureSchedule({ targetId: id, defaultTargetState: off })),
      client: () => run.engine.actions.start(id, { targetType: "hvac", target: off }),
    };
    for (const asker of [first, second]) {
      const work = ask[asker]();
      const isRefused = first === "schedule" && asker === "client";
      if (isRefused) await expect(work).rejects.toThrow("controlled by a schedule");
      else await house.home.world.clock.resolve<unknown>(work, 20 * SECOND);
      await house.advance(MINUTE);
    }
    const inCharge = energy.state().devices.find((device) => device.id === id)?.inCharge ?? null;
    expect({ owner: controllers.inChargeOf(id), inCharge, mode: pump.values["hvac.mode"] }).toEqual(expected);
    await run.close();
  },
);

test.each([
  [{ mode: "MIN_SURPLUS" }, "A heat pump has no mode MIN_SURPLUS; it has OFF, SURPLUS, PLANNED, FAST."],
  [
    { mode: "PLANNED", heat: { minC: 23 } },
    "heat.minC is 23 °C and heat.maxC 22 °C: nothing can be planned between them. Set minC below maxC.",
  ],
] as const)("%j is refused for a heat pump", async (update, detail) => {
  const house = energyHouse();
  withHeatPump(house);
  const run = await house.start();
  await expect(run.engine.services.energy.setPolicy(pumpId(run), update)).rejects.toMatchObject({ message: detail });
  await run.close();
});

test("a thermostat with a setpoint has no mode", async () => {
  const house = energyHouse();
  house.home.add("thermostat", {
    values: { "hvac.mode": "AUTO", "hvac.heatSetpoint": 20 },
    controls: [
      { point: "hvac.mode", values: ["AUTO", "HEAT"], holdMs: null, safeDefault: "AUTO" },
      { point: "hvac.heatSetpoint", range: { min: 5, max: 25 }, holdMs: null, safeDefault: "as-found" },
    ],
  });
  const run = await house.start();
  const refused = run.engine.services.energy.setPolicy(pumpId(run), { mode: "SURPLUS" });
  await expect(refused).rejects.toMatchObject({ message: expect.stringContaining("no SG Ready states") });
  await run.close();
});
