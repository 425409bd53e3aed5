import type { Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type LinkHouse, openLinkHouse } from "./link-house.ts";
import { IN_ALL_LANGUAGES } from "./page-faults.ts";
import { lookAt as lookAtPage, type Size } from "./page-house.ts";

const PASSWORD = "sunshine";
const WORDS = {
  "en-US": {
    begin: "Get started",
    brand: "Choose the brand",
    search: "Search brands",
    allow: "Allow and continue",
    user: "Email address",
    password: "Password",
    signIn: "Sign in",
    wrong: "not accepted",
    code: "Code",
    confirm: "Confirm",
    devices: "Choose your devices",
    link: "Link",
    done: "All set",
    complete: "Complete",
    used: "This link was used already",
  },
  "de-DE": {
    begin: "Los geht’s",
    brand: "Marke wählen",
    search: "Marken suchen",
    allow: "Erlauben und weiter",
    user: "E-Mail-Adresse",
    password: "Passwort",
    signIn: "Anmelden",
    wrong: "nicht angenommen",
    code: "Code",
    confirm: "Bestätigen",
    devices: "Geräte wählen",
    link: "Verknüpfen",
    done: "Fertig",
    complete: "Abschließen",
    used: "Dieser Link wurde schon benutzt",
  },
} as const;

const SOURCE = { confidence: "single-source", source: "a driver in use" } as const;
const DETAILS = [
  { point: "charger.maxCurrent", values: null, ...SOURCE, isTimer: false },
  { point: "charger.enabled", values: [true, false], ...SOURCE, isTimer: false },
  { point: "charger.maxCurrent", values: null, ...SOURCE, isTimer: true },
] as const;

describe("the link page in a browser", () => {
  let house: LinkHouse;

  beforeAll(async () => {
    house = await openLinkHouse();
  });
  afterAll(async () => {
    await house[Symbol.asyncDispose]();
  });
  beforeEach(() => {
    house.vendors.code = null;
    house.vendors.state = "working";
    house.vendors.questions = [];
    house.vendors.password = PASSWORD;
    house.trouble.length = 0;
  });

  async function lookAt(page: Page, name: string): Promise<void> {
    await lookAtPage(page, `link-${name}`);
  }

  const allLooks = [
    ["phone", "light", "en-US"],
    ["desktop", "dark", "de-DE"],
    ["phone", "dark", "de-DE"],
    ["desktop", "light", "en-US"],
  ] as const;
  // Each size, scheme and language once, unless `BROWSER_LANGUAGES=all`.
  const looks = IN_ALL_LANGUAGES ? allLooks : allLooks.slice(0, 2);

  it.each(looks)("links a device on a %s, %s, %s", async (size: Size, scheme, language) => {
    const words = WORDS[language];
    const name = (step: string): string => `${size}-${scheme}-${language}-${step}`;
    house.vendors.code = "123456";
    // One half asks for the colours, the other leaves them to the browser.
    const colorScheme = size === "phone" ? "system" : scheme;
    const url = await house.link({ language, colorScheme });
    const { context, page } = await house.open(size, size === "phone" ? scheme : "light");
    await page.goto(url);
    await lookAt(page, name("1-intro"));
    await page.getByRole("button", { name: words.begin }).click();
    await page.getByRole("heading", { name: words.brand }).waitFor();
    await lookAt(page, name("2-brand"));
    await page.getByLabel(words.search).fill("eas");
    expect(await page.locator("button.row:visible").count()).toBe(1);
    await page.getByRole("button", { name: /Easee/ }).click();
    await page.getByRole("button", { name: words.allow }).waitFor();
    await lookAt(page, name("3-consent"));
    await page.getByRole("button", { name: words.allow }).click();
    await page.getByLabel(words.user).fill("anna@example.com");
    await lookAt(page, name("4-sign-in"));
    await page.getByLabel(words.password, { exact: true }).fill("rain");
    await page.getByRole("button", { name: words.signIn }).click();
    await page.getByRole("alert").getByText(words.wrong).waitFor();
    await lookAt(page, name("5-wrong-password"));
    expect(await page.getByLabel(words.password, { exact: true }).inputValue()).toBe("");
    await page.getByLabel(words.password, { exact: true }).fill(PASSWORD);
    await page.getByRole("button", { name: words.signIn }).click();
    await page.getByLabel(words.code).fill("000000");
    await page.getByRole("button", { name: words.confirm }).click();
    await page.getByRole("alert").getByText(words.wrong).waitFor();
    await lookAt(page, name("6-wrong-code"));
    await page.getByLabel(words.code).fill("123456");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: words.devices }).waitFor();
    await lookAt(page, name("7-devices"));
    await page.getByRole("button", { name: words.link, exact: true }).click();
    await page.getByRole("heading", { name: words.done }).waitFor();
    await lookAt(page, name("8-done"));
    await page.getByRole("link", { name: words.complete }).click();
    await page.waitForURL(`${house.address}/problems?state=7`);
    await page.goto(url);
    await page.getByRole("heading", { name: words.used }).waitFor();
    await lookAt(page, name("9-used"));
    await context.close();
    // A browser notes each answer that is an error; a used link is one.
    expect(house.trouble.filter((text) => !text.includes("410 (Gone)"))).toEqual([]);
  });

  it.each([
    ["phone", "light", "en-US", "At least 100 W.", "Turn it on", "Settings of Garage"],
    ["desktop", "dark", "de-DE", "Mindestens 100 W.", "Einschalten", "Einstellungen: Garage"],
  ] as const)("asks an owner on a %s, %s, %s", async (size, scheme, language, tooLow, tick, title) => {
    house.vendors.questions = [
      {
        name: "watts",
        kind: "number",
        label: { "en-US": "Power", "de-DE": "Leistung" },
        unit: "W",
        min: 100,
        max: 9_000,
      },
      {
        name: "more",
        kind: "confirm",
        label: { "en-US": "Turn it on", "de-DE": tick },
        isOptional: true,
        details: DETAILS,
      },
    ];
    const words = WORDS[language];
    const { context, page } = await house.open(size, scheme);
    await page.goto(await house.link({ vendor: "EASEE", language }));
    await page.getByRole("button", { name: words.begin }).click();
    await page.getByRole("button", { name: words.allow }).click();
    await page.getByLabel(words.user).fill("anna@example.com");
    await page.getByLabel(words.password, { exact: true }).fill(PASSWORD);
    await page.getByRole("button", { name: words.signIn }).click();
    await page.getByText("Carport").click();
    await page.getByRole("button", { name: words.link, exact: true }).click();
    await page.getByRole("heading", { name: title }).waitFor();
    await lookAt(page, `setup-${size}-${language}`);
    const box = page.getByRole("checkbox", { name: tick });
    expect(await box.isChecked()).toBe(false);
    await page.getByText(tick).click();
    const power = page.getByRole("textbox", { name: language === "en-US" ? "Power" : "Leistung" });
    await power.fill("99");
    await page.keyboard.press("Enter");
    await page.getByText(tooLow).waitFor();
    await lookAt(page, `setup-wrong-${size}-${language}`);
    expect([await power.inputValue(), await power.getAttribute("aria-invalid")]).toEqual(["99", "true"]);
    expect([await box.isChecked(), await power.evaluate((field) => field === document.activeElement)]).toEqual([
      true,
      true,
    ]);
    await power.fill("2500");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: words.done }).waitFor();
    await context.close();
    expect(house.trouble).toEqual([]);
  });

  it("works without scripts", async () => {
    const { context, page } = await house.open("phone", "light", false);
    await page.goto(await house.link());
    await page.getByRole("button", { name: "Get started" }).click();
    await page.getByLabel("Search brands").fill("eas");
    await page.getByRole("button", { name: "Search", exact: true }).click();
    expect(await page.locator("button.row").count()).toBe(1);
    await lookAt(page, "no-scripts-brand");
    await page.getByRole("button", { name: /Easee/ }).click();
    await page.getByText("Control charging").click();
    await page.getByRole("button", { name: "Allow and continue" }).click();
    await page.getByLabel("Email address").fill("anna@example.com");
    await page.getByLabel("Password").fill(PASSWORD);
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByText("Carport").click();
    await page.getByRole("button", { name: "Link", exact: true }).click();
    await page.getByRole("heading", { name: "All set" }).waitFor();
    await context.close();
    expect(house.trouble).toEqual([]);
  });

  it("tells the app that the user cancelled", async () => {
    const { context, page } = await house.open("desktop", "light");
    await page.goto(await house.link({ vendor: "EASEE" }));
    await page.getByRole("button", { name: "Get started" }).click();
    await page.getByRole("link", { name: "Cancel" }).click();
    await page.waitForURL(/error=/);
    const { searchParams } = new URL(page.url());
    expect(Object.fromEntries(searchParams)).toMatchObject({ state: "7", error: "access_denied" });
    expect(searchParams.get("error_message")).toBe(searchParams.get("error_description"));
    await context.close();
  });

  it("hands a custom scheme back to the app", async () => {
    const { context, page } = await house.open("phone", "dark");
    await page.goto(await house.link({ vendor: "EASEE", redirectUri: "sunnyhome://linked" }));
    const href = await page.getByRole("link", { name: "Cancel" }).getAttribute("href");
    expect(href).toMatch(/^sunnyhome:\/\/linked\?error=access_denied&/);
    await context.close();
  });

  it("shows and hides a password, and goes back a step", async () => {
    const { context, page } = await house.open("desktop", "dark");
    await page.goto(await house.link({ vendor: "EASEE", colorScheme: "dark" }));
    await page.getByRole("button", { name: "Get started" }).click();
    await page.getByRole("button", { name: "Allow and continue" }).click();
    const password = page.getByLabel("Password", { exact: true });
    await password.fill("rain");
    await page.getByRole("button", { name: "Show" }).click();
    expect(await password.getAttribute("type")).toBe("text");
    await page.getByRole("button", { name: "Hide" }).click();
    expect(await password.getAttribute("type")).toBe("password");
    await page.getByRole("button", { name: "Back" }).click();
    await page.getByRole("button", { name: "Allow and continue" }).waitFor();
    await context.close();
  });

  it("looks for devices in the house, and asks where one is that it does not find", async () => {
    const { context, page } = await house.open("phone", "light");
    await page.goto(await house.link());
    await page.getByRole("button", { name: "Get started" }).click();
    await page.getByRole("button", { name: /KEBA/ }).click();
    await lookAt(page, "local-1-service");
    await page.getByRole("button", { name: /In your home network/ }).click();
    await page.getByRole("button", { name: "Allow and continue" }).click();
    await page.getByRole("heading", { name: "Looking around your home" }).waitFor();
    await lookAt(page, "local-2-searching");
    await page.getByRole("heading", { name: "Choose your devices" }).waitFor({ timeout: 20_000 });
    await lookAt(page, "local-3-found");
    await page.getByRole("button", { name: "It is not in the list" }).click();
    await page.getByLabel("Network address").fill("192.168.1.41");
    await page.getByRole("button", { name: "Find the device" }).click();
    await page.getByRole("alert").waitFor();
    await lookAt(page, "local-4-wrong-address");
    await context.close();
  });

  it("waits for a device code, and sends to a vendor's own page", async () => {
    const { context, page } = await house.open("phone", "dark");
    await page.goto(await house.link({ vendor: "TESLA" }));
    await page.getByRole("button", { name: "Get started" }).click();
    await page.getByRole("button", { name: "Allow and continue" }).click();
    await page.getByText("WDJB-MJHT").waitFor();
    await lookAt(page, "device-code");
    await page.goto(await house.link({ vendor: "ZAPTEC" }));
    await page.getByRole("button", { name: "Get started" }).click();
    await page.getByRole("button", { name: "Allow and continue" }).click();
    await page.getByRole("link", { name: "Go to Zaptec app" }).waitFor();
    await lookAt(page, "vendor-page");
    await context.close();
  });

  it("says that a vendor takes its time, and then that it does not answer", async () => {
    const { context, page } = await house.open("desktop", "light");
    house.vendors.state = "silent";
    await page.goto(await house.link({ vendor: "ALFEN" }));
    await page.getByRole("button", { name: "Get started" }).click();
    await page.getByRole("button", { name: "Allow and continue" }).click();
    await page.getByLabel("Email address").fill("anna@example.com");
    await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByRole("heading", { name: "One moment" }).waitFor();
    await lookAt(page, "busy");
    await page.getByRole("alert").getByText("does not answer").waitFor({ timeout: 40_000 });
    house.vendors.state = "down";
    for (let count = 0; count < 2; count += 1) {
      await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
      await page.getByRole("button", { name: "Sign in" }).click();
      await page.getByRole("alert").getByText("does not answer").waitFor();
    }
    await page.goto(await house.link());
    await page.getByRole("button", { name: "Get started" }).click();
    await lookAt(page, "outage-brands");
    await page.getByRole("button", { name: /Alfen/ }).click();
    await page.getByRole("heading", { name: "Alfen cannot be reached" }).waitFor();
    await lookAt(page, "outage");
    await page.getByRole("link", { name: "Back to the app" }).click();
    await page.waitForURL(/error=temporarily_unavailable/);
    await context.close();
  });

  it("restores the access to a device under its id", async () => {
    const before = (await (await house.ask("GET", "/users/anna/chargers")).json()) as { data: { id: string }[] };
    const id = before.data[0]?.id ?? "";
    house.vendors.password = "moonlight";
    const { authorizations } = house.gateway.engine.services;
    for (const device of house.gateway.store.all("device")) await authorizations.invalidate("anna", "EASEE", device.id);
    const body = { language: "en-US", redirectUri: `${house.address}/problems` };
    const answer = await house.ask("POST", `/assets/${id}/relink`, body);
    const { context, page } = await house.open("phone", "light");
    await page.goto(((await answer.json()) as { linkUrl: string }).linkUrl);
    await page.getByLabel("Email address").fill("anna@example.com");
    await page.getByLabel("Password", { exact: true }).fill("moonlight");
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByRole("heading", { name: "Access restored" }).waitFor();
    await lookAt(page, "relink-done");
    const after = (await (await house.ask("GET", "/users/anna/chargers")).json()) as typeof before;
    expect(after.data.map((charger) => charger.id).sort()).toEqual(before.data.map((charger) => charger.id).sort());
    await context.close();
  });

  it("is clear about a link that is not known", async () => {
    const { context, page } = await house.open("phone", "dark");
    await page.goto(`${house.address}/link/nonsense`);
    await page.getByRole("heading", { name: "This link is not known" }).waitFor();
    await lookAt(page, "unknown");
    await context.close();
  });
});
