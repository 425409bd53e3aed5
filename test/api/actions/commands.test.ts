import { describe, expect, it } from "vitest";
import { problem } from "../../../src/domain/problem.ts";
import { type ApiHouse, openHouse } from "../support/api-house.ts";
import {
  makeBattery,
  makeBatteryAction,
  makeChargeAction,
  makeCharger,
  makeMaxCurrentAction,
  uuid,
} from "../support/makers.ts";

const BATTERY = uuid(1);
const CHARGER = uuid(2);

async function openFurnished(): Promise<ApiHouse> {
  const house = await openHouse();
  house.engine.add("battery", makeBattery({ id: BATTERY }));
  house.engine.add("charger", makeCharger({ id: CHARGER }));
  return house;
}

describe("a command", () => {
  it.each(["IMPORT_FOCUS", "EXPORT_FOCUS", "TIME_OF_USE", "SELF_RELIANCE", "IDLE"])(
    "to a battery asks for the mode %s and answers the action",
    async (operationMode) => {
      await using house = await openFurnished();
      const url = `/batteries/${BATTERY}/operation-mode`;
      const answer = await house.ask({ method: "POST", url, payload: { operationMode } });
      expect(answer.statusCode).toBe(200);
      expect(answer.json()).toEqual(makeBatteryAction({ targetId: BATTERY, targetState: { operationMode } as never }));
      expect(house.engine.started).toEqual([{ targetId: BATTERY, setting: { targetType: "battery", operationMode } }]);
    },
  );

  it.each(["START", "STOP"] as const)("to a charger asks to %s charging and answers the action", async (action) => {
    await using house = await openFurnished();
    const answer = await house.ask({ method: "POST", url: `/chargers/${CHARGER}/charging`, payload: { action } });
    expect([answer.statusCode, answer.json()]).toEqual([200, makeChargeAction({ targetId: CHARGER, kind: action })]);
    expect(house.engine.started).toEqual([{ targetId: CHARGER, setting: { targetType: "charger", kind: action } }]);
  });

  it("to a charger asks for a maximum current and answers an action without a kind", async () => {
    await using house = await openFurnished();
    const payload = { maxCurrent: 10.5 };
    const answer = await house.ask({ method: "POST", url: `/chargers/${CHARGER}/max-current`, payload });
    expect([answer.statusCode, answer.json()]).toEqual([
      200,
      makeMaxCurrentAction({ targetId: CHARGER, targetState: payload }),
    ]);
  });

  it.each([
    [`/batteries/${CHARGER}/operation-mode`, { operationMode: "IDLE" }],
    [`/chargers/${BATTERY}/charging`, { action: "START" }],
    [`/chargers/${uuid(99)}/max-current`, { maxCurrent: 6 }],
  ])("to a device that is not there (%s): 404", async (url, payload) => {
    await using house = await openFurnished();
    const answer = await house.ask({ method: "POST", url, payload });
    expect([answer.statusCode, answer.json().type]).toEqual([404, "/problems/not-found"]);
  });

  it.each(["bad-request", "forbidden", "service-controlled-entity", "service-unavailable"] as const)(
    "that the engine refuses as %s is answered so, with its words",
    async (slug) => {
      await using house = await openFurnished();
      house.engine.actions.start = () => Promise.reject(problem(slug, "already charging"));
      const url = `/chargers/${CHARGER}/charging`;
      const answer = await house.ask({ method: "POST", url, payload: { action: "START" } });
      expect(answer.json()).toMatchObject({ type: `/problems/${slug}`, detail: "already charging" });
    },
  );

  it("that fails unexpectedly: 500 without insides, and the log has the error", async () => {
    await using house = await openFurnished();
    const error = new Error("secret insides");
    house.engine.actions.start = () => Promise.reject(error);
    const url = `/chargers/${CHARGER}/charging`;
    const answer = await house.ask({ method: "POST", url, payload: { action: "START" } });
    expect([answer.statusCode, answer.json().type]).toEqual([500, "/problems/server-error"]);
    expect(answer.body).not.toContain("insides");
    expect(house.log.lines).toMatchObject([
      { level: "error", text: "request failed", fields: { err: error, route: "/chargers/:chargerId/charging" } },
    ]);
  });
});

describe.each([
  ["batteries", makeBatteryAction({ id: uuid(5) }), "chargers"],
  ["chargers", makeChargeAction({ id: uuid(5) }), "batteries"],
  ["chargers", makeMaxCurrentAction({ id: uuid(5) }), "batteries"],
] as const)("an action under /%s", (plural, action, other) => {
  it("is got by its id", async () => {
    await using house = await openFurnished();
    house.engine.known.set(action.id, action);
    const answer = await house.ask({ url: `/${plural}/actions/${action.id}` });
    expect([answer.statusCode, answer.json()]).toEqual([200, action]);
  });

  it("is cancelled while it is pending", async () => {
    await using house = await openFurnished();
    house.engine.known.set(action.id, action);
    const answer = await house.ask({ method: "POST", url: `/${plural}/actions/${action.id}/cancel` });
    expect([answer.statusCode, answer.json()]).toEqual([200, { ...action, state: "CANCELLED" }]);
  });

  it("that has ended is not cancelled: 409 with its record", async () => {
    await using house = await openFurnished();
    const ended = { ...action, state: "CONFIRMED" as const };
    house.engine.known.set(action.id, ended);
    const answer = await house.ask({ method: "POST", url: `/${plural}/actions/${action.id}/cancel` });
    expect([answer.statusCode, answer.json()]).toEqual([409, ended]);
    expect(answer.headers["content-type"]).toBe("application/json; charset=utf-8");
  });

  it(`is not found under /${other}: 404 without a body`, async () => {
    await using house = await openFurnished();
    house.engine.known.set(action.id, action);
    const got = await house.ask({ url: `/${other}/actions/${action.id}` });
    const cancelled = await house.ask({ method: "POST", url: `/${other}/actions/${action.id}/cancel` });
    expect([got.statusCode, got.body, cancelled.statusCode, cancelled.body]).toEqual([404, "", 404, ""]);
  });
});
