import { describe, expect, test } from "vitest";
import { createClient } from "../../../src/api/clients/clients.ts";
import { Receiver } from "../../sync/webhook-world.ts";
import { getToken } from "../support/api-house.ts";
import { openRealHouse, type RealHouse } from "../support/real-house.ts";

const SECOND = 1_000;
const GOOD = { url: "https://hooks.example/in", secret: "example-secret" };
const UNKNOWN = "00000000-0000-4000-8000-000000000000";

function receiverOf(house: RealHouse, name = "hooks.example", address = "93.184.216.34"): Receiver {
  const receiver = new Receiver();
  house.home.world.web.serve(name, address, receiver.serve);
  return receiver;
}

async function create(house: RealHouse, more: object = {}) {
  return await house.ask({ method: "POST", url: "/webhooks", payload: { ...GOOD, ...more } });
}

describe("POST /webhooks", () => {
  test("answers the record, without what only the delivery needs", async () => {
    await using house = await openRealHouse();
    const answer = await create(house, { authentication: { headerName: "x-key", headerValue: "value" } });
    expect(answer.statusCode).toBe(200);
    const { createdAt, ...record } = answer.json();
    expect(record).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      url: GOOD.url,
      events: ["*"],
      lastSuccess: createdAt,
      isActive: true,
      apiVersion: null,
      authentication: { headerName: "x-key" },
    });
    expect(answer.body).not.toContain(GOOD.secret);
    const read = await house.ask({ url: `/webhooks/${record.id}` });
    expect(read.json()).toEqual(answer.json());
    const list = await house.ask({ url: "/webhooks" });
    expect(list.json()).toEqual({ data: [answer.json()], pagination: { after: null, before: null } });
  });

  test.each([
    ["no URL", { url: undefined }, "url"],
    ["a short URL", { url: "https:/" }, "url"],
    ["a long URL", { url: `https://hooks.example/${"a".repeat(200)}` }, "url"],
    ["no secret", { secret: undefined }, "secret"],
    ["a short secret", { secret: "12345" }, "secret"],
    ["a long secret", { secret: "a".repeat(257) }, "secret"],
    ["an unknown key", { extra: 1 }, "extra"],
    ["an unknown version", { apiVersion: "2022-01-01" }, "apiVersion"],
    ["a version that is no text", { apiVersion: 5 }, "apiVersion"],
    ["half an authentication", { authentication: { headerName: "x-key" } }, "authentication"],
    ["capitals in a header's name", { authentication: { headerName: "X-Key", headerValue: "a" } }, "authentication"],
    ["a line break in a header", { authentication: { headerName: "x", headerValue: "a\r\nb: c" } }, "authentication"],
    ["a header of the connection", { authentication: { headerName: "host", headerValue: "a" } }, "authentication"],
    ["a header of ours", { authentication: { headerName: "x-service-signature", headerValue: "a" } }, "authentication"],
    ["an unknown event", { events: ["user:toaster:updated"] }, "events"],
    ["the heartbeat as an event", { events: ["system:heartbeat"] }, "events"],
    ["plain http", { url: "http://hooks.example/in" }, "url"],
    ["a line break in the URL", { url: "https://hooks.example/\nin" }, "url"],
    ["a control character in the URL", { url: "https://hooks.example/\u0001" }, "url"],
    ["no URL at all", { url: "not a url at all" }, "url"],
    ["an address in the house", { url: "https://192.168.1.1/" }, "url"],
    ["this machine", { url: "https://localhost/hook" }, "url"],
    ["a metadata service", { url: "https://169.254.169.254/" }, "url"],
  ])("refuses %s with its own title and the issue's place", async (_name, change, field) => {
    await using house = await openRealHouse();
    const answer = await create(house, change);
    expect(answer.statusCode).toBe(400);
    expect(answer.headers["content-type"]).toContain("application/problem+json");
    expect(answer.json()).toMatchObject({ title: "Webhook input is not valid.", type: "/problems/bad-request" });
    expect(answer.json().issues[0]).toMatchObject({ in: "body" });
    expect(answer.json().issues[0].path[0]).toBe(field);
  });

  test("refuses the same URL in the same version twice", async () => {
    await using house = await openRealHouse();
    await create(house);
    const twice = await create(house, { url: "HTTPS://HOOKS.example:443/in" });
    expect(twice.statusCode).toBe(400);
    expect(twice.json()).toMatchObject({ title: "Webhook already exists.", type: "/problems/bad-request" });
    expect((await create(house, { apiVersion: "2024-01-01" })).statusCode).toBe(200);
    expect((await create(house, { url: "https://hooks.example/out" })).statusCode).toBe(200);
  });

  test("refuses more than the configuration allows", async () => {
    await using house = await openRealHouse({ config: { webhooks: { maxWebhooks: 1 } } });
    await create(house);
    const more = await create(house, { url: "https://hooks.example/more" });
    expect(more.statusCode).toBe(403);
    expect(more.json()).toMatchObject({ title: "Webhooks limit reached." });
  });

  test("is refused without its secret in the answer, whatever is wrong with it", async () => {
    await using house = await openRealHouse();
    const canary = "Kanarienvogel7";
    const url = "https://hooks.example/in";
    const authentication = { headerName: "x-key", headerValue: `${canary}\n` };
    for (const payload of [
      { url, secret: canary.repeat(40) },
      { url, secret: [canary] },
      { url, secret: { canary } },
      { url, secret: "Kana7" },
      { url, secret: 7_007_007 },
      { url, secret: canary, secrets: canary },
      { url, secret: "0123456789", authentication },
      { url: `https://user:${canary}@hooks.example/${"x".repeat(300)}`, secret: "0123456789" },
    ]) {
      const answer = await house.ask({ method: "POST", url: "/webhooks", payload });
      expect(answer.statusCode).toBe(400);
      for (const part of [canary, "Kana7", "7007007"]) expect(answer.body).not.toContain(part);
    }
  });

  test("may be on the gateway's own machine in a sandbox, and nowhere else", async () => {
    const input = { url: "http://localhost:9000/events", secret: "0123456789abcdef" };
    for (const [isEnabled, status] of [
      [true, 200],
      [false, 400],
    ]) {
      await using house = await openRealHouse({ config: { sandbox: { isEnabled } } });
      const answer = await house.ask({ method: "POST", url: "/webhooks", payload: input });
      expect(answer.statusCode).toBe(status);
    }
  });

  test("takes every event of the list, and http in the house where that is allowed", async () => {
    await using house = await openRealHouse({ config: { webhooks: { allowInsecureLan: true } } });
    const events = ["user:hem-system:updated", "user:charge-action:updated", "service:firehose:test", "*"];
    const answer = await create(house, { url: "http://192.168.1.20:8123/hook", events });
    expect(answer.json()).toMatchObject({ url: "http://192.168.1.20:8123/hook", events });
  });
});

describe("a webhook", () => {
  test("belongs to the client that made it", async () => {
    await using house = await openRealHouse();
    const { id } = (await create(house)).json();
    const { store, process } = house.run;
    const { clock, random } = process.platform;
    const other = await house.home.world.clock.resolve(createClient({ store, clock, random }, "other"), 10_000);
    const token = await house.home.world.clock.resolve(getToken(house.api, other), 10_000);
    const headers = { authorization: `Bearer ${token}` };
    for (const request of [
      { url: `/webhooks/${id}` },
      { method: "PATCH", url: `/webhooks/${id}`, payload: {} },
      { method: "DELETE", url: `/webhooks/${id}` },
      { method: "POST", url: `/webhooks/${id}/test` },
    ] as const) {
      expect((await house.ask({ ...request, headers })).statusCode).toBe(404);
    }
    expect((await house.ask({ url: "/webhooks", headers })).json().data).toEqual([]);
    expect((await house.ask({ url: `/webhooks/${id}` })).statusCode).toBe(200);
  });

  test("that is unknown is not found, by the title of its own", async () => {
    await using house = await openRealHouse();
    for (const id of [UNKNOWN, "no-uuid"]) {
      const answer = await house.ask({ url: `/webhooks/${id}` });
      expect(answer.statusCode).toBe(404);
      expect(answer.json()).toMatchObject({ title: "Webhook not found", type: "/problems/not-found" });
      expect(answer.json().detail).toContain(id);
    }
  });

  test("changes by PATCH, and loses its header by null", async () => {
    await using house = await openRealHouse();
    const authentication = { headerName: "x-key", headerValue: "value" };
    const { id } = (await create(house, { authentication })).json();
    const patch = (payload: object) => house.ask({ method: "PATCH", url: `/webhooks/${id}`, payload });
    expect((await patch({ events: ["user:charger:updated"] })).json()).toMatchObject({
      events: ["user:charger:updated"],
      authentication: { headerName: "x-key" },
    });
    expect((await patch({ authentication: null })).json()).toMatchObject({ authentication: null });
    expect((await patch({ apiVersion: "2023-08-01" })).json()).toMatchObject({ apiVersion: "2023-08-01" });
    expect((await patch({ url: "http://hooks.example" })).json()).toMatchObject({
      title: "Webhook input is not valid.",
    });
    await create(house, { url: "https://hooks.example/2", apiVersion: "2023-08-01" });
    expect((await patch({ url: "https://hooks.example/2" })).json()).toMatchObject({
      title: "Webhook already exists.",
    });
  });

  test("is gone after DELETE", async () => {
    await using house = await openRealHouse();
    const { id } = (await create(house)).json();
    expect((await house.ask({ method: "DELETE", url: `/webhooks/${id}` })).statusCode).toBe(204);
    expect((await house.ask({ method: "DELETE", url: `/webhooks/${id}` })).statusCode).toBe(404);
  });

  test("is listed in pages, newest first", async () => {
    await using house = await openRealHouse();
    for (let at = 0; at < 5; at += 1) {
      await create(house, { url: `https://hooks.example/${at}` });
      await house.pass(SECOND);
    }
    const first = (await house.ask({ url: "/webhooks?pageSize=2" })).json();
    expect(first.data.map(({ url }: { url: string }) => url)).toEqual([
      "https://hooks.example/4",
      "https://hooks.example/3",
    ]);
    const second = (await house.ask({ url: `/webhooks?pageSize=2&after=${first.pagination.after}` })).json();
    expect(second.data.map(({ url }: { url: string }) => url)).toEqual([
      "https://hooks.example/2",
      "https://hooks.example/1",
    ]);
  });
});

describe("POST /webhooks/{id}/test", () => {
  test("delivers a test event and tells how it went", async () => {
    await using house = await openRealHouse();
    const receiver = receiverOf(house);
    receiver.answer = () => ({ status: 200, body: "thanks", headers: { server: "mine" } });
    const { id, createdAt } = (await create(house)).json();
    await house.pass(SECOND);
    const answer = await house.ask({ method: "POST", url: `/webhooks/${id}/test` });
    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toEqual({
      status: "SUCCESS",
      description: expect.any(String),
      response: { code: 200, body: "thanks", headers: ["server: mine"] },
    });
    expect(receiver.events).toEqual([
      { createdAt: expect.any(String), version: "2024-10-01", event: "service:webhook:test" },
    ]);
    const { lastSuccess } = (await house.ask({ url: `/webhooks/${id}` })).json();
    expect(Date.parse(lastSuccess)).toBeGreaterThan(Date.parse(createdAt));
  });

  test.each([
    ["a redirect", { status: 302, headers: { location: "http://169.254.169.254/" } }, { code: 302 }],
    ["an error", { status: 500, body: "oops" }, { code: 500, body: "oops" }],
    ["silence", { fault: "hang" }, null],
    ["a broken connection", { fault: "break" }, null],
  ] as const)("answers 200 after %s too", async (_name, failure, response) => {
    await using house = await openRealHouse();
    const receiver = receiverOf(house);
    receiver.answer = () => failure;
    const { id } = (await create(house)).json();
    const answer = await house.ask({ method: "POST", url: `/webhooks/${id}/test` });
    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toMatchObject({ status: "FAILURE", response });
    expect(receiver.requests).toHaveLength(1);
  });

  test("never connects to where a name leads into the house", async () => {
    await using house = await openRealHouse();
    receiverOf(house, "hooks.example", "192.168.1.1");
    const { id } = (await create(house)).json();
    const answer = await house.ask({ method: "POST", url: `/webhooks/${id}/test` });
    expect(answer.json()).toMatchObject({ status: "FAILURE", response: null });
    expect(house.home.world.web.connects).toEqual([]);
  });
});

describe("the single webhook of older versions", () => {
  const headers = { "service-version": "2024-01-01" };

  test("is set, tested, found among the others, and deleted by its URL", async () => {
    await using house = await openRealHouse();
    const receiver = receiverOf(house);
    const set = (url: string) =>
      house.ask({ method: "PUT", url: "/webhooks/firehose", headers, payload: { ...GOOD, url } });
    const remove = (url: string) =>
      house.ask({ method: "DELETE", url: "/webhooks/firehose", headers, payload: { url } });
    expect((await set("https://hooks.example/old")).statusCode).toBe(204);
    expect((await set(GOOD.url)).statusCode).toBe(204);
    const { data } = (await house.ask({ url: "/webhooks" })).json();
    expect(data).toMatchObject([{ url: GOOD.url, events: ["*"], apiVersion: null }]);
    const tried = await house.ask({ method: "POST", url: "/webhooks/firehose/test", headers });
    expect(tried.json()).toMatchObject({ status: "SUCCESS" });
    expect(receiver.events).toMatchObject([{ event: "service:firehose:test" }]);
    expect((await remove("https://hooks.example/old")).statusCode).toBe(404);
    expect((await remove(GOOD.url)).statusCode).toBe(204);
    expect((await house.ask({ method: "POST", url: "/webhooks/firehose/test", headers })).statusCode).toBe(404);
  });

  test("takes over a webhook that is at its URL already", async () => {
    await using house = await openRealHouse();
    const { id } = (await create(house)).json();
    const payload = { url: GOOD.url, secret: "another-secret" };
    expect((await house.ask({ method: "PUT", url: "/webhooks/firehose", headers, payload })).statusCode).toBe(204);
    expect((await house.ask({ url: "/webhooks" })).json().data).toMatchObject([{ id }]);
  });

  test("is refused as any other webhook", async () => {
    await using house = await openRealHouse();
    const payload = { url: "http://hooks.example/", secret: "short", more: 1 };
    const answer = await house.ask({ method: "PUT", url: "/webhooks/firehose", headers, payload });
    expect(answer.statusCode).toBe(400);
    expect(answer.json()).toMatchObject({ title: "Webhook input is not valid." });
  });
});
