import { describe, expect, test } from "vitest";
import type { DesiredSetting } from "../../../src/domain/actions/action.ts";
import type { Run } from "../home.ts";
import { HOUR, MINUTE, SECOND } from "./energy-house.ts";
import { learn, nextHourMs, type PlanHouse, planHouse } from "./plan-house.ts";

function modeOf({ battery }: PlanHouse): unknown {
  return battery.values["battery.mode"];
}

async function planBatteries(house: PlanHouse, run: Run, isPlanned = true): Promise<void> {
  await house.resolve(run.engine.services.energy.setBatteryUse({ isPlanned }));
}

/** Two cheap hours of each day begin at the next full hour; otherwise energy is dear. */
function cheapSoon(house: PlanHouse): number {
  const fromMs = nextHourMs(house);
  house.world.priceAt = (hourMs) => ((hourMs - fromMs + 24 * HOUR) % (24 * HOUR) < 2 * HOUR ? "0.05" : "0.40");
  return fromMs;
}

function plan(run: Run) {
  return run.engine.services.energyPlans.view();
}

async function planEvents(house: PlanHouse, run: Run): Promise<number> {
  await house.advance(SECOND);
  const entries = await house.resolve(run.store.journalAfter(null, 5_000));
  return entries.filter(({ event }) => event === "local:energy:plan-updated").length;
}

describe("a battery", () => {
  test("is left alone until the owner switches the plan on, and until then nothing is read for a plan", async () => {
    const house = planHouse();
    const run = await house.start();
    cheapSoon(house);
    await learn(house);
    expect(plan(run)).toMatchObject({ isPlanned: false, whyNot: { code: "nothing-to-plan" }, slots: [], devices: [] });
    expect(house.world.pricesRead).toBe(0);
    await house.advance(HOUR);
    expect(modeOf(house)).toBe("SELF_RELIANCE");
    expect(house.battery.written("battery.mode")).toEqual([]);
    expect(await planEvents(house, run)).toBe(0);
    await run.close();
  });

  test("buys in the cheap hours, says why, and covers the house in the dear ones", async () => {
    const house = planHouse();
    const run = await house.start();
    await learn(house);
    const cheapMs = cheapSoon(house);
    await planBatteries(house, run);
    await house.advance(MINUTE);
    const shown = run.engine.services.energyPlans.view("de-DE");
    expect(shown).toMatchObject({ isPlanned: true, whyNot: null, method: "linear-program", currency: "EUR" });
    expect(shown.forecasts?.prices.isFeedInKnown).toBe(true);
    const reason = shown.devices[0]?.reasons.find(({ code }) => code === "cheaper");
    expect(reason?.text).toMatch(/^Nimmt Strom aus dem Netz .* weil eine kWh 0,35\s€ weniger kostet als von/);
    await house.advance(cheapMs - house.home.world.clock.nowMs() + 5 * MINUTE);
    expect(modeOf(house)).toBe("IMPORT_FOCUS");
    await house.advance(2 * HOUR);
    expect(modeOf(house)).toBe("SELF_RELIANCE");
    expect(Number(house.battery.values["battery.soc"])).toBeGreaterThan(90);
    await run.close();
  });

  test("is let go at once when the owner switches the plan off, and after an orderly stop", async () => {
    const house = planHouse();
    const run = await house.start();
    await learn(house);
    const cheapMs = cheapSoon(house);
    await planBatteries(house, run);
    await house.advance(cheapMs - house.home.world.clock.nowMs() + 5 * MINUTE);
    expect(modeOf(house)).toBe("IMPORT_FOCUS");
    await planBatteries(house, run, false);
    await house.advance(10 * SECOND);
    expect(modeOf(house)).toBe("SELF_RELIANCE");
    await planBatteries(house, run);
    await house.advance(2 * MINUTE);
    expect(modeOf(house)).toBe("IMPORT_FOCUS");
    await run.close();
    expect(modeOf(house)).toBe("SELF_RELIANCE");
  });

  test("is let go after a crash of a gateway whose next run makes no plan", async () => {
    const house = planHouse();
    const run = await house.start();
    await learn(house);
    const cheapMs = cheapSoon(house);
    await planBatteries(house, run);
    await house.advance(cheapMs - house.home.world.clock.nowMs() + 5 * MINUTE);
    expect(modeOf(house)).toBe("IMPORT_FOCUS");
    run.process.kill();
    house.home.disk.crash();
    house.world.priceAt = () => null;
    const next = await house.start();
    await house.advance(3 * MINUTE);
    expect(plan(next)).toMatchObject({ isPlanned: false, whyNot: { code: "no-prices" } });
    expect(modeOf(house)).toBe("SELF_RELIANCE");
    expect(next.store.all("lease").filter(({ origin }) => origin === "energy")).toEqual([]);
    await next.close();
  });

  test("keeps what another controller sets against the plan, and the plan says so", async () => {
    const house = planHouse();
    const run = await house.start();
    await learn(house);
    const cheapMs = cheapSoon(house);
    await planBatteries(house, run);
    await house.advance(cheapMs - house.home.world.clock.nowMs() + 5 * MINUTE);
    const written = house.battery.written("battery.mode").length;
    house.battery.show("battery.mode", "IDLE");
    await house.advance(3 * MINUTE);
    expect(house.battery.written("battery.mode").length).toBe(written);
    expect(plan(run).leftOut.map(({ code }) => code)).toEqual(["in-other-hands"]);
    await planBatteries(house, run);
    await house.advance(2 * MINUTE);
    expect(modeOf(house)).toBe("IMPORT_FOCUS");
    await run.close();
  });

  test("follows the plain rule when the plan is too old, because no new one can be made", async () => {
    const house = planHouse();
    const run = await house.start();
    await learn(house);
    const fromMs = cheapSoon(house);
    await planBatteries(house, run);
    await house.advance(fromMs - house.home.world.clock.nowMs() + 5 * MINUTE);
    expect(modeOf(house)).toBe("IMPORT_FOCUS");
    house.battery.show("battery.soc", 20);
    house.world.priceAt = () => {
      throw new Error("no prices now");
    };
    await house.advance(30 * MINUTE);
    expect(plan(run).isPlanned).toBe(true);
    house.battery.show("battery.soc", 20);
    await house.advance(35 * MINUTE);
    expect(plan(run).isPlanned).toBe(false);
    expect(modeOf(house)).toBe("SELF_RELIANCE");
    await run.close();
  });
});

describe("who else has a battery", () => {
  test("a client that sets its mode keeps it, and the plan says that the battery is in other hands", async () => {
    const house = planHouse();
    const run = await house.start();
    await learn(house);
    cheapSoon(house);
    await planBatteries(house, run);
    await house.advance(MINUTE);
    const id = run.engine.assets.list("battery")[0]?.asset.id ?? "";
    const asked: DesiredSetting = { targetType: "battery", operationMode: "EXPORT_FOCUS" };
    await house.resolve(run.engine.actions.start(id, asked));
    await house.advance(2 * MINUTE);
    expect(modeOf(house)).toBe("EXPORT_FOCUS");
    expect(plan(run)).toMatchObject({ isPlanned: false, leftOut: [{ id, code: "in-other-hands" }] });
    await run.close();
  });
});

describe("plans", () => {
  test("are made each quarter hour, and a storm of new prices makes no more than one in half a minute", async () => {
    const house = planHouse();
    const run = await house.start();
    await learn(house);
    cheapSoon(house);
    await planBatteries(house, run);
    await house.advance(MINUTE);
    const before = house.world.pricesRead;
    for (let second = 0; second < 120; second += 1) {
      house.tellPrices();
      await house.advance(SECOND);
    }
    expect(house.world.pricesRead - before).toBeGreaterThan(1);
    expect(house.world.pricesRead - before).toBeLessThanOrEqual(5);
    await house.advance(2 * MINUTE);
    const calm = house.world.pricesRead;
    await house.advance(HOUR);
    expect(house.world.pricesRead - calm).toBeGreaterThanOrEqual(4);
    expect(house.world.pricesRead - calm).toBeLessThanOrEqual(16);
    expect(await planEvents(house, run)).toBeLessThan(12);
    await run.close();
  });

  test("leave what they expected of the hours that are over beside what was measured, also over a restart", async () => {
    const house = planHouse();
    const run = await house.start();
    await learn(house);
    await planBatteries(house, run);
    await house.advance(MINUTE);
    // The quarter hour that runs was not forecast before it began.
    expect(plan(run).earlier).toEqual([]);
    await house.advance(25 * MINUTE);
    house.world.loadW = 2_000;
    await house.advance(10 * MINUTE);
    const { earlier } = plan(run);
    expect(earlier.length).toBeGreaterThanOrEqual(1);
    for (const { expectedLoad, load } of earlier) {
      expect(expectedLoad).toBeCloseTo(0.8, 1);
      expect(load).toBeGreaterThanOrEqual(0.79);
    }
    const expected = earlier.map(({ from, expectedLoad }) => [from, expectedLoad]);
    await run.close();
    const next = await house.start();
    expect(plan(next).earlier.map(({ from, expectedLoad }) => [from, expectedLoad])).toEqual(expected);
    // The next day they are not shown any more.
    await house.advance(24 * HOUR);
    expect(plan(next).earlier.some(({ from }) => expected.some(([before]) => before === from))).toBe(false);
    await next.close();
  });

  test("are made again when what is stored is far from what was planned", async () => {
    const house = planHouse();
    const run = await house.start();
    await learn(house);
    cheapSoon(house);
    await planBatteries(house, run);
    await house.advance(MINUTE);
    const quarterMs = 15 * MINUTE;
    // Two minutes after a quarter hour its plan is made, and the next one is far.
    await house.advance(quarterMs - (house.home.world.clock.nowMs() % quarterMs) + 2 * MINUTE);
    const before = plan(run).madeAt;
    await house.advance(MINUTE);
    expect(plan(run).madeAt).toBe(before);
    house.battery.show("battery.soc", Number(house.battery.values["battery.soc"]) - 12);
    await house.advance(MINUTE);
    expect(plan(run).madeAt).not.toBe(before);
    await run.close();
  });

  test("are made without the solver, and say so, when it does not load", async () => {
    const house = planHouse();
    const run = await house.start();
    run.process.platform.optimizer.solve = async () => ({ status: "failed", detail: "no WebAssembly" });
    await learn(house);
    cheapSoon(house);
    await planBatteries(house, run);
    await house.advance(MINUTE);
    expect(plan(run)).toMatchObject({ isPlanned: true, method: "dynamic-program" });
    await run.close();
  });

  test("are not denied for want of a battery after a start before the devices were read", async () => {
    const house = planHouse();
    const first = await house.start();
    await planBatteries(house, first);
    await house.advance(MINUTE);
    await first.close();
    for (const device of [house.meter, house.battery]) device.isUp = false;
    const second = await house.start();
    expect(plan(second).whyNot).toEqual({
      code: "not-read-yet",
      text: "There is no plan yet: the grid meter, or a device that is to be planned, has not been read.",
    });
    const codes = new Set<string | undefined>();
    const watch = async (seconds: number): Promise<void> => {
      for (let passed = 0; passed < seconds; passed += 1) {
        codes.add(plan(second).whyNot?.code);
        await house.advance(SECOND);
      }
    };
    await watch(20);
    house.meter.isUp = true;
    await watch(20);
    house.battery.isUp = true;
    await watch(60);
    expect([...codes]).not.toContain("nothing-to-plan");
    expect(plan(second).whyNot?.code).not.toBe("not-read-yet");
    await planBatteries(house, second, false);
    await house.advance(30 * SECOND);
    expect(plan(second).whyNot?.code).toBe("nothing-to-plan");
    await second.close();
  });

  test("are not there without a grid meter, and the reason names it and not the battery", async () => {
    const house = planHouse();
    house.meter.isUp = false;
    const run = await house.start();
    await planBatteries(house, run);
    await house.advance(5 * MINUTE);
    expect(plan(run).whyNot?.code).toBe("not-read-yet");
    await run.close();
  });

  test("of a house whose use was never measured there are none, and the reason is told", async () => {
    const house = planHouse();
    const run = await house.start();
    await house.advance(MINUTE);
    expect(plan(run).whyNot?.code).toBe("nothing-to-plan");
    await planBatteries(house, run);
    expect(plan(run).whyNot?.code).toBe("not-made-yet");
    await house.advance(2 * MINUTE);
    expect(plan(run)).toMatchObject({ isPlanned: false, whyNot: { code: "no-history" }, madeAt: null, cost: null });
    await run.close();
  });
});

describe("a vehicle in mode PLANNED", () => {
  test("charges in the cheapest hours before its target, and is ready in time", async () => {
    const house = planHouse();
    const run = await house.start();
    await learn(house);
    const cheapMs = nextHourMs(house) + 2 * HOUR;
    house.world.priceAt = (hourMs) => (hourMs >= cheapMs && hourMs < cheapMs + 2 * HOUR ? "0.10" : "0.40");
    house.world.isPlugged = true;
    await house.advance(MINUTE);
    const id = run.engine.assets.list("charger")[0]?.asset.id ?? "";
    const by = new Date(cheapMs + 6 * HOUR).toISOString();
    const target = { kind: "ONCE", by, soc: null, energyKwh: 7 } as const;
    await house.resolve(run.engine.services.energy.setPolicy(id, { mode: "PLANNED", target }));
    await house.advance(MINUTE);
    const [device] = plan(run).devices;
    expect(device).toMatchObject({ id, deviceType: "vehicle", targets: [{ energy: 7, short: 0 }] });
    expect(device?.reasons[0]?.code).toBe("cheaper");
    const chargedWh = (): number => Number(house.charger.values["charger.energySession"]);
    await house.advance(cheapMs - house.home.world.clock.nowMs() - MINUTE);
    expect(chargedWh()).toBe(0);
    await house.advance(2 * HOUR + MINUTE);
    expect(chargedWh()).toBeGreaterThan(7_000);
    expect(chargedWh()).toBeLessThan(7_400);
    await run.close();
  });

  test("whose target is out of reach, and between two quarter hours, charges until its time", async () => {
    const house = planHouse();
    const run = await house.start();
    await learn(house);
    house.world.isPlugged = true;
    await house.advance(MINUTE);
    const id = run.engine.assets.list("charger")[0]?.asset.id ?? "";
    const dueMs = nextHourMs(house) + 12 * MINUTE;
    const target = { kind: "ONCE", by: new Date(dueMs).toISOString(), soc: null, energyKwh: 40 } as const;
    await house.resolve(run.engine.services.energy.setPolicy(id, { mode: "PLANNED", target }));
    await house.advance(2 * MINUTE);
    expect(plan(run).devices[0]?.reasons[0]?.code).toBe("out-of-reach");
    while (house.home.world.clock.nowMs() < dueMs - MINUTE) {
      expect(house.charger.values["charger.power"]).toBe(11_040);
      await house.advance(30 * SECOND);
    }
    await run.close();
  });
});
