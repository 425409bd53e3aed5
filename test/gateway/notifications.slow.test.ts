import { describe, expect, test } from "vitest";
import { configSchema } from "../../src/config/config.ts";
import { createGateway, type Gateway } from "../../src/gateway.ts";
import { FakeDevice, fakeAdapter } from "../../src/testing/fake-adapter.ts";
import { MemoryDisk } from "../../src/testing/memory-disk.ts";
import type { SimWebAnswer, SimWebRequest } from "../../src/testing/network/sim-web.ts";
import { type SimProcess, World } from "../../src/testing/world.ts";
import { getToken } from "../api/support/api-house.ts";
import { chargerOptions } from "../engine/home.ts";

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const LIMIT_MS = 60 * SECOND;

const PHONE = { id: "phone", type: "ntfy", topic: "house-9f8e7d6c", language: "de" };

/** A house with one charger, and an ntfy server that keeps what it is sent. */
class House {
  readonly world: World;
  readonly disk = new MemoryDisk();
  readonly charger: FakeDevice;
  readonly messages: { title: string; message: string; topic: string; priority: number }[] = [];
  readonly requests: SimWebRequest[] = [];
  answer: SimWebAnswer = { status: 200 };
  #run: { readonly process: SimProcess; readonly gateway: Gateway } | null = null;
  readonly #notifications: object;

  constructor(startAt: string, notifications: object = { channels: [PHONE] }) {
    this.world = new World({ seed: 22, startMs: Date.parse(startAt) });
    this.charger = new FakeDevice({ ...chargerOptions(), pollMs: 30 * SECOND, clock: this.world.clock });
    this.#notifications = notifications;
    this.world.web.serve("ntfy.sh", "159.203.148.75", (request) => {
      this.requests.push(request);
      if ((this.answer.status ?? 200) === 200) this.messages.push(JSON.parse(request.body));
      return this.answer;
    });
  }

  get gateway(): Gateway {
    if (this.#run === null) throw new Error("no gateway runs");
    return this.#run.gateway;
  }

  get process(): SimProcess {
    if (this.#run === null) throw new Error("no gateway runs");
    return this.#run.process;
  }

  async start(): Promise<void> {
    const adapters = [fakeAdapter({ charger: this.charger })];
    const config = configSchema(adapters).parse({
      site: { name: "Birkenweg 3", timezone: "Europe/Berlin" },
      devices: [{ id: "charger", adapter: "fake", name: "Wallbox" }],
      notifications: this.#notifications,
    });
    const process = this.world.boot("gateway", this.disk);
    const { platform } = process;
    const gateway = await this.resolve(createGateway({ platform, config, adapters, listen: false }));
    this.#run = { process, gateway };
  }

  async stop(): Promise<void> {
    await this.resolve(this.gateway[Symbol.asyncDispose]());
    this.process.kill();
    this.#run = null;
  }

  /** Ends the gateway as a power cut does. */
  kill(): void {
    this.process.kill();
    this.disk.crash();
    this.#run = null;
  }

  /** Asks as a client that may manage people. */
  async ask(method: "GET" | "POST" | "PUT" | "DELETE", url: string, payload?: object) {
    const client = await this.resolve(this.gateway.createClient("test", undefined, ["people:manage"]));
    const token = await this.resolve(getToken(this.gateway.api, client));
    const headers = { authorization: `Bearer ${token}` };
    const body = payload === undefined ? {} : { payload };
    return await this.resolve(Promise.resolve(this.gateway.api.inject({ method, url, headers, ...body })));
  }

  resolve<T>(work: PromiseLike<T>): Promise<T> {
    return this.world.clock.resolve(Promise.resolve(work), LIMIT_MS);
  }

  pass(ms: number): Promise<void> {
    return this.world.clock.advance(ms);
  }

  get titles(): readonly string[] {
    return this.messages.map(({ title }) => title);
  }
}

describe("a device that is silent by day", () => {
  test("is reported once, over a restart and a power cut too, and again when it answers", async () => {
    const house = new House("2026-06-21T10:00:00Z");
    await house.start();
    await house.pass(MINUTE);
    house.charger.isUp = false;
    await house.pass(25 * MINUTE);
    expect(house.titles).toEqual([]);
    await house.pass(10 * MINUTE);
    expect(house.titles).toEqual(["Birkenweg 3: Wallbox antwortet nicht"]);
    expect(house.messages[0]).toMatchObject({ topic: "house-9f8e7d6c", priority: 3 });
    await house.stop();
    await house.start();
    await house.pass(HOUR);
    house.kill();
    await house.start();
    await house.pass(2 * HOUR);
    expect(house.titles).toHaveLength(1);
    house.charger.isUp = true;
    await house.pass(40 * MINUTE);
    expect(house.titles.slice(1)).toEqual(["Birkenweg 3: Wallbox antwortet wieder"]);
    await house.pass(2 * HOUR);
    expect(house.titles).toHaveLength(2);
    await house.stop();
  });

  test("that blinks is not reported", async () => {
    const house = new House("2026-06-21T10:00:00Z");
    await house.start();
    await house.pass(MINUTE);
    for (let blink = 0; blink < 3; blink++) {
      house.charger.isUp = false;
      await house.pass(20 * MINUTE);
      house.charger.isUp = true;
      await house.pass(5 * MINUTE);
    }
    await house.stop();
    expect(house.titles).toEqual([]);
  });

  test("that is silent through the night is not reported", async () => {
    const house = new House("2026-06-21T19:45:00Z");
    await house.start();
    await house.pass(MINUTE);
    house.charger.isUp = false;
    await house.pass(9 * HOUR);
    house.charger.isUp = true;
    await house.pass(HOUR);
    expect(house.titles).toEqual([]);
    await house.stop();
  });
});

test("a channel that is down gets the message once it is up again, and the API says what is wrong until then", async () => {
  const house = new House("2026-06-21T10:00:00Z");
  house.answer = { status: 403 };
  await house.start();
  await house.pass(MINUTE);
  house.charger.isUp = false;
  await house.pass(2 * HOUR);
  expect(house.requests.length).toBeGreaterThan(2);
  expect(house.requests.length).toBeLessThan(12);
  const [channel] = (await house.ask("GET", "/local/notifications")).json();
  expect(channel).toMatchObject({
    id: "phone",
    host: "ntfy.sh",
    failures: house.requests.length,
    open: 0,
    sentLastDay: 0,
    retryAt: expect.any(String),
    deliveries: expect.arrayContaining([
      {
        at: expect.any(String),
        isTest: false,
        code: "unauthorized",
        description: "ntfy.sh does not let the gateway write to the topic (HTTP 403): this topic needs a token.",
      },
    ]),
  });
  expect(channel.deliveries.length).toBeLessThanOrEqual(10);
  const metrics = await house.ask("GET", "/metrics");
  expect(metrics.body).toContain("hemgate_notification_channels_failing 1");
  house.answer = { status: 200 };
  await house.pass(4 * HOUR);
  expect(house.titles).toEqual(["Birkenweg 3: Wallbox antwortet nicht"]);
  expect((await house.ask("GET", "/local/notifications")).json()).toMatchObject([
    { failures: 0, retryAt: null, open: 1, sentLastDay: 1 },
  ]);
  const lines = house.process.log.lines.filter(({ fields }) => fields["part"] === "notifications");
  expect(lines.map(({ level, text }) => [level, text])).toEqual([
    ["warn", "a notification was not delivered; trying again"],
    ["info", "notifications are delivered again"],
  ]);
  expect(JSON.stringify(house.process.log.lines)).not.toContain("house-9f8e7d6c");
  await house.stop();
});

test("quiet hours keep a message back until they are over, on the day on which the clock changes too", async () => {
  const quiet = { ...PHONE, quietHours: { from: "12:00", until: "14:00" } };
  const house = new House("2026-10-25T10:45:00Z", { channels: [quiet] });
  await house.start();
  await house.pass(MINUTE);
  house.charger.isUp = false;
  await house.pass(Date.parse("2026-10-25T12:59:00Z") - house.world.clock.nowMs());
  expect(house.titles).toEqual([]);
  await house.pass(2 * MINUTE);
  expect(house.titles).toEqual(["Birkenweg 3: Wallbox antwortet nicht"]);
  await house.stop();
});

test("each channel gets the message its own way: e-mail, and a signed webhook", async () => {
  const house = new House("2026-06-21T10:00:00Z", {
    channels: [
      { id: "mail", type: "email", to: ["anna@example.com"], language: "sv" },
      { id: "hook", type: "webhook", url: "https://hooks.example/in", secret: "example-secret" },
    ],
    mailServer: { host: "smtp.example.com", username: "house", password: "canary-of-mail", from: "house@example.com" },
  });
  const hooks: SimWebRequest[] = [];
  house.world.web.serve("hooks.example", "93.184.216.34", (request) => {
    hooks.push(request);
    return { status: 204 };
  });
  await house.start();
  await house.pass(MINUTE);
  house.charger.isUp = false;
  await house.pass(40 * MINUTE);
  const { mailer } = house.world;
  expect(mailer.sent).toHaveLength(1);
  expect(mailer.sent[0]).toMatchObject({
    server: { host: "smtp.example.com", port: 465, security: "tls", account: { username: "house" } },
    mail: { from: "house@example.com", to: ["anna@example.com"], subject: "Birkenweg 3: Wallbox svarar inte" },
  });
  expect(hooks).toHaveLength(1);
  const [event] = JSON.parse(hooks[0]?.body ?? "[]");
  expect(event).toMatchObject({
    event: "local:notification",
    notification: {
      title: "Birkenweg 3: Wallbox does not answer",
      language: "en",
      isUrgent: false,
      about: [{ kind: "device-silent", isOver: false }],
    },
  });
  expect(hooks[0]?.headers["x-service-signature-256"]).toMatch(/^sha256=[0-9a-f]{64}$/);
  expect(hooks[0]?.headers["x-service-delivery"]).toBe(event.notification.id);
  const answer = await house.ask("GET", "/local/notifications");
  for (const canary of ["canary-of-mail", "example-secret", "/in"]) expect(answer.body).not.toContain(canary);
  await house.stop();
});

describe("a test message", () => {
  test("arrives also in quiet hours, and does not count as one of the day", async () => {
    const house = new House("2026-06-21T22:00:00Z", {
      channels: [{ ...PHONE, quietHours: { from: "22:00", until: "07:00" } }],
    });
    await house.start();
    const answer = await house.ask("POST", "/local/notifications/phone/test");
    expect(answer.json()).toMatchObject({ isTest: true, code: "sent", description: "ntfy.sh took the message." });
    expect(house.titles).toEqual(["Birkenweg 3: Ein Test"]);
    expect((await house.ask("GET", "/local/notifications")).json()).toMatchObject([{ sentLastDay: 0, isQuiet: true }]);
    expect((await house.ask("POST", "/local/notifications/nobody/test")).statusCode).toBe(404);
    await house.stop();
  });

  test.each([
    ["https://nowhere.example", "no-such-host", "nowhere.example"],
    ["https://other.example", "untrusted", "certificate of other.example is not valid"],
    ["http://ntfy.sh", "address-refused", "ntfy.sh"],
  ])("to %s says that it is %s", async (server, code, words) => {
    const house = new House("2026-06-21T10:00:00Z", { channels: [{ ...PHONE, server }] });
    house.world.web.name("other.example", ["93.184.216.35"]);
    house.world.web.listen("93.184.216.35", 443, { serve: () => ({}), certificate: ["else.example"] });
    await house.start();
    const answer = (await house.ask("POST", "/local/notifications/phone/test")).json();
    expect([answer.code, answer.description]).toEqual([code, expect.stringContaining(words)]);
    await house.stop();
  });
});

test("a channel that is added over the API gets its messages at once and after a restart, and none once it is removed", async () => {
  const house = new House("2026-06-21T10:00:00Z", {});
  await house.start();
  const { id, ...phone } = PHONE;
  const url = `/local/notifications/${id}`;
  house.charger.isUp = false;
  expect((await house.ask("PUT", url, phone)).statusCode).toBe(200);
  await house.pass(40 * MINUTE);
  expect(house.titles).toEqual(["Birkenweg 3: Wallbox antwortet nicht"]);
  await house.stop();
  await house.start();
  await house.pass(HOUR);
  expect((await house.ask("PUT", url, { ...phone, language: "en", topic: "house-2" })).statusCode).toBe(200);
  house.charger.isUp = true;
  await house.pass(HOUR);
  expect(house.titles.slice(1)).toEqual(["Birkenweg 3: Wallbox answers again"]);
  expect(house.messages[1]).toMatchObject({ topic: "house-2" });
  expect((await house.ask("DELETE", url)).statusCode).toBe(204);
  house.charger.isUp = false;
  await house.pass(2 * HOUR);
  expect(house.titles).toHaveLength(2);
  await house.stop();
});

test("a later version is reported once, in the digest of who has one, and not again when it is found again", async () => {
  const house = new House("2026-06-21T10:00:00Z", {
    channels: [PHONE, { ...PHONE, id: "digest", topic: "evening", digestAt: "18:00" }],
  });
  await house.start();
  const found = { outcome: "available", from: "1.0.0", to: "1.1.0" } as const;
  await house.resolve(house.gateway.updates.report(found));
  await house.pass(HOUR);
  const title = "Birkenweg 3: Version 1.1.0 ist da";
  expect(house.messages.map((each) => [each.topic, each.title])).toEqual([[PHONE.topic, title]]);
  await house.stop();
  await house.start();
  await house.resolve(house.gateway.updates.report(found));
  await house.pass(10 * HOUR);
  expect(house.messages.map((each) => [each.topic, each.title])).toEqual([
    [PHONE.topic, title],
    ["evening", title],
  ]);
  await house.resolve(house.gateway.updates.report({ outcome: "kept", from: "1.0.0", to: "1.1.0" }));
  await house.pass(26 * HOUR);
  expect(house.titles).toHaveLength(2);
  await house.resolve(house.gateway.updates.report({ ...found, to: "1.2.0" }));
  await house.pass(26 * HOUR);
  expect(house.titles).toHaveLength(4);
  const back = { outcome: "rolled-back", from: "1.0.0", to: "1.2.0", reason: "the API does not listen" } as const;
  await house.resolve(house.gateway.updates.report(back));
  // Each look finds it again.
  await house.resolve(house.gateway.updates.report({ ...found, to: "1.2.0" }));
  await house.pass(50 * HOUR);
  expect(house.titles.slice(4)).toEqual(Array(2).fill("Birkenweg 3: Version 1.2.0 wurde zurückgenommen"));
  await house.stop();
});
