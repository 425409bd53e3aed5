import { describe, expect, it } from "vitest";
import { chargerOptions, followSwitch, makeHome } from "../../engine/home.ts";
import { openRealHouse, type RealHouse } from "../support/real-house.ts";
import { HOUR, MINUTE, NIGHT_TARIFF, onlyId, setTariff, type TestTariff } from "../support/smart-house.ts";

const ON = { isEnabled: true, deadline: "08:00", chargingDuration: "04:00" };

async function openChargerHouse(tariff: TestTariff | null = NIGHT_TARIFF) {
  const home = makeHome();
  const box = home.add(
    "box",
    chargerOptions({
      values: {
        "charger.state": "PLUGGED_IN:CHARGING",
        "charger.power": 7_400,
        "charger.enabled": true,
        "charger.maxCurrent": 16,
      },
      pollMs: 10_000,
    }),
  );
  followSwitch(box);
  const house = await openRealHouse({ home });
  await house.pass(12_000);
  const id = await onlyId(house, "chargers");
  const place = { name: "House", latitude: 52.5, longitude: 13.4, timezoneName: "UTC" };
  const locationId = (await house.ask({ method: "POST", url: "/users/home/locations", payload: place })).json().id;
  await house.ask({ method: "PUT", url: `/chargers/${id}`, payload: { locationId } });
  if (tariff !== null) await setTariff(house, locationId, tariff);
  const put = (payload: object) => house.ask({ method: "PUT", url: `/chargers/${id}/smart-charging-policy`, payload });
  return { house, box, id, locationId, put };
}

function status({ run }: RealHouse, id: string) {
  return run.engine.services.chargerSmart.status(id);
}

function spans(house: RealHouse, id: string): readonly string[] {
  return status(house, id).chargingIntervals.map(
    (interval) => `${interval.status} ${interval.startTime.slice(11, 16)}-${interval.endTime.slice(11, 16)}`,
  );
}

describe("smart charging of a charger", () => {
  it("keeps a policy that is changed bit by bit", async () => {
    const { house, id, put } = await openChargerHouse();
    await using _ = house;
    const url = `/chargers/${id}/smart-charging-policy`;
    expect((await house.ask({ url })).json()).toEqual({ isEnabled: false, deadline: null, chargingDuration: null });
    await put({ deadline: "08:00" });
    await put({ chargingDuration: "04:00" });
    expect((await put({ isEnabled: true })).json()).toEqual(ON);
    expect((await put({ deadline: "8:00" })).statusCode).toBe(400);
    expect((await house.ask({ url: `/chargers/${id}/smart-charging-status` })).json()).toMatchObject({
      chargerId: id,
      userId: "home",
    });
  });

  it("has moved nothing of a charge that a silent charger did not interrupt", async () => {
    const { house, id, put, box } = await openChargerHouse();
    await using _ = house;
    await put(ON);
    await house.pass(40 * MINUTE);
    box.isUp = false;
    await house.pass(3 * MINUTE);
    expect(status(house, id).state).toBe("CHARGER_NOT_REACHABLE");
    box.isUp = true;
    await house.pass(5 * MINUTE);
    expect(status(house, id).state).toBe("CHARGING");
    expect(house.run.engine.services.chargeShifts.between(id, 0, Number.MAX_SAFE_INTEGER)).toEqual([]);
  });

  it("charges in the cheapest hours before the deadline, and says which", async () => {
    const { house, id, put, box } = await openChargerHouse();
    await using _ = house;
    await put(ON);
    await house.pass(MINUTE);
    expect(status(house, id).state).toBe("CHARGING");
    expect(spans(house, id)).toEqual(["IN_PROGRESS 00:00-01:00", "PLANNED 03:00-06:00"]);
    await house.pass(90 * MINUTE);
    expect(status(house, id).state).toBe("CHARGING_PAUSED");
    expect(box.values["charger.enabled"]).toBe(false);
    await house.pass(2 * HOUR);
    expect(status(house, id).state).toBe("CHARGING");
    expect(box.values["charger.enabled"]).toBe(true);
    expect(spans(house, id)).toEqual(["COMPLETED 00:00-01:00", "IN_PROGRESS 03:00-06:00"]);
    const shifts = house.run.engine.services.chargeShifts.between(id, 0, Number.MAX_SAFE_INTEGER);
    expect(shifts.map(({ resumedAtMs, pausedAtMs }) => Math.round((resumedAtMs - pausedAtMs) / MINUTE))).toEqual([120]);
    await house.pass(3 * HOUR);
    expect(status(house, id).state).toBe("CHARGING_PAUSED");
    await house.pass(2 * HOUR);
    expect(spans(house, id).at(-1)).toMatch(/03:00-06:00$/);
  });

  it("chooses anew for a vehicle that is plugged in again", async () => {
    const { house, id, put, box } = await openChargerHouse();
    await using _ = house;
    await put(ON);
    await house.pass(4 * HOUR);
    box.show("charger.state", "UNPLUGGED");
    await house.pass(10 * MINUTE);
    expect(status(house, id).state).toBe("VEHICLE_NOT_PLUGGED_IN");
    box.show("charger.state", "PLUGGED_IN:CHARGING");
    await house.pass(MINUTE);
    expect(status(house, id).state).toBe("CHARGING");
    expect(spans(house, id).at(-1)).toMatch(/^IN_PROGRESS 04:1\d-08:00$/);
  });

  it("awaits prices, charges at the end of the cycle without them, and chooses when they come", async () => {
    const { house, id, put, box, locationId } = await openChargerHouse(null);
    await using _ = house;
    await put(ON);
    await house.pass(MINUTE);
    expect(status(house, id).state).toBe("AWAITING_PRICES");
    expect(box.values["charger.enabled"]).toBe(false);
    expect(spans(house, id)).toEqual(["PLANNED 04:00-08:00"]);
    await setTariff(house, locationId, NIGHT_TARIFF);
    await house.pass(MINUTE);
    expect(spans(house, id).at(-1)).toBe("PLANNED 03:00-06:00");
  });

  it("leaves an overridden charger alone and goes on afterwards", async () => {
    const { house, id, put, box } = await openChargerHouse();
    await using _ = house;
    await put({ ...ON, chargingDuration: "03:00" });
    await house.pass(MINUTE);
    expect(box.values["charger.enabled"]).toBe(false);
    const url = `/chargers/${id}/smart-override`;
    expect(
      (await house.ask({ method: "POST", url: `/chargers/${id}/charging`, payload: { action: "START" } })).statusCode,
    ).toBe(422);
    await house.ask({ method: "POST", url });
    await house.pass(5 * MINUTE);
    expect(box.values["charger.enabled"]).toBe(true);
    await house.ask({ method: "DELETE", url });
    await house.pass(MINUTE);
    expect(box.values["charger.enabled"]).toBe(false);
  });

  it("says when the charger is not reached, and nothing when it is switched off", async () => {
    const { house, id, put, box } = await openChargerHouse();
    await using _ = house;
    await put(ON);
    await house.pass(MINUTE);
    box.isUp = false;
    await house.pass(3 * MINUTE);
    expect(status(house, id).state).toBe("CHARGER_NOT_REACHABLE");
    await put({ isEnabled: false });
    expect(status(house, id)).toMatchObject({ state: "DISABLED" });
    await house.pass(2 * MINUTE);
    expect(status(house, id)).toMatchObject({ state: "DISABLED", chargingIntervals: [] });
  });

  it("goes on after a restart", async () => {
    const { house, id, put, box } = await openChargerHouse();
    await put(ON);
    await house.pass(2 * HOUR);
    await house[Symbol.asyncDispose]();
    await using next = await openRealHouse({ home: house.home });
    await next.pass(30 * MINUTE);
    expect(status(next, id).state).toBe("CHARGING_PAUSED");
    expect(box.values["charger.enabled"]).toBe(false);
    expect(spans(next, id)).toEqual(["COMPLETED 00:00-01:00", "PLANNED 03:00-06:00"]);
    await next.pass(HOUR);
    expect(status(next, id).state).toBe("CHARGING");
  });

  it("lets a paused vehicle charge when nobody has known the time for half an hour after a crash", async () => {
    const { house, id, put, box } = await openChargerHouse();
    await put(ON);
    await house.pass(2 * HOUR);
    expect(box.values["charger.enabled"]).toBe(false);
    house.run.process.kill();
    house.home.disk.crash();
    house.home.world.clock.setQuality("restored");
    await using next = await openRealHouse({ home: house.home });
    await next.pass(25 * MINUTE);
    expect([status(next, id).state, box.values["charger.enabled"]]).toEqual(["CHARGING_PAUSED", false]);
    await next.pass(10 * MINUTE);
    expect(box.values["charger.enabled"]).toBe(true);
    next.home.world.clock.setQuality("synced");
    await next.pass(5 * MINUTE);
    expect([status(next, id).state, box.values["charger.enabled"]]).toEqual(["CHARGING_PAUSED", false]);
    expect(next.run.engine.services.chargeShifts.between(id, 0, Number.MAX_SAFE_INTEGER)).toEqual([]);
  });
});
