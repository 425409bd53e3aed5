import { expect, test } from "vitest";
import { makeHome } from "./home.ts";

test("the features of the engine hook in in this order: of overlays, of removals, and of the start", async () => {
  const home = makeHome(1, { sandbox: { isEnabled: true } });
  const run = await home.start();
  const listed = run.engine.features.map(({ name, service: _service, ...hooks }) =>
    [name, ...Object.keys(hooks).toSorted()].join(" "),
  );
  await run.close();
  expect(listed).toMatchInlineSnapshot(`
    [
      "users forgetter",
      "deviceNotes forgetter",
      "accountNotes forgetter",
      "simulated",
      "market",
      "vendors",
      "linking forgetter loop",
      "locations forgetter locationRemoval loop overlay",
      "tariffs forgetter locationRemoval",
      "prices connect",
      "chargeShifts forgetter",
      "smartOverrides loop",
      "vehicleSmart controller loop overlay",
      "chargerSmart controller loop",
      "hvacSmart controller loop",
      "schedules controller forgetter locationRemoval loop",
      "statistics loop",
      "exports",
      "hemSystems connect loop overlay",
      "housePowers loop",
      "energy controller forgetter loop",
      "energyPlans forgetter loop",
      "forecasts",
      "historyRemovals forgetter loop",
      "pairing connect forgetter loop overlay",
      "siteConnections connect",
      "energyLimits connect loop",
      "flexEvents loop",
      "powerLimits",
      "solarPolicies",
      "checks forgetter loop",
      "interventions loop overlay",
      "discovery loop",
      "people connect",
      "audit",
      "setup forgetter loop",
      "setupImports loop",
      "credentials overlay",
    ]
  `);
});
