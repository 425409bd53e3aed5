/** Gateways that talk to a cloud service over real TLS, in virtual time. */
import { afterEach, expect, test } from "vitest";
import { configSchema } from "../../src/config/config.ts";
import type { CloudLinkView } from "../../src/domain/cloud/cloud-link-view.ts";
import { createGateway, type Gateway } from "../../src/gateway.ts";
import { nodeHttp } from "../../src/platform/node/http/node-http.ts";
import { nodeHttpStreams } from "../../src/platform/node/http/node-http-streams.ts";
import { nodeMqtt5 } from "../../src/platform/node/mqtt/node-mqtt5.ts";
import { zstd } from "../../src/platform/node/zstd.ts";
import type { Platform } from "../../src/platform/ports/ports.ts";
import { FakeDevice, fakeAdapter } from "../../src/testing/fake-adapter.ts";
import { MemoryDisk } from "../../src/testing/memory-disk.ts";
import { World } from "../../src/testing/world.ts";
import { chargerOptions } from "../engine/home.ts";
import { Authority } from "../platform/authority.ts";
import { EnrolmentTwin } from "../twins/cloud/enrolment-twin.ts";
import { RealCloud } from "./real-cloud.ts";

const NEVER = new AbortController().signal;
const SECOND = 1_000;
const PATIENCE = { timeout: 120_000 };
/** Longest that time stands still for what is under way on real sockets, ms. */
const STANDSTILL_MS = 200;

let open = new AsyncDisposableStack();
afterEach(async () => {
  await open.disposeAsync();
  open = new AsyncDisposableStack();
});

class House {
  readonly world = new World({ seed: 4, startMs: Date.now(), quality: "synced" });
  readonly cloud = open.use(new RealCloud());
  readonly charger = new FakeDevice({ ...chargerOptions(), clock: this.world.clock });
  readonly process = this.world.boot("gateway", new MemoryDisk());
  #gateway: Gateway | null = null;
  #underWay = 0;

  get gateway(): Gateway {
    return this.#gateway!;
  }

  /** Starts the gateway in the world, with real HTTPS and MQTT for what is on this machine. */
  async start(cloud?: object): Promise<void> {
    const { platform } = this.process;
    const real = nodeHttp();
    const http: Platform["http"] = {
      open: (policy) => {
        const [near, far] = [real.open(policy), platform.http.open(policy)];
        return {
          request: (request, signal) =>
            request.url.hostname === "localhost"
              ? this.#counted(near.request(request, signal))
              : far.request(request, signal),
          [Symbol.dispose]: () => {
            near[Symbol.dispose]();
            far[Symbol.dispose]();
          },
        };
      },
    };
    const streams = nodeHttpStreams();
    const mqtt = nodeMqtt5({ clock: platform.clock });
    const adapters = [fakeAdapter({ charger: this.charger })];
    const devices = [{ id: "charger", adapter: "fake" }];
    const config = configSchema(adapters).parse({ devices, ...(cloud && { cloud }) });
    const mixed = {
      ...platform,
      http,
      httpStreams: { open: (...asked) => this.#counted(streams.open(...asked)) } satisfies Platform["httpStreams"],
      mqtt5: { open: (...asked) => this.#counted(mqtt.open(...asked)) } satisfies Platform["mqtt5"],
    };
    this.#gateway = await this.drive(createGateway({ platform: mixed, config, adapters, zstd, listen: false }));
    open.defer(() => this.drive(Promise.resolve(this.gateway[Symbol.asyncDispose]())));
    await this.world.clock.advance(5 * SECOND);
  }

  /** Enrols it: the answer names the ways in this order, each checked by this authority. */
  async enroll(kinds: readonly ("https" | "mqtt")[], mqttCa = this.cloud.authority.pem): Promise<EnrolmentTwin> {
    const { random, web } = this.world;
    // Servers here look at certificates in real time.
    const clock = { nowMs: () => Date.now() };
    const twin = new EnrolmentTwin({
      clock,
      random: random.fork("twin"),
      url: "https://cloud.example/",
      certificateDays: 1 / 24,
    });
    web.serve("cloud.example", "93.184.216.34", (request) => twin.answer(request));
    const caPem = this.cloud.authority.pem;
    const { https, mqtt } = await this.cloud.listen(twin.authorityPem);
    const uplinks = {
      https: { kind: "https", url: `https://localhost:${https}/sync/`, caPem },
      mqtt: { kind: "mqtt", servers: [`mqtts://localhost:${mqtt}`], topicPrefix: "hemgate", caPem: mqttCa },
    };
    twin.mangle = (answer) => ({ ...answer, uplinks: kinds.map((kind) => uplinks[kind]) });
    await this.drive(this.gateway.cloud.enroll(twin.issueToken(), NEVER));
    return twin;
  }

  async drive<T>(work: Promise<T>): Promise<T> {
    let isDone = false;
    void work
      .finally(() => {
        isDone = true;
      })
      .catch(() => undefined);
    await this.until(async () => isDone);
    return await work;
  }

  /**
   * Lets time pass until it holds. What is real needs a moment of its own for each step, and time stands still while a
   * connection or a request is under way: a busy machine would let minutes pass between two packets.
   */
  async until(holds: () => Promise<boolean>, stepMs = 20): Promise<void> {
    while (!(await holds())) {
      await this.world.clock.advance(stepMs);
      const beganMs = Date.now();
      do await new Promise((resolve) => setTimeout(resolve, 2));
      while (this.#underWay > 0 && Date.now() - beganMs < STANDSTILL_MS);
    }
  }

  #counted<T>(work: Promise<T>): Promise<T> {
    this.#underWay++;
    return work.finally(() => this.#underWay--);
  }

  view(): Promise<CloudLinkView> {
    return this.drive(this.gateway.cloud.view());
  }

  /** Connected by this way, and all told. */
  async connected(by: string, stepMs?: number): Promise<CloudLinkView> {
    const isThere = async (): Promise<boolean> => {
      const { state, uplink, streams } = await this.view();
      const waiting = streams.filter(({ stream }) => stream === "event").reduce((sum, each) => sum + each.waiting, 0);
      return state === "CONNECTED" && uplink === by && waiting === 0;
    };
    await this.until(isThere, stepMs);
    return await this.view();
  }
}

test("an enrolled gateway tells a service by HTTPS alone, and runs its command once", PATIENCE, async () => {
  const house = new House();
  await house.start();
  await house.enroll(["https"]);
  const view = await house.connected("https");
  expect(view.ways).toMatchObject([{ uplink: "https", isInUse: true, failure: null }]);
  const memory = house.cloud.twin.memory("gw-1");
  await house.until(async () => memory.states.size > 0);
  const [id] = house.gateway.engine.assets.list("charger").map(({ asset }) => asset.id);
  const command = {
    ...({ v: 1, kind: "command", id: "c-1", version: "2024-10-01", method: "POST" } as const),
    path: `/chargers/${id}/charging`,
    body: { action: "START" },
    expiresAtMs: Date.now() + 3_600_000,
  };
  await house.cloud.tell(command);
  await house.cloud.tell(command);
  const answers = () => memory.effects.filter(({ event }) => event === "system:cloud:command-answered");
  await house.until(async () => answers().length > 0);
  await house.cloud.tell(command);
  await house.world.clock.advance(30 * SECOND);
  await house.connected("https");
  expect(answers().map(({ payload }) => payload)).toMatchObject([
    { commandId: "c-1", outcome: "executed", status: 200 },
  ]);
  expect(house.charger.written("charger.enabled")).toContain(true);
  expect(new Set(house.cloud.heard.map(({ by }) => by))).toEqual(new Set(["https"]));
});

test("a gateway goes from MQTT to HTTPS and back, with nothing lost or told twice", PATIENCE, async () => {
  const house = new House();
  await house.start();
  await house.enroll(["mqtt", "https"]);
  await house.connected("mqtt");
  house.cloud.isMqttOpen = false;
  house.cloud.cut();
  const view = await house.connected("https", SECOND);
  expect(view.ways).toMatchObject([
    { uplink: "mqtt", isInUse: false, failedAt: expect.any(String), failure: expect.stringContaining("0x87") },
    { uplink: "https", isInUse: true, failure: null },
  ]);
  house.charger.show("charger.state", "CHARGING");
  house.cloud.isMqttOpen = true;
  await house.until(async () => (await house.view()).uplink !== "https", 20 * SECOND);
  const back = await house.connected("mqtt");
  expect(back.ways).toMatchObject([{ isInUse: true, failure: null }, { isInUse: false }]);
  const seen = house.cloud.heard.map(({ by }) => by).filter((by, at, all) => by !== all[at - 1]);
  expect(seen).toEqual(["mqtt", "https", "mqtt"]);
  expect(house.cloud.twin.memory("gw-1").gaps).toEqual([]);
});

test("a server of another authority is not spoken to, which is told at once in words", PATIENCE, async () => {
  const house = new House();
  await house.start();
  await house.enroll(["mqtt", "https"], new Authority("Stranger").pem);
  const view = await house.connected("https", 2 * SECOND);
  expect(view.ways[0]?.failure).toMatch(/localhost.*certificate/);
  const told = house.process.log.lines.filter(({ level }) => level === "warn").map(({ fields }) => fields["reason"]);
  expect(told).toContain(view.ways[0]?.failure);
  expect(house.cloud.heard.filter(({ by }) => by === "mqtt")).toEqual([]);
});

test.each(["https", "mqtt"] as const)(
  "a renewed certificate is shown by %s from the next connection on",
  PATIENCE,
  async (by) => {
    const house = new House();
    await house.start();
    const twin = await house.enroll([by]);
    const { identity } = await house.connected(by);
    await house.world.clock.advance(41 * 60 * SECOND);
    await house.until(async () => twin.asked.some((path) => path.endsWith("/renewals")));
    // A stream by HTTPS that breaks is opened again without ending the connection: the service is away for a while.
    house.cloud.isHttpsOpen = false;
    house.cloud.cut();
    await house.until(async () => (await house.view()).state !== "CONNECTED", SECOND);
    house.cloud.isHttpsOpen = true;
    await house.until(async () => (await house.view()).identity?.fingerprint !== identity?.fingerprint, SECOND);
    await house.connected(by, SECOND);
    expect(new Set(house.cloud.heard.map(({ serial }) => serial)).size).toBe(2);
  },
);

const CERT = "/etc/hemgate/cloud.crt";
const KEY = "/etc/hemgate/cloud.key";
const CA = "/etc/hemgate/cloud-ca.pem";

/** A gateway that its configuration's files provision, by both ways. */
async function provisioned() {
  const house = new House();
  const { files } = house.world;
  const fleet = new Authority("Fleet");
  const issue = (): void => {
    const { pem, keyPem } = fleet.issue("gw-1");
    files.write(CERT, pem);
    files.write(KEY, keyPem);
  };
  issue();
  files.write(CA, house.cloud.authority.pem);
  const { https, mqtt } = await house.cloud.listen(fleet.pem);
  await house.start({
    gateway: "gw-1",
    uplinks: [
      { kind: "mqtt", servers: [`mqtts://localhost:${mqtt}`], caFile: CA },
      { kind: "https", url: `https://localhost:${https}/sync/`, caFile: CA },
    ],
    credentials: { certFile: CERT, keyFile: KEY },
  });
  return { house, files, issue };
}

test("a gateway that its configuration provisions connects, and needs no enrolment", PATIENCE, async () => {
  const { house, issue } = await provisioned();
  const view = await house.connected("mqtt");
  expect(view.identity).toMatchObject({ gateway: "gw-1", service: null, fingerprint: expect.any(String) });
  expect(view.identity?.expiresAt).not.toBeNull();
  const enrolling = house.drive(house.gateway.cloud.enroll("https://cloud.example/#a-secret", NEVER));
  await expect(enrolling).rejects.toThrow("cloud.gateway");
  await expect(house.drive(house.gateway.cloud.cut())).rejects.toThrow("cloud.gateway");
  issue();
  house.cloud.cut();
  await house.until(async () => new Set(house.cloud.heard.map(({ serial }) => serial)).size === 2, SECOND);
  expect((await house.connected("mqtt")).identity?.fingerprint).not.toBe(view.identity?.fingerprint);
});

test("a file that is missing or wrong is told with what to do, until it is put right", PATIENCE, async () => {
  const { house, files, issue } = await provisioned();
  await house.connected("mqtt");
  files.write(KEY, new Authority().issue("gw-1").keyPem);
  house.cloud.cut();
  await house.until(async () => (await house.view()).remedy !== null, SECOND);
  expect(await house.view()).toMatchObject({
    state: "ENROLLED",
    reason: `the certificate of cloud.credentials.certFile (${CERT}) is for another key`,
    remedy: expect.stringContaining("file"),
  });
  files.write(KEY, null);
  await house.until(async () => (await house.view()).reason?.includes("no such file") === true, SECOND);
  issue();
  await house.connected("mqtt", SECOND);
});
