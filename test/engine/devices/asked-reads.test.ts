import { describe, expect, test } from "vitest";
import type { ReadFailure } from "../../../src/engine/contracts/engine.ts";
import { DeviceError } from "../../../src/points/device-error.ts";
import { batteryOptions, type Home, makeHome, type Run } from "../home.ts";

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
/** The longest that anybody waits for a read. */
const BOUND = 20 * SECOND;

/** A home with one battery that is read by itself so seldom that no poll falls into a test. */
async function started(pollMs = 30 * MINUTE) {
  const home = makeHome();
  const battery = home.add("battery", batteryOptions({ pollMs }));
  const run = await home.start();
  await home.world.clock.advance(5 * SECOND);
  const id = run.engine.assets.list("battery")[0]?.asset.id ?? "";
  const reads = () => battery.calls.filter(({ call }) => call === "read").length;
  // What the first connection read answers no more.
  await home.world.clock.advance(MINUTE);
  return { home, battery, run, id, reads };
}

/** What came of a read, and how long it took, ms. */
async function timed(home: Home, run: Run, id: string): Promise<{ outcome: ReadFailure | null; tookMs: number }> {
  const { clock } = home.world;
  const startMs = clock.monotonicMs();
  const outcome = await clock.resolve(run.engine.readNow("battery", id), MINUTE);
  return { outcome, tookMs: clock.monotonicMs() - startMs };
}

describe("a read that somebody waits for", () => {
  test("asks the device, and what it says is shown before the waiter goes on", async () => {
    const { home, battery, run, id, reads } = await started();
    const before = reads();
    battery.show("battery.soc", 12);
    expect((await timed(home, run, id)).outcome).toBeNull();
    expect(reads()).toBe(before + 1);
    expect(run.engine.assets.get("battery", id)?.chargeState.batteryLevel).toBe(12);
    await run.close();
  });

  test("is one for all who wait, and answers those who come within half a minute", async () => {
    const { home, run, id, reads } = await started();
    const before = reads();
    const asked = Array.from({ length: 1_000 }, () => run.engine.readNow("battery", id));
    expect(new Set(await home.world.clock.resolve(Promise.all(asked), MINUTE))).toEqual(new Set([null]));
    await home.world.clock.advance(29 * SECOND);
    await timed(home, run, id);
    expect(reads()).toBe(before + 1);
    await home.world.clock.advance(SECOND);
    await timed(home, run, id);
    expect(reads()).toBe(before + 2);
    await run.close();
  });

  test("of a device that is asked 1,000 times in a minute reads it three times at most", async () => {
    const { home, run, id, reads } = await started();
    const before = reads();
    for (let count = 0; count < 1_000; count += 1) {
      void run.engine.readNow("battery", id);
      await home.world.clock.advance(60);
    }
    expect(reads() - before).toBeLessThanOrEqual(3);
    await run.close();
  });

  test.each(["read", "connect"] as const)("of a device that hangs on a %s ends within 20 s", async (call) => {
    const { home, battery, run, id } = await started();
    battery.hangsOn = call;
    if (call === "connect") battery.failsReads = new DeviceError("unreachable", "gone");
    for (let minute = 0; minute < 5; minute += 1) {
      const { outcome, tookMs } = await timed(home, run, id);
      expect(outcome).toBe("timeout");
      expect(tookMs).toBeLessThanOrEqual(BOUND);
      await home.world.clock.advance(MINUTE);
    }
    await run.close();
  });

  test("of a silent device fails, does not ask it more often than twice a minute, and goes well once it is back", async () => {
    const { home, battery, run, id } = await started(SECOND);
    battery.isUp = false;
    await home.world.clock.advance(10 * MINUTE);
    const before = battery.calls.length;
    for (let count = 0; count < 60; count += 1) {
      expect((await timed(home, run, id)).outcome).toBe("timeout");
      await home.world.clock.advance(SECOND);
    }
    expect(battery.calls.length - before).toBeLessThanOrEqual(4);
    battery.isUp = true;
    await home.world.clock.advance(MINUTE);
    expect((await timed(home, run, id)).outcome).toBeNull();
    await run.close();
  });

  test("of a device that answers its polls again goes well before half a minute is over", async () => {
    const { home, battery, run, id } = await started(5 * SECOND);
    battery.isUp = false;
    expect((await timed(home, run, id)).outcome).toBe("timeout");
    battery.isUp = true;
    await home.world.clock.advance(12 * SECOND);
    expect((await timed(home, run, id)).outcome).toBeNull();
    await run.close();
  });

  test("of a device that refuses the credentials is answered at once, and not asked", async () => {
    const { home, battery, run, id } = await started(SECOND);
    battery.isAuthorized = false;
    await home.world.clock.advance(MINUTE);
    const before = battery.calls.length;
    for (let count = 0; count < 100; count += 1) {
      expect(await timed(home, run, id)).toEqual({ outcome: "unauthorized", tookMs: 0 });
      await home.world.clock.advance(SECOND);
    }
    expect(battery.calls).toHaveLength(before);
    await run.close();
  });

  test("of a device that sleeps says so", async () => {
    const { home, battery, run, id } = await started();
    battery.isAsleep = true;
    expect((await timed(home, run, id)).outcome).toBe("asleep");
    await run.close();
  });

  test.each([
    ["rejected", new DeviceError("rejected", "no")],
    ["rate-limited", new DeviceError("unreachable", "later", { reason: "rate-limited" })],
    ["asleep", new DeviceError("unreachable", "it sleeps", { reason: "asleep" })],
    ["timeout", new DeviceError("unreachable", "slow", { reason: "timeout" })],
    ["timeout", new DeviceError("unreachable", "silent")],
    ["unavailable", new DeviceError("unreachable", "down", { reason: "unavailable" })],
    ["unavailable", new DeviceError("unreachable", "closed", { reason: "connection-refused" })],
    ["unavailable", new DeviceError("malformed", "a portal's page")],
    [
      "rate-limited",
      new DeviceError("unreachable", "x", { cause: new DeviceError("unreachable", "y", { reason: "rate-limited" }) }),
    ],
  ] as const)("says %s of a device that fails so", async (outcome, error) => {
    const { home, battery, run, id } = await started();
    battery.failsReads = error;
    expect((await timed(home, run, id)).outcome).toBe(outcome);
    await run.close();
  });

  test("does not outlive its device, and there is none of an asset that nobody knows", async () => {
    const { home, battery, run, id } = await started();
    battery.hangsOn = "read";
    const waiting = run.engine.readNow("battery", id);
    await home.world.clock.advance(SECOND);
    await run.close();
    expect(await home.world.clock.resolve(waiting, SECOND)).toBe("unavailable");
    expect(await run.engine.readNow("battery", "nobody")).toBe("unavailable");
  });
});
