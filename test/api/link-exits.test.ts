import { describe, expect, test } from "vitest";
import { chargerOptions, makeHome } from "../engine/home.ts";
import { makeTown, type Town } from "../engine/linking/town.ts";
import { LinkVisit } from "./support/link-visit.ts";
import { openRealHouse, type RealHouse } from "./support/real-house.ts";

const SCOPES = ["charger:control:charging", "charger:read:data"];
const CREDENTIALS = { username: "anna@example.com", password: "sunshine" };

interface Linking extends AsyncDisposable {
  readonly house: RealHouse;
  readonly town: Town;
}

async function openTown(): Promise<Linking> {
  const town = makeTown();
  const home = makeHome(1, { adapters: [town.adapter] });
  town.account["c-1"] = {
    device: home.add("c-1", chargerOptions({ vendors: ["EASEE", "SIMULATED"] })),
    name: "Garage",
  };
  delete home.devices["c-1"];
  const house = await openRealHouse({ home });
  return { house, town, [Symbol.asyncDispose]: () => house[Symbol.asyncDispose]() };
}

async function linkUrl(house: RealHouse, change: object = {}): Promise<string> {
  const body = { vendor: "EASEE", scopes: SCOPES, language: "en-US", redirectUri: "myapp://done?x=1#part", ...change };
  const answer = await house.ask({ method: "POST", url: "/users/anna/link", payload: body });
  return answer.json<{ linkUrl: string }>().linkUrl;
}

async function visit(house: RealHouse, change: object = {}): Promise<LinkVisit> {
  return await LinkVisit.open(house, await linkUrl(house, change));
}

/** Signs in and links the charger, in a session of its own. */
async function linkCharger(house: RealHouse): Promise<{ readonly id: string; readonly url: string }> {
  const url = await linkUrl(house);
  const person = await LinkVisit.open(house, url);
  await person.press();
  await person.press({ scope: SCOPES });
  await person.press(CREDENTIALS);
  await person.press({ device: "c-1" });
  await house.pass(5_000);
  const { data } = (await house.ask({ url: "/users/anna/chargers" })).json<{ data: { id: string }[] }>();
  return { id: data[0]?.id ?? "", url };
}

describe("leaving the link page", () => {
  test("early goes back to the app and says that the user ended it", async () => {
    await using town = await openTown();
    const { page } = await visit(town.house);
    const exit = new URL(page.links.find((link) => link.startsWith("myapp:")) ?? "");
    expect(Object.fromEntries(exit.searchParams)).toEqual({
      x: "1",
      error: "access_denied",
      error_message: "The user ended linking.",
      error_description: "The user ended linking.",
    });
    expect(exit.hash).toBe("#part");
  });

  test("is possible where nothing can be linked, and says that the permissions are to blame", async () => {
    await using town = await openTown();
    const person = await visit(town.house, { vendor: undefined, scopes: ["hvac:read:data"] });
    const page = await person.press();
    expect(page.title).toBe("Nothing to link here");
    expect(page.links.at(-1)).toContain("error=invalid_scope");
  });

  test("after a failure of the gateway says that it failed, and another try begins anew", async () => {
    await using town = await openTown();
    const person = await visit(town.house);
    await person.press();
    await person.press({ scope: SCOPES });
    await person.press(CREDENTIALS);
    town.house.home.disk.failWrites("lost");
    const page = await person.press({ device: "c-1" });
    expect(page).toMatchObject({ title: "Something went wrong" });
    expect(page.links.at(-1)).toContain("error=server_error");
    expect((await person.press()).title).toBe("Link your Easee devices");
  });

  test("at the end is possible once: the link is used then", async () => {
    await using town = await openTown();
    const { url } = await linkCharger(town.house);
    const { page } = await LinkVisit.open(town.house, url);
    expect(page).toMatchObject({ status: 410, title: "This link was used already" });
    expect(page.links.at(-1)).toContain("error=invalid_request");
  });

  test("at the end shows the same page when it is loaded again", async () => {
    await using town = await openTown();
    const person = await visit(town.house);
    await person.press();
    await person.press({ scope: SCOPES });
    await person.press(CREDENTIALS);
    await person.press({ device: "c-1" });
    expect((await person.reload()).title).toBe("All set");
  });
});

describe("the link page keeps strangers out", () => {
  test("shows nothing for a token that is not known", async () => {
    await using town = await openTown();
    const { page } = await LinkVisit.open(town.house, "http://localhost/link/guess");
    expect(page).toMatchObject({ status: 404, title: "This link is not known" });
    expect(page.links).toEqual(["#title"]);
  });

  test("runs nothing but its own script, loads nothing from elsewhere, and is not kept or framed", async () => {
    await using town = await openTown();
    const { page } = await visit(town.house);
    const policy = String(page.headers["content-security-policy"]);
    expect(policy.split("; ")).toEqual([
      "default-src 'none'",
      "style-src 'self'",
      "script-src 'self'",
      "img-src data:",
      "base-uri 'none'",
      "form-action 'self'",
      "frame-ancestors 'none'",
    ]);
    expect(page.headers).toMatchObject({
      "cache-control": "no-store",
      "referrer-policy": "no-referrer",
      "x-content-type-options": "nosniff",
    });
    expect(page.html).not.toMatch(/<script>|style="|\son\w+=|https?:\/\//);
    for (const path of ["/link/link.css", "/link/link.js"]) {
      expect((await town.house.ask({ url: path, headers: { authorization: "" } })).statusCode).toBe(200);
    }
  });

  test("takes no form without the key of the page", async () => {
    await using town = await openTown();
    const person = await visit(town.house);
    expect((await person.send(new URLSearchParams({ action: "continue" }))).title).toBe("Link your Easee devices");
    expect((await person.send(new URLSearchParams({ action: "continue", key: "x.0" }))).title).toBe(
      "Link your Easee devices",
    );
  });

  test("takes each form once", async () => {
    await using town = await openTown();
    const person = await visit(town.house);
    const first = person.form();
    await person.press();
    expect((await person.send(first)).title).toBe("test asks for access");
  });

  test("refuses a form of another site's page", async () => {
    await using town = await openTown();
    const person = await visit(town.house);
    const page = await person.send(person.form(), { "sec-fetch-site": "cross-site" });
    expect(page.status).toBe(403);
  });

  test("never writes what somebody typed as markup", async () => {
    await using town = await openTown();
    const person = await visit(town.house);
    await person.press();
    await person.press({ scope: SCOPES });
    const page = await person.press({ username: '"><script>alert(1)</script>', password: "x" });
    expect(page.html).not.toContain("<script>alert");
    expect(page.html).toContain("&quot;>&lt;script>alert(1)");
  });

  test("takes JSON for no form", async () => {
    await using town = await openTown();
    const person = await visit(town.house);
    const answer = await town.house.ask({ method: "POST", url: person.url, payload: { action: "continue" } });
    expect(answer.statusCode).toBe(415);
  });
});

describe("the link page's language and colours", () => {
  test.each([
    ["de-DE", "", "de-DE"],
    ["en-GB", "", "en-US"],
    ["ja-JP", "", "en-US"],
    ["browser", "de-AT,de;q=0.9,en;q=0.8", "de-DE"],
    ["browser", "fr;q=0.9,en;q=0.2,de;q=0.5", "de-DE"],
    ["browser", "de;q=0,en", "en-US"],
    ["browser", "", "en-US"],
    ["en-US", "de", "en-US"],
  ])("asked for as %s by a browser that wants %j is %s", async (language, wanted, shown) => {
    await using town = await openTown();
    const url = await linkUrl(town.house, { language });
    const { page } = await LinkVisit.open(town.house, url, wanted === "" ? {} : { "accept-language": wanted });
    expect(page.html).toContain(`<html lang="${shown}"`);
    expect(page.title).toBe(shown === "de-DE" ? "Easee-Geräte verknüpfen" : "Link your Easee devices");
  });

  test.each(["system", "light", "dark"])("are %s when that is asked for", async (colorScheme) => {
    await using town = await openTown();
    expect((await visit(town.house, { colorScheme })).page.html).toContain(`data-scheme="${colorScheme}"`);
  });
});

describe("relinking", () => {
  const body = { language: "en-US", redirectUri: "myapp://done" };
  const relink = (house: RealHouse, id: string) =>
    house.ask({ method: "POST", url: `/assets/${id}/relink`, payload: body });

  /** The vendor takes the password no more. */
  async function lose({ house, town }: Linking): Promise<void> {
    town.password = "moonlight";
    const [device] = house.run.store.all("device");
    const losing = house.run.engine.services.authorizations.invalidate("anna", "EASEE", device?.id ?? "");
    await house.home.world.clock.resolve(losing, 5_000);
  }

  test("restores the access under the same id, beginning at the sign-in", async () => {
    await using town = await openTown();
    const { house } = town;
    const { id } = await linkCharger(house);
    await lose(town);
    const lost = (await house.ask({ url: `/chargers/${id}` })).json<{ capabilities: Record<string, object> }>();
    const [remedy = ""] = (lost.capabilities["startCharging"] as { interventionIds: string[] }).interventionIds;
    expect((await house.ask({ url: `/interventions/${remedy}` })).json()).toMatchObject({
      resolution: { action: "Link" },
    });

    const answer = await relink(house, id);
    expect(answer.statusCode).toBe(200);
    const person = await LinkVisit.open(house, answer.json<{ linkUrl: string }>().linkUrl);
    expect(person.page.title).toBe("Sign in to Easee app");
    expect((await person.press(CREDENTIALS)).fault).toMatch(/not accepted/);
    expect((await person.press({ ...CREDENTIALS, password: "moonlight" })).title).toBe("Access restored");
    await house.pass(5_000);
    expect((await house.ask({ url: `/chargers/${id}` })).json()).toMatchObject({
      id,
      isReachable: true,
      scopes: SCOPES,
      capabilities: { startCharging: { isCapable: true, interventionIds: [] } },
    });
    expect((await house.ask({ url: "/users/anna" })).json()).toMatchObject({ linkedVendors: [{ isValid: true }] });
  });

  test("is refused while the asset is linked", async () => {
    await using town = await openTown();
    const { id } = await linkCharger(town.house);
    const answer = await relink(town.house, id);
    expect(answer.statusCode).toBe(400);
    expect(answer.json<{ detail: string }>().detail).toContain("already linked");
  });

  test("takes no other account's devices", async () => {
    await using town = await openTown();
    const { house } = town;
    const { id } = await linkCharger(house);
    await lose(town);
    town.town.account["c-9"] = town.town.account["c-1"] ?? { device: house.home.add("x", chargerOptions()), name: "" };
    delete town.town.account["c-1"];
    const person = await LinkVisit.open(house, (await relink(house, id)).json<{ linkUrl: string }>().linkUrl);
    expect((await person.press({ ...CREDENTIALS, password: "moonlight" })).fault).toMatch(/other devices than before/);
    expect(house.run.store.all("device")).toHaveLength(1);
  });

  test("brings back what a user took the authorization from", async () => {
    await using town = await openTown();
    const { house } = town;
    const { id } = await linkCharger(house);
    await house.ask({ method: "DELETE", url: "/users/anna/authorization" });
    const person = await LinkVisit.open(house, (await relink(house, id)).json<{ linkUrl: string }>().linkUrl);
    expect((await person.press(CREDENTIALS)).title).toBe("Access restored");
    await house.pass(5_000);
    expect((await house.ask({ url: `/chargers/${id}` })).json()).toMatchObject({ id, isReachable: true });
  });

  test("is the same when the user links again by itself", async () => {
    await using town = await openTown();
    const { house } = town;
    const { id } = await linkCharger(house);
    await lose(town);
    const person = await visit(house);
    await person.press();
    await person.press({ scope: SCOPES });
    await person.press({ ...CREDENTIALS, password: "moonlight" });
    await person.press({ device: "c-1" });
    await house.pass(5_000);
    expect((await house.ask({ url: `/chargers/${id}` })).json()).toMatchObject({ id, isReachable: true });
  });
});

describe("devices of the configuration", () => {
  test("come back under their user when they are linked again", async () => {
    const home = makeHome();
    home.add("charger", chargerOptions());
    await using house = await openRealHouse({ home });
    await house.pass(5_000);
    await house.ask({ method: "DELETE", url: "/users/home" });
    expect((await house.ask({ url: "/chargers" })).json()).toMatchObject({ data: [] });

    const body = { scopes: ["charger:read:data"], language: "en-US", redirectUri: "myapp://done" };
    const answer = await house.ask({ method: "POST", url: "/users/home/link", payload: body });
    const person = await LinkVisit.open(house, answer.json<{ linkUrl: string }>().linkUrl);
    await person.press();
    const consent = await person.press({ brand: "Home" });
    expect(consent.html).toContain("Its settings say what is allowed.");
    expect(consent.html.match(/type="checkbox"[^>]* disabled/g)).toHaveLength(2);
    expect((await person.press()).title).toBe("Choose your devices");
    expect((await person.press({ device: "charger" })).title).toBe("All set");
    await house.pass(5_000);
    expect((await house.ask({ url: "/chargers" })).json()).toMatchObject({
      data: [{ userId: "home", isReachable: true, scopes: SCOPES }],
    });
  });

  test("are offered to nobody else", async () => {
    const home = makeHome();
    home.add("charger", chargerOptions());
    await using house = await openRealHouse({ home });
    await house.pass(5_000);
    await house.ask({ method: "DELETE", url: "/users/home" });
    const person = await visit(house, { vendor: undefined });
    expect((await person.press()).title).toBe("Nothing to link here");
  });
});
