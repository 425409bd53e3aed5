import { describe, expect, test } from "vitest";
import { createClient } from "../../../src/api/clients/clients.ts";
import { getToken } from "../support/api-house.ts";
import { openRealHouse, type RealHouse } from "../support/real-house.ts";
import { Browser, house, ownerOf, personOf } from "./browser.ts";

const DAY_MS = 24 * 3_600_000;
/** Sets the wall clock ahead: no device has to live through the days. */
function skip({ home }: RealHouse, ms: number): void {
  const { clock } = home.world;
  clock.setWallMs(clock.nowMs() + ms);
}

async function batteryPath(owner: Browser): Promise<string> {
  return `/batteries/${(await owner.get("/batteries")).json().data[0].id}/operation-mode`;
}

describe("a claim", () => {
  test("makes an owner with a session in a cookie that scripts and other sites do not get", async () => {
    await using opened = await house();
    const anna = new Browser(opened);
    expect((await anna.get("/local/claim")).json()).toEqual({ isClaimed: false });
    const answer = await anna.claim("  Anna ");
    expect(answer.statusCode).toBe(201);
    expect(answer.headers["set-cookie"]).toMatch(
      /^hemgate-session=[\w-]{43}; Max-Age=2592000; Path=\/; HttpOnly; SameSite=Strict$/,
    );
    expect(answer.json()).toMatchObject({
      account: { name: "Anna", role: "owner", language: null, expiresAt: null },
      rights: ["see", "command", "install", "people"],
    });
    expect((await anna.get("/local/claim")).json()).toEqual({ isClaimed: true });
    expect((await anna.get("/local/session")).json().account.name).toBe("Anna");
    expect((await anna.get("/batteries")).json().data).toHaveLength(1);
  });

  test("takes the code that the log shows, however it is typed", async () => {
    await using opened = await house();
    const { setupCode } = opened.run.process.log.lines.find(({ fields }) => "setupCode" in fields)?.fields ?? {};
    expect(setupCode).toMatch(/^[0-9A-HJKMNP-TV-Z]{4}-[0-9A-HJKMNP-TV-Z]{4}$/);
    const code = ` ${String(setupCode).toLowerCase().replace("-", " ").replaceAll("0", "o").replaceAll("1", "l")}`;
    const answer = await new Browser(opened).send("POST", "/local/claim", { code, name: "Anna", password: "12345678" });
    expect(answer.statusCode).toBe(201);
  });

  test("is refused with a code that was used, a wrong one, none, and from another site's page", async () => {
    await using opened = await house();
    const { people } = opened.run.engine.services;
    const code = people.setupCode() ?? "";
    const body = { code, name: "Eve", password: "12345678" };
    const eve = new Browser(opened);
    const foreign = { headers: { origin: "http://evil.example" } };
    expect((await eve.send("POST", "/local/claim", body, foreign)).statusCode).toBe(403);
    expect((await eve.send("POST", "/local/claim", { ...body, code: "0000-0000" })).statusCode).toBe(403);
    expect((await eve.send("POST", "/local/claim", { name: "Eve", password: "12345678" })).statusCode).toBe(400);
    expect((await eve.send("POST", "/local/claim", { ...body, password: "1234567" })).statusCode).toBe(400);
    expect(people.isClaimed()).toBe(false);
    expect((await new Browser(opened).claim()).statusCode).toBe(201);
    expect((await eve.send("POST", "/local/claim", body)).statusCode).toBe(403);
    expect((await eve.get("/batteries")).statusCode).toBe(401);
    expect(people.setupCode()).toBe(null);
  });

  test("sent twice at once makes one owner", async () => {
    await using opened = await house();
    const { people } = opened.run.engine.services;
    const code = people.setupCode() ?? "";
    const answers = ["Anna", "Eve"].map((name) =>
      opened.api.inject({ method: "POST", url: "/local/claim", payload: { code, name, password: "12345678" } }),
    );
    const settled = await opened.home.world.clock.resolve(Promise.all(answers), 10_000);
    expect(settled.map(({ statusCode }) => statusCode).sort()).toEqual([201, 403]);
    expect(people.list({ accountId: null, isManager: true })).toHaveLength(1);
  });

  test("with wrong codes again and again has to wait", async () => {
    await using opened = await house();
    const eve = new Browser(opened);
    const body = { code: "0000-0000", name: "Eve", password: "12345678" };
    for (let each = 0; each < 10; each += 1) await eve.send("POST", "/local/claim", body);
    const answer = await eve.send("POST", "/local/claim", body);
    expect([answer.statusCode, answer.headers["retry-after"]]).toEqual([429, expect.stringMatching(/^\d+$/)]);
    expect((await eve.claim()).statusCode).toBe(429);
    await opened.pass(61_000);
    expect((await eve.claim()).statusCode).toBe(201);
  });

  test("on a claimed gateway takes a new code from its machine, for an hour", async () => {
    await using opened = await house();
    await ownerOf(opened);
    const { people } = opened.run.engine.services;
    people.renewSetupCode();
    await opened.pass(3_601_000);
    expect(people.setupCode()).toBe(null);
    people.renewSetupCode();
    expect((await new Browser(opened).claim("Ben")).statusCode).toBe(201);
  });
});

describe("a session", () => {
  test("goes on after a restart and slides, and ends after 30 days without a request", async () => {
    const opened = await house();
    const anna = await ownerOf(opened);
    for (let week = 0; week < 6; week += 1) {
      skip(opened, 7 * DAY_MS);
      expect((await anna.get("/local/session")).statusCode).toBe(200);
    }
    const { home } = opened;
    await opened[Symbol.asyncDispose]();
    await using again = await openRealHouse({ home });
    const same = new Browser(again);
    same.cookie = anna.cookie;
    expect((await same.get("/local/session")).statusCode).toBe(200);
    expect((await same.get("/local/claim")).json()).toEqual({ isClaimed: true });
    skip(again, 31 * DAY_MS);
    const answer = await same.get("/batteries");
    expect([answer.statusCode, answer.json().detail]).toEqual([401, "The session has ended; sign in again."]);
  });

  test("that was signed out is dead at once, also for who stole the cookie, and after a restart", async () => {
    const opened = await house();
    const anna = await ownerOf(opened);
    const thief = new Browser(opened, "192.168.1.66");
    thief.cookie = anna.cookie;
    thief.csrfToken = anna.csrfToken;
    expect((await thief.get("/batteries")).statusCode).toBe(200);
    const answer = await anna.send("DELETE", "/local/session");
    expect([answer.statusCode, answer.headers["set-cookie"]]).toEqual([204, expect.stringContaining("Max-Age=0")]);
    expect((await thief.get("/batteries")).statusCode).toBe(401);
    expect((await thief.send("POST", "/local/people", { name: "Eve", role: "owner" })).statusCode).toBe(401);
    const { home } = opened;
    await opened[Symbol.asyncDispose]();
    await using again = await openRealHouse({ home });
    const later = new Browser(again);
    later.cookie = thief.cookie;
    expect((await later.get("/batteries")).statusCode).toBe(401);
  });

  test("changes nothing without its CSRF token, from another site's page, or where nothing says where it comes from", async () => {
    await using opened = await house();
    const anna = await ownerOf(opened);
    const path = await batteryPath(anna);
    const body = { operationMode: "IDLE" };
    const tries = [
      { "x-csrf-token": "" },
      { "x-csrf-token": "a".repeat(43) },
      { origin: "http://evil.example" },
      { origin: "null" },
      { origin: "http://localhost:9999" },
      { "sec-fetch-site": "cross-site" },
      { "sec-fetch-site": "same-site" },
    ];
    for (const headers of tries) expect((await anna.send("POST", path, body, { headers })).statusCode).toBe(403);
    const bare = await opened.api.inject({
      method: "POST",
      url: path,
      headers: { host: "localhost", cookie: `hemgate-session=${anna.cookie}`, "x-csrf-token": anna.csrfToken ?? "" },
      payload: body,
    });
    expect(bare.statusCode).toBe(403);
    expect((await anna.send("DELETE", "/local/session", undefined, { headers: tries[0]! })).statusCode).toBe(403);
    expect((await anna.send("POST", path, body)).statusCode).toBe(200);
  });

  test("is not looked at in a request with a token, which needs no CSRF token", async () => {
    await using opened = await house();
    const anna = await ownerOf(opened);
    const headers = { cookie: `hemgate-session=${anna.cookie}` };
    expect(
      (await opened.ask({ method: "POST", url: await batteryPath(anna), headers, payload: { operationMode: "IDLE" } }))
        .statusCode,
    ).toBe(200);
    expect((await opened.ask({ url: "/local/session", headers })).statusCode).toBe(401);
    expect((await anna.get("/batteries", { headers: { authorization: "Bearer wrong" } })).statusCode).toBe(401);
  });

  test("is Secure where the browser speaks https", async () => {
    await using opened = await house();
    await ownerOf(opened);
    const anna = new Browser(opened);
    const answer = await anna.signIn("anna", "correct horse", { headers: { origin: "https://localhost:8080" } });
    expect([answer.statusCode, answer.headers["set-cookie"]]).toEqual([200, expect.stringContaining("; Secure")]);
  });

  test("of an account at one more browser than there may be pushes out the oldest", async () => {
    await using opened = await house();
    const anna = await ownerOf(opened);
    const { people } = opened.run.engine.services;
    for (let each = 0; each < 20; each += 1) {
      skip(opened, 120_000);
      await new Browser(opened).signIn("Anna", "correct horse");
    }
    expect(people.sessions({ accountId: null, isManager: true })).toHaveLength(20);
    expect((await anna.get("/local/session")).statusCode).toBe(401);
  });

  test("of another browser is listed, and ended from here", async () => {
    await using opened = await house();
    const anna = await ownerOf(opened);
    skip(opened, 1_000);
    const ben = await personOf(opened, anna, "member", "Ben");
    const listed = (await anna.get("/local/sessions")).json();
    expect(listed).toMatchObject([
      { accountName: "Ben", isCurrent: false, address: "192.168.1.8" },
      { accountName: "Anna", isCurrent: true },
    ]);
    expect((await ben.get("/local/sessions")).json()).toHaveLength(1);
    expect((await ben.send("DELETE", `/local/sessions/${listed[1].id}`)).statusCode).toBe(404);
    expect((await anna.send("DELETE", `/local/sessions/${listed[0].id}`)).statusCode).toBe(204);
    expect((await ben.get("/batteries")).statusCode).toBe(401);
  });
});

describe("a role", () => {
  test("says who sees, commands, installs and manages people", async () => {
    await using opened = await house();
    const anna = await ownerOf(opened);
    const path = await batteryPath(anna);
    const rights: Record<string, readonly number[]> = {};
    for (const role of ["guest", "member", "installer", "owner"]) {
      const person = await personOf(opened, anna, role);
      rights[role] = [
        await person.get("/batteries"),
        await person.send("POST", path, { operationMode: "IDLE" }),
        await person.send("PATCH", "/local/site", { fuse: 25 }),
        await person.get("/webhooks"),
        await person.send("POST", "/local/people", { name: `friend of ${role}`, role: "guest" }),
        await person.get("/local/audit"),
        await person.get("/local/clients"),
      ].map(({ statusCode }) => (statusCode === 400 ? 200 : statusCode));
    }
    expect(rights).toEqual({
      guest: [200, 403, 403, 403, 403, 403, 403],
      member: [200, 200, 403, 403, 403, 403, 403],
      installer: [200, 200, 200, 200, 403, 403, 403],
      owner: [200, 200, 200, 200, 201, 200, 200],
    });
  });

  test("of a member lets nobody raise it, or change others", async () => {
    await using opened = await house();
    const anna = await ownerOf(opened);
    const ben = await personOf(opened, anna, "member", "Ben");
    const [annaId, benId] = (await anna.get("/local/people")).json().map(({ id }: { id: string }) => id);
    expect((await ben.get("/local/people")).json()).toMatchObject([{ name: "Ben" }]);
    expect((await ben.send("PATCH", `/local/people/${benId}`, { role: "owner" })).statusCode).toBe(403);
    expect((await ben.send("PATCH", `/local/people/${annaId}`, { name: "Eve" })).statusCode).toBe(403);
    expect((await ben.send("DELETE", `/local/people/${annaId}`)).statusCode).toBe(403);
    expect((await ben.send("PATCH", `/local/people/${benId}`, { language: "de", name: "Benno" })).json()).toMatchObject(
      { name: "Benno", language: "de" },
    );
    expect((await anna.send("PATCH", `/local/people/${benId}`, { role: "guest" })).statusCode).toBe(200);
    expect((await ben.send("POST", await batteryPath(anna), { operationMode: "IDLE" })).statusCode).toBe(403);
  });

  test("of an installer ends after 30 days, and an owner renews it", async () => {
    await using opened = await house();
    const anna = await ownerOf(opened);
    const ivo = await personOf(opened, anna, "installer", "Ivo");
    const [, { id }] = (await anna.get("/local/people")).json();
    skip(opened, 29 * DAY_MS);
    expect((await ivo.get("/batteries")).statusCode).toBe(200);
    await anna.get("/local/session");
    skip(opened, DAY_MS + 1_000);
    expect((await ivo.get("/batteries")).statusCode).toBe(401);
    const refused = await ivo.signIn("Ivo", "the installer's password");
    expect([refused.statusCode, refused.json().detail]).toEqual([
      403,
      expect.stringContaining("an owner can renew it"),
    ]);
    expect((await ivo.signIn("Ivo", "wrong")).statusCode).toBe(401);
    expect((await anna.send("PATCH", `/local/people/${id}`, { renew: true })).statusCode).toBe(200);
    expect((await ivo.signIn("Ivo", "the installer's password")).statusCode).toBe(200);
    const [{ id: annaId }] = (await anna.get("/local/people")).json();
    expect((await anna.send("PATCH", `/local/people/${annaId}`, { renew: true })).statusCode).toBe(409);
  }, 60_000);

  test("of the last owner stays, until somebody else is one", async () => {
    await using opened = await house();
    const anna = await ownerOf(opened);
    const [{ id }] = (await anna.get("/local/people")).json();
    expect((await anna.send("DELETE", `/local/people/${id}`)).statusCode).toBe(409);
    expect((await anna.send("PATCH", `/local/people/${id}`, { role: "member" })).statusCode).toBe(409);
    const invited = (await anna.send("POST", "/local/people", { name: "Ben", role: "owner" })).json();
    expect((await anna.send("DELETE", `/local/people/${id}`)).statusCode).toBe(409);
    const ben = new Browser(opened);
    await ben.send("POST", "/local/claim", { code: invited.code, name: "Ben", password: "12345678" });
    expect((await anna.send("DELETE", `/local/people/${id}`)).statusCode).toBe(204);
    expect((await anna.get("/local/session")).statusCode).toBe(401);
    expect((await ben.get("/local/session")).json().account.role).toBe("owner");
  });
});

describe("people", () => {
  test("are invited by a code that counts once, for seven days", async () => {
    await using opened = await house();
    const anna = await ownerOf(opened);
    const { code, ...person } = (await anna.send("POST", "/local/people", { name: "Ben", role: "member" })).json();
    expect(person).toMatchObject({ name: "Ben", role: "member", isPending: true, lastSeenAt: null });
    const ben = new Browser(opened);
    expect((await ben.signIn("Ben", "")).statusCode).toBe(401);
    const body = { code, name: "Benno", password: "12345678", language: "nl" };
    expect((await ben.send("POST", "/local/claim", { ...body, name: "ANNA" })).statusCode).toBe(409);
    expect((await ben.send("POST", "/local/claim", body)).json().account).toMatchObject({
      id: person.id,
      name: "Benno",
      role: "member",
      language: "nl",
    });
    expect((await ben.send("POST", "/local/claim", body)).statusCode).toBe(403);
    const late = (await anna.send("POST", "/local/people", { name: "Cem", role: "guest" })).json();
    skip(opened, 7 * DAY_MS + 1_000);
    expect((await ben.send("POST", "/local/claim", { ...body, code: late.code, name: "Cem" })).statusCode).toBe(403);
  });

  test("change their password with the old one, which ends their other sessions", async () => {
    await using opened = await house();
    const anna = await ownerOf(opened);
    const other = new Browser(opened);
    await other.signIn("Anna", "correct horse");
    const [{ id }] = (await anna.get("/local/people")).json();
    const path = `/local/people/${id}`;
    const wrong = await anna.send("PATCH", path, { password: "a new password", oldPassword: "wrong" });
    expect([wrong.statusCode, (await other.get("/local/session")).statusCode]).toEqual([403, 200]);
    expect((await anna.send("PATCH", path, { password: "a new password" })).statusCode).toBe(400);
    const changes = { password: "a new password", oldPassword: "correct horse" };
    expect((await anna.send("PATCH", path, changes)).statusCode).toBe(200);
    expect((await anna.get("/local/session")).statusCode).toBe(200);
    expect((await other.get("/local/session")).statusCode).toBe(401);
    expect((await other.signIn("Anna", "correct horse")).statusCode).toBe(401);
    expect((await other.signIn("Anna", "a new password")).statusCode).toBe(200);
  });

  test("who lost their password get a code on the gateway's machine, which ends their sessions", async () => {
    await using opened = await house();
    const anna = await ownerOf(opened);
    const { clock } = opened.home.world;
    const { code } = await clock.resolve(opened.run.engine.services.people.reset("anna"), 10_000);
    const again = new Browser(opened);
    const answer = await again.send("POST", "/local/claim", { code, name: "Anna", password: "a new password" });
    expect([answer.statusCode, answer.json().account.role]).toEqual([201, "owner"]);
    expect((await anna.get("/local/session")).statusCode).toBe(401);
    await expect(clock.resolve(opened.run.engine.services.people.reset("Eve"), 10_000)).rejects.toThrow(
      'There is no account "Eve"; there are Anna.',
    );
  });

  test("have names that are kept as text, without control characters, and no two alike", async () => {
    await using opened = await house();
    const anna = await ownerOf(opened);
    const create = (name: string) => anna.send("POST", "/local/people", { name, role: "guest" });
    const script = "<script>alert(1)</script>";
    const answer = await create(script);
    expect(answer.json().name).toBe(script);
    expect(answer.headers["content-type"]).toMatch(/^application\/json/);
    expect(answer.headers["x-content-type-options"]).toBe("nosniff");
    for (const name of ["", "   ", "x".repeat(65), "a\nb", "a\u0000b", "a\u202Eb", 7 as unknown as string]) {
      expect((await create(name)).statusCode, JSON.stringify(name)).toBe(400);
    }
    expect((await create("ANNA")).statusCode).toBe(409);
  });

  test("are managed by a client with the scope, and by no other", async () => {
    await using opened = await house();
    const parts = { store: opened.run.store, ...opened.run.process.platform };
    const { clock } = opened.home.world;
    const client = await clock.resolve(createClient(parts, "App", undefined, ["people:manage"]), 10_000);
    const authorization = `Bearer ${await clock.resolve(getToken(opened.api, client), 10_000)}`;
    const urls = ["/local/people", "/local/sessions", "/local/clients", "/local/audit"];
    for (const url of urls) {
      expect((await opened.ask({ url })).statusCode, url).toBe(403);
      expect((await opened.ask({ url, headers: { authorization } })).statusCode, url).toBe(200);
    }
    const payload = { name: "Ben", role: "member" };
    const asked = { method: "POST", url: "/local/people", payload } as const;
    expect((await opened.ask(asked)).statusCode).toBe(403);
    expect((await opened.ask({ ...asked, headers: { authorization } })).statusCode).toBe(201);
  });
});

describe("clients", () => {
  test("are listed with their last use, and revoked: tokens end at once, webhooks and limits go", async () => {
    await using opened = await house({ maySetLimits: true });
    const anna = await ownerOf(opened);
    const webhook = { url: "https://example.com/hook", secret: "a-secret-of-some-length", events: ["*"] };
    await opened.ask({ method: "POST", url: "/webhooks", payload: webhook });
    await opened.ask({ method: "PUT", url: "/local/energy/limits", payload: { import: { isActive: true, limit: 4 } } });
    const [client] = (await anna.get("/local/clients")).json();
    expect(client).toMatchObject({ id: opened.client.id, name: "test", scopes: ["energy:limits"] });
    expect(client.lastUsedAt).toMatch(/^20/);
    expect((await anna.send("DELETE", `/local/clients/${client.id}`)).statusCode).toBe(204);
    expect((await opened.ask({ url: "/batteries" })).statusCode).toBe(401);
    expect(opened.run.store.all("webhook")).toEqual([]);
    expect(opened.run.engine.services.energyLimits.sources()).toEqual([]);
    expect((await anna.send("DELETE", `/local/clients/${client.id}`)).statusCode).toBe(404);
  });
});

interface Told {
  readonly who: { readonly kind: string; readonly name: string | null };
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly outcome: string;
  readonly count: number;
}

describe("the audit log", () => {
  test("says who changed and commanded what, and with which outcome, without bodies and secrets", async () => {
    await using opened = await house();
    const anna = await ownerOf(opened);
    const path = await batteryPath(anna);
    await opened.pass(1_000);
    await opened.ask({ method: "POST", url: path, payload: { operationMode: "IDLE" } });
    await opened.pass(1_000);
    const eve = new Browser(opened);
    await eve.signIn("a password typed as a name", "12345678");
    await eve.signIn("Anna", "wrong password");
    await opened.pass(1_000);
    for (let each = 0; each < 3; each += 1) await anna.send("POST", "/local/people", { name: "Ben", role: "king" });
    const { data, pagination } = (await anna.get("/local/audit")).json();
    const told = data.map(({ who, method, path: at, status, outcome, count }: Told) => [
      `${who.kind} ${who.name ?? ""}`,
      `${method} ${at}`,
      `${status} ${outcome} ${count}`,
    ]);
    expect(told.slice(0, 1)).toEqual([["account Anna", "POST /local/people", "400 refused 3"]]);
    expect(told.slice(1, 3).toSorted()).toEqual([
      ["unknown ", "POST /local/session", "401 refused 1"],
      ["unknown Anna", "POST /local/session", "401 refused 1"],
    ]);
    expect(told.slice(3)).toEqual([
      ["client test", `POST ${path}`, "200 done 1"],
      ["account Anna", "POST /local/claim", "201 done 1"],
    ]);
    expect(pagination).toEqual({ after: null, before: null });
    expect(JSON.stringify(data)).not.toMatch(/typed as a name|12345678|correct horse/);
  });
});
