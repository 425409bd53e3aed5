/** Reads of a vehicle that somebody waits for, through the device's loop, the kit and the simulated web. */
import { expect, test } from "vitest";
import { cloudAdapter } from "../../../adapters/clouds/cloud-adapter.ts";
import { vendorOf } from "../../../adapters/clouds/kit/vendor.ts";
import { tesla } from "../../../adapters/clouds/tesla/tesla.ts";
import type { ReadFailure } from "../../../src/engine/contracts/engine.ts";
import { DeviceLoop } from "../../../src/engine/devices/device-loop.ts";
import { readFailureOf } from "../../../src/engine/devices/read-failure.ts";
import { MemoryDisk } from "../../../src/testing/memory-disk.ts";
import { World } from "../../../src/testing/world.ts";
import { TeslaTwin } from "../../twins/clouds/tesla-twin.ts";
import type { TwinVehicle } from "../../twins/clouds/tesla-vehicle.ts";
import { APP } from "./fake-session.ts";
import { makeVehicle } from "./tesla-houses.ts";

const MINUTE = 60_000;

/** A vehicle's loop at work, and a vendor that is asked by nobody else. */
async function garage(changes: Partial<TwinVehicle>) {
  const world = new World({ seed: 1 });
  const { clock } = world;
  const vehicle = makeVehicle(changes);
  const twin = new TeslaTwin(clock);
  twin.vehicles = [vehicle];
  twin.join(world.web, "93.184.216.20");
  const process = world.boot("gateway", new MemoryDisk());
  const context = process.adapterContext();
  const grant = { access: twin.desk.issue().access_token, refresh: null, expiresAtMs: null };
  await context.accounts.put("ada", "login", JSON.stringify({ grant, form: null, previous: null, refused: null }));
  const adapter = cloudAdapter({
    apps: { tesla: { ...APP, domain: "keys.example.com" } },
    vendors: [vendorOf(tesla)],
  });
  const running = adapter.start(context);
  const options = adapter.options.parse({ vendor: "tesla", account: "ada", device: vehicle.vin });
  const loop = new DeviceLoop({
    ...process.platform,
    work: {
      connect: (signal) => running.connect("car", options, signal),
      connected: async () => undefined,
      answered: async () => undefined,
      failed: () => undefined,
      writeDue: async () => undefined,
      part: async () => undefined,
      nextWriteAtMs: () => Number.POSITIVE_INFINITY,
      nextFullReadAtMs: () => Number.POSITIVE_INFINITY,
    },
  });
  const stop = new AbortController();
  const ended = loop.run(stop.signal);
  await clock.advance(MINUTE);
  /** Asks a thousand times in a minute, for some minutes. */
  const hammer = async (minutes: number): Promise<ReadonlySet<ReadFailure | null>> => {
    const answers = new Set<ReadFailure | null>();
    for (let count = 0; count < 1_000 * minutes; count += 1) {
      void loop.ask().then((outcome) => answers.add(outcome === null ? null : readFailureOf(outcome.error)));
      await clock.advance(MINUTE / 1_000);
    }
    return answers;
  };
  return {
    clock,
    hammer,
    asks: (end: string) => twin.asked.filter(({ url }) => url.pathname.endsWith(end)).length,
    [Symbol.asyncDispose]: async () => {
      stop.abort(new Error("over"));
      await clock.resolve(ended, MINUTE);
      await running[Symbol.asyncDispose]();
    },
  };
}

test("a sleeping vehicle is neither woken nor asked for its data, however often somebody asks", async () => {
  await using house = await garage({ power: "asleep", chargingState: "Stopped" });
  const before = house.asks("/vehicle_data");
  expect(await house.hammer(10)).toEqual(new Set(["asleep"]));
  expect(house.asks("/wake_up")).toBe(0);
  expect(house.asks("/vehicle_data")).toBe(before);
});

test("a vehicle that is awake and idle is asked every 20 minutes as ever, so that it can fall asleep", async () => {
  await using house = await garage({ chargingState: "Stopped" });
  const before = house.asks("/vehicle_data");
  expect(await house.hammer(60)).toEqual(new Set([null, "asleep"]));
  expect(house.asks("/vehicle_data") - before).toBeLessThanOrEqual(3);
  expect(house.asks("/wake_up")).toBe(0);
});
