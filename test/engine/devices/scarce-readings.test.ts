/** Devices that are asked and have nothing new to tell, as those behind clouds. */
import { expect, test } from "vitest";
import type { DesiredSetting } from "../../../src/domain/actions/action.ts";
import { DeviceError } from "../../../src/points/device-error.ts";
import type { PointName } from "../../../src/points/points.ts";
import type { FakeDevice } from "../../../src/testing/fake-adapter.ts";
import { chargerOptions, makeHome } from "../home.ts";

const SECOND = 1_000;
const START: DesiredSetting = { targetType: "charger", kind: "START" };

function tellNothing(charger: FakeDevice): void {
  for (const point of Object.keys(charger.values)) Reflect.deleteProperty(charger.values, point);
}

function tellOldThings(charger: FakeDevice, atMs: number): void {
  for (const point of Object.keys(charger.values) as PointName[]) charger.measuredAtMs[point] = atMs;
}

test.each(["nothing", "old things"])(
  "a command is looked at every few seconds while the device tells %s",
  async (what) => {
    const home = makeHome();
    const { clock } = home.world;
    const charger = home.add("charger", chargerOptions({ pollMs: 60 * SECOND }));
    charger.onWrite = () => undefined;
    if (what === "old things") tellOldThings(charger, clock.nowMs() - 60 * SECOND);
    const run = await home.start();
    await clock.advance(5 * SECOND);
    const id = run.engine.assets.list("charger")[0]?.asset.id ?? "";
    if (what === "nothing") tellNothing(charger);
    await clock.resolve(run.engine.actions.start(id, START), 10 * SECOND);
    const before = charger.calls.length;
    await clock.advance(30 * SECOND);
    const reads = charger.calls.slice(before).filter(({ call }) => call === "read").length;
    expect(reads).toBeGreaterThan(3);
    expect(reads).toBeLessThan(40);
    await run.close();
  },
);

test("a command whose answer was lost is not sent again when a reading shows that it was done", async () => {
  const home = makeHome();
  const { clock } = home.world;
  const charger = home.add("charger", chargerOptions({ pollMs: 60 * SECOND }));
  let sent = 0;
  charger.onWrite = (point, value) => {
    sent += 1;
    charger.show(point, value);
    throw new DeviceError("unreachable", "no answer");
  };
  const run = await home.start();
  await clock.advance(5 * SECOND);
  const id = run.engine.assets.list("charger")[0]?.asset.id ?? "";
  const setting: DesiredSetting = { targetType: "charger", maxCurrent: 10 };
  const action = await clock.resolve(run.engine.actions.start(id, setting), 10 * SECOND);
  await clock.advance(60 * SECOND);
  expect(run.engine.actions.get("charger", action.id)?.state).toBe("CONFIRMED");
  expect(sent).toBe(1);
  await run.close();
});

test("a device whose period changes with each reading is never read later than that", async () => {
  const home = makeHome();
  const { clock } = home.world;
  const periods = [300, 317, 305, 329, 311, 302, 324];
  const charger = home.add("charger", chargerOptions({ pollMs: 300 * SECOND }));
  let reads = 0;
  const run = await home.start();
  const times: number[] = [];
  for (let passed = 0; passed < 7_200; passed += 1) {
    const now = charger.calls.filter(({ call }) => call === "read").length;
    if (now > reads) times.push(clock.monotonicMs());
    reads = now;
    // What a driver wants after this reading is heard at the next one.
    charger.pollMs = (periods[reads % periods.length] ?? 0) * SECOND;
    await clock.advance(SECOND);
  }
  const gaps = times.slice(1).map((atMs, index) => atMs - (times[index] ?? 0));
  expect(Math.max(...gaps)).toBeLessThanOrEqual(332 * SECOND);
  expect(Math.min(...gaps)).toBeGreaterThanOrEqual(298 * SECOND);
  await run.close();
});
