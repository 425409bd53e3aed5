/** Values that are reported minutes after they were measured, as clouds do. */
import { expect, test } from "vitest";
import type { DesiredSetting } from "../../../src/domain/actions/action.ts";
import { MeasuredTimes } from "../../../src/engine/devices/measured-times.ts";
import { batteryOptions, makeHome } from "../home.ts";

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const NOW = { nowMs: 1_000_000, tickMs: 500_000, tookMs: 200 };
const IMPORT: DesiredSetting = { targetType: "battery", operationMode: "IMPORT_FOCUS" };

test("an answer is heard in the order in which it was measured", () => {
  const times = new MeasuredTimes();
  const groups = times.sort(
    [
      { point: "battery.power", value: 100 },
      { point: "battery.soc", value: 50, measuredAtMs: 940_000 },
      { point: "meter.power", value: 70, measuredAtMs: 880_000 },
    ],
    NOW,
  );
  expect(groups.map(({ atMs, tickMs, sinceMs }) => ({ atMs, tickMs, sinceMs }))).toEqual([
    { atMs: 880_000, tickMs: 380_000, sinceMs: 380_000 },
    { atMs: 940_000, tickMs: 440_000, sinceMs: 440_000 },
    { atMs: 1_000_000, tickMs: 500_000, sinceMs: 499_800 },
  ]);
});

test("an answer that was kept is dated by the clock as it is now, and repeated it is not new", () => {
  const times = new MeasuredTimes();
  const soc = { point: "battery.soc", value: 50, readTickMs: 440_000.4 } as const;
  expect(times.sort([soc], NOW)).toMatchObject([{ atMs: 940_000, reportedMs: null, tickMs: 440_000 }]);
  expect(times.sort([soc], { ...NOW, nowMs: 9_000_000 })).toEqual([]);
  expect(times.sort([{ ...soc, readTickMs: 441_000 }], NOW)).toMatchObject([{ atMs: 941_000 }]);
});

test("what a device dates is distinguished from what the gateway dates", () => {
  const dated = (...measured: readonly (number | undefined)[]) => {
    const points = ["battery.power", "battery.soc"] as const;
    const readings = measured.map((measuredAtMs, at) => {
      return { point: points[at] ?? points[0], value: 1, ...(measuredAtMs !== undefined && { measuredAtMs }) };
    });
    return new MeasuredTimes().sort(readings, NOW).map(({ atMs, reportedMs }) => [atMs, reportedMs]);
  };
  expect(dated(940_000, 941_000)).toEqual([
    [940_000, 940_000],
    [941_000, 941_000],
  ]);
  expect(dated(2_000_000, 3_000_000)).toEqual([[NOW.nowMs, 3_000_000]]);
  expect(dated(2_000_000, undefined)).toEqual([[NOW.nowMs, null]]);
});

test("what was heard is no news, and nothing is measured in the future", () => {
  const times = new MeasuredTimes();
  const soc = (measuredAtMs: number) => times.sort([{ point: "battery.soc", value: 50, measuredAtMs }], NOW);
  expect(soc(940_000)).toHaveLength(1);
  expect(soc(940_000)).toEqual([]);
  expect(soc(941_000)).toHaveLength(1);
  expect(soc(2_000_000)).toMatchObject([{ atMs: NOW.nowMs }]);
});

test("what was not known in between is news again", () => {
  const times = new MeasuredTimes();
  const soc = { point: "battery.soc", value: 50, measuredAtMs: 940_000 } as const;
  times.sort([soc], NOW);
  expect(times.sort([{ point: "battery.soc", value: null }], NOW)).toMatchObject([{ atMs: NOW.nowMs }]);
  expect(times.sort([soc], NOW)).toMatchObject([{ atMs: 940_000 }]);
});

test("what still cannot be told dates nothing anew that was measured before", () => {
  const times = new MeasuredTimes();
  const answer = [
    { point: "vehicle.soc", value: 80, measuredAtMs: 940_000 },
    { point: "vehicle.timeToFull", value: null },
  ] as const;
  expect(times.sort(answer, NOW)).toHaveLength(2);
  expect(times.sort(answer, { ...NOW, nowMs: 1_600_000 })).toEqual([]);
  expect(times.sort([answer[0], { point: "vehicle.timeToFull", value: 20 }], NOW)).toMatchObject([{ atMs: NOW.nowMs }]);
  expect(times.sort(answer, NOW)).toMatchObject([{ readings: [{ point: "vehicle.timeToFull", value: null }] }]);
});

test("a state says when it was measured, the history keeps it there, and the device was seen now", async () => {
  const home = makeHome();
  const battery = home.add("battery", batteryOptions());
  const startMs = home.world.clock.nowMs();
  for (const point of ["battery.power", "battery.soc", "battery.capacity", "battery.reserve"] as const) {
    battery.measuredAtMs[point] = startMs - 10 * MINUTE;
  }
  const run = await home.start();
  await home.world.clock.advance(30 * SECOND);
  const [entry] = run.engine.assets.list("battery");
  expect(entry?.asset).toMatchObject({
    isReachable: true,
    chargeState: { batteryLevel: 55.5, lastUpdated: new Date(startMs - 10 * MINUTE).toISOString() },
  });
  expect(Date.parse(entry?.asset.lastSeen ?? "")).toBeGreaterThan(startMs + 20 * SECOND);
  const history = await home.world.clock.resolve(run.store.history("battery", startMs - MINUTE * 60, startMs), SECOND);
  expect(history).toMatchObject([{ atMs: startMs - 10 * MINUTE }]);
  expect(history[0]?.values.map(({ point }) => point)).not.toContain("battery.mode");
  await run.close();
});

test("a command is not confirmed by what was measured before it", async () => {
  const home = makeHome();
  const battery = home.add("battery", batteryOptions());
  battery.measuredAtMs["battery.mode"] = home.world.clock.nowMs() - MINUTE;
  const run = await home.start();
  await home.world.clock.advance(5 * SECOND);
  const id = run.engine.assets.list("battery")[0]?.asset.id ?? "";
  const action = await home.world.clock.resolve(run.engine.actions.start(id, IMPORT), 10 * SECOND);
  // The cloud shows the setting, as of a time before it.
  battery.measuredAtMs["battery.mode"] = home.world.clock.nowMs() - 30 * SECOND;
  await home.world.clock.advance(20 * SECOND);
  expect(battery.values["battery.mode"]).toBe("IMPORT_FOCUS");
  expect(run.engine.actions.get("battery", action.id)?.state).toBe("PENDING");
  battery.measuredAtMs["battery.mode"] = home.world.clock.nowMs();
  await home.world.clock.advance(20 * SECOND);
  expect(run.engine.actions.get("battery", action.id)?.state).toBe("CONFIRMED");
  await run.close();
});
