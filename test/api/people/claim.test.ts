import { describe, expect, test } from "vitest";
import { Browser, house, ownerOf } from "./browser.ts";

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
