import { describe, expect, it } from "vitest";
import { makeHome } from "../../engine/home.ts";
import { openRealHouse, type RealHouse } from "../support/real-house.ts";

const CONTROLS = [
  { point: "hvac.mode", values: ["OFF", "HEAT", "COOL", "AUTO"], holdMs: null, safeDefault: null },
  { point: "hvac.heatSetpoint", range: { min: 10, max: 28 }, holdMs: null, safeDefault: null },
  { point: "hvac.coolSetpoint", range: { min: 18, max: 30 }, holdMs: null, safeDefault: null },
  { point: "hvac.holdType", values: ["PERMANENT", "SCHEDULED"], holdMs: null, safeDefault: null },
] as const;

async function heatPumpHouse(): Promise<{ house: RealHouse; id: string }> {
  const home = makeHome();
  home.add("heat-pump", {
    values: {
      "hvac.mode": "HEAT",
      "hvac.heatSetpoint": 20,
      "hvac.coolSetpoint": 26,
      "hvac.holdType": "SCHEDULED",
      "hvac.temperature": 19.5,
      "hvac.power": 820,
    },
    controls: CONTROLS,
  });
  const house = await openRealHouse({ home });
  await house.pass(2_000);
  const list = await house.ask({ url: "/hvacs" });
  return { house, id: list.json<{ data: { id: string }[] }>().data[0]?.id ?? "" };
}

describe("HVAC commands", () => {
  it("writes hold, mode and setpoint and confirms when a reading shows all of them", async () => {
    const { house, id } = await heatPumpHouse();
    await using _ = house;
    const hold = { mode: "HEAT", heatSetpoint: 22.5 };
    const answer = await house.ask({ method: "POST", url: `/hvacs/${id}/permanent-hold`, payload: hold });
    expect(answer.json()).toMatchObject({ state: "PENDING", target: { ...hold, holdType: "PERMANENT" } });
    await house.pass(10_000);
    const { id: actionId } = answer.json<{ id: string }>();
    expect((await house.ask({ url: `/hvacs/actions/${actionId}` })).json()).toMatchObject({ state: "CONFIRMED" });
    const written = house.home.devices["heat-pump"]?.calls.filter(({ call }) => call === "write") ?? [];
    expect(written.map(({ point, value }) => [point, value])).toEqual([
      ["hvac.holdType", "PERMANENT"],
      ["hvac.mode", "HEAT"],
      ["hvac.heatSetpoint", 22.5],
    ]);
    const shown = (await house.ask({ url: `/hvacs/${id}` })).json();
    expect(shown).toMatchObject({ thermostatState: { holdType: "PERMANENT", heatSetpoint: 22.5 }, heatSetpoint: 22.5 });
  });

  it("hands the unit back to its own schedule, and says that it was there already", async () => {
    const { house, id } = await heatPumpHouse();
    await using _ = house;
    const answer = await house.ask({ method: "POST", url: `/hvacs/${id}/follow-schedule` });
    expect(answer.json()).toMatchObject({ state: "PENDING", target: { holdType: "SCHEDULED" } });
    await house.pass(10_000);
    const { id: actionId } = answer.json<{ id: string }>();
    expect((await house.ask({ url: `/hvacs/actions/${actionId}` })).json()).toMatchObject({
      state: "CANCELLED",
      failureReason: { type: "UNNECESSARY" },
    });
  });

  it.each([
    [{ mode: "HEAT", heatSetpoint: 35 }, "heatSetpoint 35 °C is outside the range of this unit: 10 to 28 °C."],
    [{ mode: "AUTO", heatSetpoint: 24, coolSetpoint: 20 }, "coolSetpoint must be above heatSetpoint."],
  ])("refuses %j", async (hold, detail) => {
    const { house, id } = await heatPumpHouse();
    await using _ = house;
    const answer = await house.ask({ method: "POST", url: `/hvacs/${id}/permanent-hold`, payload: hold });
    expect(answer.statusCode).toBe(400);
    expect(answer.json()).toMatchObject({ detail });
  });
});
