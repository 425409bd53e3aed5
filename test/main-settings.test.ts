import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Config } from "../src/config/config.ts";
import { loadConfig } from "../src/config/load-config.ts";
import { MqttConfig } from "../src/config/mqtt-config.ts";
import { RemoteLayer } from "../src/config/remote-layer.ts";
import type { HouseLayer } from "../src/engine/configuration/house-configuration.ts";
import type { Gateway } from "../src/gateway.ts";
import { runBox } from "../src/main.ts";
import { type ConfigurationLayer, fixedLayer } from "../src/sync/cloud/remote-configuration.ts";
import { MemoryDisk } from "../src/testing/memory-disk.ts";
import { World } from "../src/testing/world.ts";
import { getToken } from "./api/support/api-house.ts";

const FILE = "http: { host: 127.0.0.1, port: 0 }\n";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "hg-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** With prices in NOK the gateway's parts cannot be made: there is a broker whose port is taken. */
function withBroken(layer: RemoteLayer): HouseLayer<ConfigurationLayer<Config>> {
  return {
    isInFile: (section) => layer.isInFile(section),
    variables: layer.variables,
    inHouse(sections) {
      const result = layer.inHouse(sections);
      if (!result.ok || result.layer.own.pricing.currency !== "NOK") return result;
      return { ok: true, layer: fixedLayer({ ...result.layer.own, mqtt: MqttConfig.parse({}) }) };
    },
  };
}

/** A box as `hemgate start` runs it, in a world that is simulated. */
class Box {
  readonly world = new World({ seed: 3, quality: "synced" });
  readonly served: Gateway[] = [];
  readonly #stop = new AbortController();
  readonly #end;

  constructor() {
    const { platform: whole } = this.world.boot("gateway", new MemoryDisk());
    const platform = { ...whole, openBroker: () => Promise.reject(new Error("the port is taken")) };
    const input = { text: FILE, environment: {}, adapters: [] };
    const loaded = loadConfig(input);
    if (!loaded.ok) throw new Error("the file is wrong");
    const layer = new RemoteLayer(input, loaded.config);
    const own = {
      config: loaded.config,
      adapters: [],
      secretKeys: [],
      version: "1.2.3",
      layer,
      house: withBroken(layer),
    };
    this.#end = runBox(
      {
        ...own,
        platform,
        socketPath: join(folder, "control.sock"),
        manager: { watchdogMs: null, notify: async () => undefined },
        whileRunning: async (gateway) => void this.served.push(gateway),
      },
      this.#stop.signal,
    );
  }

  get gateway(): Gateway {
    const gateway = this.served.at(-1);
    if (gateway === undefined) throw new Error("nothing serves");
    return gateway;
  }

  async until(condition: () => boolean): Promise<void> {
    for (let steps = 0; !condition(); steps += 1) {
      if (steps > 20_000) throw new Error("it never came to be");
      await this.world.clock.advance(250);
    }
  }

  async set(payload: object, section = "pricing") {
    const { api, createClient } = this.gateway;
    const { clock } = this.world;
    const client = await clock.resolve(createClient("test", undefined, ["people:manage"]), 10_000);
    const authorization = `Bearer ${await clock.resolve(getToken(api, client), 10_000)}`;
    const asked = {
      method: "PUT",
      url: `/local/configuration/${section}`,
      headers: { authorization },
      payload,
    } as const;
    return await clock.resolve(
      api.inject(asked).then((answer) => answer),
      10_000,
    );
  }

  async stop(): Promise<void> {
    this.#stop.abort();
    let isOver = false;
    void this.#end.then(() => {
      isOver = true;
    });
    await this.until(() => isOver);
  }
}

test("prices that are set over the API are answered first, and in use after the restart that follows", async () => {
  const box = new Box();
  await box.until(() => box.served.length === 1);
  expect((await box.set({ currency: "SEK", feedIn: { perKwh: "0.7" } })).statusCode).toBe(202);
  await box.until(() => box.served.length === 2);
  expect(box.gateway.config.pricing).toMatchObject({ currency: "SEK", feedIn: { perKwh: "0.7" } });
  const refused = await box.set({ currency: "SEK", market: { source: "nowhere", zone: "X" } });
  expect([refused.statusCode, refused.json().issues[0].path]).toEqual([400, ["pricing", "market", "source"]]);
  expect(box.served).toHaveLength(2);
  await box.stop();
});

test("a broker that is set over the API is in use after the restart, and its secrets stay where they are not sent", async () => {
  const box = new Box();
  await box.until(() => box.served.length === 1);
  const broker = { url: "mqtt://192.168.1.9", username: "hemgate", password: "of the broker" };
  const users = [{ username: "plug", password: "of the plug" }];
  expect((await box.set({ broker, users }, "mqtt")).statusCode).toBe(202);
  await box.until(() => box.served.length === 2);
  expect(box.gateway.config.mqtt).toMatchObject({ broker, users });
  const hidden = {
    broker: { ...broker, password: "[redacted]" },
    users: [{ username: "plug", password: "[redacted]" }],
  };
  expect((await box.set({ ...hidden, homeAssistant: { isEnabled: false } }, "mqtt")).statusCode).toBe(202);
  await box.until(() => box.served.length === 3);
  expect(box.gateway.config.mqtt).toMatchObject({ broker, users, homeAssistant: { isEnabled: false } });
  const renamed = await box.set({ ...hidden, users: [{ username: "lamp", password: "[redacted]" }] }, "mqtt");
  expect([renamed.statusCode, renamed.json().issues[0].path]).toEqual([400, ["mqtt", "users", "0", "password"]]);
  const file = await box.set({ tls: { certFile: "/a", keyFile: "/b" } }, "mqtt");
  expect(file.statusCode).toBe(400);
  await box.stop();
});

test("a schedule of backups that is set over the API is in use after the restart, and its passphrase is never shown", async () => {
  const box = new Box();
  await box.until(() => box.served.length === 1);
  const passphrase = "canary of the passphrase";
  const unsafe = await box.set({ schedule: "40 2 * * *" }, "backup");
  expect([unsafe.statusCode, unsafe.json().issues[0].path]).toEqual([400, ["backup", "passphrase"]]);
  const wrong = await box.set({ schedule: "61 2 * * *", passphrase }, "backup");
  expect([wrong.statusCode, wrong.json().issues[0].path]).toEqual([400, ["backup", "schedule"]]);
  const short = await box.set({ schedule: "40 2 * * *", passphrase: "canary" }, "backup");
  expect([short.statusCode, short.json().issues[0].path]).toEqual([400, ["backup", "passphrase"]]);
  expect([unsafe, wrong, short].map(({ body }) => body).join()).not.toContain("canary");
  expect((await box.set({ schedule: "40 2 * * *", passphrase, keep: 3 }, "backup")).statusCode).toBe(202);
  await box.until(() => box.served.length === 2);
  expect(box.gateway.config.backup).toEqual({ schedule: "40 2 * * *", passphrase, keep: 3 });
  const kept = await box.set({ schedule: "0 3 * * 0", passphrase: "[redacted]", folder: "/mnt/disk" }, "backup");
  expect(kept.statusCode).toBe(202);
  await box.until(() => box.served.length === 3);
  expect(box.gateway.config.backup).toEqual({ schedule: "0 3 * * 0", passphrase, folder: "/mnt/disk", keep: 7 });
  await box.stop();
});

test("web origins that are set over the API are in use after the restart, and nothing else of their section is", async () => {
  const box = new Box();
  await box.until(() => box.served.length === 1);
  const origin = "https://app.example.com";
  const path = await box.set({ corsOrigins: [`${origin}/page`] }, "http");
  expect([path.statusCode, path.json().issues[0].path]).toEqual([400, ["corsOrigins", 0]]);
  expect((await box.set({ corsOrigins: [], port: 80 }, "http")).statusCode).toBe(400);
  expect((await box.set({ corsOrigins: [origin] }, "http")).statusCode).toBe(202);
  await box.until(() => box.served.length === 2);
  expect(box.gateway.config.http).toMatchObject({ host: "127.0.0.1", port: 0, corsOrigins: [origin] });
  const answerTo = async (page: string) =>
    (await box.gateway.api.inject({ url: "/health", headers: { origin: page } })).headers[
      "access-control-allow-origin"
    ];
  expect([await answerTo(origin), await answerTo("https://other.example.com")]).toEqual([origin, undefined]);
  await box.stop();
});

test("settings with which the gateway does not start are taken back by that very start", async () => {
  const box = new Box();
  await box.until(() => box.served.length === 1);
  expect((await box.set({ currency: "NOK" })).statusCode).toBe(202);
  await box.until(() => box.served.length === 2);
  expect([box.gateway.config.pricing.currency, box.gateway.config.mqtt]).toEqual(["EUR", undefined]);
  await box.stop();
});
