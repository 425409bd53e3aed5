import { describe, expect, it } from "vitest";
import { makeHome } from "../../engine/home.ts";
import { openRealHouse, type RealHouse } from "../support/real-house.ts";
import { HOUR, MINUTE, onlyId, setTariff, type TestTariff } from "../support/smart-house.ts";

const CONTROLS = [
  { point: "hvac.mode", values: ["OFF", "HEAT", "COOL", "AUTO"], holdMs: null, safeDefault: null },
  { point: "hvac.heatSetpoint", range: { min: 10, max: 21.5 }, holdMs: null, safeDefault: null },
  { point: "hvac.coolSetpoint", range: { min: 18, max: 30 }, holdMs: null, safeDefault: null },
  { point: "hvac.holdType", values: ["PERMANENT", "SCHEDULED"], holdMs: null, safeDefault: null },
] as const;

/** Cheap from 02:00 to 08:00, dear from 16:00 to 22:00. */
const DAY_TARIFF: TestTariff = {
  rates: { low: "0.10", normal: "0.25", high: "0.45" },
  intervals: [
    { name: "normal", from: "00:00", to: "02:00" },
    { name: "low", from: "02:00", to: "08:00" },
    { name: "normal", from: "08:00", to: "16:00" },
    { name: "high", from: "16:00", to: "22:00" },
    { name: "normal", from: "22:00", to: "24:00" },
  ],
};

async function openHeatedHouse(values: object = {}, tariff: TestTariff | null = DAY_TARIFF) {
  const home = makeHome();
  const unit = home.add("heat-pump", {
    values: {
      "hvac.mode": "HEAT",
      "hvac.heatSetpoint": 20,
      "hvac.coolSetpoint": 26,
      "hvac.holdType": "SCHEDULED",
      "hvac.temperature": 19.5,
      ...values,
    },
    controls: CONTROLS,
    pollMs: 10_000,
  });
  const house = await openRealHouse({ home });
  await house.pass(12_000);
  const id = await onlyId(house, "hvacs");
  const place = { name: "House", latitude: 52.5, longitude: 13.4, timezoneName: "UTC" };
  const locationId = (await house.ask({ method: "POST", url: "/users/home/locations", payload: place })).json().id;
  await house.ask({ method: "PUT", url: `/hvacs/${id}`, payload: { locationId } });
  if (tariff !== null) await setTariff(house, locationId, tariff);
  const put = (isEnabled: boolean) =>
    house.ask({ method: "PUT", url: `/hvacs/${id}/smart-policy`, payload: { isEnabled } });
  return { house, unit, id, put };
}

function intervals({ run }: RealHouse, id: string): readonly string[] {
  return run.engine.services.hvacSmart
    .status(id)
    .intervals.map((each) => `${each.from}-${each.to} ${each.heatSetpoint}`);
}

describe("the smart policy", () => {
  it("heats a degree more while it is cheap and a degree less while it is dear", async () => {
    const { house, unit, id, put } = await openHeatedHouse();
    await using _ = house;
    expect((await house.ask({ url: `/hvacs/${id}/smart-policy` })).json()).toEqual({ isEnabled: false });
    expect((await house.ask({ url: `/hvacs/${id}/smart-status` })).json()).toEqual({
      hvacId: id,
      userId: "home",
      intervals: [],
    });
    expect((await put(true)).json()).toEqual({ isEnabled: true });
    await house.pass(MINUTE);
    expect(intervals(house, id)).toEqual([
      "00:00-02:00 20",
      "02:00-08:00 21",
      "08:00-16:00 20",
      "16:00-22:00 19",
      "22:00-24:00 20",
    ]);
    expect(unit.values["hvac.holdType"]).toBe("SCHEDULED");
    const shown: unknown[] = [];
    for (let hour = 0; hour < 24; hour += 1) {
      await house.pass(HOUR);
      shown.push(unit.values["hvac.heatSetpoint"]);
    }
    expect(shown).toEqual([20, ...Array(6).fill(21), ...Array(8).fill(20), ...Array(6).fill(19), ...Array(3).fill(20)]);
  });

  it("puts back what the user had set when it is switched off", async () => {
    const { house, unit, put } = await openHeatedHouse();
    await using _ = house;
    await put(true);
    await house.pass(59 * MINUTE);
    await put(false);
    await house.pass(MINUTE);
    expect(unit.values["hvac.holdType"]).toBe("SCHEDULED");
  });

  it("takes a setpoint that somebody sets at the unit for what the user wants", async () => {
    const { house, unit, id, put } = await openHeatedHouse({ "hvac.holdType": "PERMANENT" });
    await using _ = house;
    await put(true);
    await house.pass(3 * HOUR);
    expect(unit.values["hvac.heatSetpoint"]).toBe(21);
    unit.show("hvac.heatSetpoint", 18);
    await house.pass(5 * MINUTE);
    expect(unit.values["hvac.heatSetpoint"]).toBe(19);
    expect(intervals(house, id)[1]).toBe("02:00-08:00 19");
    house.run.engine.services.hvacSmart.setPolicy(id, { isEnabled: false }).catch(() => undefined);
    await house.pass(5 * MINUTE);
    expect(unit.values["hvac.heatSetpoint"]).toBe(18);
  });

  it("stays within the unit's range, and leaves a unit alone that is off", async () => {
    const { house, unit, id, put } = await openHeatedHouse({ "hvac.heatSetpoint": 21 });
    await using _ = house;
    await put(true);
    await house.pass(3 * HOUR);
    expect(intervals(house, id)[1]).toBe("02:00-08:00 21.5");
    expect(unit.values["hvac.heatSetpoint"]).toBe(21.5);
    unit.show("hvac.mode", "OFF");
    await house.pass(12 * HOUR);
    expect(unit.values["hvac.mode"]).toBe("OFF");
  });

  it.each([
    ["puts its setpoint back once it heats again", null, 20],
    ["puts nothing back where somebody has set it since", 18, 18],
  ])(
    "leaves a unit alone that somebody switched off, also when the policy ends, and %s",
    async (_what, setC, backC) => {
      const { house, unit, put } = await openHeatedHouse({ "hvac.holdType": "PERMANENT" });
      await using _ = house;
      await put(true);
      await house.pass(3 * HOUR);
      unit.show("hvac.mode", "OFF");
      await house.pass(5 * MINUTE);
      await put(false);
      await house.pass(5 * MINUTE);
      expect(unit.values["hvac.mode"]).toBe("OFF");
      if (setC !== null) unit.show("hvac.heatSetpoint", setC);
      unit.show("hvac.mode", "HEAT");
      await house.pass(5 * MINUTE);
      expect([unit.values["hvac.mode"], unit.values["hvac.heatSetpoint"]]).toEqual(["HEAT", backC]);
    },
  );

  it("keeps the temperature above which the unit cools as somebody sets it at the unit", async () => {
    const { house, unit, put } = await openHeatedHouse({ "hvac.holdType": "PERMANENT", "hvac.mode": "AUTO" });
    await using _ = house;
    await put(true);
    await house.pass(3 * HOUR);
    expect(unit.values["hvac.heatSetpoint"]).toBe(21);
    unit.show("hvac.coolSetpoint", 24);
    await house.pass(6 * HOUR);
    expect([unit.values["hvac.heatSetpoint"], unit.values["hvac.coolSetpoint"]]).toEqual([20, 24]);
  });

  it("gives a unit its own schedule back whose mode somebody changed meanwhile", async () => {
    const { house, unit, put } = await openHeatedHouse();
    await using _ = house;
    await put(true);
    await house.pass(3 * HOUR);
    expect(unit.values["hvac.holdType"]).toBe("PERMANENT");
    unit.show("hvac.mode", "AUTO");
    await house.pass(5 * MINUTE);
    await put(false);
    await house.pass(5 * MINUTE);
    expect(unit.values["hvac.holdType"]).toBe("SCHEDULED");
  });

  it("does nothing without prices, and where all hours cost the same", async () => {
    const { house, unit, id, put } = await openHeatedHouse({}, null);
    await using _ = house;
    await put(true);
    await house.pass(12 * HOUR);
    expect([intervals(house, id), unit.written("hvac.heatSetpoint")]).toEqual([[], []]);
  });

  it("refuses commands of clients meanwhile", async () => {
    const { house, id, put } = await openHeatedHouse();
    await using _ = house;
    await put(true);
    const hold = { method: "POST", url: `/hvacs/${id}/permanent-hold`, payload: { mode: "OFF" } } as const;
    expect((await house.ask(hold)).statusCode).toBe(422);
    await put(false);
    expect((await house.ask(hold)).statusCode).toBe(200);
  });

  it("is not thrown off by a restart", async () => {
    const { house, unit, id, put } = await openHeatedHouse({ "hvac.holdType": "PERMANENT" });
    await put(true);
    await house.pass(3 * HOUR);
    await house[Symbol.asyncDispose]();
    await using next = await openRealHouse({ home: house.home });
    await next.pass(HOUR);
    expect(unit.values["hvac.heatSetpoint"]).toBe(21);
    expect(intervals(next, id)[0]).toBe("00:00-02:00 20");
    await next.pass(5 * HOUR);
    expect(unit.values["hvac.heatSetpoint"]).toBe(20);
  });
});
