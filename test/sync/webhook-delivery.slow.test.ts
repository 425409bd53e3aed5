import { createHmac } from "node:crypto";
import { describe, expect, test } from "vitest";
import { signaturesOf } from "../../src/sync/webhooks/signature.ts";
import { CLIENT, HookWorld } from "./webhook-world.ts";

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const NUMBERS = (from: number, to: number) => Array.from({ length: to - from }, (_unused, at) => from + at);

test("the signature is the known one", () => {
  const body = new TextEncoder().encode('{"payload":"example"}');
  expect(signaturesOf(body, "example-secret").sha1).toBe("sha1=e417e6fc2e7f8a78c93a35a7b344d36ce179fc8d");
});

describe("a delivery", () => {
  test("is a signed array of events with their envelope", async () => {
    const house = new HookWorld();
    const receiver = house.receiver();
    await house.start();
    await house.create({ authentication: { headerName: "x-api-key", headerValue: "key 1" } });
    await house.tell("user:battery:updated");
    await house.pass(SECOND);
    const [request] = receiver.requests;
    expect(request).toMatchObject({ method: "POST", path: "/in", host: "hooks.example" });
    const hmac = (name: string) =>
      createHmac(name, "example-secret")
        .update(request?.body ?? "")
        .digest("hex");
    expect(request?.headers).toMatchObject({
      "content-type": "application/json; charset=utf-8",
      "x-api-key": "key 1",
      "x-service-delivery": expect.stringMatching(/^[0-9a-f-]{36}$/),
      "x-service-signature": `sha1=${hmac("sha1")}`,
      "x-service-signature-256": `sha256=${hmac("sha256")}`,
    });
    expect(receiver.deliveries).toEqual([
      [
        {
          createdAt: expect.stringMatching(/^\d{4}-.*Z$/),
          version: "2024-10-01",
          event: "user:battery:updated",
          user: { id: "home" },
          n: 0,
        },
      ],
    ]);
    await house.stop();
  });

  test("carries names under the configured prefix", async () => {
    const rules = { allowInsecureLan: false, allowLoopback: false, maxWebhooks: 20, namePrefix: "Acme" };
    const house = new HookWorld(1, { rules });
    const receiver = house.receiver();
    await house.start();
    const { id } = await house.create();
    await house.resolve(house.run.webhooks.test(CLIENT, id));
    expect(Object.keys(receiver.requests[0]?.headers ?? {})).toContain("x-acme-signature");
    expect(receiver.events[0]?.event).toBe("acme:webhook:test");
    await house.stop();
  });

  test("holds up to 100 events, oldest first", async () => {
    const house = new HookWorld();
    const receiver = house.receiver();
    await house.start();
    await house.create();
    await house.tellMany(250);
    await house.pass(SECOND);
    expect(receiver.deliveries.map((events) => events.length)).toEqual([100, 100, 50]);
    expect(receiver.numbers).toEqual(NUMBERS(0, 250));
    await house.stop();
  });

  test("is kept small when events are large", async () => {
    const house = new HookWorld();
    const receiver = house.receiver();
    await house.start();
    await house.create();
    await house.tellMany(20, "x".repeat(100_000));
    await house.pass(5 * SECOND);
    expect(receiver.numbers).toEqual(NUMBERS(0, 20));
    for (const { body } of receiver.requests) expect(body.length).toBeLessThan(600_000);
    await house.stop();
  });

  test("holds what the webhook asked for, and nothing of the gateway's own", async () => {
    const house = new HookWorld();
    const receiver = house.receiver();
    await house.start();
    await house.create({ events: ["user:charger:updated"] });
    await house.tell("user:battery:updated");
    const wanted = await house.tell("user:charger:updated");
    await house.tell("system:store:recovered");
    await house.pass(SECOND);
    expect(receiver.numbers).toEqual([wanted]);
    await house.stop();
  });

  test("tells nothing about a user whose authorization was deleted", async () => {
    const house = new HookWorld();
    const receiver = house.receiver();
    await house.start();
    await house.create();
    house.deauthorized.add("gone");
    await house.tell("user:battery:updated", "gone");
    const told = await house.tell("user:battery:updated", "home");
    await house.pass(SECOND);
    expect(receiver.numbers).toEqual([told]);
    await house.stop();
  });

  test("comes in the webhook's own version", async () => {
    const house = new HookWorld(1, {
      mapped: (_event, payload, version) => (version === "2024-01-01" ? { ...payload, older: true } : payload),
    });
    const receiver = house.receiver();
    await house.start();
    await house.create({ apiVersion: "2024-01-01" });
    await house.tell();
    await house.pass(SECOND);
    expect(receiver.events).toMatchObject([{ version: "2024-01-01", older: true }]);
    await house.stop();
  });

  test("comes in the version that the client is pinned to when the webhook names none", async () => {
    const house = new HookWorld();
    const receiver = house.receiver();
    await house.start();
    const client = { id: CLIENT, name: "c", createdAtMs: 0, secretHash: "", salt: "", apiVersion: "2023-08-01" };
    await house.resolve(house.run.store.commit([{ table: "client", key: CLIENT, put: client }], []));
    await house.create();
    await house.tell();
    await house.pass(SECOND);
    expect(receiver.events).toMatchObject([{ version: "2023-08-01" }]);
    await house.stop();
  });

  test("waits for the one before it at the same URL, of another webhook too", async () => {
    const house = new HookWorld();
    const receiver = house.receiver();
    let underWay = 0;
    let most = 0;
    receiver.answer = () => {
      underWay += 1;
      most = Math.max(most, underWay);
      house.clock.timer(3 * SECOND, () => {
        underWay -= 1;
      });
      return { delayMs: 3 * SECOND };
    };
    await house.start();
    await house.create();
    await house.create({ apiVersion: "2024-01-01" });
    for (let times = 0; times < 5; times += 1) {
      await house.tell();
      await house.pass(500);
    }
    await house.pass(MINUTE);
    expect(most).toBe(1);
    expect(receiver.numbers.toSorted()).toEqual([0, 0, 1, 1, 2, 2, 3, 3, 4, 4]);
    await house.stop();
  });
});

describe("a heartbeat", () => {
  test("comes every five minutes, whatever the webhook asked for", async () => {
    const house = new HookWorld();
    const receiver = house.receiver();
    await house.start();
    await house.create({ events: ["user:charger:updated"] });
    await house.pass(16 * MINUTE);
    expect(receiver.heartbeats).toHaveLength(3);
    expect(receiver.heartbeats[0]).toEqual({
      createdAt: expect.any(String),
      version: "2024-10-01",
      event: "system:heartbeat",
      pendingEvents: 0,
    });
    await house.stop();
  });

  test("says how many events wait", async () => {
    const house = new HookWorld();
    const receiver = house.receiver();
    await house.start();
    await house.create();
    receiver.answer = () => ({ delayMs: 4 * SECOND });
    await house.tellMany(9_000);
    await house.pass(5 * MINUTE + 10 * SECOND);
    const [heartbeat] = receiver.heartbeats;
    const before = receiver.deliveries.findIndex(([first]) => first?.event === "system:heartbeat") * 100;
    expect(heartbeat?.pendingEvents).toBe(9_000 - before);
    await house.stop();
  });
});

describe("an address", () => {
  test("is looked at again at every connection: a name that means the house by then is not called", async () => {
    const house = new HookWorld();
    const receiver = house.receiver();
    const inside = new HookWorld().receiver();
    await house.start();
    const { id } = await house.create();
    let lookUps = 0;
    house.world.web.name("hooks.example", () => {
      lookUps += 1;
      return [["127.0.0.1", "169.254.169.254", "192.168.1.1", "::ffff:127.0.0.1"][lookUps % 4] ?? "::1"];
    });
    for (const address of ["127.0.0.1", "169.254.169.254", "192.168.1.1", "::ffff:127.0.0.1"]) {
      house.world.web.listen(address, 443, { serve: inside.serve, certificate: ["hooks.example"] });
    }
    await house.tell();
    await house.pass(HOUR);
    expect(lookUps).toBeGreaterThan(5);
    expect(house.world.web.connects).toEqual([]);
    expect(receiver.requests).toEqual([]);
    expect(await house.resolve(house.run.webhooks.test(CLIENT, id))).toMatchObject({
      status: "FAILURE",
      response: null,
    });
    await house.stop();
  });
});

describe("a clock that was never set", () => {
  test("keeps https deliveries waiting without counting failures, and they go once it is set", async () => {
    const house = new HookWorld();
    const receiver = house.receiver();
    house.clock.setQuality("unset");
    await house.start();
    await house.create();
    await house.tell();
    await house.pass(30 * HOUR);
    expect(receiver.requests).toHaveLength(0);
    house.clock.setQuality("synced");
    await house.pass(10 * SECOND);
    expect(receiver.numbers).toEqual([0]);
    await house.stop();
  });

  test("does not hold up plain http in the house", async () => {
    const house = new HookWorld(1, {
      rules: { allowInsecureLan: true, allowLoopback: false, maxWebhooks: 5, namePrefix: "Service" },
    });
    const receiver = house.receiver();
    house.world.web.listen("192.168.1.20", 8123, { serve: receiver.serve, certificate: null });
    house.clock.setQuality("unset");
    await house.start();
    await house.create({ url: "http://192.168.1.20:8123/hook" });
    await house.tell();
    await house.pass(SECOND);
    expect(receiver.numbers).toEqual([0]);
    await house.stop();
  });
});

test("an idle hour of 20 webhooks writes nothing but what the hour's end takes along", async () => {
  const house = new HookWorld();
  house.receiver();
  await house.start();
  for (let times = 0; times < 20; times += 1) await house.create({ url: `https://hooks.example/${times}` });
  await house.pass(SECOND);
  const before = house.disk.batches;
  await house.pass(HOUR - MINUTE);
  expect(house.disk.batches - before).toBeLessThanOrEqual(1);
  await house.stop();
});
