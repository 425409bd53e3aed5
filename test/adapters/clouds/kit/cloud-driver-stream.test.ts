import { describe, expect, test } from "vitest";
import type { CloudDevice, CloudReading } from "../../../../adapters/clouds/kit/connector.ts";
import { CloudDriver } from "../../../../adapters/clouds/kit/device/cloud-driver.ts";
import { CommandTries } from "../../../../adapters/clouds/kit/device/command-tries.ts";
import { LastReadings } from "../../../../adapters/clouds/kit/device/last-readings.ts";
import { CloudError, type CloudErrorKind } from "../../../../adapters/clouds/kit/session/cloud-error.ts";
import { ReadTimes } from "../../../../adapters/clouds/kit/session/read-times.ts";
import { VirtualClock } from "../../../../src/testing/virtual-clock.ts";

const calm = new AbortController().signal;
const PERIOD_MS = 10 * 60_000;

async function bed() {
  const clock = new VirtualClock();
  const state = {
    reads: 0,
    failure: null as CloudErrorKind | null,
    news: [] as CloudReading[],
    wants: false,
    hasMissed: false,
    missed: 0,
  };
  const device: CloudDevice = {
    identity: { manufacturer: "Sunny", model: null, serial: null, version: null },
    points: ["charger.power"],
    controls: [],
    cost: {},
    read: async () => {
      state.reads += 1;
      if (state.failure !== null) throw new CloudError(state.failure, "GET /chargers");
      return [{ point: "charger.power", value: 1 }];
    },
    write: async () => undefined,
    tempo: () => "usual",
    hear: () => undefined,
    streamed: () => state.news.splice(0),
    wantsRead: () => state.wants,
    hasMissed: () => state.hasMissed,
  };
  const times = new ReadTimes(clock);
  const tries = new CommandTries(clock);
  const last = new LastReadings(clock);
  times.follow({ nextMs: () => PERIOD_MS, windfalls: () => 0 }, true);
  const stream = {
    isLive: true,
    missed: () => {
      state.missed += 1;
    },
  };
  const resources = { [Symbol.asyncDispose]: async () => undefined };
  const choices = { confirmUnverified: false, confirmNoFailsafe: false };
  const driver = new CloudDriver({ vendors: ["EASEE"], device, times, tries, stream, resources, last, ...choices });
  await driver.read("all", calm);
  return { clock, state, times, driver };
}

describe("a device that a stream tells of", () => {
  test("is fetched from every second, and asked at its pace", async () => {
    const { clock, state, driver } = await bed();
    expect([driver.pollMs, driver.tellsEveryMs]).toEqual([1_000, PERIOD_MS]);
    state.news.push({ point: "charger.power", value: 7_000, measuredAtMs: 5 });
    expect(await driver.read("due", calm)).toEqual([{ point: "charger.power", value: 7_000, measuredAtMs: 5 }]);
    expect(await driver.read("due", calm)).toEqual([]);
    for (let seconds = 0; seconds < 60 * 60; seconds += 1) {
      await clock.advance(1_000);
      await driver.read("due", calm);
    }
    expect(state.reads).toBe(1 + 6);
  });

  test("is asked at once when the stream is lost, and once", async () => {
    const { clock, state, times, driver } = await bed();
    await clock.advance(5_000);
    times.rush();
    await driver.read("due", calm);
    await driver.read("due", calm);
    expect(state.reads).toBe(2);
  });

  test("is asked when it has a reason, and not again and again", async () => {
    const { clock, state, driver } = await bed();
    await clock.advance(40_000);
    state.wants = true;
    for (let seconds = 0; seconds < 60; seconds += 1) {
      await driver.read("due", calm);
      await clock.advance(1_000);
    }
    expect(state.reads).toBe(1 + 2);
  });

  test("says of the stream that it missed something", async () => {
    const { clock, state, driver } = await bed();
    expect(state.missed).toBe(0);
    state.hasMissed = true;
    await clock.advance(PERIOD_MS);
    await driver.read("due", calm);
    expect(state.missed).toBe(1);
  });

  test("tells what was pushed although the budget is spent, and fails when its vendor does", async () => {
    const { clock, state, driver } = await bed();
    state.news.push({ point: "charger.power", value: 2 });
    state.failure = "no-budget";
    await clock.advance(PERIOD_MS);
    expect(await driver.read("due", calm)).toEqual([{ point: "charger.power", value: 2 }]);
    state.failure = "unavailable";
    await clock.advance(PERIOD_MS);
    await expect(driver.read("due", calm)).rejects.toMatchObject({ kind: "unreachable" });
  });

  test("knows nothing of a point now, whenever it was measured last", async () => {
    const { state, driver } = await bed();
    state.news.push({ point: "charger.power", value: null, measuredAtMs: 5 });
    expect(await driver.read("due", calm)).toEqual([{ point: "charger.power", value: null }]);
  });
});
