import { describe, expect, test } from "vitest";
import { createClient } from "../../../src/api/clients/clients.ts";
import { getToken } from "../support/api-house.ts";
import { Browser, batteryPath, DAY_MS, house, ownerOf, personOf, skip } from "./browser.ts";

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
