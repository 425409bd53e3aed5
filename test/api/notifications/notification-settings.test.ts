import { describe, expect, test } from "vitest";
import { createClient } from "../../../src/api/clients/clients.ts";
import { MAX_CHANNELS } from "../../../src/domain/notifications/settings-change.ts";
import { type ApiHouse, getToken, openHouse } from "../support/api-house.ts";

const FILE = { channels: [{ id: "file-phone", type: "ntfy", topic: "canary-of-file" }] };
const PHONE = { type: "ntfy", language: "de", topic: "canary-topic", token: "tk_canary" };
const MAIL = { host: "smtp.example.com", username: "house", password: "canary-password", from: "house@example.com" };

type Method = "GET" | "PUT" | "POST" | "DELETE";

/** A house, and a client that may manage people. */
async function open(config: object = { notifications: FILE }) {
  const house = await openHouse({ config });
  const token = await getToken(house.api, await createClient(house, "manager", undefined, ["people:manage"]));
  const headers = { authorization: `Bearer ${token}` };
  const ask = (method: Method, url: string, payload?: object) =>
    house.ask({ method, url, headers, ...(payload === undefined ? {} : { payload }) });
  return { house, ask, [Symbol.asyncDispose]: () => house[Symbol.asyncDispose]() };
}

async function listed({ ask }: { ask: (method: Method, url: string) => ReturnType<ApiHouse["ask"]> }) {
  return (await ask("GET", "/local/notifications")).json<{ id: string; origin: string }[]>();
}

describe("a channel over the API", () => {
  test("is added behind those of the file, changed and removed, and its secrets are in no answer", async () => {
    await using opened = await open();
    const { ask } = opened;
    const added = await ask("PUT", "/local/notifications/anna", PHONE);
    expect(added.json()).toMatchObject({
      ...{ id: "anna", origin: "api", type: "ntfy", language: "de", server: "https://ntfy.sh", hasToken: true },
      ...{ to: null, quietHours: null, digestAt: null, deliveries: [] },
    });
    expect((await listed(opened)).map(({ id, origin }) => [id, origin])).toEqual([
      ["file-phone", "file"],
      ["anna", "api"],
    ]);
    const changed = await ask("PUT", "/local/notifications/anna", {
      ...{ type: "ntfy", language: "sv", kinds: ["finding"] },
      ...{ quietHours: { from: "22:00", until: "06:30" }, digestAt: "18:00" },
    });
    expect(changed.json()).toMatchObject({ language: "sv", kinds: ["finding"], digestAt: "18:00", hasToken: true });
    const all = [added.body, changed.body, (await ask("GET", "/local/notifications")).body].join();
    for (const canary of ["canary-topic", "tk_canary", "canary-of-file"]) expect(all).not.toContain(canary);
    expect((await ask("DELETE", "/local/notifications/anna")).statusCode).toBe(204);
    expect((await ask("DELETE", "/local/notifications/anna")).statusCode).toBe(404);
    expect((await listed(opened)).map(({ id }) => id)).toEqual(["file-phone"]);
  });

  test("is tested at once, and the answer says what became of it", async () => {
    await using opened = await open();
    await opened.ask("PUT", "/local/notifications/anna", PHONE);
    const { house, ask } = opened;
    const tested = await house.clock.resolve(ask("POST", "/local/notifications/anna/test"), 30_000);
    expect(tested.json()).toMatchObject({ isTest: true, code: "no-such-host" });
    expect((await listed(opened))[1]).toMatchObject({ deliveries: [{ code: "no-such-host" }] });
  });

  test.each([
    [{ ...PHONE, topic: "a b" }, "topic", "expected 1 to 64 letters, digits, - or _"],
    [{ type: "ntfy", language: "en" }, "topic", "a new channel needs a topic"],
    [{ ...PHONE, server: "ftp://a" }, "server", "expected a URL that begins with http: or https:"],
    [{ ...PHONE, server: "http://localhost:8090" }, "server", "The host is the gateway itself"],
    [{ ...PHONE, server: "http://127.0.0.1" }, "server", "Not allowed: "],
    [{ ...PHONE, server: "https://u:p@ntfy.sh" }, "server", "a user and a password in the URL are not sent"],
    [{ ...PHONE, kinds: [] }, "kinds", ""],
    [{ ...PHONE, kinds: ["rain"] }, "kinds", ""],
    [{ ...PHONE, quietHours: { from: "22:00", until: "22:00" } }, "quietHours", "from and until are the same"],
    [{ ...PHONE, digestAt: "25:00" }, "digestAt", "Expected HH:MM"],
    [{ type: "email", to: ["anna@example.com"] }, "type", "no server takes the e-mails: set one first"],
    [{ type: "webhook", url: "https://a.example", secret: "short" }, "secret", ""],
  ])("%j is refused at %s", async (body, field, words) => {
    await using opened = await open();
    const answer = await opened.ask("PUT", "/local/notifications/anna", body);
    expect(answer.statusCode).toBe(400);
    const [issue] = answer.json<{ issues: { path: string[]; message: string }[] }>().issues;
    expect(issue?.path[0]).toBe(field);
    expect(issue?.message).toContain(words);
    expect(await listed(opened)).toHaveLength(1);
  });

  test("that the file sets is not changed, and there are twenty at most", async () => {
    await using opened = await open();
    const { ask } = opened;
    for (const answer of [
      await ask("PUT", "/local/notifications/file-phone", PHONE),
      await ask("DELETE", "/local/notifications/file-phone"),
    ]) {
      expect(answer.statusCode).toBe(409);
      expect(answer.json()).toMatchObject({ detail: expect.stringContaining("change it there") });
    }
    expect((await ask("PUT", "/local/notifications/Anna", PHONE)).statusCode).toBe(400);
    for (let index = 1; index < MAX_CHANNELS; index++) {
      expect((await ask("PUT", `/local/notifications/phone-${index}`, PHONE)).statusCode).toBe(200);
    }
    expect((await ask("PUT", "/local/notifications/one-more", PHONE)).statusCode).toBe(409);
    expect((await ask("PUT", "/local/notifications/phone-1", PHONE)).statusCode).toBe(200);
  });

  test("is nothing for a client without the scope", async () => {
    await using opened = await open();
    const { house } = opened;
    const url = "/local/notifications/anna";
    for (const request of [
      { method: "PUT", url, payload: PHONE },
      { method: "DELETE", url },
      { method: "GET", url: "/local/mail-server" },
      { method: "PUT", url: "/local/mail-server", payload: MAIL },
      { method: "DELETE", url: "/local/mail-server" },
    ] as const) {
      expect((await house.ask(request)).statusCode).toBe(403);
    }
  });

  test("has its secrets in no log line and in no diagnostics file", async () => {
    await using opened = await open();
    const { ask } = opened;
    await ask("PUT", "/local/mail-server", MAIL);
    await ask("PUT", "/local/notifications/anna", PHONE);
    const file = await ask("GET", "/local/diagnostics");
    const text = `${file.body}${JSON.stringify(opened.house.log.lines)}`;
    for (const canary of ["canary-topic", "tk_canary", "canary-password"]) expect(text).not.toContain(canary);
  });
});

describe("the mail server", () => {
  test("is set before e-mails are sent, keeps its password to itself, and stays while a channel needs it", async () => {
    await using opened = await open();
    const { ask } = opened;
    expect((await ask("GET", "/local/mail-server")).json()).toEqual({ origin: null, server: null });
    const set = await ask("PUT", "/local/mail-server", MAIL);
    expect(set.json()).toEqual({
      origin: "api",
      server: {
        ...{ host: "smtp.example.com", port: null, security: "tls", username: "house", hasPassword: true },
        from: "house@example.com",
      },
    });
    const { password: _, ...kept } = MAIL;
    expect((await ask("PUT", "/local/mail-server", { ...kept, from: "b@example.com" })).statusCode).toBe(200);
    expect((await ask("PUT", "/local/mail-server", { ...kept, host: "other.example" })).statusCode).toBe(400);
    const mail = { type: "email", to: ["anna@example.com"] };
    expect((await ask("PUT", "/local/notifications/mail", mail)).json()).toMatchObject({
      host: "smtp.example.com",
      to: ["anna@example.com"],
    });
    const refused = await ask("DELETE", "/local/mail-server");
    expect(refused.statusCode).toBe(409);
    expect(refused.json()).toMatchObject({ detail: expect.stringContaining("mail") });
    await ask("DELETE", "/local/notifications/mail");
    expect((await ask("DELETE", "/local/mail-server")).statusCode).toBe(204);
    expect((await ask("DELETE", "/local/mail-server")).statusCode).toBe(404);
  });

  test("of the file is shown and not changed", async () => {
    await using opened = await open({ notifications: { ...FILE, mailServer: MAIL } });
    const { ask } = opened;
    expect((await ask("GET", "/local/mail-server")).json()).toMatchObject({ origin: "file", server: { port: null } });
    expect((await ask("PUT", "/local/mail-server", MAIL)).statusCode).toBe(409);
    expect((await ask("DELETE", "/local/mail-server")).statusCode).toBe(409);
  });
});
