import { describe, expect, test } from "vitest";
import type { RequestedSetting } from "../../../src/domain/actions/action.ts";
import { chargerOptions, followSwitch, makeHome } from "../home.ts";

const SECOND = 1_000;

async function makeHouse() {
  const home = makeHome();
  const charger = home.add("charger", chargerOptions());
  followSwitch(charger);
  const run = await home.start();
  const { clock } = home.world;
  await clock.advance(5 * SECOND);
  const id = run.engine.assets.list("charger")[0]?.asset.id ?? "";
  return {
    run,
    charger,
    pass: (ms: number) => clock.advance(ms),
    start: (setting: RequestedSetting) => clock.resolve(run.engine.actions.start(id, setting), 10 * SECOND),
    limit: (chargeRateLimit: number | null) =>
      clock.resolve(run.engine.actions.start(id, { targetType: "charger", chargeRateLimit }), 10 * SECOND),
    stateOf: (actionId: string) => run.engine.actions.get("charger", actionId)?.state,
    chargeState: () => run.engine.assets.get("charger", id)?.chargeState,
    journal: () => clock.resolve(run.store.journalAfter(null, 1_000), 10 * SECOND),
  };
}

describe("a charge rate limit", () => {
  test("is set as a current, confirmed, and shown as what the current amounts to", async () => {
    const house = await makeHouse();
    const action = await house.limit(7);
    expect(action).toMatchObject({ state: "PENDING", targetState: { chargeRateLimit: 7, maxCurrent: 10 } });
    await house.pass(5 * SECOND);
    expect(house.charger.written("charger.maxCurrent")).toEqual([10]);
    expect(house.stateOf(action.id)).toBe("CONFIRMED");
    expect(house.chargeState()).toMatchObject({ maxCurrent: 10, chargeRateLimit: 6.9 });
    await house.run.close();
  });

  test("stays when the vehicle leaves and another comes", async () => {
    const house = await makeHouse();
    await house.limit(7);
    await house.pass(5 * SECOND);
    house.charger.show("charger.state", "UNPLUGGED");
    await house.pass(60 * SECOND);
    house.charger.show("charger.state", "PLUGGED_IN:CHARGING");
    await house.pass(60 * SECOND);
    expect(house.chargeState()).toMatchObject({ maxCurrent: 10, chargeRateLimit: 6.9 });
    expect(house.run.store.all("lease")).toMatchObject([{ point: "charger.maxCurrent", value: 10 }]);
    await house.run.close();
  });

  test("gives way to a change at the device, which is reported", async () => {
    const house = await makeHouse();
    await house.limit(7);
    await house.pass(5 * SECOND);
    house.charger.show("charger.maxCurrent", 12);
    // Numbers that move are told every few minutes only.
    await house.pass(360 * SECOND);
    expect(house.charger.written("charger.maxCurrent")).toEqual([10]);
    expect(house.run.store.all("lease")).toEqual([]);
    expect(house.chargeState()).toMatchObject({ maxCurrent: 12, chargeRateLimit: 8.28 });
    const told = (await house.journal()).filter(({ event }) => event === "user:charger:updated").at(-1);
    expect(told?.payload).toMatchObject({
      charger: { chargeState: { chargeRateLimit: 8.28 } },
      updatedFields: expect.arrayContaining(["chargeState.chargeRateLimit"]),
    });
    await house.run.close();
  });

  test("of null lifts it: the charger offers all that it can", async () => {
    const house = await makeHouse();
    const action = await house.limit(null);
    await house.pass(5 * SECOND);
    expect(house.stateOf(action.id)).toBe("CONFIRMED");
    expect(house.chargeState()).toMatchObject({ maxCurrent: 32, chargeRateLimit: null });
    await house.run.close();
  });

  test("that is pending is answered again; another one, or a current, takes its place", async () => {
    const house = await makeHouse();
    house.charger.onWrite = () => undefined;
    const first = await house.limit(7);
    expect((await house.limit(7)).id).toBe(first.id);
    const second = await house.limit(7.1);
    expect(second.targetId === first.targetId && second.id !== first.id).toBe(true);
    expect(house.stateOf(first.id)).toBe("CANCELLED");
    const third = await house.start({ targetType: "charger", maxCurrent: 10 });
    expect(third).toMatchObject({ targetState: { maxCurrent: 10 } });
    expect(house.stateOf(second.id)).toBe("CANCELLED");
    await house.run.close();
  });

  test.each([
    [3, "The charge rate limit of this charger must be between 4.14 and 22.08 kW."],
    [11.04, "already at the current setting"],
  ])("of %d kW is refused: %s", async (limit, detail) => {
    const house = await makeHouse();
    await expect(house.limit(limit)).rejects.toMatchObject({ slug: "bad-request", message: detail });
    expect(house.run.store.all("action")).toEqual([]);
    await house.run.close();
  });
});
