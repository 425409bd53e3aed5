import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Config } from "../src/config/config.ts";
import { loadConfig } from "../src/config/load-config.ts";
import { MqttConfig } from "../src/config/mqtt-config.ts";
import { RemoteLayer } from "../src/config/remote-layer.ts";
import type { Gateway } from "../src/gateway.ts";
import { type BoxEnd, runBox } from "../src/main.ts";
import { zstd } from "../src/platform/node/zstd.ts";
import type { ConfigurationLayer } from "../src/sync/cloud/remote-configuration.ts";
import { fromFrame } from "../src/sync/protocol/frame.ts";
import { parseToCloud, type ToGateway } from "../src/sync/protocol/messages.ts";
import { FakeDevice, fakeAdapter } from "../src/testing/fake-adapter.ts";
import { MemoryDisk } from "../src/testing/memory-disk.ts";
import { World } from "../src/testing/world.ts";
import { chargerOptions } from "./engine/home.ts";
import { CloudTwin } from "./twins/cloud/cloud-twin.ts";
import { EnrolmentTwin } from "./twins/cloud/enrolment-twin.ts";

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const FILE = `
site: { name: House }
http: { host: 127.0.0.1, port: 0 }
devices: [{ id: one, adapter: fake }]
remote: { sections: [site, devices] }
`;
const UP = "hemgate/gw-1/up/";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "hg-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** A house called Broken has an MQTT broker, whose port is taken. */
function withBroken(layer: RemoteLayer): ConfigurationLayer<Config> {
  return {
    own: layer.own,
    fileSays: (names) => layer.fileSays(names),
    with(sections) {
      const result = layer.with(sections);
      if (!result.ok || result.config.site.name !== "Broken") return result;
      return { ok: true, config: { ...result.config, mqtt: MqttConfig.parse({}) } };
    },
  };
}

/** A box as `hemgate start` runs it, but for a world that is simulated, and the cloud service that it is enrolled with. */
class EnrolledBox {
  readonly world = new World({ seed: 11, quality: "synced" });
  readonly twin = new CloudTwin();
  readonly told: string[] = [];
  /** The gateways that served, the last one now. */
  readonly served: Gateway[] = [];
  readonly #stop = new AbortController();
  readonly #broker = this.world.mqtt.broker("mqtts://mqtt.cloud.example");
  readonly #enrolment = new EnrolmentTwin({
    clock: this.world.clock,
    random: this.world.random.fork("twin"),
    url: "https://cloud.example/",
  });
  #heard = 0;
  #end: Promise<BoxEnd>;
  /** What the log of the process has. */
  readonly log;

  constructor() {
    const { clock, web } = this.world;
    web.serve("cloud.example", "93.184.216.34", (request) => this.#enrolment.answer(request));
    const { platform: whole, log } = this.world.boot("gateway", new MemoryDisk());
    const platform = { ...whole, openBroker: () => Promise.reject(new Error("the port is taken")) };
    this.log = log;
    const device = (): FakeDevice => new FakeDevice({ ...chargerOptions(), clock });
    const adapters = [fakeAdapter({ one: device(), two: device() })];
    const input = { text: FILE, environment: {}, adapters };
    const loaded = loadConfig(input);
    if (!loaded.ok) throw new Error("the file is wrong");
    const options = {
      ...{ platform, config: loaded.config, adapters, secretKeys: [], version: "1.2.3" },
      socketPath: join(folder, "control.sock"),
      manager: { watchdogMs: null, notify: async (...states: readonly string[]) => void this.told.push(...states) },
      layer: withBroken(new RemoteLayer(input, loaded.config)),
      whileRunning: async (gateway: Gateway) => void this.served.push(gateway),
    };
    this.#end = runBox(options, this.#stop.signal);
  }

  get gateway(): Gateway {
    const gateway = this.served.at(-1);
    if (gateway === undefined) throw new Error("nothing serves");
    return gateway;
  }

  async enroll(): Promise<void> {
    await this.until(() => this.served.length > 0);
    const token = this.#enrolment.issueToken();
    let isDone = false;
    const done = this.gateway.cloud.enroll(token, new AbortController().signal).then(() => {
      isDone = true;
    });
    await this.until(() => isDone);
    await done;
    await this.until(() => this.gateway.cloud.figures().isConnected);
  }

  /** Lets time pass, with the cloud service there or not, until the condition holds. */
  async until(condition: () => boolean, isThere = true): Promise<void> {
    for (let steps = 0; !condition(); steps += 1) {
      if (steps > 20_000) throw new Error("it never came to be");
      await this.world.clock.advance(250);
      const fresh = this.#broker.published.slice(this.#heard);
      this.#heard += fresh.length;
      for (const { topic, payload } of isThere ? fresh : []) await this.#hear(topic, payload);
    }
  }

  async configure(revision: number, configuration: Record<string, unknown>): Promise<void> {
    await this.#say({ v: 1, kind: "configuration", revision, settings: {}, configuration });
  }

  async outcomes(): Promise<readonly unknown[]> {
    const entries = await this.gateway.store.journalAfter(null, 10_000);
    return entries.filter(({ event }) => event === "system:cloud:configured").map(({ payload }) => payload);
  }

  async stop(): Promise<BoxEnd> {
    this.#stop.abort();
    let end: BoxEnd | null = null;
    void this.#end.then((how) => {
      end = how;
    });
    await this.until(() => end !== null);
    return await this.#end;
  }

  async #hear(topic: string, payload: Uint8Array): Promise<void> {
    if (!topic.startsWith(UP) || topic.endsWith("/presence")) return;
    const message = parseToCloud(await fromFrame(payload, zstd));
    const answer = message === null ? null : this.twin.hear("gw-1", message);
    if (answer !== null) await this.#say(answer);
  }

  async #say(message: ToGateway): Promise<void> {
    const payload = new TextEncoder().encode(JSON.stringify(message));
    await this.#broker.publish({ topic: `hemgate/gw-1/down/${message.kind}`, payload, isRetained: false });
  }
}

test("a configuration of the cloud service starts the gateway anew in its process, and is kept once it is back", async () => {
  const box = new EnrolledBox();
  await box.enroll();
  await box.configure(4, { site: { name: "Shop" }, devices: [{ id: "two", adapter: "fake" }] });
  await box.until(() => box.served.length === 2 && box.gateway.cloud.figures().isConnected);
  await box.until(() => box.log.texts("info").includes("the remote configuration is confirmed and stays in use"));
  expect(box.gateway.config).toMatchObject({ site: { name: "Shop" }, devices: [{ id: "two" }] });
  expect(box.gateway.engine.devices().map(({ id }) => id)).toEqual(["two"]);
  expect(await box.outcomes()).toMatchObject([{ revision: 4, outcome: "applied", inUse: 4 }]);
  expect(await box.gateway.cloud.view()).toMatchObject({
    configuration: { revision: 4, sections: ["site", "devices"], trialRevision: null, last: { outcome: "applied" } },
  });
  expect(box.served[0]!.api.server.listening).toBe(false);
  expect(box.told.filter((state) => /^(READY|STOPPING|STATUS=start)/.test(state))).toEqual([
    "READY=1",
    "STATUS=starting with another configuration",
    "READY=1",
  ]);
  expect(await box.stop()).toBe("stopped");
});

test("a configuration that keeps the gateway from its cloud service is taken back, and the gateway goes on as before", async () => {
  const box = new EnrolledBox();
  await box.enroll();
  await box.configure(1, { site: { name: "Shop" } });
  await box.until(() => box.served.length === 2, false);
  const sinceMs = box.world.clock.monotonicMs();
  await box.until(() => box.served.length === 3, false);
  expect(box.world.clock.monotonicMs() - sinceMs).toBeGreaterThan(4 * MINUTE);
  expect(box.gateway.config.site.name).toBe("House");
  await box.until(() => box.gateway.cloud.figures().isConnected);
  expect(await box.outcomes()).toMatchObject([{ revision: 1, outcome: "rolled-back", reason: "not-connected" }]);
  expect(await box.stop()).toBe("stopped");
});

test("a configuration that the gateway's parts cannot be made of is taken back by the very start that tries it", async () => {
  const box = new EnrolledBox();
  await box.enroll();
  await box.configure(1, { site: { name: "Broken" } });
  await box.until(() => box.served.length === 2 && box.gateway.cloud.figures().isConnected);
  expect(box.gateway.config.site.name).toBe("House");
  expect(await box.outcomes()).toMatchObject([
    { revision: 1, outcome: "rolled-back", reason: "broken-start", errors: [{ problem: "the port is taken" }] },
  ]);
  expect(await box.stop()).toBe("stopped");
});
