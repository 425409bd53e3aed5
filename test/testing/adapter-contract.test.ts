import { type Adapter, type Driver, defineAdapter, type LinkSetup, type Reading, z } from "hemgate/sdk";
import { adapterContract, type ContractDevice, type ContractSubject, serveModbus, type World } from "hemgate/testing";
import { describe, expect, test } from "vitest";
import { modbusAdapter } from "../../adapters/modbus/modbus-adapter.ts";
import { createTwin } from "../twins/registers/create-twin.ts";

const ADDRESS = { host: "10.0.0.7", port: 502 };

async function meterIn(world: World): Promise<ContractDevice> {
  const twin = await createTwin("eastron-sdm630", { clock: world.clock });
  const server = await serveModbus({ clock: world.clock, net: world.net.host() }, twin, ADDRESS);
  const stop = async (): Promise<void> => await server[Symbol.asyncDispose]();
  return { options: { ...ADDRESS, profile: "eastron-sdm630" }, stop };
}

const MODBUS: ContractSubject = { adapter: modbusAdapter, device: meterIn };

describe("the Modbus adapter keeps the contract", () => {
  test.each(adapterContract(MODBUS).map((each) => [each.name, each] as const))("%s", async (_name, { run }) => {
    await run();
  });
});

const HONEST: Driver = {
  identity: { manufacturer: null, model: null, serial: "1", version: null },
  vendors: ["SIMULATED"],
  points: ["meter.power"],
  controls: [],
  pollMs: 1_000,
  read: async () => [{ point: "meter.power", value: 1 }],
  write: async () => {},
  [Symbol.asyncDispose]: async () => {},
};

function adapterOf(
  change: Partial<Driver>,
  options: Adapter["options"] = z.object({}),
  linking: Pick<Adapter, "linking"> & { readonly setup?: LinkSetup } = {},
): Adapter {
  const { setup, ...declared } = linking;
  return defineAdapter({
    name: "broken",
    options,
    ...declared,
    start: () => ({
      connect: async () => ({ ...HONEST, ...change }),
      ...(setup !== undefined && { linking: { take: async () => ({ kind: "found", devices: [] }), setup } }),
      [Symbol.asyncDispose]: async () => {},
    }),
  });
}

function vendorAsking(...names: readonly string[]): Pick<Adapter, "linking"> {
  const fields = names.map((name) => ({ name, kind: "text" as const }));
  const words = { displayName: "X", portalName: "X" };
  return { linking: [{ id: "x", vendors: ["X"], vendorTypes: ["meter"], ...words, method: "local", fields }] };
}

function setupAsking(name: string, options: Readonly<Record<string, unknown>> = {}): { readonly setup: LinkSetup } {
  return {
    setup: {
      fields: async () => [{ name, kind: "number", unit: "W", min: 0, max: 10, initial: "1" }],
      apply: async (device) => ({ kind: "ready", device: { ...device, options } }),
    },
  };
}

const NO_VALUE = [{ point: "meter.power", value: "much" }] as unknown as readonly Reading[];
const BROKEN: Readonly<Record<string, readonly [fails: RegExp, adapter: Adapter]>> = {
  "an option that nobody explains": [/options can be described/, adapterOf({}, z.object({ host: z.string() }))],
  "an option of the gateway's": [/options can be described/, adapterOf({}, z.object({ id: z.string().describe("x") }))],
  "a field that is called as one of the page's": [
    /link page's forms/,
    adapterOf({}, z.object({}), vendorAsking("key")),
  ],
  "two fields of one name": [/link page's forms/, adapterOf({}, z.object({}), vendorAsking("a", "a"))],
  "a question that is called as one of the page's": [/the owner/, adapterOf({}, z.object({}), setupAsking("device"))],
  "an answer that is no option": [
    /the owner/,
    adapterOf({}, z.object({ host: z.string().default("") }), setupAsking("watts", { host: 1 })),
  ],
  "a serial that is empty": [/who it is/, adapterOf({ identity: { ...HONEST.identity, serial: "" } })],
  "a device without points": [/who it is/, adapterOf({ points: [] })],
  "a poll every millisecond": [/who it is/, adapterOf({ pollMs: 1 })],
  "a value of another type": [/value of its type/, adapterOf({ read: async () => NO_VALUE })],
  "a point that is never told": [/value of its type/, adapterOf({ read: async () => [] })],
  "a signal that is not heeded": [/signal that was aborted/, adapterOf({})],
  "a control that takes anything": [
    /out of its range/,
    adapterOf({
      points: ["charger.maxCurrent"],
      read: async () => [{ point: "charger.maxCurrent", value: 6 }],
      controls: [{ point: "charger.maxCurrent", range: { min: 6, max: 16 }, holdMs: null, safeDefault: null }],
    }),
  ],
  "a dead device that tells values": [/dies/, adapterOf({})],
  "an absent device that is found": [/not there/, adapterOf({})],
};

test.each(Object.entries(BROKEN))("the contract of adapters finds %s", async (_name, [fails, adapter]) => {
  const broken = { adapter, device: () => ({ options: {}, stop: () => {} }) };
  const found = adapterContract(broken).filter(({ name }) => fails.test(name));
  expect(found).toHaveLength(1);
  for (const { run } of found) await expect(run()).rejects.toThrow();
});
