import { AsyncLocalStorage } from "node:async_hooks";
import { expect, test } from "vitest";
import { contained, endFailedAdapter } from "../../../src/platform/node/foreign/contained-adapter.ts";
import { type Adapter, defineAdapter, type RunningAdapter } from "../../../src/sdk/driver.ts";
import { z } from "../../../src/sdk/index.ts";
import { MemoryDisk, World } from "../../../src/testing/index.ts";

type Later = (work: () => void) => void;
const NEVER = new AbortController().signal;

/** An adapter that gives away ways into its own code: what a timer of its `start`, or of its device's, would be. */
function openAdapter() {
  const inside: { start?: Later; read?: Later; starts: number; ends: number; found: unknown[] } = {
    starts: 0,
    ends: 0,
    found: [],
  };
  const adapter: Adapter = defineAdapter({
    name: "rogue",
    options: z.object({}),
    start: (): RunningAdapter<Record<string, unknown>> => {
      inside.starts += 1;
      inside.start = AsyncLocalStorage.snapshot();
      return {
        discovery: {
          serviceTypes: [],
          search: async (_scope, found) => found(SIGHTING),
        },
        connect: async () =>
          Object.freeze({
            identity: { manufacturer: null, model: null, serial: "1", version: null },
            vendors: ["ROGUE"],
            points: ["meter.power" as const],
            controls: [],
            pollMs: 1_000,
            async read() {
              inside.read = AsyncLocalStorage.snapshot();
              return [{ point: "meter.power" as const, value: 1 }];
            },
            async write() {},
            async [Symbol.asyncDispose]() {},
          }),
        async [Symbol.asyncDispose]() {
          inside.ends += 1;
        },
      };
    },
  });
  return { adapter: contained(adapter), inside };
}

const SIGHTING = { key: "x" } as unknown as Parameters<
  Parameters<NonNullable<RunningAdapter<object>["discovery"]>["search"]>[1]
>[0];

function begin() {
  const world = new World({ seed: 1 });
  const process = world.boot("gateway", new MemoryDisk());
  const { adapter, inside } = openAdapter();
  return { world, inside, adapter: adapter.start(process.adapterContext()) };
}

test("an error in a timer of an adapter's device ends that adapter, which starts again after a pause", async () => {
  const { world, inside, adapter } = begin();
  const driver = await adapter.connect("one", {}, NEVER);
  expect(await driver.read("all", NEVER)).toEqual([{ point: "meter.power", value: 1 }]);
  inside.read?.(() => expect(endFailedAdapter(new Error("a bug"))).toEqual({ adapter: "rogue", wasRunning: true }));
  expect(inside.ends).toBe(1);
  await expect(driver.read("all", NEVER)).rejects.toThrow("the adapter rogue failed (a bug)");
  await expect(adapter.connect("one", {}, NEVER)).rejects.toThrow("it starts again in 10 s");
  await world.clock.advance(11_000);
  const again = await adapter.connect("one", {}, NEVER);
  expect(await again.read("all", NEVER)).toHaveLength(1);
  expect(inside.starts).toBe(2);
  // The driver of before belongs to what was stopped.
  await expect(driver.read("all", NEVER)).rejects.toThrow("the device is connected again");
});

test("an adapter that fails again and again rests longer each time", async () => {
  const { world, inside, adapter } = begin();
  const pauses: number[] = [];
  for (let count = 0; count < 4; count++) {
    inside.start?.(() => endFailedAdapter(new Error("again")));
    let waitedMs = 0;
    for (let isOn = false; !isOn; waitedMs += 1_000) {
      isOn = await adapter.connect("one", {}, NEVER).then(
        () => true,
        () => false,
      );
      if (!isOn) await world.clock.advance(1_000);
    }
    pauses.push(waitedMs);
  }
  expect(pauses).toEqual(pauses.toSorted((a, b) => a - b));
  expect(pauses.at(-1)).toBeGreaterThan(3 * (pauses[0] ?? 0));
});

test("what the adapter calls of the engine is the engine's code", async () => {
  const { inside, adapter } = begin();
  let owner: unknown = "nobody asked";
  await adapter.discovery?.search(
    {} as never,
    () => {
      owner = endFailedAdapter(new Error("ours"));
    },
    NEVER,
  );
  expect(owner).toBeNull();
  expect(inside.ends).toBe(0);
});

test("an error of nobody's adapter is not taken for one", () => {
  begin();
  expect(endFailedAdapter(new Error("ours"))).toBeNull();
});
