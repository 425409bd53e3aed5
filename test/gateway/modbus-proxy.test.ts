import { MemoryDisk, serveModbus, World } from "hemgate/testing";
import { expect, test } from "vitest";
import { modbusAdapter } from "../../adapters/modbus/modbus-adapter.ts";
import { configSchema } from "../../src/config/config.ts";
import { createGateway, type Gateway } from "../../src/gateway.ts";
import { connectProgram, reading } from "../engine/modbus-proxy/proxy-client.ts";
import { createTwin } from "../twins/registers/create-twin.ts";

const SECOND = 1_000;
const LIMIT_MS = 60 * SECOND;
const METER = { host: "192.168.1.21", port: 502 };
const PROXY = { host: "0.0.0.0", port: 1502 };
const EVCC = "192.168.1.30";
const OPTIONS = { ...METER, unit: 1, profile: "eastron-sdm630" };

async function makeHouse(section: object | undefined, more: { readonly devices?: readonly object[] } = {}) {
  const world = new World({ seed: 3 });
  const twin = await createTwin("eastron-sdm630", { clock: world.clock });
  await serveModbus({ clock: world.clock, net: world.net.host() }, twin, METER, { maxClients: 1 });
  const { devices = [{ id: "meter", adapter: "modbus", ...OPTIONS }] } = more;
  const config = configSchema([modbusAdapter]).parse({
    devices,
    ...(section !== undefined && { modbusProxy: section }),
  });
  const process = world.boot("gateway", new MemoryDisk());
  const opening = (): Promise<Gateway> =>
    createGateway({ platform: process.platform, config, adapters: [modbusAdapter], listen: false });
  return { world, process, opening };
}

/** Asks the API as a client that may see everything. */
async function ask(world: World, gateway: Gateway, url: string) {
  const client = gateway.createClient("test", undefined, ["people:manage"]);
  const { id, secret } = await world.clock.resolve(client, LIMIT_MS);
  const request = async () => {
    const signedIn = await gateway.api.inject({
      method: "POST",
      url: "/oauth2/token",
      headers: {
        authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString("base64")}`,
        "content-type": "application/x-www-form-urlencoded",
      },
      payload: "grant_type=client_credentials",
    });
    return await gateway.api.inject({ url, headers: { authorization: `Bearer ${signedIn.json().access_token}` } });
  };
  return await world.clock.resolve(request(), LIMIT_MS);
}

test("a program reads a meter that serves one client, and the owner sees it, until the gateway stops", async () => {
  const section = { devices: [{ device: "meter", unit: 7 }], clients: [{ address: EVCC, name: "evcc" }] };
  const { world, process, opening } = await makeHouse(section);
  const gateway = await world.clock.resolve(opening(), LIMIT_MS);
  const program = await connectProgram(world.net.host(EVCC), world.clock, PROXY);
  // The device is not connected yet.
  expect(await program.ask(7, reading(4, 52, 2))).toEqual([0x84, 11]);
  await world.clock.advance(20 * SECOND);
  const power = await program.ask(7, reading(4, 52, 2));
  expect(power?.slice(0, 2)).toEqual([4, 4]);
  const watts = Buffer.from(power!.slice(2)).readFloatBE();
  const point = gateway.engine.devices()[0]?.points.find((each) => each.point === "meter.power");
  expect(watts).toBeCloseTo(Number(point?.value), 3);
  await world.clock.advance(SECOND);
  expect((await program.ask(7, reading(4, 52, 2)))?.[1]).toBe(4);
  expect(await program.ask(7, [6, 0, 1, 0, 1])).toEqual([0x86, 1]);

  const state = await ask(world, gateway, "/local/modbus-proxy");
  expect(state.json()).toMatchObject({
    listening: [{ host: "0.0.0.0", port: 1502 }],
    maxAgeMs: 2_000,
    devices: [{ deviceId: "meter", name: null, unit: 7, isReachable: true }],
    clients: [{ address: EVCC, name: "evcc", connections: 1, mayWrite: [], counts: { refused: 1, failed: 1 } }],
    counts: { written: 0, refused: 1, failed: 1 },
    refusedConnections: 0,
  });
  const { body } = await ask(world, gateway, "/metrics");
  expect(body).toContain("hemgate_modbus_proxy_connections 1\n");
  expect(body).toContain('hemgate_modbus_proxy_requests_total{outcome="refused"} 1\n');
  const audit = await ask(world, gateway, "/local/audit");
  expect(audit.json().data).toContainEqual(
    expect.objectContaining({ who: { kind: "program", id: EVCC, name: "evcc" }, outcome: "refused" }),
  );

  const startMs = world.clock.monotonicMs();
  await world.clock.resolve(Promise.resolve(gateway[Symbol.asyncDispose]()), LIMIT_MS);
  expect(world.clock.monotonicMs() - startMs).toBeLessThan(4_900);
  await world.clock.advance(SECOND);
  expect(program.isClosed).toBe(true);
  expect(world.net.listening(PROXY)).toBeUndefined();
  expect(process.platform.net).toMatchObject({ openStreams: 0 });
});

test("a device that is added on the page is reached under its unit while it is there", async () => {
  const id = "7c5ab9a1-0d7e-4f4e-9a4c-c0ffee000001";
  const { world, opening } = await makeHouse({ devices: [{ device: id, unit: 7 }] }, { devices: [] });
  const gateway = await world.clock.resolve(opening(), LIMIT_MS);
  const { fleet } = gateway.engine.services;
  const program = await connectProgram(world.net.host(EVCC), world.clock, PROXY);
  const devices = async () => (await ask(world, gateway, "/local/modbus-proxy")).json().devices;
  expect(await program.ask(7, reading(4, 52, 2))).toEqual([0x84, 10]);
  expect(await devices()).toEqual([{ deviceId: id, name: null, unit: 7, isReachable: false }]);

  const record = { id, adapter: "modbus", options: OPTIONS, source: "linked", userId: "home", name: "Cellar" } as const;
  const adding = fleet.add({ ...record, scopes: null, createdAtMs: world.clock.nowMs() });
  await world.clock.resolve(adding, LIMIT_MS);
  await world.clock.advance(20 * SECOND);
  expect((await program.ask(7, reading(4, 52, 2)))?.slice(0, 2)).toEqual([4, 4]);
  expect(await devices()).toEqual([{ deviceId: id, name: "Cellar", unit: 7, isReachable: true }]);

  await world.clock.resolve(fleet.remove([id]), LIMIT_MS);
  expect(await program.ask(7, reading(4, 52, 2))).toEqual([0x84, 10]);
  expect(await program.ask(7, [6, 0, 1, 0, 1])).toEqual([0x86, 1]);
  await world.clock.resolve(Promise.resolve(gateway[Symbol.asyncDispose]()), LIMIT_MS);
});

test("without the section nothing listens, and the API says so", async () => {
  const { world, opening } = await makeHouse(undefined);
  const gateway = await world.clock.resolve(opening(), LIMIT_MS);
  expect(world.net.listening(PROXY)).toBeUndefined();
  const state = await ask(world, gateway, "/local/modbus-proxy");
  expect(state.json()).toMatchObject({ listening: [], devices: [], clients: [] });
  expect((await ask(world, gateway, "/metrics")).body).not.toContain("modbus_proxy");
  await world.clock.resolve(Promise.resolve(gateway[Symbol.asyncDispose]()), LIMIT_MS);
});

test("a gateway whose proxy port is taken does not start, says which, and leaves nothing open", async () => {
  const { world, opening } = await makeHouse({ devices: [{ device: "meter", unit: 7 }] });
  await world.net.host().listen(PROXY, () => ({ data: () => undefined, closed: () => undefined }));
  const failed = opening().then(
    () => null,
    (error: unknown) => error,
  );
  expect(await world.clock.resolve(failed, LIMIT_MS)).toMatchObject({
    message: "cannot listen on 0.0.0.0:1502: the port is taken by another program",
  });
});
