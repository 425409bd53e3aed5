import { describe, expect, test } from "vitest";
import { makeHome } from "../../engine/home.ts";
import { makeFakeVendors } from "../../engine/linking/fake-vendors.ts";
import { LinkVisit } from "../support/link-visit.ts";
import { openRealHouse, type RealHouse } from "../support/real-house.ts";

const BODY = { vendorType: "charger", scopes: ["charger:read:data"], language: "en-US", redirectUri: "myapp://done" };
const HOUR_MS = 3_600_000;

async function openLinking(linking = { maxConnections: 100 }): Promise<RealHouse> {
  return await openRealHouse({ home: makeHome(1, { adapters: [makeFakeVendors().adapter], linking }) });
}

function link(house: RealHouse, body: object = BODY, userId = "anna") {
  return house.ask({ method: "POST", url: `/users/${userId}/link`, payload: body });
}

describe("a link session", () => {
  test("answers a link that opens without a bearer token", async () => {
    await using house = await openLinking();
    const answer = await link(house);
    expect(answer.statusCode).toBe(200);
    const { linkUrl, linkToken } = answer.json<{ linkUrl: string; linkToken: string }>();
    expect(linkUrl).toBe(`http://localhost:80/link/${linkToken}`);
    expect(linkToken).toMatch(/^[\w-]{43}$/);
    expect((await LinkVisit.open(house, linkUrl)).page).toMatchObject({ status: 200, title: "Link your charger" });
  });

  test("makes the user when there is none", async () => {
    await using house = await openLinking();
    await link(house, BODY, "new%20user");
    expect((await house.ask({ url: "/users/new%20user" })).json()).toMatchObject({ id: "new user", linkedVendors: [] });
  });

  test("is kept by the hash of its token only", async () => {
    await using house = await openLinking();
    const { linkToken } = (await link(house)).json<{ linkToken: string }>();
    const kept = house.run.store.all("link");
    expect(kept).toHaveLength(1);
    expect(JSON.stringify(kept)).not.toContain(linkToken);
  });

  test("outlives a restart and ends after 24 hours", async () => {
    const home = makeHome(1, { adapters: [makeFakeVendors().adapter] });
    const first = await openRealHouse({ home });
    const { linkUrl } = (await link(first)).json<{ linkUrl: string }>();
    await first.pass(23 * HOUR_MS);
    await first[Symbol.asyncDispose]();
    await using house = await openRealHouse({ home });
    expect((await LinkVisit.open(house, linkUrl)).page.status).toBe(200);
    await house.pass(HOUR_MS);
    const { page } = await LinkVisit.open(house, linkUrl);
    expect(page).toMatchObject({ status: 410, title: "This link has expired" });
    expect(page.links.at(-1)).toMatch(/^myapp:\/\/done\?error=invalid_request&error_message=.+&error_description=.+/);
    await house.pass(25 * HOUR_MS);
    expect(house.run.store.all("link")).toEqual([]);
    expect((await LinkVisit.open(house, linkUrl)).page).toMatchObject({ status: 404, title: "This link is not known" });
  });

  test("ends with its user", async () => {
    await using house = await openLinking();
    const { linkUrl } = (await link(house)).json<{ linkUrl: string }>();
    await house.ask({ method: "DELETE", url: "/users/anna" });
    expect((await LinkVisit.open(house, linkUrl)).page.status).toBe(404);
    expect(house.run.store.all("link")).toEqual([]);
  });

  test("ends with its user's authorization", async () => {
    await using house = await openLinking();
    const { linkUrl } = (await link(house)).json<{ linkUrl: string }>();
    await house.ask({ method: "DELETE", url: "/users/anna/authorization" });
    expect((await LinkVisit.open(house, linkUrl)).page.status).toBe(404);
  });

  test("is one of at most 20 open ones of its user", async () => {
    await using house = await openLinking();
    const urls: string[] = [];
    for (let count = 0; count < 21; count += 1) {
      urls.push((await link(house)).json<{ linkUrl: string }>().linkUrl);
    }
    expect((await LinkVisit.open(house, urls[0] ?? "")).page.status).toBe(404);
    expect((await LinkVisit.open(house, urls[1] ?? "")).page.status).toBe(200);
  });

  test("is refused where too much is linked already", async () => {
    await using house = await openLinking({ maxConnections: 0 });
    const answer = await link(house);
    expect(answer.statusCode).toBe(403);
    expect(answer.json()).toMatchObject({ type: "/problems/forbidden", title: "Connections limit reached." });
    expect((await house.ask({ url: "/users/anna" })).statusCode).toBe(404);
  });
});

describe("the body of a link session", () => {
  test.each([
    ["no scopes", { scopes: [] }],
    ["an unknown scope", { scopes: ["charger:read:data", "charger:read:mind"] }],
    ["scopes without reading", { scopes: ["charger:control:charging"] }],
    ["one kind without reading", { scopes: ["charger:read:data", "vehicle:control:charging"] }],
    ["a kind that the scopes do not name", { vendorType: "vehicle" }],
    ["an unknown kind", { vendorType: "toaster" }],
    ["an unknown language", { language: "xx-XX" }],
    ["an unknown colour scheme", { colorScheme: "pink" }],
    ["a vendor that links no such kind", { vendor: "NEST" }],
    ["a key that is not known", { username: "anna" }],
    ["about:blank", { redirectUri: "about:blank" }],
    ["a script", { redirectUri: "javascript:alert(1)" }],
    ["data", { redirectUri: "data:text/html,hi" }],
    ["http on the Internet", { redirectUri: "http://example.com/done" }],
    ["http at a public address", { redirectUri: "http://8.8.8.8/" }],
    ["a name that only begins like an address in the house", { redirectUri: "http://10.example.com/" }],
    ["an intent", { redirectUri: "intent://scan/#Intent;scheme=zxing;end" }],
    ["an app of Android", { redirectUri: "android-app://com.example.app" }],
    ["an archive", { redirectUri: "jar:https://a.example/x.jar!/" }],
    ["a feed", { redirectUri: "feed:https://a.example/" }],
    ["a file", { redirectUri: "file:///etc/passwd" }],
    ["a source view", { redirectUri: "view-source:https://a.example/" }],
    ["a blob", { redirectUri: "blob:https://a.example/1" }],
    ["a script in disguise", { redirectUri: "JaVaScript:alert(1)" }],
    ["a tab in the scheme", { redirectUri: "java\tscript:alert(1)" }],
    ["a control character", { redirectUri: "https://a.example/\u0001" }],
    ["a path", { redirectUri: "/done" }],
    ["a line break", { redirectUri: "https://a.example/\nX" }],
    ["too long a URI", { redirectUri: `https://a.example/${"x".repeat(483)}` }],
  ])("is refused for %s", async (_what, change) => {
    await using house = await openLinking();
    const answer = await link(house, { ...BODY, ...change });
    expect(answer.statusCode).toBe(400);
    expect(answer.json<{ issues: unknown[] }>().issues).toHaveLength(1);
    expect((await house.ask({ url: "/users/anna" })).statusCode).toBe(404);
  });

  test.each(["vendorType", "scopes", "language", "redirectUri"])("is refused without %s", async (missing) => {
    await using house = await openLinking();
    const body = Object.fromEntries(Object.entries(BODY).filter(([name]) => name !== missing));
    expect((await link(house, body)).json()).toMatchObject({ issues: [{ path: [missing], in: "body" }] });
  });

  test.each([
    "https://a.example/done?x=1#part",
    "http://192.168.1.2:3000/",
    "myapp:done",
    "com.example.app:/done",
    "http://localhost:3000/",
    "http://[::1]:3000/",
    "http://[fd00::1]/",
    "http://panel.local/done",
    "http://panel/done",
    "com.example.app://linked/now",
    `https://a.example/${"x".repeat(482)}`,
  ])("takes the redirect %s", async (redirectUri) => {
    await using house = await openLinking();
    expect((await link(house, { ...BODY, redirectUri })).statusCode).toBe(200);
  });

  test.each(
    "browser da-DK de-DE en-US en-GB es-ES fi-FI fr-FR it-IT ja-JP lv-LV lt-LT nb-NO nl-NL nl-BE pl-PL pt-PT ro-RO sv-SE".split(
      " ",
    ),
  )("takes the language %s", async (language) => {
    await using house = await openLinking();
    expect((await link(house, { ...BODY, language })).statusCode).toBe(200);
  });
});

describe("relinking", () => {
  test("is refused for an asset that is not known", async () => {
    await using house = await openLinking();
    const body = { language: "en-US", redirectUri: "myapp://done" };
    const answer = await house.ask({ method: "POST", url: "/assets/5e0e9d4c/relink", payload: body });
    expect(answer.statusCode).toBe(400);
    expect(answer.json()).toMatchObject({ type: "/problems/bad-request" });
  });
});
