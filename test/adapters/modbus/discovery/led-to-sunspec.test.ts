import type { LinkOutcome, Sighting } from "hemgate/sdk";
import { MemoryDisk, type ModbusImage, serveModbus, World } from "hemgate/testing";
import { describe, expect, test } from "vitest";
import { createModbusAdapter } from "../../../../adapters/modbus/modbus-adapter.ts";
import { eastronSdm630 } from "../../../../adapters/modbus/profiles/eastron-sdm630.ts";
import { chain, common, inverter103 } from "../sunspec/images.ts";
import { PLATED, platedImage } from "./plated-devices.ts";

const HOST = "192.168.1.20";
const calm = new AbortController().signal;
const callback = { url: "http://gateway.local/link/return", state: "s" };

function sunSpec(manufacturer: string): ModbusImage {
  const registers = chain(40_000, [common(manufacturer, "Model 8", "SN-8"), inverter103({ 14: 1_200, 15: 0 })]);
  const readHolding = (unit: number, address: number, count: number) => {
    const words = Array.from({ length: count }, (_unused, index) => registers.get(address + index));
    const known = words.filter((word) => word !== undefined);
    if (unit !== 1) return { kind: "exception", code: 11 } as const;
    return known.length === count
      ? ({ kind: "values", values: known } as const)
      : ({ kind: "exception", code: 2 } as const);
  };
  const refused = () => ({ kind: "exception", code: 1 }) as const;
  return { readHolding, readInput: refused, writeHolding: refused };
}

async function adapterIn(world: World, image: ModbusImage) {
  await serveModbus({ clock: world.clock, net: world.net.host() }, image, { host: HOST, port: 502 });
  const own = { profiles: [{ ...eastronSdm630, id: "my-meter", brand: "Mine" }], broken: [] };
  return createModbusAdapter(own).start(world.boot("gateway", new MemoryDisk()).adapterContext());
}

describe.each([
  ["Fronius", "sunspec-fronius", "sunspec-fronius"],
  ["SMA", "sma-pv", "sunspec-sma"],
  ["SolarEdge", "solaredge-storedge", "sunspec-solaredge"],
  ["SUNGROW", "sungrow-sg", "sunspec-sunspec"],
  ["Delta", "sunspec-sunspec", "sunspec-sunspec"],
])("a %s that describes itself, when %s is picked", (manufacturer, picked, meant) => {
  test("is found, and linked as what it is", async () => {
    const world = new World({ seed: 1 });
    const adapter = await adapterIn(world, sunSpec(manufacturer));
    const seen: Sighting[] = [];
    const scope = { isActive: true, hosts: [HOST], services: () => [], missing: null, vendorId: picked };
    const searching = adapter.discovery?.search(scope, (sighting) => seen.push(sighting), calm);
    await world.clock.resolve(Promise.resolve(searching), 100_000);
    expect(seen).toMatchObject([{ manufacturer, serial: "SN-8", profile: "sunspec", link: { vendorId: meant } }]);
  });

  test("is found where somebody says that it is", async () => {
    const world = new World({ seed: 1 });
    const adapter = await adapterIn(world, sunSpec(manufacturer));
    const turn = await typed(world, adapter, picked);
    expect(turn).toMatchObject({ kind: "found", devices: [{ options: { profile: "sunspec", host: HOST } }] });
    const [device] = turn.kind === "found" ? turn.devices : [];
    expect(device?.vendorId ?? picked).toBe(meant);
  });
});

test("a device of another maker is not linked as what was picked", async () => {
  const world = new World({ seed: 1 });
  const adapter = await adapterIn(world, sunSpec("Fronius"));
  expect(await typed(world, adapter, "sma-pv")).toEqual({ kind: "refused", why: "wrong-device" });
});

test("a profile from the state folder is linked like one that is built in", async () => {
  const meter = PLATED.find(({ profile }) => profile === "eastron-sdm630");
  if (meter === undefined) throw new Error("no such device");
  const world = new World({ seed: 1 });
  const adapter = await adapterIn(world, await platedImage(meter, world.clock));
  const own = createModbusAdapter({ profiles: [{ ...eastronSdm630, id: "my-meter", brand: "Mine" }], broken: [] });
  expect(own.linking?.find(({ id }) => id === "my-meter")).toMatchObject({
    displayName: "Mine",
    vendorTypes: ["meter"],
  });
  expect(await typed(world, adapter, "my-meter")).toMatchObject({
    kind: "found",
    devices: [{ options: { profile: "my-meter" } }],
  });
});

async function typed(
  world: World,
  adapter: Awaited<ReturnType<typeof adapterIn>>,
  vendorId: string,
): Promise<LinkOutcome> {
  const values = { host: HOST, port: "502", unit: "1" };
  const turn = adapter.linking?.take({ vendorId, answer: { kind: "form", values }, memo: undefined, callback }, calm);
  return await world.clock.resolve(turn ?? Promise.reject(new Error("no linking")), 100_000);
}
