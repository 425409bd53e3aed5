import type { InjectOptions } from "fastify";
import { describe, expect, test } from "vitest";
import { configSchema } from "../../src/config/config.ts";
import { createGateway, type Gateway } from "../../src/gateway.ts";
import { SigningKey } from "../../src/platform/signing-key.ts";
import type { CloudIdentityRecord } from "../../src/store/records/cloud/cloud.ts";
import type { OpenedStore } from "../../src/store/store.ts";
import { FakeDevice, fakeAdapter } from "../../src/testing/fake-adapter.ts";
import { MemoryDisk } from "../../src/testing/memory-disk.ts";
import { SeededRandom } from "../../src/testing/seeded-random.ts";
import { World } from "../../src/testing/world.ts";
import { chargerOptions } from "../engine/home.ts";

const LIMIT_MS = 60_000;

interface Client {
  readonly id: string;
  readonly secret: string;
}

function makeHouse() {
  const world = new World({ seed: 11 });
  const disk = new MemoryDisk();
  const charger = new FakeDevice({ ...chargerOptions(), clock: world.clock });
  const adapters = [fakeAdapter({ charger })];
  const config = configSchema(adapters).parse({ devices: [{ id: "charger", adapter: "fake" }] });
  const start = async (): Promise<Gateway> => {
    const process = world.boot("gateway", disk);
    const opening = createGateway({ platform: process.platform, config, adapters, listen: false });
    const gateway = await world.clock.resolve(opening, LIMIT_MS);
    await world.clock.advance(3_000);
    return gateway;
  };
  const close = (gateway: Gateway) => world.clock.resolve(Promise.resolve(gateway[Symbol.asyncDispose]()), LIMIT_MS);
  const call = (gateway: Gateway, request: InjectOptions) =>
    world.clock.resolve(Promise.resolve(gateway.api.inject(request)), LIMIT_MS);
  const ask = async (gateway: Gateway, { id, secret }: Client, method: "GET" | "POST", url: string) => {
    const token = await call(gateway, {
      method: "POST",
      url: "/oauth2/token",
      headers: {
        authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString("base64")}`,
        "content-type": "application/x-www-form-urlencoded",
      },
      payload: "grant_type=client_credentials",
    });
    return await call(gateway, {
      method,
      url,
      headers: { authorization: `Bearer ${token.json().access_token}` },
    });
  };
  const makeClient = (gateway: Gateway) => world.clock.resolve(gateway.createClient("app"), LIMIT_MS);
  const wait = <T>(work: Promise<T>) => world.clock.resolve(work, LIMIT_MS);
  return { disk, start, close, call, ask, makeClient, wait };
}

const KEY = SigningKey.make(new SeededRandom(1));
const IDENTITY: CloudIdentityRecord = {
  ...{ gateway: "gw-1", service: "https://cloud.example/", fingerprint: KEY.fingerprint },
  privateKeyPem: KEY.privateKeyPem,
  uplinks: [{ kind: "https", urls: ["https://cloud.example/"], topicPrefix: null }],
  credentials: { kind: "password", username: "gw-1", password: "a-password" },
  verificationKeyPem: "",
  ...{ givenAtMs: 0, expiresAtMs: null },
};

describe("a gateway whose critical database does not open", () => {
  test("knows its clients and the ids of its assets, and tells of the loss over restarts until it is dismissed", async () => {
    const house = makeHouse();
    const first = await house.start();
    const client = await house.makeClient(first);
    const [asset] = first.engine.assets.list("charger");
    await house.close(first);
    house.disk.damage("critical");

    const second = await house.start();
    expect(second.engine.assets.list("charger")[0]?.asset.id).toBe(asset?.asset.id);
    const [finding, ...others] = (await house.ask(second, client, "GET", "/local/checks")).json();
    expect(others).toMatchObject([{ check: "site" }]);
    expect(finding).toMatchObject({ check: "storage", deviceId: null, assetType: null, fix: null, state: "OPEN" });
    expect(finding.measured).toMatch(/moved to memory:critical\.damaged-1.* records restored from the second copy/);
    const ready = await house.call(second, { url: "/health/ready" });
    expect([ready.statusCode, ready.json().detail]).toEqual([503, expect.stringContaining("/local/checks")]);
    const journal = await second.store.journalAfter(null, 10);
    expect(journal.map(({ event }) => event)).toContain("system:store:recovered");
    await house.close(second);

    const third = await house.start();
    expect((await house.call(third, { url: "/health/ready" })).statusCode).toBe(503);
    const url = `/local/checks/${finding.id}`;
    expect((await house.ask(third, client, "POST", `${url}/confirm`)).statusCode).toBe(409);
    const dismissed = await house.ask(third, client, "POST", `${url}/dismiss`);
    expect([dismissed.statusCode, dismissed.json().state]).toEqual([200, "DISMISSED"]);
    expect((await house.call(third, { url: "/health/ready" })).statusCode).toBe(204);
    await house.close(third);
  });

  test("is the same to its cloud service, which hears of the loss", async () => {
    const house = makeHouse();
    const first = await house.start();
    await house.wait(first.store.commit([{ table: "cloud-identity", key: "current", put: IDENTITY }], []));
    await house.close(first);
    house.disk.damage("critical");
    const second = await house.start();
    expect(second.store.get("cloud-identity", "current")).toEqual(IDENTITY);
    const { outbox } = second.store as OpenedStore;
    const waiting = await house.wait(outbox.read("event", 0, { records: 100, bytes: 1_000_000 }));
    expect(JSON.stringify(waiting?.records)).toMatch(/system:store:recovered.*records restored from the second copy/);
    await house.close(second);
  });
});
