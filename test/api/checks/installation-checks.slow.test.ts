import { expect, test } from "vitest";
import type { InstallationCheckService } from "../../../src/engine/checks/installation-check-service.ts";
import type { FakeDevice } from "../../../src/testing/fake-adapter.ts";
import { makeHome } from "../../engine/home.ts";
import { openRealHouse, type RealHouse } from "../support/real-house.ts";

/** A house of a meter, panels and a charger; the meter counts export as positive. */
async function wrongWayRound(): Promise<{
  house: RealHouse;
  meter: FakeDevice;
  live(seconds: number, sign?: 1 | -1): Promise<void>;
}> {
  const home = makeHome();
  const meter = home.add("meter", {
    values: { "meter.power": -600, "meter.power.l1": -200, "meter.power.l2": -200, "meter.power.l3": -200 },
    identity: { serial: "M-1" },
  });
  const panels = home.add("panels", { values: { "inverter.power": 3_000 } });
  const charger = home.add("charger", { values: { "charger.power": 0, "charger.state": "PLUGGED_IN:STOPPED" } });
  const house = await openRealHouse({ home });
  let second = 0;
  const live = async (seconds: number, sign: 1 | -1 = -1): Promise<void> => {
    for (const until = second + seconds; second < until; second++) {
      const [sunW, carW] = [3_000 + 800 * Math.sin(second / 9), Math.floor(second / 30) % 2 === 0 ? 0 : 7_400];
      const gridW = 600 + 40 * Math.sin(second) + carW - sunW;
      panels.show("inverter.power", Math.round(sunW));
      charger.show("charger.power", carW);
      meter.show("meter.power", sign * gridW);
      for (const line of ["l1", "l2", "l3"] as const) meter.show(`meter.power.${line}`, (sign * gridW) / 3);
      await house.pass(1_000);
    }
  };
  return { house, meter, live };
}

/** The findings about devices. */
async function findings(house: RealHouse) {
  const all = (await house.ask({ url: "/local/checks" })).json();
  return all.filter(({ check }: { check: string }) => check !== "site");
}

test("a meter that is wired the wrong way round is found, its remedy named, and turned when it is confirmed", async () => {
  const { house, live } = await wrongWayRound();
  await using _closing = house;
  await live(180);
  const [finding, ...others] = await findings(house);
  expect(others).toEqual([]);
  expect(finding).toMatchObject({
    check: "sign",
    deviceId: "meter",
    assetType: "meter",
    state: "OPEN",
    fix: { kind: "invert", factor: -1, points: ["meter.power", "meter.power.l1", "meter.power.l2", "meter.power.l3"] },
  });
  expect(finding.measured).toMatch(/changed by [\d.]+\sk?W in total; .* changes by [\d.]+\sk?W\.$/);
  const before = (await house.ask({ url: `/meters/${finding.assetId}` })).json();
  const [remedy] = before.capabilities.measuresConsumption.interventionIds;
  const text = (await house.ask({ url: `/interventions/${remedy}` })).json();
  expect(text.resolution).toMatchObject({ agent: "ThirdParty", access: "Physical" });

  const confirmed = await house.ask({ method: "POST", url: `/local/checks/${finding.id}/confirm` });
  expect([confirmed.statusCode, confirmed.json().state]).toEqual([200, "CONFIRMED"]);
  await live(2);
  const after = (await house.ask({ url: `/meters/${finding.assetId}` })).json();
  expect(after.capabilities.measuresConsumption.interventionIds).toEqual([]);
  const shown = house.home.devices["meter"]?.values["meter.power"] ?? 0;
  expect(after.energyState.power).toBeCloseTo(-shown / 1_000, 3);
  await live(120);
  expect(await findings(house)).toHaveLength(1);

  const again = await house.ask({ method: "POST", url: `/local/checks/${finding.id}/confirm` });
  expect(again.statusCode).toBe(409);
  expect((await house.ask({ method: "DELETE", url: "/local/corrections/meter" })).statusCode).toBe(204);
  expect((await house.ask({ method: "DELETE", url: "/local/corrections/meter" })).statusCode).toBe(404);
  await live(2);
  const reset = (await house.ask({ url: `/meters/${finding.assetId}` })).json();
  expect(reset.energyState.power).toBeCloseTo((house.home.devices["meter"]?.values["meter.power"] ?? 0) / 1_000, 3);
});

test("two fixes of a meter that are confirmed at once both count, and one finding is confirmed once", async () => {
  const { house, live } = await wrongWayRound();
  await using _closing = house;
  await live(180);
  const [sign] = await findings(house);
  const { engine } = house.run;
  const { clock } = house.home.world;
  const fix = { kind: "scale", deviceId: "meter", points: ["meter.power"], factor: 10 } as const;
  const base = engine.services.checks.get(sign.id);
  if (base === null) throw new Error("the finding is gone");
  const service = engine.services.checks as InstallationCheckService;
  const scale = await clock.resolve(service.report({ ...base.finding, check: "scale", fix }), 10_000);
  const all = Promise.allSettled([sign.id, scale, sign.id].map((id) => service.confirm(id)));
  const ends = await clock.resolve(all, 10_000);
  expect(ends.map(({ status }) => status)).toEqual(["fulfilled", "fulfilled", "rejected"]);
  await live(2);
  const { energyState } = (await house.ask({ url: `/meters/${sign.assetId}` })).json();
  expect(energyState.power).toBeCloseTo((-10 * (house.home.devices["meter"]?.values["meter.power"] ?? 0)) / 1_000, 3);
});

test("the log has one line when a finding opens and one when it closes, however long it stands", async () => {
  const { house, live } = await wrongWayRound();
  await using _closing = house;
  const logged = () =>
    house.run.process.log.lines
      .filter(({ fields }) => fields["check"] === "sign")
      .map(({ level, text, fields }) => [level, text, fields["deviceId"]]);
  await live(240);
  const opened = ["warn", "finding opened: physics contradicts the device's readings", "meter"];
  expect(logged()).toEqual([opened]);
  await live(400, 1);
  expect(await findings(house)).toEqual([]);
  expect(logged()).toEqual([
    opened,
    ["info", "finding closed: physics no longer contradicts the device's readings", "meter"],
  ]);
});

test("what is meant so is dismissed and not told again, over a restart too; a correction holds over it", async () => {
  const { house, live } = await wrongWayRound();
  let assetId = "";
  {
    await using _closing = house;
    await live(180);
    const [finding] = await findings(house);
    assetId = finding.assetId;
    const dismissed = await house.ask({ method: "POST", url: `/local/checks/${finding.id}/dismiss` });
    expect(dismissed.json().state).toBe("DISMISSED");
    await live(120);
    expect(await findings(house)).toHaveLength(1);
    const meter = (await house.ask({ url: `/meters/${assetId}` })).json();
    expect(meter.capabilities.measuresConsumption.interventionIds).toEqual([]);
  }
  await using restarted = await openRealHouse({ home: house.home });
  expect(await findings(restarted)).toMatchObject([{ state: "DISMISSED", assetId }]);
});

test("a finding that nobody knows is not found", async () => {
  await using house = await openRealHouse();
  for (const verdict of ["confirm", "dismiss"]) {
    expect((await house.ask({ method: "POST", url: `/local/checks/no-such/${verdict}` })).statusCode).toBe(404);
  }
});
