import { describe, expect, test } from "vitest";
import { keyOf } from "../../../src/engine/actions/lease-records.ts";
import { recordKey } from "../../../src/store/keys.ts";
import type { Write } from "../../../src/store/records.ts";
import { withCaution } from "../../../src/store/salvage.ts";
import { followSwitch } from "../home.ts";
import { ignore, MINUTE, makeHouse, SECOND, START, start, stateOf } from "./action-house.ts";

describe("over a restart", () => {
  test("a pending action is driven on", async () => {
    const { home, run, charger, chargerId } = await makeHouse();
    charger.onWrite = ignore;
    const action = await start(home, run, chargerId, START);
    await run.close();
    expect(run.process.resources.timers).toBe(0);
    followSwitch(charger);
    const next = await home.start();
    expect(stateOf(next, action)?.state).toBe("PENDING");
    await home.world.clock.advance(5 * SECOND);
    expect(stateOf(next, action)?.state).toBe("CONFIRMED");
    await next.close();
  });

  test("a pending action that the disk may have an older version of is ended, and not sent again", async () => {
    const { home, run, charger, chargerId } = await makeHouse();
    charger.onWrite = ignore;
    const action = await start(home, run, chargerId, START);
    await home.world.clock.advance(10 * SECOND);
    const rows = [
      ...run.store.all("action").map((record) => ({ table: "action", key: record.action.id, record })),
      ...run.store.all("lease").map((record) => ({ table: "lease", key: keyOf(record), record })),
    ];
    const cautious = withCaution(rows, [recordKey("action", action.id)]);
    const writes = cautious.map((row) => ({ ...row, put: "record" in row && row.record }) as unknown as Write);
    const stored = run.store.commit(writes, []);
    await home.world.clock.advance(SECOND / 10);
    await stored;
    run.process.kill();
    home.disk.crash();
    const written: unknown[] = [];
    charger.onWrite = (...given) => void written.push(given);
    const next = await home.start();
    await home.world.clock.advance(MINUTE);
    expect(stateOf(next, action)).toMatchObject({ state: "FAILED", failureReason: { type: "NO_RESPONSE" } });
    expect(written).not.toContainEqual(["charger.enabled", true]);
    expect(next.store.all("lease").filter(({ state }) => state !== "released")).toStrictEqual([]);
    await next.close();
  });

  test("a crash loses no accepted command", async () => {
    const { home, run, charger, chargerId } = await makeHouse();
    charger.isUp = false;
    await home.world.clock.advance(MINUTE);
    const action = await start(home, run, chargerId, START);
    run.process.kill();
    home.disk.crash();
    charger.isUp = true;
    const next = await home.start();
    await home.world.clock.advance(5 * SECOND);
    expect(stateOf(next, action)?.state).toBe("CONFIRMED");
    await next.close();
  });

  test("the window goes on where it was, and ends at once when it is over", async () => {
    const { home, run, charger, chargerId } = await makeHouse();
    charger.onWrite = ignore;
    const action = await start(home, run, chargerId, START);
    await home.world.clock.advance(4 * MINUTE);
    run.process.kill();
    home.disk.crash();
    const second = await home.start();
    await home.world.clock.advance(30 * SECOND);
    expect(stateOf(second, action)?.state).toBe("PENDING");
    await home.world.clock.advance(31 * SECOND);
    expect(stateOf(second, action)).toMatchObject({ state: "FAILED", failureReason: { type: "NO_RESPONSE" } });
    await second.close();
  });

  test.each([
    ["back", -3_600_000],
    ["forward", 3_600_000],
  ])("a wall clock that steps %s ends nothing and lengthens nothing while the gateway runs", async (_way, stepMs) => {
    const { home, run, charger, chargerId } = await makeHouse();
    charger.onWrite = ignore;
    const action = await start(home, run, chargerId, START);
    await home.world.clock.advance(MINUTE);
    home.world.clock.setWallMs(home.world.clock.nowMs() + stepMs);
    await home.world.clock.advance(3 * MINUTE);
    expect(stateOf(run, action)?.state).toBe("PENDING");
    await home.world.clock.advance(MINUTE + SECOND);
    const ended = run.engine.actions.get("charger", action.id);
    expect(ended?.state).toBe("FAILED");
    expect(Date.parse(ended?.completedAt ?? "")).toBeGreaterThanOrEqual(Date.parse(ended?.createdAt ?? ""));
    await run.close();
  });

  test("what a clock dated that nobody vouched for says so on disk, at its start and at its end", async () => {
    const { home, run, charger, chargerId } = await makeHouse();
    charger.onWrite = ignore;
    const isUnsure = ({ id }: { readonly id: string }) => run.store.get("action", id)?.isDateUnsure ?? false;
    const early = await start(home, run, chargerId, START);
    expect(isUnsure(early)).toBe(false);
    home.world.clock.setQuality("restored");
    await home.world.clock.advance(10 * MINUTE);
    expect(stateOf(run, early)?.state).toBe("FAILED");
    expect(isUnsure(early)).toBe(true);
    const late = await start(home, run, chargerId, START);
    expect(isUnsure(late)).toBe(true);
    await run.close();
  });

  test("a clock that is not set after the restart gives the whole window again, not more", async () => {
    const { home, run, charger, chargerId } = await makeHouse();
    charger.onWrite = ignore;
    const action = await start(home, run, chargerId, START);
    await home.world.clock.advance(4 * MINUTE);
    await run.close();
    home.world.clock.setWallMs(0);
    home.world.clock.setQuality("unset");
    const next = await home.start();
    await home.world.clock.advance(4 * MINUTE);
    expect(stateOf(next, action)?.state).toBe("PENDING");
    await home.world.clock.advance(2 * MINUTE);
    expect(stateOf(next, action)?.state).toBe("FAILED");
    await next.close();
  });
});
