import type { Adapter, Driver } from "../../src/sdk/driver.ts";

/** The same adapter, which counts the values that its drivers read. */
export function countedAdapter(adapter: Adapter, add: (count: number) => void): Adapter {
  return {
    ...adapter,
    start(context) {
      const running = adapter.start(context);
      return {
        connect: async (deviceId, options, signal) =>
          countedDriver(await running.connect(deviceId, options, signal), add),
        [Symbol.asyncDispose]: () => running[Symbol.asyncDispose](),
      };
    },
  };
}

function countedDriver(driver: Driver, add: (count: number) => void): Driver {
  return {
    identity: driver.identity,
    vendors: driver.vendors,
    points: driver.points,
    controls: driver.controls,
    pollMs: driver.pollMs,
    async read(scope, signal) {
      const readings = await driver.read(scope, signal);
      add(readings.length);
      return readings;
    },
    write: (point, value, signal) => driver.write(point, value, signal),
    [Symbol.asyncDispose]: () => driver[Symbol.asyncDispose](),
  };
}
