import { MemoryDisk, TestLog, World } from "hemgate/testing";
import { expect, test } from "vitest";
import { announceApi } from "../../src/api/announcement.ts";
import { configSchema } from "../../src/config/config.ts";
import { openStore } from "../../src/store/open-store.ts";

const OFF = {
  state: () =>
    ({ source: "off", isListening: false, port: null, problem: null, certificate: null, authority: null }) as const,
};

async function announce(world: World, disk: MemoryDisk, config: object, log = new TestLog()) {
  const { platform } = world.boot("gateway", disk);
  const { clock } = world;
  const store = await clock.resolve(openStore(platform), 10_000);
  const parts = { ...platform, store, config: configSchema([]).parse(config), https: OFF, log };
  const announced = announceApi("http://192.168.1.2:8080", parts);
  await clock.advance(1_000);
  const shown = world.mdns.services;
  await clock.resolve(Promise.resolve(announced[Symbol.asyncDispose]()), 1_000);
  await clock.resolve(Promise.resolve(store[Symbol.asyncDispose]()), 1_000);
  return shown;
}

test("the API is announced with the gateway's id, which stays, and said goodbye to", async () => {
  const world = new World({ seed: 1 });
  const disk = new MemoryDisk();
  const config = { site: { name: "Haus am Südhang" } };
  const [service] = await announce(world, disk, config);
  expect(service).toMatchObject({
    type: "_hemgate._tcp",
    name: "hemgate Haus am Südhang",
    port: 8080,
    txt: { version: "2024-10-01", path: "/openapi.json" },
  });
  expect(world.mdns.services).toEqual([]);
  expect(await announce(world, disk, config)).toMatchObject([{ txt: { id: service?.txt["id"] } }]);
});

test("the log says where the house reaches the API, also while nothing is announced", async () => {
  const world = new World({ seed: 1 });
  world.net.interfaces = [{ address: "192.168.1.20", prefixLength: 24, mac: "00:00:5e:00:53:01" }];
  const log = new TestLog();
  await announce(world, new MemoryDisk(), { http: { isAnnounced: false } }, log);
  expect(log.lines.find(({ text }) => text === "API listens")?.fields).toMatchObject({
    lan: ["http://192.168.1.20:8080"],
  });
});

test("a name that is too long for mDNS is cut between characters", async () => {
  const [service] = await announce(new World({ seed: 1 }), new MemoryDisk(), { site: { name: "ö".repeat(100) } });
  expect(service?.name).toBe(`hemgate ${"ö".repeat(27)}`);
});

test.each([
  ["an API that only this machine reaches", { http: { host: "127.0.0.1" } }],
  ["a house that does not want it", { http: { isAnnounced: false } }],
])("%s is not announced", async (_what, config) => {
  expect(await announce(new World({ seed: 1 }), new MemoryDisk(), config)).toEqual([]);
});
