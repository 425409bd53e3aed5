import { describe, expect, test } from "vitest";
import { chargerOptions, makeHome } from "../../engine/home.ts";
import { openRealHouse, type RealHouse } from "../support/real-house.ts";

async function openHouse() {
  const home = makeHome();
  home.add("meter", { values: { "meter.power": 1_500 } });
  home.add("charger", chargerOptions());
  const house = await openRealHouse({ home });
  await home.world.clock.advance(10_000);
  const id = house.run.engine.assets.list("charger")[0]?.asset.id ?? "";
  return { house, url: `/local/energy/devices/${id}`, id };
}

async function events(house: RealHouse): Promise<readonly string[]> {
  const { clock } = house.home.world;
  await clock.advance(1_000);
  const entries = await clock.resolve(house.run.store.journalAfter(null, 1_000), 10_000);
  return entries.map(({ event }) => event).filter((event) => event.startsWith("local:energy:mode"));
}

describe("the energy manager", () => {
  test("shows the flows and the devices, with the reasons in the language that is asked for", async () => {
    const { house, url, id } = await openHouse();
    await using _ = house;
    expect((await house.ask({ url: "/local/energy" })).json()).toMatchObject({
      isActive: false,
      hasLimits: false,
      grid: { powerKw: 1.5 },
      production: { powerKw: null, ageSeconds: null },
      devices: [{ id, deviceType: "charger", policy: null, inCharge: "device", isControlled: true, reason: null }],
      alarms: [],
    });
    await house.ask({ method: "PUT", url, payload: { mode: "OFF" } });
    const french = (await house.ask({ url: `${url}?language=fr-FR` })).json();
    expect(french.reason).toMatchObject({ code: "mode-off", text: "Le mode est désactivé." });
    const other = (await house.ask({ url: `${url}?language=xx` })).json();
    expect(other.reason.text).toBe("The mode is off.");
  });

  test("sets, changes and removes a mode, each with its event", async () => {
    const { house, url } = await openHouse();
    await using _ = house;
    const set = await house.ask({ method: "PUT", url, payload: { mode: "SURPLUS", priority: 3 } });
    expect([set.statusCode, set.json().policy]).toEqual([
      200,
      { mode: "SURPLUS", priority: 3, gridShare: 0, target: null, powerKw: null, phases: null, heat: null },
    ]);
    const changed = await house.ask({ method: "PUT", url, payload: { gridShare: 0.2 } });
    expect(changed.json().policy).toMatchObject({ mode: "SURPLUS", priority: 3, gridShare: 0.2 });
    const onOne = await house.ask({ method: "PUT", url, payload: { phases: 1 } });
    expect(onOne.json().policy).toMatchObject({ mode: "SURPLUS", gridShare: 0.2, phases: 1 });
    expect((await house.ask({ method: "PUT", url, payload: { phases: 2 } })).statusCode).toBe(400);
    expect((await house.ask({ method: "DELETE", url })).statusCode).toBe(204);
    expect((await house.ask({ url })).json().policy).toBeNull();
    expect(await events(house)).toEqual(["local:energy:mode-changed", "local:energy:mode-changed"]);
  });

  test("keeps the number of phases that an owner has set for a charger over a restart, until it is set to null", async () => {
    const { house, url } = await openHouse();
    {
      await using _ = house;
      const set = await house.ask({ method: "PUT", url, payload: { mode: "SURPLUS", phases: 1 } });
      expect(set.statusCode).toBe(200);
    }
    await using restarted = await openRealHouse({ home: house.home });
    await house.home.world.clock.advance(10_000);
    expect((await restarted.ask({ url })).json().policy).toMatchObject({ mode: "SURPLUS", phases: 1 });
    const any = await restarted.ask({ method: "PUT", url, payload: { phases: null } });
    expect(any.json().policy).toMatchObject({ mode: "SURPLUS", phases: null });
  });

  test("shows a heat pump that can have a mode before it has one, and no unit that cannot", async () => {
    const home = makeHome();
    const control = {
      point: "hvac.heatSetpoint",
      range: { min: 15, max: 25 },
      holdMs: null,
      safeDefault: null,
    } as const;
    const holds = {
      point: "hvac.holdType",
      values: ["SCHEDULED", "PERMANENT"],
      holdMs: null,
      safeDefault: null,
    } as const;
    const identity = { manufacturer: "Lambda", model: "EU13L", serial: "L-1", category: "HEAT_PUMP" } as const;
    home.add("pump", { values: { "hvac.heatSetpoint": 21 }, controls: [control], identity });
    const other = { ...identity, serial: "L-2" };
    home.add("with-holds", { values: { "hvac.heatSetpoint": 21 }, controls: [control, holds], identity: other });
    await using house = await openRealHouse({ home });
    await home.world.clock.advance(10_000);
    const answers = [];
    for (const { asset } of house.run.engine.assets.list("hvac"))
      answers.push(await house.ask({ url: `/local/energy/devices/${asset.id}` }));
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, 404]);
    const shown = answers.find(({ statusCode }) => statusCode === 200);
    expect(shown?.json()).toMatchObject({ deviceType: "hvac", policy: null, inCharge: "device", reason: null });
  });

  test("refuses what cannot be: no mode, an unknown device, a target in the past", async () => {
    const { house, url } = await openHouse();
    await using _ = house;
    expect((await house.ask({ method: "PUT", url, payload: { priority: 3 } })).statusCode).toBe(400);
    const heat = await house.ask({ method: "PUT", url, payload: { mode: "SURPLUS", heat: { minC: 45 } } });
    expect([heat.statusCode, heat.json().detail]).toEqual([400, "Only a heat pump or heater has `heat`."]);
    const unknown = "/local/energy/devices/00000000-0000-4000-8000-000000000000";
    expect((await house.ask({ method: "PUT", url: unknown, payload: { mode: "OFF" } })).statusCode).toBe(404);
    const target = { kind: "ONCE", by: "2001-01-01T00:00:00Z", soc: 80, energyKwh: null };
    const past = await house.ask({ method: "PUT", url, payload: { mode: "PLANNED", target } });
    expect([past.statusCode, past.json().detail]).toEqual([400, expect.stringContaining("in the past")]);
  });

  test("keeps what the house battery may do", async () => {
    const { house } = await openHouse();
    await using _ = house;
    const url = "/local/energy/battery-use";
    await house.ask({ method: "PUT", url, payload: { priorityBelow: 40 } });
    const use = (await house.ask({ url })).json();
    expect(use).toEqual({
      ...{ holdWhileFast: true, priorityBelow: 40, supportAbove: 100, minSoc: 0, maxSoc: 100 },
      ...{ isPlanned: false, mayChargeFromGrid: true, mayDischargeToGrid: false },
    });
  });

  test("leaves the plan a range of the battery, and refuses one with nothing in it", async () => {
    const { house } = await openHouse();
    await using _ = house;
    const url = "/local/energy/battery-use";
    const range = { minSoc: 20, maxSoc: 80 };
    expect((await house.ask({ method: "PUT", url, payload: range })).json()).toMatchObject(range);
    const refused = await house.ask({ method: "PUT", url, payload: { minSoc: 80 } });
    expect(refused.statusCode).toBe(400);
    expect(refused.json().detail).toBe(
      "minSoc is 80 % and maxSoc 80 %: nothing is left between them. Set minSoc below maxSoc.",
    );
    expect((await house.ask({ url })).json()).toMatchObject(range);
  });
});
