import { describe, expect, it } from "vitest";
import { chargerOptions, followSwitch, makeHome } from "../../engine/home.ts";
import { heatPumpOptions, makeChargeSchedule, makeTemperatureSchedule } from "../../engine/schedules/schedule-house.ts";
import { openRealHouse, type RealHouse } from "../support/real-house.ts";

const NOBODY = "2f1c9f0e-5a53-4f57-8a0c-0f6f5a0f8f11";
const RULES = [{ hourMinute: { from: "22:00", to: "06:00" }, weekdays: [0, 1, 2, 3, 4], shouldCharge: true }];

interface House extends AsyncDisposable {
  readonly house: RealHouse;
  readonly chargerId: string;
  readonly hvacId: string;
  post(payload: object, userId?: string): ReturnType<RealHouse["ask"]>;
}

/** A house with a charger and a heat pump, and a neighbour's charger. The clock stands at 2026-06-21T00:00Z. */
async function openHouse(): Promise<House> {
  const home = makeHome();
  followSwitch(home.add("charger", chargerOptions()));
  home.add("heat-pump", heatPumpOptions());
  const house = await openRealHouse({ home });
  await house.pass(5_000);
  const firstOf = async (plural: string): Promise<string> => {
    const list = await house.ask({ url: `/${plural}` });
    return list.json<{ data: { id: string }[] }>().data[0]?.id ?? "";
  };
  return {
    house,
    chargerId: await firstOf("chargers"),
    hvacId: await firstOf("hvacs"),
    post: (payload, userId = "home") => house.ask({ method: "POST", url: `/users/${userId}/schedules`, payload }),
    [Symbol.asyncDispose]: () => house[Symbol.asyncDispose](),
  };
}

describe("schedules", () => {
  it("are made with 200, listed newest first, read, changed and deleted", async () => {
    await using opened = await openHouse();
    const { house, post, chargerId, hvacId } = opened;
    const charge = makeChargeSchedule({ targetId: chargerId, rules: RULES });
    const made = await post(charge);
    expect(made.statusCode).toBe(200);
    const { id } = made.json<{ id: string }>();
    expect(made.json()).toEqual({ id, ...charge });
    await house.pass(1_000);
    const temperature = makeTemperatureSchedule({ targetId: hvacId });
    const second = (await post(temperature)).json<{ id: string }>();
    expect(second).toEqual({ id: second.id, ...temperature });

    const list = (await house.ask({ url: "/users/home/schedules?pageSize=1" })).json();
    expect(list).toMatchObject({ data: [second], pagination: { before: null } });
    const next = (await house.ask({ url: `/users/home/schedules?after=${list.pagination.after}` })).json();
    expect(next).toMatchObject({ data: [made.json()], pagination: { after: null } });

    const url = `/schedules/${id}`;
    expect((await house.ask({ url })).json()).toEqual(made.json());
    const changed = await house.ask({ method: "PUT", url, payload: { isEnabled: false, rules: [] } });
    expect(changed.json()).toEqual({ ...made.json(), isEnabled: false, rules: [] });
    expect((await house.ask({ method: "DELETE", url })).statusCode).toBe(204);
    for (const gone of [url, `${url}/status`, `/schedules/${NOBODY}`, "/schedules/none/status"]) {
      expect((await house.ask({ url: gone })).json()).toMatchObject({ type: "/problems/not-found" });
    }
    expect((await house.ask({ method: "DELETE", url })).statusCode).toBe(404);
    expect((await house.ask({ method: "PUT", url, payload: {} })).statusCode).toBe(404);
  });

  it("tell their status in the shape of their kind", async () => {
    await using opened = await openHouse();
    const { house, post, chargerId, hvacId } = opened;
    const charge = (await post(makeChargeSchedule({ targetId: chargerId, rules: RULES }))).json<{ id: string }>();
    const heat = (await post(makeTemperatureSchedule({ targetId: hvacId }))).json<{ id: string }>();
    await house.pass(60_000);
    const status = (await house.ask({ url: `/schedules/${charge.id}/status` })).json();
    expect(status).toEqual({
      scheduleId: charge.id,
      scheduleType: "CHARGE",
      changedAt: expect.any(String),
      state: "ALIGNED",
      isCharging: false,
      isChargingExpected: false,
      isChargingExpectedParts: { needsCharge: true, isPluggedIn: true, shouldCharge: false },
      upcomingTransitions: [
        { at: "2026-06-22T22:00:00.000Z", shouldCharge: true },
        { at: "2026-06-23T06:00:00.000Z", shouldCharge: false },
      ],
      smartOverride: null,
    });
    const hold = { holdType: "PERMANENT", mode: "HEAT", heatSetpoint: 20 };
    expect((await house.ask({ url: `/schedules/${heat.id}/status` })).json()).toEqual({
      scheduleId: heat.id,
      scheduleType: "TEMPERATURE",
      changedAt: expect.any(String),
      state: "ALIGNED",
      current: hold,
      expected: hold,
      upcomingTransitions: [],
    });
  });

  it("keep clients' commands off their target with 422", async () => {
    await using opened = await openHouse();
    const { house, post, chargerId, hvacId } = opened;
    await post(makeChargeSchedule({ targetId: chargerId }));
    await post(makeTemperatureSchedule({ targetId: hvacId }));
    const commands = [
      { url: `/chargers/${chargerId}/charging`, payload: { action: "START" } },
      { url: `/hvacs/${hvacId}/permanent-hold`, payload: { mode: "OFF" } },
    ];
    for (const { url, payload } of commands) {
      const answer = await house.ask({ method: "POST", url, payload });
      expect(answer.statusCode).toBe(422);
      expect(answer.json()).toMatchObject({ title: "Service Controlled Entity" });
    }
    expect((await house.ask({ method: "POST", url: `/hvacs/${hvacId}/follow-schedule` })).statusCode).toBe(422);
  });
});

describe("schedule and smart charging", () => {
  it("switch each other off: one controller a device", async () => {
    await using opened = await openHouse();
    const { house, post, chargerId } = opened;
    const policy = { method: "PUT", url: `/chargers/${chargerId}/smart-charging-policy` } as const;
    const payload = { isEnabled: true, deadline: "07:00", chargingDuration: "02:00" };
    expect((await house.ask({ ...policy, payload })).json()).toMatchObject({ isEnabled: true });
    const { id } = (await post(makeChargeSchedule({ targetId: chargerId }))).json<{ id: string }>();
    expect((await house.ask({ url: policy.url })).json()).toMatchObject({ isEnabled: false });
    await house.ask({ ...policy, payload });
    expect((await house.ask({ url: `/schedules/${id}` })).json()).toMatchObject({ isEnabled: false });
    expect((await house.ask({ url: `/schedules/${id}/status` })).json()).toMatchObject({ state: "INACTIVE:DISABLED" });
    await house.ask({ method: "PUT", url: `/schedules/${id}`, payload: { isEnabled: true } });
    expect((await house.ask({ url: policy.url })).json()).toMatchObject({ isEnabled: false });
  });
});

describe("a schedule that is refused", () => {
  it.each([
    [
      "an empty list of weekdays",
      { rules: [{ weekdays: [], shouldCharge: true }] },
      "too_small",
      ["rules", 0, "weekdays"],
    ],
    [
      "25:00",
      { rules: [{ hourMinute: { from: "00:00", to: "25:00" }, shouldCharge: true }] },
      "invalid_string",
      ["rules", 0, "hourMinute", "to"],
    ],
    ["an unknown key", { color: "red" }, "unrecognized_keys", ["color"]],
    ["an unknown kind", { targetType: "boat" }, "invalid_enum", ["targetType"]],
    ["a missing field", { locationId: undefined }, "invalid_type", ["locationId"]],
    ["a target that is none", { targetId: NOBODY }, "custom", ["targetId"]],
    ["a target of another kind", { targetType: "vehicle" }, "custom", ["targetId"]],
    ["a location that is none", { locationId: NOBODY }, "custom", ["locationId"]],
  ])("for %s names the place", async (_name, change, code, path) => {
    await using opened = await openHouse();
    const answer = await opened.post({ ...makeChargeSchedule({ targetId: opened.chargerId }), ...change });
    expect(answer.statusCode).toBe(400);
    expect(answer.json().issues).toEqual([expect.objectContaining({ code, path, in: "body" })]);
  });

  it("for a hold without its setpoint names the setpoint", async () => {
    await using opened = await openHouse();
    const defaultTargetState = { holdType: "PERMANENT", mode: "HEAT" };
    const answer = await opened.post({ ...makeTemperatureSchedule({ targetId: opened.hvacId }), defaultTargetState });
    expect(answer.json().issues).toEqual([
      expect.objectContaining({ code: "invalid_type", path: ["defaultTargetState", "heatSetpoint"] }),
    ]);
  });

  it("for a mode that cannot be held names those that can", async () => {
    await using opened = await openHouse();
    const defaultTargetState = { holdType: "PERMANENT", mode: "UNKNOWN" };
    const answer = await opened.post({ ...makeTemperatureSchedule({ targetId: opened.hvacId }), defaultTargetState });
    expect(answer.json().issues).toEqual([
      expect.objectContaining({ code: "invalid_enum", path: ["defaultTargetState", "mode"], received: '"UNKNOWN"' }),
    ]);
  });

  it("because the target has an enabled one says so", async () => {
    await using opened = await openHouse();
    const { house, post, chargerId } = opened;
    const fields = makeChargeSchedule({ targetId: chargerId });
    await post(fields);
    const answer = await post(fields);
    expect(answer.statusCode).toBe(400);
    const words = "Another schedule is active for this target";
    expect(answer.json()).toMatchObject({ type: "/problems/bad-request", title: words, detail: words });
    const second = (await post({ ...fields, isEnabled: false })).json<{ id: string }>();
    const enabled = await house.ask({ method: "PUT", url: `/schedules/${second.id}`, payload: { isEnabled: true } });
    expect(enabled.json()).toMatchObject({ detail: words });
  });

  it("for an unknown user is not found", async () => {
    await using opened = await openHouse();
    const answer = await opened.post(makeChargeSchedule({ targetId: opened.chargerId }), "nobody");
    expect(answer.statusCode).toBe(404);
    expect(answer.json()).toMatchObject({ title: "User does not exist" });
    expect((await opened.house.ask({ url: "/users/nobody/schedules" })).json()).toMatchObject({
      title: "User does not exist",
    });
  });
});

describe("a change that is refused", () => {
  it.each([
    [
      "of the other kind",
      { defaultTargetState: { holdType: "SCHEDULED" } },
      "unrecognized_keys",
      ["defaultTargetState"],
    ],
    [
      "with rules of the other kind",
      { rules: [{ targetState: { holdType: "SCHEDULED" } }] },
      "unrecognized_keys",
      ["rules", 0, "targetState"],
    ],
    ["with a wrong type", { rules: [{ shouldCharge: "yes" }] }, "invalid_type", ["rules", 0, "shouldCharge"]],
    ["with its id", { id: NOBODY }, "unrecognized_keys", ["id"]],
    ["to a target that is none", { targetId: NOBODY }, "custom", ["targetId"]],
  ])("%s names the place and changes nothing", async (_name, payload, code, path) => {
    await using opened = await openHouse();
    const { house, post, chargerId } = opened;
    const made = (await post(makeChargeSchedule({ targetId: chargerId }))).json<{ id: string }>();
    const answer = await house.ask({ method: "PUT", url: `/schedules/${made.id}`, payload });
    expect(answer.statusCode).toBe(400);
    expect(answer.json().issues).toContainEqual(expect.objectContaining({ code, path, in: "body" }));
    expect((await house.ask({ url: `/schedules/${made.id}` })).json()).toEqual(made);
  });
});
