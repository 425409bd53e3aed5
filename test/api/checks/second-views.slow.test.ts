import { describe, expect, test } from "vitest";
import type { HemSystem } from "../../../src/domain/hem/hem-system.ts";
import type { FakeDevice } from "../../../src/testing/fake-adapter.ts";
import { batteryOptions, type Home, makeHome } from "../../engine/home.ts";
import { openRealHouse, type RealHouse } from "../support/real-house.ts";

const MINUTE = 60_000;

interface TwoViews {
  readonly home: Home;
  readonly battery: FakeDevice;
  readonly manager: FakeDevice;
}

/** A battery that is read directly, and through an energy manager that sees panels, the grid and the house as well. */
function makeTwoViews(serial: string, pollMs = 1_000): TwoViews {
  const home = makeHome();
  const manager = home.add("manager", {
    values: { "battery.power": 0, "battery.soc": 55, "meter.power": 0, "inverter.power": 0, "hem.load": 0 },
    identity: { manufacturer: "Huawei", model: "EMMA-A02", serial },
    vendors: ["HUAWEI", "MODBUS"],
    isEnergyManager: true,
    pollMs,
  });
  const battery = home.add("battery", batteryOptions({ pollMs }));
  return { home, battery, manager };
}

/** The house lives on, second by second: both tell the same of the battery, in their own words. */
async function live({ battery, manager }: TwoViews, house: RealHouse, seconds: number): Promise<void> {
  for (let second = 0; second < seconds; second++) {
    const batteryW = Math.round(2_000 * Math.sin(second / 12));
    const loadW = 900 + 300 * (Math.floor(second / 20) % 3);
    battery.show("battery.power", batteryW);
    manager.show("battery.power", batteryW + (second % 3));
    manager.show("inverter.power", 3_000);
    manager.show("hem.load", loadW);
    manager.show("meter.power", loadW + batteryW - 3_000);
    await house.pass(1_000);
  }
}

async function get<Body>(house: RealHouse, url: string, status = 200): Promise<Body> {
  const answer = await house.ask({ url });
  expect(answer.statusCode, `${url}: ${answer.body}`).toBe(status);
  return answer.json<Body>();
}

type Records = { readonly data: readonly { readonly id: string; readonly vendor: string }[] };
type Finding = { readonly id: string; readonly deviceId: string; readonly assetType: string; readonly state: string };

async function batteries(house: RealHouse): Promise<Records["data"]> {
  return (await get<Records>(house, "/batteries")).data;
}

async function events(house: RealHouse, name: string): Promise<readonly unknown[]> {
  const journal = await house.run.store.journalAfter(null, 10_000);
  return journal.filter(({ event }) => event === name).map(({ payload }) => payload);
}

/** The findings about devices. */
async function findings(house: RealHouse): Promise<readonly Finding[]> {
  const all = await get<(Finding & { readonly check: string })[]>(house, "/local/checks");
  return all.filter(({ check }) => check !== "site");
}

describe("a battery that two devices see", () => {
  test("is one asset once that is confirmed: the device itself stays, over restarts, until it is reset", async () => {
    const views = makeTwoViews("EMMA-1");
    let hidden = "";
    let kept = "";
    {
      await using house = await openRealHouse({ home: views.home });
      await live(views, house, 170);
      const before = await batteries(house);
      expect(before).toHaveLength(2);
      kept = before.find(({ vendor }) => vendor === "SOLAREDGE")?.id ?? "";
      hidden = before.find(({ vendor }) => vendor === "HUAWEI")?.id ?? "";
      const [finding, ...others] = await findings(house);
      expect(others).toEqual([]);
      expect(finding).toMatchObject({
        check: "duplicate",
        deviceId: "manager",
        againstDeviceId: "battery",
        assetType: "battery",
        assetId: hidden,
        state: "OPEN",
        fix: { kind: "hide" },
      });
      const confirmed = await house.ask({ method: "POST", url: `/local/checks/${finding?.id}/confirm` });
      expect([confirmed.statusCode, confirmed.json().state, confirmed.json().assetId]).toEqual([
        200,
        "CONFIRMED",
        null,
      ]);
      expect((await batteries(house)).map(({ id }) => id)).toEqual([kept]);
      await get(house, `/batteries/${hidden}`, 404);
      expect(await events(house, "user:battery:deleted")).toMatchObject([{ battery: { id: hidden } }]);
      // What else the manager sees stays, and the battery is commanded as before.
      expect((await get<Records>(house, "/meters")).data).toHaveLength(1);
      const url = `/batteries/${kept}/operation-mode`;
      const body = { operationMode: "IDLE" };
      const command = await house.ask({ method: "POST", url, payload: body });
      expect(command.statusCode, command.body).toBe(200);
      await live(views, house, 30);
      expect(views.battery.written("battery.mode")).toContain("IDLE");
      expect(await findings(house)).toHaveLength(1);
    }
    await using house = await openRealHouse({ home: views.home });
    await live(views, house, 10);
    expect((await batteries(house)).map(({ id }) => id)).toEqual([kept]);
    const reset = await house.ask({ method: "DELETE", url: "/local/corrections/manager" });
    expect(reset.statusCode, reset.body).toBe(204);
    await live(views, house, 5);
    const after = await batteries(house);
    expect(after.map(({ vendor }) => vendor).toSorted()).toEqual(["HUAWEI", "SOLAREDGE"]);
    expect(await events(house, "user:battery:discovered")).toHaveLength(3);
  });

  test("is one without asking where both tell one serial number; who says otherwise is heard, for good", async () => {
    const views = makeTwoViews("b-12345");
    const battery = views.home.add(
      "battery",
      batteryOptions({ identity: { manufacturer: "SolarEdge", model: "Home", serial: "B12345" } }),
    );
    const both = { ...views, battery };
    await using house = await openRealHouse({ home: views.home });
    await live(both, house, 140);
    const [finding] = await findings(house);
    expect(finding).toMatchObject({
      check: "duplicate",
      deviceId: "manager",
      assetType: "battery",
      state: "CONFIRMED",
    });
    expect(await batteries(house)).toHaveLength(1);
    const dismissed = await house.ask({ method: "POST", url: `/local/checks/${finding?.id}/dismiss` });
    expect([dismissed.statusCode, dismissed.json().state]).toEqual([200, "DISMISSED"]);
    await live(both, house, 130);
    expect(await batteries(house)).toHaveLength(2);
  });

  test("is shown by the other device once the first one is removed", async () => {
    const views = makeTwoViews("EMMA-1");
    {
      await using house = await openRealHouse({ home: views.home });
      await live(views, house, 140);
      const [finding] = await findings(house);
      await house.ask({ method: "POST", url: `/local/checks/${finding?.id}/confirm` });
      expect((await batteries(house)).map(({ vendor }) => vendor)).toEqual(["SOLAREDGE"]);
    }
    delete views.home.devices["battery"];
    await using house = await openRealHouse({ home: views.home });
    await house.pass(MINUTE);
    expect((await batteries(house)).map(({ vendor }) => vendor)).toEqual(["HUAWEI"]);
    expect(await findings(house)).toEqual([]);
  });
});

describe("the system of a foreign energy manager", () => {
  test("carries its maker and name, believes it, and counts a battery once before anybody confirmed that", async () => {
    const views = makeTwoViews("EMMA-1", MINUTE);
    await using house = await openRealHouse({ home: views.home });
    await house.pass(MINUTE);
    views.manager.show("battery.power", -1_200);
    views.manager.show("meter.power", 300);
    views.manager.show("hem.load", 1_450);
    await house.pass(2 * 60 * MINUTE);
    const system = async (): Promise<HemSystem> => {
      const [first, ...others] = (await get<{ data: HemSystem[] }>(house, "/hem-systems")).data;
      if (first === undefined || others.length > 0) throw new Error(`${others.length + 1} systems`);
      return first;
    };
    expect((await system()).information).toMatchObject({ vendor: "HUAWEI", name: "Huawei EMMA-A02" });
    const { today } = (await system()).status.energy;
    expect(today.discharge).toBeCloseTo(2.4, 1);
    expect(today.import).toBeCloseTo(0.6, 1);
    expect(today.consumption).toBeCloseTo(2.85, 1);
    const power = () => house.run.engine.services.housePowers.list()[0];
    expect(power()).toMatchObject({ gridW: 300, batteryW: -1_200, loadW: 1_450, loadFrom: "manager" });
    const metrics = (await house.ask({ url: "/metrics" })).body;
    expect(metrics).toContain(`hemgate_house_load_watts{system="${(await system()).id}"} 1450`);

    // It dies: nothing of its last values stays in a sum, and who is read directly stands in.
    views.manager.isUp = false;
    await house.pass(10 * MINUTE);
    expect(power()).toMatchObject({ gridW: null, generationW: null, batteryW: -1_234, loadW: null, loadFrom: null });
    const atDeath = (await system()).status.energy.today;
    await house.pass(60 * MINUTE);
    const later = (await system()).status.energy.today;
    expect(later.import).toBeCloseTo(atDeath.import ?? 0, 6);
    expect((later.discharge ?? 0) - (atDeath.discharge ?? 0)).toBeCloseTo(1.234, 1);
    expect((await house.ask({ url: "/metrics" })).body).not.toContain("hemgate_house_load_watts{");
    expect((await system()).information.vendor).toBe("HUAWEI");
  });
});
