import { describe, expect, test } from "vitest";
import type { DirectionDemand } from "../../../src/engine/contracts/energy/energy.ts";
import { makeHome, type Run } from "../home.ts";

const S = 1_000;
const MIN = 60 * S;

function limitOf(watts: number, failsafeW: number | null = null): DirectionDemand {
  return { scope: "connection", limit: { isActive: true, watts, durationMs: null }, failsafeW, failsafeMs: null };
}

async function started() {
  const home = makeHome();
  home.add("meter", { values: { "meter.power": 1_500 } });
  const run = await home.start();
  const { clock } = home.world;
  const port = run.engine.services.energyLimits.port({ id: "client-a", kind: "client", name: "Operator" });
  return { home, run, clock, set: (demand: Parameters<typeof port.set>[0]) => clock.resolve(port.set(demand), 20 * S) };
}

function active(run: Run): readonly unknown[] {
  return run.engine.services.energyLimits.active().map(({ direction, watts }) => [direction, watts]);
}

describe("a client that changes how long it may be silent", () => {
  test("was there a moment ago: what it does not name stays limited as it was", async () => {
    const { run, clock, set } = await started();
    await set({ isHeartbeat: true, heartbeatLostMs: 60 * MIN, export: limitOf(2_000, 6_000) });
    await clock.advance(10 * MIN);
    await set({ isHeartbeat: true, heartbeatLostMs: 2 * MIN, import: limitOf(5_000, 4_200) });
    expect(active(run)).toEqual([
      ["export", 2_000],
      ["import", 5_000],
    ]);
    await run.close();
  });

  test("says what applies without it, where it could not be lost before", async () => {
    const { run, clock, set } = await started();
    await set({ isHeartbeat: true, heartbeatLostMs: null, export: limitOf(5_000) });
    await clock.advance(10 * MIN);
    const refused = set({ isHeartbeat: true, heartbeatLostMs: 2 * MIN, import: limitOf(5_000, 4_200) });
    await expect(refused).rejects.toThrow("export: a failsafe value is needed");
    await set({ isHeartbeat: true, heartbeatLostMs: 2 * MIN, export: limitOf(5_000, 3_000) });
    await clock.advance(3 * MIN);
    expect(active(run)).toEqual([["export", 3_000]]);
    await run.close();
  });
});

test("A failsafe value stays over a restart where its client needs no heartbeat any more", async () => {
  const { home, run, clock, set } = await started();
  await set({ isHeartbeat: true, heartbeatLostMs: MIN, export: limitOf(5_000, 3_000) });
  await clock.advance(2 * MIN);
  await set({ isHeartbeat: true, heartbeatLostMs: null, import: limitOf(5_000) });
  const before = active(run);
  expect(before).toEqual([
    ["export", 3_000],
    ["import", 5_000],
  ]);
  await run.close();
  const next = await home.start();
  expect(new Set(active(next))).toEqual(new Set(before));
  await next.close();
});

test("A limit with a duration lasts over a restart as long as it was set, also where the clock was put right after it was set", async () => {
  const { home, run, clock, set } = await started();
  const nowMs = clock.nowMs();
  clock.setQuality("unset");
  clock.setWallMs(0);
  const limit = { isActive: true, watts: 5_000, durationMs: 60 * MIN } as const;
  await set({ isHeartbeat: true, heartbeatLostMs: null, import: { ...limitOf(5_000), limit } });
  clock.setWallMs(nowMs);
  clock.setQuality("synced");
  await clock.advance(5 * MIN);
  await run.close();
  const next = await home.start();
  expect(active(next)).toEqual([["import", 5_000]]);
  await clock.advance(54 * MIN);
  expect(active(next)).toEqual([["import", 5_000]]);
  await clock.advance(2 * MIN);
  expect(active(next)).toEqual([]);
  await next.close();
});

test("The record of a limitation has its true beginning, also where the clock was put right while it lasted", async () => {
  const { run, clock, set } = await started();
  const nowMs = clock.nowMs();
  clock.setQuality("unset");
  clock.setWallMs(0);
  await set({ isHeartbeat: true, heartbeatLostMs: null, import: limitOf(5_000) });
  clock.setWallMs(nowMs);
  clock.setQuality("synced");
  await clock.advance(5 * MIN);
  await set({ isHeartbeat: true, heartbeatLostMs: null, import: { ...limitOf(0), limit: { isActive: false } } });
  const [record] = run.engine.services.energyLimits.limitations();
  expect(Math.round(((record?.endedAtMs ?? 0) - (record?.beganAtMs ?? 0)) / MIN)).toBe(5);
  await run.close();
});

test("A limit with a duration that a start without a clock has found ends at its time once the clock is set", async () => {
  const { home, run, clock, set } = await started();
  const limit = { isActive: true, watts: 5_000, durationMs: 20 * MIN } as const;
  await set({ isHeartbeat: true, heartbeatLostMs: null, import: { ...limitOf(5_000), limit } });
  await run.close();
  const nowMs = clock.nowMs();
  clock.setQuality("unset");
  clock.setWallMs(0);
  const next = await home.start();
  await clock.advance(MIN);
  clock.setWallMs(nowMs + 10 * MIN);
  clock.setQuality("synced");
  await clock.advance(8 * MIN);
  expect(active(next)).toEqual([["import", 5_000]]);
  await clock.advance(4 * MIN);
  expect(active(next)).toEqual([]);
  await next.close();
});

test("A meter that has been silent since before a limit says nothing of how it was kept", async () => {
  const { home, run, clock, set } = await started();
  const { meter } = home.devices;
  if (meter === undefined) throw new Error("no meter");
  await set({ isHeartbeat: true, heartbeatLostMs: null, export: limitOf(9_000) });
  await clock.advance(MIN);
  meter.isUp = false;
  await clock.advance(3 * MIN);
  await set({ isHeartbeat: true, heartbeatLostMs: null, import: limitOf(5_000) });
  await clock.advance(MIN);
  const record = run.engine.services.energyLimits.limitations().find(({ direction }) => direction === "import");
  expect(record?.reaction).toMatchObject({ powerBeforeW: null, reachedAfterMs: null, highestW: null, measuredMs: 0 });
  await run.close();
});

test("The record of a limit that a start without a clock ends has its true end, and is kept", async () => {
  const { home, run, clock, set } = await started();
  await set({ isHeartbeat: true, heartbeatLostMs: 60 * MIN, import: limitOf(5_000, 4_200) });
  await clock.advance(5 * MIN);
  await run.close();
  const nowMs = clock.nowMs();
  clock.setQuality("unset");
  clock.setWallMs(0);
  const next = await home.start();
  await clock.advance(MIN);
  clock.setWallMs(nowMs + MIN);
  clock.setQuality("synced");
  await clock.advance(2 * MIN);
  const ended = next.engine.services.energyLimits.limitations().find(({ watts }) => watts === 5_000);
  expect(ended).toMatchObject({ endReason: "restart" });
  expect(Math.abs((ended?.endedAtMs ?? 0) - nowMs)).toBeLessThan(MIN);
  await next.close();
});

test("The record of a limit that was over before the clock was ever set is kept", async () => {
  const { home, run, clock, set } = await started();
  const nowMs = clock.nowMs();
  clock.setQuality("unset");
  clock.setWallMs(0);
  await set({ isHeartbeat: true, heartbeatLostMs: null, import: limitOf(5_000) });
  await set({ isHeartbeat: true, heartbeatLostMs: null, import: { ...limitOf(0), limit: { isActive: false } } });
  await run.close();
  clock.setWallMs(nowMs);
  clock.setQuality("synced");
  const next = await home.start();
  await clock.advance(MIN);
  expect(next.engine.services.energyLimits.limitations()).toMatchObject([{ watts: 5_000, endReason: "released" }]);
  await next.close();
});

test("A limit that was not kept before a start without a clock is not said to have been kept at once", async () => {
  const { home, run, clock, set } = await started();
  const { meter } = home.devices;
  if (meter === undefined) throw new Error("no meter");
  meter.values["meter.power"] = 8_000;
  await clock.advance(MIN);
  await set({ isHeartbeat: true, heartbeatLostMs: null, import: limitOf(5_000) });
  await clock.advance(5 * MIN);
  await run.close();
  clock.setQuality("unset");
  clock.setWallMs(0);
  const next = await home.start();
  await clock.advance(10 * S);
  meter.values["meter.power"] = 3_000;
  await clock.advance(MIN);
  const [record] = next.engine.services.energyLimits.limitations();
  expect(record?.reaction.reachedAfterMs).toBeGreaterThan(4 * MIN);
  await next.close();
});

test("A limit that begins by a clock that is ahead and later put back does not end before it began", async () => {
  const { run, clock, set } = await started();
  await set({ isHeartbeat: true, heartbeatLostMs: null, import: limitOf(5_000) });
  await clock.advance(5 * MIN);
  clock.setWallMs(clock.nowMs() - 120 * MIN);
  await clock.advance(5 * MIN);
  await set({ isHeartbeat: true, heartbeatLostMs: null, import: { ...limitOf(0), limit: { isActive: false } } });
  const [record] = run.engine.services.energyLimits.limitations();
  expect(Math.round(((record?.endedAtMs ?? 0) - (record?.beganAtMs ?? 0)) / MIN)).toBe(10);
  await run.close();
});
