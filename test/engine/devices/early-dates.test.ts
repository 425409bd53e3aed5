/** A box without a battery for its clock: what it dates before a time source answers, and how that comes right. */
import { expect, test } from "vitest";
import { EarlyDates } from "../../../src/engine/devices/early-dates.ts";
import type { PointName } from "../../../src/points/points.ts";
import { VirtualClock } from "../../../src/testing/virtual-clock.ts";
import { batteryOptions, type Home, makeHome, type Run } from "../home.ts";

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const DAY = 24 * 60 * MINUTE;
const TRUE_START_MS = Date.parse("2026-06-21T08:00:00Z");

/** A battery behind a cloud that is read every quarter of an hour, and a gateway that boots with a wrong clock. */
function wrongHome(errorMs: number) {
  const home = makeHome();
  const battery = home.add("battery", batteryOptions({ pollMs: 15 * MINUTE }));
  const { clock } = home.world;
  const trueMs = () => TRUE_START_MS + clock.monotonicMs();
  clock.setQuality(trueMs() + errorMs < TRUE_START_MS - 365 * DAY ? "unset" : "restored");
  clock.setWallMs(trueMs() + errorMs);
  const setRight = (): void => {
    clock.setWallMs(trueMs());
    clock.setQuality("synced");
  };
  return { home, battery, clock, trueMs, setRight };
}

function shown({ engine }: Run) {
  const [entry] = engine.assets.list("battery");
  const { lastSeen = "", chargeState, config } = entry?.asset ?? {};
  return {
    createdMs: entry?.createdAtMs,
    seenMs: Date.parse(lastSeen),
    levelMs: Date.parse(chargeState?.lastUpdated ?? ""),
    modeMs: Date.parse(config?.lastUpdated ?? ""),
    pointsMs: engine.devices()[0]?.points.map(({ atMs }) => atMs),
  };
}

async function started(home: Home): Promise<{ readonly run: Run; readonly readMs: number }> {
  const run = await home.start();
  const { clock } = home.world;
  await clock.advance(2 * SECOND);
  const { atMs = 0 } = home.devices["battery"]?.calls.find(({ call }) => call === "read") ?? {};
  return { run, readMs: TRUE_START_MS + atMs };
}

test.each([
  ["in 1970", -TRUE_START_MS],
  ["two hours late", -2 * 60 * MINUTE],
  ["three days early", 3 * DAY],
])("what a clock that is %s dated is redated once it is set, long before the next reading", async (_name, errorMs) => {
  const { home, clock, battery, setRight } = wrongHome(errorMs);
  const { run, readMs } = await started(home);
  expect(shown(run).levelMs).toBe(readMs + errorMs);
  await clock.advance(3 * MINUTE);
  setRight();
  await clock.advance(10 * SECOND);
  const reads = battery.calls.filter(({ call }) => call === "read").length;
  const { createdMs = 0, seenMs, levelMs, modeMs, pointsMs = [] } = shown(run);
  expect(reads).toBe(1);
  expect([seenMs, levelMs, modeMs]).toEqual([readMs, readMs, readMs]);
  expect(new Set(pointsMs)).toEqual(new Set([readMs]));
  expect(Math.abs(createdMs - readMs)).toBeLessThan(SECOND);
  await run.close();
  const again = await home.start();
  expect(shown(again).createdMs).toBe(createdMs);
  await again.close();
});

test("what the device dated itself stays, whatever the gateway's clock was", async () => {
  const { home, clock, battery, trueMs, setRight } = wrongHome(20 * MINUTE);
  const measuredMs = trueMs() - 10 * MINUTE;
  battery.measuredAtMs["battery.mode"] = measuredMs;
  const { run, readMs } = await started(home);
  setRight();
  await clock.advance(10 * SECOND);
  expect(shown(run)).toMatchObject({ modeMs: measuredMs, levelMs: readMs });
  await run.close();
});

test("a device knew better when it measured than a gateway that thought of that as the future", async () => {
  const { home, clock, battery, trueMs, setRight } = wrongHome(-TRUE_START_MS);
  const measuredMs = trueMs() - 10 * MINUTE;
  for (const point of Object.keys(battery.values)) battery.measuredAtMs[point as PointName] = measuredMs;
  const { run } = await started(home);
  expect(shown(run).modeMs).toBeLessThan(DAY);
  setRight();
  await clock.advance(10 * SECOND);
  expect(shown(run).modeMs).toBe(measuredMs);
  await run.close();
});

test("what was read after the clock was set, and before it is trusted, is dated right as well", async () => {
  const { home, clock, battery, trueMs } = wrongHome(-TRUE_START_MS);
  const { run } = await started(home);
  clock.setWallMs(trueMs());
  clock.setQuality("restored");
  await clock.advance(15 * MINUTE);
  const { levelMs } = shown(run);
  expect(battery.calls.filter(({ call }) => call === "read").length).toBe(2);
  clock.setQuality("synced");
  await clock.advance(10 * SECOND);
  expect(shown(run)).toMatchObject({ levelMs, seenMs: levelMs });
  await run.close();
});

test("only what is shown still is remembered", () => {
  const clock = new VirtualClock({ quality: "restored" });
  const dates = new EarlyDates(clock, () => [1]);
  for (let atMs = 1; atMs <= 1_000; atMs += 1) dates.note(atMs, -atMs);
  clock.setQuality("synced");
  const startMs = clock.nowMs();
  expect([1, 2, 1_000].map((atMs) => dates.redated(atMs))).toEqual([startMs - 1, 2, startMs - 1_000]);
  dates.clear();
  expect(dates.isDue).toBe(false);
});

test("a clock that is trusted leaves nothing to redate", () => {
  const clock = new VirtualClock();
  const dates = new EarlyDates(clock, () => []);
  dates.note(5, 1);
  expect([dates.isDue, dates.redated(5)]).toEqual([false, 5]);
});
