/** Houses with more than one meter, of which only one is at the connection to the grid. */
import { expect, test } from "vitest";
import type { MeterUse } from "../../../src/domain/energy/site/site-connection.ts";
import { makeHome } from "../home.ts";

const MINUTE = 60_000;
const BY = { id: "installer", name: "Installer", kind: "account" } as const;

/** Opens a house whose meters of the panels and of a plug come before the one at the grid. */
async function openHouse(solarW: number) {
  const home = makeHome();
  home.add("solar", { values: { "meter.power": solarW } });
  home.add("plug", { values: { "meter.power": 300 } });
  home.add("grid", { values: { "meter.power": -500 } });
  const run = await home.start();
  const { clock } = home.world;
  await clock.advance(MINUTE);
  const { services } = run.engine;
  return {
    clock,
    services,
    power: () => services.housePowers.list()[0],
    today: () => services.hemSystems.list()[0]?.system.status.energy.today,
    [Symbol.asyncDispose]: () => run.close(),
  };
}

test.each<[MeterUse, number]>([
  ["panels", 2_000],
  ["panels-turned", -2_000],
])("A meter at the %s counts as production, and one inside the house is not counted twice", async (use, solarW) => {
  await using house = await openHouse(solarW);
  const { clock, services } = house;
  expect(house.power()?.gridW).toBe(solarW - 200);
  await clock.resolve(services.siteConnections.update({ meters: { solar: use, plug: "inside" } }), MINUTE);
  await clock.advance(15 * MINUTE);
  expect(house.power()).toMatchObject({ gridW: -500, generationW: 2_000, loadW: 1_500, loadFrom: "balance" });
  const today = house.today();
  expect(today?.generation).toBeGreaterThan(0.4);
  expect([today?.import, (today?.consumption ?? 0) / (today?.generation ?? 1)]).toEqual([0, expect.closeTo(0.75, 1)]);
  expect(services.setup.startLoadCheck(null, BY)).toMatchObject({ running: { deviceId: "grid" } });
});

test("The meter of a fuse inside the house, and a plug behind it, are not at the connection", async () => {
  await using house = await openHouse(0);
  const circuits = [{ id: "workshop", fuseA: 16, meter: "solar", members: ["plug"] }];
  await house.clock.resolve(house.services.siteConnections.update({ circuits }), MINUTE);
  await house.clock.advance(MINUTE);
  expect(house.power()).toMatchObject({ gridW: -500, generationW: null });
});

test.each<[MeterUse, number, number]>([
  ["panels", 2_000, 3_000],
  ["panels-turned", -2_000, 3_000],
  ["other-panels", 2_000, 5_000],
  ["other-panels-turned", -2_000, 5_000],
])(
  "Beside an inverter that is read, a meter of %s at %i W gives a production of %i W",
  async (use, solarW, producedW) => {
    const home = makeHome();
    home.add("solar", { values: { "meter.power": solarW } });
    home.add("roof", { values: { "inverter.power": 3_000 } });
    home.add("grid", { values: { "meter.power": -500 } });
    const run = await home.start();
    const { housePowers, siteConnections } = run.engine.services;
    await home.world.clock.advance(MINUTE);
    await home.world.clock.resolve(siteConnections.update({ meters: { solar: use } }), MINUTE);
    await home.world.clock.advance(MINUTE);
    expect(housePowers.list()).toMatchObject([{ gridW: -500, generationW: producedW, loadW: producedW - 500 }]);
    const counted = producedW === 5_000;
    expect(siteConnections.state().warnings.map(({ path }) => path)).toEqual(counted ? [] : [["meters", "solar"]]);
    await run.close();
  },
);
