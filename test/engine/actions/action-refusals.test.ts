import { describe, expect, test } from "vitest";
import type { DesiredSetting } from "../../../src/domain/actions/action.ts";
import { chargerOptions, type Home, makeHome, type Run } from "../home.ts";
import { ignore, makeHouse, SECOND, START, STOP, start, stateOf } from "./action-house.ts";

describe("a command is refused before an action exists", () => {
  const refuse = async (home: Home, run: Run, id: string, setting: DesiredSetting) => {
    const failure = run.engine.actions.start(id, setting).then(
      () => null,
      (error: unknown) => error,
    );
    const error = await home.world.clock.resolve(failure, 10 * SECOND);
    expect(run.store.all("action").filter(({ action }) => action.state === "PENDING")).toEqual([]);
    return error;
  };

  test("of an unknown target: not found", async () => {
    const { home, run, batteryId } = await makeHouse();
    expect(await refuse(home, run, "nothing", START)).toMatchObject({ slug: "not-found" });
    expect(await refuse(home, run, batteryId, START)).toMatchObject({ slug: "not-found" });
    await run.close();
  });

  test("without the scope: forbidden", async () => {
    const home = makeHome();
    home.add("charger", chargerOptions());
    const run = await home.start({ devices: [{ id: "charger", adapter: "fake", scopes: ["charger:read:data"] }] });
    await home.world.clock.advance(5 * SECOND);
    const id = run.engine.assets.list("charger")[0]?.asset.id ?? "";
    expect(await refuse(home, run, id, START)).toMatchObject({ slug: "forbidden" });
    await run.close();
  });

  test("beyond what the device can do or takes", async () => {
    const { home, run, batteryId, chargerId } = await makeHouse();
    const mode = { targetType: "battery", operationMode: "TIME_OF_USE" } as const;
    expect(await refuse(home, run, batteryId, mode)).toMatchObject({ slug: "bad-request" });
    expect(await refuse(home, run, chargerId, { targetType: "charger", maxCurrent: 5 })).toMatchObject({
      slug: "bad-request",
      message: "The maximum current of this charger is set from 6 to 32 A.",
    });
    await run.close();
  });

  test.each([
    ["UNPLUGGED", START, "The charger is not plugged in."],
    ["UNPLUGGED", STOP, "The charger is not plugged in."],
    ["PLUGGED_IN:CHARGING", START, "already charging"],
    ["PLUGGED_IN:INITIALIZING", START, "already started"],
    ["PLUGGED_IN:STOPPED", STOP, "already stopped"],
    ["PLUGGED_IN:STOPPED", { targetType: "charger", maxCurrent: 16 }, "already at the current setting"],
  ] as const)("a charger in %s refuses %o: %s", async (state, setting, detail) => {
    const { home, run, charger, chargerId } = await makeHouse();
    charger.show("charger.state", state);
    await home.world.clock.advance(2 * SECOND);
    expect(await refuse(home, run, chargerId, setting)).toMatchObject({ slug: "bad-request", message: detail });
    await run.close();
  });

  test("but STOP is taken while a START is on its way", async () => {
    const { home, run, charger, chargerId } = await makeHouse();
    charger.onWrite = ignore;
    await start(home, run, chargerId, START);
    await home.world.clock.advance(SECOND);
    const stop = await start(home, run, chargerId, STOP);
    await home.world.clock.advance(3 * SECOND);
    expect(charger.written("charger.enabled")).toEqual([true, false]);
    expect(stateOf(run, stop)?.state).toBe("CONFIRMED");
    await run.close();
  });

  test("and while charging is switched on, although nothing charges", async () => {
    const { home, run, charger, chargerId } = await makeHouse();
    await start(home, run, chargerId, START);
    await home.world.clock.advance(5 * SECOND);
    charger.show("charger.state", "PLUGGED_IN:STOPPED");
    await home.world.clock.advance(2 * SECOND);
    const stop = await start(home, run, chargerId, STOP);
    await home.world.clock.advance(3 * SECOND);
    expect(charger.values["charger.enabled"]).toBe(false);
    expect(stateOf(run, stop)?.state).toBe("CONFIRMED");
    await run.close();
  });

  test("when the disk refuses: service unavailable, and nothing is sent", async () => {
    const { home, run, charger, chargerId } = await makeHouse();
    home.disk.failWrites(...Array.from({ length: 50 }, () => "lost" as const));
    expect(await refuse(home, run, chargerId, START)).toMatchObject({ slug: "service-unavailable" });
    await home.world.clock.advance(10 * SECOND);
    expect(charger.written("charger.enabled")).toEqual([]);
    await run.close();
  });
});
