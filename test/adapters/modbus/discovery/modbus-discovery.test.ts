import type { SearchScope, Sighting } from "hemgate/sdk";
import { MemoryDisk, type ModbusImage, type ModbusServer, serveModbus, World } from "hemgate/testing";
import { describe, expect, test } from "vitest";
import { ModbusDiscovery } from "../../../../adapters/modbus/discovery/modbus-discovery.ts";
import { modbusAdapter } from "../../../../adapters/modbus/modbus-adapter.ts";
import { PLATED, type PlatedDevice, platedImage } from "./plated-devices.ts";

const calm = new AbortController().signal;
const SEARCH_MS = 200_000;

function scopeOf(hosts: readonly string[], change: Partial<SearchScope> = {}): SearchScope {
  return { isActive: true, hosts, services: () => [], missing: null, vendorId: null, ...change };
}

/** A search in a world in which devices stand at addresses. */
async function look(world: World, scope: SearchScope): Promise<readonly Sighting[]> {
  const process = world.boot("gateway", new MemoryDisk());
  const discovery = new ModbusDiscovery(process.platform);
  const seen: Sighting[] = [];
  await world.clock.resolve(
    discovery.search(scope, (sighting) => seen.push(sighting), calm),
    SEARCH_MS,
  );
  expect(process.resources).toMatchObject({ streams: 0, timers: 0 });
  return seen;
}

function serve(world: World, image: ModbusImage, host: string, port = 502, pacing = {}): Promise<ModbusServer> {
  return serveModbus({ clock: world.clock, net: world.net.host() }, image, { host, port }, pacing);
}

async function place(world: World, device: PlatedDevice, host: string): Promise<ModbusServer> {
  return await serve(world, await platedImage(device, world.clock), host, device.port);
}

/** Counts connections and what is asked of each unit. */
function watched(image: ModbusImage): ModbusImage & { readonly units: Set<number>; reads: number } {
  const units = new Set<number>();
  const self = {
    ...image,
    units,
    reads: 0,
    readHolding: (unit: number, address: number, count: number) => {
      units.add(unit);
      self.reads += 1;
      return image.readHolding(unit, address, count);
    },
  };
  return self;
}

describe("each device that has a plate", () => {
  test.each(PLATED)("$profile is known among all others, and can be run as found", async (device) => {
    const world = new World({ seed: 1 });
    const server = await place(world, device, "192.168.1.20");
    const vendorId = device.isShy === true ? device.profile : null;
    const [seen, ...more] = await look(world, scopeOf(["192.168.1.20"], { vendorId }));
    expect(more).toEqual([]);
    const serial = device.serial === null ? {} : { serial: device.serial };
    expect(seen).toMatchObject({ profile: device.profile, address: "192.168.1.20", source: "modbus", ...serial });
    expect(seen?.options).toMatchObject({ host: "192.168.1.20", port: device.port, unit: device.unit });
    expect(modbusAdapter.options.safeParse(seen?.options).success).toBe(true);
    expect(seen?.confidence).toBeGreaterThan(0.3);
    await world.clock.advance(10);
    expect(server.connections).toBe(0);
  });
});

describe("politeness", () => {
  const closedImage: ModbusImage = {
    readHolding: () => ({ kind: "silence" }),
    readInput: () => ({ kind: "silence" }),
    writeHolding: () => {
      throw new Error("a search wrote to a device");
    },
  };

  test("only the agreed units are asked, over one connection", async () => {
    const world = new World({ seed: 1 });
    const image = watched(closedImage);
    await serve(world, image, "192.168.1.20", 502, { maxClients: 1 });
    expect(await look(world, scopeOf(["192.168.1.20"]))).toEqual([]);
    expect([...image.units].toSorted((one, other) => one - other)).toEqual([1, 2, 3, 71, 100, 126, 247, 255]);
    expect(image.reads).toBe(8);
  });

  test("the first unit that answers is the last one asked", async () => {
    const world = new World({ seed: 1 });
    const image = watched({ ...closedImage, readHolding: () => ({ kind: "exception", code: 2 }) });
    await serve(world, image, "192.168.1.20");
    const [seen] = await look(world, scopeOf(["192.168.1.20"]));
    expect([...image.units]).toEqual([1]);
    expect(seen).toMatchObject({ options: null, profile: null, confidence: 0.1 });
  });

  test("a gateway that speaks for a unit that is not there is asked for the next one", async () => {
    const world = new World({ seed: 1 });
    const image = watched({
      ...closedImage,
      readHolding: (unit) => ({ kind: "exception", code: unit === 3 ? 2 : 11 }),
    });
    await serve(world, image, "192.168.1.20");
    const [seen] = await look(world, scopeOf(["192.168.1.20"]));
    expect(seen?.key).toBe("192.168.1.20:502/3");
  });

  test("a passive search asks nobody", async () => {
    const world = new World({ seed: 1 });
    const image = watched(closedImage);
    await serve(world, image, "192.168.1.20");
    expect(await look(world, scopeOf(["192.168.1.20"], { isActive: false }))).toEqual([]);
    expect(image.reads).toBe(0);
  });

  test("a network of 250 addresses is looked through in a minute and a half, at most 16 at a time", async () => {
    const world = new World({ seed: 1 });
    const [first] = PLATED;
    if (first !== undefined) await place(world, first, "192.168.1.200");
    const begun = world.clock.monotonicMs();
    const hosts = Array.from({ length: 250 }, (_unused, index) => `192.168.1.${index + 1}`);
    for (const host of hosts)
      if (host !== "192.168.1.200") world.net.faults.begin({ kind: "unreachable", host, share: 1 });
    const seen = await look(world, scopeOf(hosts));
    expect(seen.map(({ address }) => address)).toEqual(["192.168.1.200"]);
    expect(world.clock.monotonicMs() - begun).toBeLessThan(90_000);
  });
});

describe("hosts that are no devices", () => {
  test.each([
    [
      "random bytes",
      (turn: number) => Uint8Array.from({ length: 400 }, (_unused, index) => (index * 37 + turn) & 0xff),
    ],
    ["an endless stream of frames for others", () => Buffer.from("000900000003010302".repeat(40), "hex")],
    ["HTTP", () => Buffer.from("HTTP/1.1 400 Bad Request\r\n\r\n")],
    ["zeros", () => new Uint8Array(2_000)],
  ])("%s", async (_what, bytes) => {
    const world = new World({ seed: 1 });
    let turn = 0;
    await world.net.host().listen({ host: "192.168.1.66", port: 502 }, (stream) => ({
      data: () => stream.write(bytes(turn++)),
      closed: () => undefined,
    }));
    expect(await look(world, scopeOf(["192.168.1.66"]))).toEqual([]);
  });

  test("one that answers every register with zeros is a stranger", async () => {
    const world = new World({ seed: 1 });
    const zeros = (_unit: number, _address: number, count: number) =>
      ({ kind: "values", values: Array(count).fill(0) }) as const;
    await serve(world, { readHolding: zeros, readInput: zeros, writeHolding: zeros as never }, "192.168.1.66");
    const seen = await look(world, scopeOf(["192.168.1.66"]));
    expect(seen.map(({ profile }) => profile)).toEqual([null]);
  });
});

test("a lost device is found by its serial number and its own unit", async () => {
  const world = new World({ seed: 1 });
  const sungrow = PLATED.find(({ profile }) => profile === "sungrow-sh");
  if (sungrow === undefined) throw new Error("no such device");
  await place(world, { ...sungrow, unit: 9 }, "192.168.1.40");
  const missing = [{ options: { profile: "sungrow-sh", host: "192.168.1.20", unit: 9 }, serial: "A2350415770" }];
  const seen = await look(world, scopeOf(["192.168.1.39", "192.168.1.40"], { missing }));
  expect(seen).toMatchObject([{ serial: "A2350415770", place: { host: "192.168.1.40", port: 502 } }]);
  const other = [{ options: { profile: "sungrow-sh", host: "192.168.1.20", unit: 9 }, serial: "A0000000000" }];
  expect(await look(world, scopeOf(["192.168.1.40"], { missing: other }))).toEqual([]);
});
