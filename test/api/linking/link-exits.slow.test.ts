import { describe, expect, test } from "vitest";
import { LinkVisit } from "../support/link-visit.ts";
import { CREDENTIALS, linkCharger, linkUrl, openLinking, SCOPES, visit } from "./linked-charger.ts";

describe("leaving the link page", () => {
  test("early goes back to the app and says that the user ended it", async () => {
    await using linking = await openLinking();
    const { page } = await visit(linking.house);
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
    await using linking = await openLinking();
    const person = await visit(linking.house, { vendor: undefined, vendorType: "hvac", scopes: ["hvac:read:data"] });
    const page = await person.press();
    expect(page.title).toBe("Nothing to link here");
    expect(page.links.at(-1)).toContain("error=invalid_scope");
  });

  test("after a failure of the gateway says that it failed, and another try begins anew", async () => {
    await using linking = await openLinking();
    const person = await visit(linking.house);
    await person.press();
    await person.press({ scope: SCOPES });
    await person.press(CREDENTIALS);
    linking.house.home.disk.failWrites("lost");
    const page = await person.press({ device: "c-1" });
    expect(page).toMatchObject({ title: "Something went wrong" });
    expect(page.links.at(-1)).toContain("error=server_error");
    expect((await person.press()).title).toBe("Link your Easee devices");
  });

  test("at the end is possible once: the link is used then", async () => {
    await using linking = await openLinking();
    const { url } = await linkCharger(linking.house);
    const { page } = await LinkVisit.open(linking.house, url);
    expect(page).toMatchObject({ status: 410, title: "This link was used already" });
    expect(page.links.at(-1)).toContain("error=invalid_request");
  });

  test("at the end shows the same page when it is loaded again", async () => {
    await using linking = await openLinking();
    const person = await visit(linking.house);
    await person.press();
    await person.press({ scope: SCOPES });
    await person.press(CREDENTIALS);
    await person.press({ device: "c-1" });
    expect((await person.reload()).title).toBe("All set");
  });
});

describe("the link page keeps strangers out", () => {
  test("shows nothing for a token that is not known", async () => {
    await using linking = await openLinking();
    const { page } = await LinkVisit.open(linking.house, "http://localhost/link/guess");
    expect(page).toMatchObject({ status: 404, title: "This link is not known" });
    expect(page.links).toEqual(["#title"]);
  });

  test("runs nothing but its own script, loads nothing from elsewhere, and is not kept or framed", async () => {
    await using linking = await openLinking();
    const { page } = await visit(linking.house);
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
      expect((await linking.house.ask({ url: path, headers: { authorization: "" } })).statusCode).toBe(200);
    }
  });

  test("takes no form without the key of the page", async () => {
    await using linking = await openLinking();
    const person = await visit(linking.house);
    expect((await person.send(new URLSearchParams({ action: "continue" }))).title).toBe("Link your Easee devices");
    expect((await person.send(new URLSearchParams({ action: "continue", key: "x.0" }))).title).toBe(
      "Link your Easee devices",
    );
  });

  test("takes each form once", async () => {
    await using linking = await openLinking();
    const person = await visit(linking.house);
    const first = person.form();
    await person.press();
    expect((await person.send(first)).title).toBe("test asks for access");
  });

  test("refuses a form of another site's page", async () => {
    await using linking = await openLinking();
    const person = await visit(linking.house);
    const page = await person.send(person.form(), { "sec-fetch-site": "cross-site" });
    expect(page.status).toBe(403);
  });

  test.each([
    ["http://evil.example", 403],
    ["http://192.168.1.20:8081", 403],
    ["null", 403],
    ["http://192.168.1.20:8080", 200],
    ["https://192.168.1.20:8080", 200],
  ])("where a browser tells the origin alone, takes the form by it: %s is %i", async (origin, status) => {
    await using linking = await openLinking();
    const person = await visit(linking.house);
    const page = await person.send(person.form(), { origin, host: "192.168.1.20:8080" });
    expect(page.status).toBe(status);
  });

  test("never writes what somebody typed as markup", async () => {
    await using linking = await openLinking();
    const person = await visit(linking.house);
    await person.press();
    await person.press({ scope: SCOPES });
    const page = await person.press({ username: '"><script>alert(1)</script>', password: "x" });
    expect(page.html).not.toContain("<script>alert");
    expect(page.html).toContain("&quot;>&lt;script>alert(1)");
  });

  test("takes JSON for no form", async () => {
    await using linking = await openLinking();
    const person = await visit(linking.house);
    const answer = await linking.house.ask({ method: "POST", url: person.url, payload: { action: "continue" } });
    expect(answer.statusCode).toBe(415);
  });
});

const TITLES: Readonly<Record<string, string>> = {
  "de-DE": "Easee-Geräte verknüpfen",
  "en-US": "Link your Easee devices",
  "fr-FR": "Associer vos appareils Easee",
};

describe("the link page's language and colours", () => {
  test.each([
    ["de-DE", "", "de-DE"],
    ["en-GB", "", "en-US"],
    ["ja-JP", "", "en-US"],
    ["browser", "de-AT,de;q=0.9,en;q=0.8", "de-DE"],
    ["browser", "es;q=0.9,en;q=0.2,de;q=0.5", "de-DE"],
    ["browser", "fr;q=0.9,en;q=0.2,de;q=0.5", "fr-FR"],
    ["browser", "de;q=0,en", "en-US"],
    ["browser", "", "en-US"],
    ["en-US", "de", "en-US"],
  ])("asked for as %s by a browser that wants %j is %s", async (language, wanted, shown) => {
    await using linking = await openLinking();
    const url = await linkUrl(linking.house, { language });
    const { page } = await LinkVisit.open(linking.house, url, wanted === "" ? {} : { "accept-language": wanted });
    expect(page.html).toContain(`<html lang="${shown}"`);
    expect(page.title).toBe(TITLES[shown]);
  });

  test.each(["system", "light", "dark"])("are %s when that is asked for", async (colorScheme) => {
    await using linking = await openLinking();
    expect((await visit(linking.house, { colorScheme })).page.html).toContain(`data-scheme="${colorScheme}"`);
  });
});
