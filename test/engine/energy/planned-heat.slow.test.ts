/** Heat pumps and heaters in mode `PLANNED`, in a house whose prices change by the hour. */
import { describe, expect, test } from "vitest";
import type { EnergyPolicyUpdate } from "../../../src/domain/energy/energy-policy.ts";
import type { FakeDevice } from "../../../src/testing/fake-adapter.ts";
import type { Run } from "../home.ts";
import { HOUR, MINUTE, SECOND } from "./energy-house.ts";
import { learn, nextHourMs, type PlanHouse, planHouse } from "./plan-house.ts";

const HOUSE_W = 800;
const ROD_W = 3_000;
const PUMP_W = 2_000;
const STEP_MS = 5 * SECOND;

/** A tank of 300 l from which water is drawn all day, with a rod whose power lapses after ten seconds. */
function withTank(house: PlanHouse, startC: number): FakeDevice {
  const tank = house.home.add("tank", {
    values: { "hvac.maxPower": 0, "hvac.power": 0, "hvac.temperature": startC, "hvac.isActive": false },
    controls: [{ point: "hvac.maxPower", range: { min: 0, max: ROD_W }, holdMs: 10 * SECOND, safeDefault: 0 }],
    identity: { manufacturer: "my-PV", model: "AC-THOR", serial: "T-1" },
    vendors: ["MODBUS"],
  });
  tank.pollMs = STEP_MS;
  warm(house, tank, { kwhPerK: 0.35, drawnW: 300, powerW: () => Number(tank.values["hvac.maxPower"]) });
  return tank;
}

/** A heat pump that keeps 20 °C by itself, and takes more while it is asked to. */
function withPump(house: PlanHouse, startC: number): FakeDevice {
  const pump = house.home.add("pump", {
    values: { "hvac.mode": "AUTO", "hvac.power": 0, "hvac.temperature": startC, "hvac.isActive": false },
    controls: [{ point: "hvac.mode", values: ["OFF", "AUTO", "HEAT"], holdMs: null, safeDefault: "AUTO" }],
    identity: { manufacturer: "Stiebel Eltron", model: "WPM", serial: "W-1", category: "HEAT_PUMP" },
    vendors: ["MODBUS"],
  });
  pump.pollMs = STEP_MS;
  const needsHeat = (): boolean => Number(pump.values["hvac.temperature"]) < 20;
  const isOn = (): boolean => pump.values["hvac.mode"] === "HEAT" || needsHeat();
  warm(house, pump, { kwhPerK: 10, drawnW: 3_000, powerW: () => (isOn() ? PUMP_W : 0), heatPerPower: 3 });
  return pump;
}

interface Warmed {
  readonly kwhPerK: number;
  /** Heat that is drawn and lost, W. */
  readonly drawnW: number;
  readonly heatPerPower?: number;
  readonly powerW: () => number;
}

function warm(house: PlanHouse, device: FakeDevice, { kwhPerK, drawnW, heatPerPower = 1, powerW }: Warmed): void {
  const step = (): void => {
    const watts = powerW();
    const temperature = device.values["hvac.temperature"];
    const gainedK = ((watts * heatPerPower - drawnW) * STEP_MS) / HOUR / 1_000 / kwhPerK;
    if (typeof temperature === "number") device.show("hvac.temperature", temperature + gainedK);
    device.show("hvac.power", watts);
    house.world.loadW = HOUSE_W + watts;
    house.home.world.clock.timer(STEP_MS, step);
  };
  step();
}

function hvacId(run: Run): string {
  return run.engine.assets.list("hvac")[0]?.asset.id ?? "";
}

async function setPolicy(house: PlanHouse, run: Run, update: EnergyPolicyUpdate): Promise<void> {
  await house.resolve(run.engine.services.energy.setPolicy(hvacId(run), update));
}

/** Two cheap hours begin two hours from the next full one. */
function cheapLater(house: PlanHouse): number {
  const fromMs = nextHourMs(house) + 2 * HOUR;
  house.world.priceAt = (hourMs) => (hourMs >= fromMs && hourMs < fromMs + 2 * HOUR ? "0.05" : "0.40");
  return fromMs;
}

async function advanceTo(house: PlanHouse, atMs: number): Promise<void> {
  await house.advance(atMs - house.home.world.clock.nowMs());
}

function temperatureOf({ values }: FakeDevice): number {
  return Number(values["hvac.temperature"]);
}

describe("a heater", () => {
  test("heats in the cheap hours and not before, keeps its lowest temperature, and says why", async () => {
    const house = planHouse();
    const tank = withTank(house, 55);
    const run = await house.start();
    const cheapMs = cheapLater(house);
    await learn(house);
    await setPolicy(house, run, { mode: "PLANNED" });
    await house.advance(MINUTE);
    const shown = run.engine.services.energyPlans.view("de-DE");
    expect(shown.devices).toMatchObject([{ id: hvacId(run), deviceType: "heat", stored: [], value: [] }]);
    expect(shown.devices[0]?.reasons.map(({ text }) => text).join(" ")).toMatch(
      /Heizt von \d\d:\d\d bis \d\d:\d\d Uhr.*, weil eine kWh 0,\d+\s€ weniger kostet als von/,
    );
    let coldest = temperatureOf(tank);
    while (house.home.world.clock.nowMs() < cheapMs - MINUTE) {
      await house.advance(MINUTE);
      expect(tank.values["hvac.power"]).toBe(0);
      coldest = Math.min(coldest, temperatureOf(tank));
    }
    expect(run.engine.services.energy.device(hvacId(run))).toMatchObject({
      inCharge: "energy",
      reason: { code: "plan-waits" },
    });
    await advanceTo(house, cheapMs + 2 * HOUR);
    expect(temperatureOf(tank)).toBeGreaterThan(58);
    expect(temperatureOf(tank)).toBeLessThan(61);
    await house.advance(3 * HOUR);
    expect(Math.min(coldest, temperatureOf(tank))).toBeGreaterThan(44.5);
    expect(tank.values["hvac.power"]).toBe(0);
    await run.close();
  });

  test("goes on in the cheap hours after a crash in the middle, and an orderly stop leaves no power on", async () => {
    const house = planHouse();
    const tank = withTank(house, 50);
    const run = await house.start();
    const cheapMs = cheapLater(house);
    await learn(house);
    await setPolicy(house, run, { mode: "PLANNED" });
    await advanceTo(house, cheapMs + 10 * MINUTE);
    while (tank.values["hvac.power"] === 0) await house.advance(MINUTE);
    run.process.kill();
    house.home.disk.crash();
    await house.advance(20 * SECOND);
    expect(tank.values["hvac.power"]).toBe(0);
    const next = await house.start();
    await house.advance(10 * MINUTE);
    expect(next.engine.services.energyPlans.view().isPlanned).toBe(true);
    expect(Number(tank.values["hvac.power"])).toBeGreaterThan(0);
    await next.close();
    await house.advance(20 * SECOND);
    expect(tank.values["hvac.power"]).toBe(0);
  });

  test("of unknown temperature is left out of the plan and not heated from the grid", async () => {
    const house = planHouse();
    const tank = withTank(house, 40);
    tank.show("hvac.temperature", null);
    const run = await house.start();
    cheapLater(house);
    await learn(house);
    await setPolicy(house, run, { mode: "PLANNED" });
    await house.advance(10 * MINUTE);
    const { devices, leftOut } = run.engine.services.energyPlans.view();
    expect({ devices, leftOut }).toMatchObject({ devices: [], leftOut: [{ id: hvacId(run), code: "unknown-charge" }] });
    expect(tank.values["hvac.power"]).toBe(0);
    await run.close();
  });

  test("without any price keeps its lowest temperature, and no more", async () => {
    const house = planHouse();
    const tank = withTank(house, 44);
    house.world.priceAt = () => null;
    const run = await house.start();
    await house.advance(MINUTE);
    await setPolicy(house, run, { mode: "PLANNED" });
    await house.advance(30 * MINUTE);
    expect(run.engine.services.energyPlans.view().isPlanned).toBe(false);
    expect(temperatureOf(tank)).toBeGreaterThan(46);
    expect(temperatureOf(tank)).toBeLessThan(48);
    expect(tank.values["hvac.power"]).toBe(0);
    await run.close();
  });
});

test("a heat pump is asked for more in the cheap hours, for its least time at least, and goes back to itself", async () => {
  const house = planHouse();
  const pump = withPump(house, 20.5);
  const run = await house.start();
  const cheapMs = cheapLater(house);
  await learn(house);
  await setPolicy(house, run, { mode: "PLANNED", powerKw: PUMP_W / 1_000, heat: { lossKwPerK: 0.2 } });
  await advanceTo(house, cheapMs - MINUTE);
  expect(pump.written("hvac.mode")).toEqual([]);
  await advanceTo(house, cheapMs + HOUR + 50 * MINUTE);
  expect(pump.written("hvac.mode")[0]).toBe("HEAT");
  await house.advance(HOUR);
  expect(pump.values["hvac.mode"]).toBe("AUTO");
  expect(temperatureOf(pump)).toBeLessThan(22.5);
  const written = pump.written("hvac.mode").length;
  expect(written).toBeLessThanOrEqual(4);
  await house.advance(2 * HOUR);
  expect(pump.written("hvac.mode").length).toBe(written);
  await run.close();
});
