import type { SearchScope, Sighting } from "hemgate/sdk";
import { MemoryDisk, type ModbusImage, modbusLine, serveModbus, World } from "hemgate/testing";
import { describe, expect, test } from "vitest";
import { ModbusDiscovery } from "../../../../adapters/modbus/discovery/modbus-discovery.ts";
import { modbusAdapter } from "../../../../adapters/modbus/modbus-adapter.ts";
import { PLATED, platedImage } from "./plated-devices.ts";

const calm = new AbortController().signal;
const HOST = "192.168.1.20";
const SEARCH_MS = 200_000;

async function look(world: World, change: Partial<SearchScope> = {}): Promise<readonly Sighting[]> {
  const process = world.boot("gateway", new MemoryDisk());
  const seen: Sighting[] = [];
  const scope = { isActive: true, hosts: [HOST], services: () => [], missing: null, vendorId: null, ...change };
  const discovery = new ModbusDiscovery(process.platform);
  await world.clock.resolve(
    discovery.search(scope, (sighting) => seen.push(sighting), calm),
    SEARCH_MS,
  );
  expect(process.resources).toMatchObject({ streams: 0, timers: 0 });
  return seen;
}

async function imageOf(world: World, profile: string): Promise<ModbusImage> {
  const device = PLATED.find((each) => each.profile === profile);
  if (device === undefined) throw new Error(`no device ${profile}`);
  return await platedImage(device, world.clock);
}

/** A box that passes the frames of a serial line on, and counts who connects. */
async function serveBox(world: World, image: ModbusImage, port: number): Promise<{ connections: number }> {
  const line = modbusLine(world.clock, image, { framing: "rtu" });
  const box = { connections: 0 };
  await world.net.host().listen({ host: HOST, port }, (stream) => {
    box.connections += 1;
    return line(stream);
  });
  return box;
}

async function serveDatagrams(world: World, image: ModbusImage, host = HOST): Promise<string[]> {
  const asked: string[] = [];
  const line = modbusLine(world.clock, image, { framing: "rtu", prefix: [0xaa, 0x55] });
  const socket = await world.udp.host(host).open(
    { port: 8_899 },
    {
      datagram: (bytes, from) => {
        asked.push(Buffer.from(bytes).toString("hex"));
        line({ write: (answer) => socket.send(answer, from) }).data(bytes);
      },
      closed: () => undefined,
    },
  );
  return asked;
}

describe("frames of a serial line inside a connection", () => {
  test.each([502, 8_899, 4_196])("are found at port %i, with one connection there", async (port) => {
    const world = new World({ seed: 1 });
    const box = await serveBox(world, await imageOf(world, "eastron-sdm630"), port);
    const [seen, ...more] = await look(world);
    expect(more).toEqual([]);
    expect(seen).toMatchObject({
      profile: "eastron-sdm630",
      serial: "22110456",
      options: { host: HOST, port, unit: 1, framing: "rtu" },
    });
    expect(modbusAdapter.options.safeParse(seen?.options).success).toBe(true);
    expect(box.connections).toBe(1);
  });

  test("are not tried where somebody speaks Modbus TCP, be it to say that nobody is there", async () => {
    const world = new World({ seed: 1 });
    const units: number[] = [];
    const nobody = (unit: number) => {
      units.push(unit);
      return { kind: "exception", code: 11 } as const;
    };
    const image = { readHolding: nobody, readInput: nobody, writeHolding: nobody } as unknown as ModbusImage;
    await serveModbus({ clock: world.clock, net: world.net.host() }, image, { host: HOST, port: 502 });
    expect(await look(world)).toEqual([]);
    expect(units.toSorted((one, other) => one - other)).toEqual([1, 2, 3, 71, 100, 126, 247, 255]);
  });

  test("bring a device back that was lost, wherever its box is now", async () => {
    const world = new World({ seed: 1 });
    await serveBox(world, await imageOf(world, "eastron-sdm630"), 4_196);
    const options = { profile: "eastron-sdm630", host: "192.168.1.9", port: 4_196, framing: "rtu" };
    const seen = await look(world, { missing: [{ options, serial: "22110456" }] });
    expect(seen).toMatchObject([{ serial: "22110456", place: { host: HOST, port: 4_196 } }]);
    expect(
      await look(world, { missing: [{ options: { ...options, framing: "auto" }, serial: "22110456" }] }),
    ).toHaveLength(1);
    expect(await look(world, { missing: [{ options, serial: "1" }] })).toEqual([]);
  });
});

describe("datagrams", () => {
  test("find an inverter behind its maker's Wi-Fi module", async () => {
    const world = new World({ seed: 1 });
    await serveDatagrams(world, await imageOf(world, "goodwe-et"));
    const [seen] = await look(world);
    expect(seen).toMatchObject({
      profile: "goodwe-et",
      serial: "9010KETU22AW1234",
      options: { host: HOST, port: 8_899, unit: 247, framing: "udp" },
    });
    expect(modbusAdapter.options.safeParse(seen?.options).success).toBe(true);
  });

  test("are one to a host that does not answer, and none to one that was found otherwise", async () => {
    const world = new World({ seed: 1 });
    const silent = await serveDatagrams(world, {
      ...(await imageOf(world, "goodwe-et")),
      readHolding: () => ({ kind: "silence" }),
    });
    expect(await look(world)).toEqual([]);
    expect(silent).toHaveLength(1);
    await serveModbus({ clock: world.clock, net: world.net.host() }, await imageOf(world, "eastron-sdm120"), {
      host: HOST,
      port: 502,
    });
    expect(await look(world)).toMatchObject([{ profile: "eastron-sdm120" }]);
    expect(silent).toHaveLength(1);
  });

  test("follow an inverter that was lost", async () => {
    const world = new World({ seed: 1 });
    await serveDatagrams(world, await imageOf(world, "goodwe-et"));
    const options = { profile: "goodwe-et", host: "192.168.1.9", port: 8_899, framing: "udp" };
    const seen = await look(world, { missing: [{ options, serial: "9010KETU22AW1234" }] });
    expect(seen).toMatchObject([{ place: { host: HOST, port: 8_899 } }]);
  });
});

test("an inverter without a grid is asked for no register that makes it start anew", async () => {
  const world = new World({ seed: 1 });
  const asked: number[] = [];
  const readHolding = (_unit: number, address: number, count: number) => {
    asked.push(address);
    return address === 43 && count === 1
      ? ({ kind: "values", values: [3_400] } as const)
      : ({ kind: "exception", code: 2 } as const);
  };
  const image = { readHolding, readInput: readHolding, writeHolding: readHolding } as unknown as ModbusImage;
  await serveModbus({ clock: world.clock, net: world.net.host() }, image, { host: HOST, port: 502 });
  expect(await look(world)).toMatchObject([{ profile: null, confidence: 0.1 }]);
  expect(asked).toEqual([40_000, 43]);
});

describe("a brand that somebody looks for", () => {
  test("leads to the device of the brand, whichever model was picked", async () => {
    const world = new World({ seed: 1 });
    await serveModbus({ clock: world.clock, net: world.net.host() }, await imageOf(world, "sungrow-sh"), {
      host: HOST,
      port: 502,
    });
    expect(await look(world, { vendorId: "sungrow-sg" })).toMatchObject([{ link: { vendorId: "sungrow-sh" } }]);
    expect(await look(world, { vendorId: "goodwe-et" })).toEqual([]);
  });
});
