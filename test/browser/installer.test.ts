import type { Locator, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { INSTALLER_ADAPTERS, type LoopbackDevices, serveDevices } from "./installer-house.ts";
import { type LinkHouse, openLinkHouse } from "./link-house.ts";
import { IN_ALL_LANGUAGES } from "./page-faults.ts";
import { SCREENSHOTS } from "./page-house.ts";

const METER = { scopes: ["meter:read:data"] };
const WORDS = {
  "en-US": {
    begin: "Get started",
    allow: "Allow and continue",
    find: "Find the device",
    line: /Serial port such as/,
    port: /^Port/,
    devices: "Choose your devices",
    link: "Link",
    done: "All set",
    press: "Press the button",
    pressed: /pressed|Continue/,
    manual: /It is not in the list|Enter/,
  },
  "de-DE": {
    begin: "Los geht’s",
    allow: "Erlauben und weiter",
    find: "Gerät finden",
    line: /Serielle Schnittstelle wie/,
    port: /^Port/,
    devices: "Geräte wählen",
    link: "Verknüpfen",
    done: "Fertig",
    press: "drücken",
    pressed: /gedrückt|Weiter/i,
    manual: /nicht dabei|eingeben/,
  },
} as const;
const LANGUAGES = IN_ALL_LANGUAGES ? (["en-US", "de-DE"] as const) : (["de-DE"] as const);

describe("what an installer links in a browser", () => {
  let house: LinkHouse;
  let devices: LoopbackDevices;

  beforeAll(async () => {
    devices = await serveDevices();
    house = await openLinkHouse(INSTALLER_ADAPTERS);
  });
  afterAll(async () => {
    await house[Symbol.asyncDispose]();
    await devices[Symbol.asyncDispose]();
  });

  async function lookAt(page: Page, name: string): Promise<void> {
    await page.screenshot({ path: `${SCREENSHOTS}installer-${name}.png`, fullPage: true });
    const isWide = () =>
      page.evaluate(() => document.documentElement.scrollWidth > document.documentElement.clientWidth);
    // A page that searches goes on by itself, maybe at this very moment.
    expect(await isWide().catch(isWide)).toBe(false);
  }

  /** A search that found nothing goes on to the form by itself; who does not wait for that presses the button. */
  async function toForm(page: Page, language: keyof typeof WORDS, input: Locator): Promise<void> {
    const manual = page.getByRole("button", { name: WORDS[language].manual }).first();
    await manual.or(input).first().waitFor({ timeout: 40_000 });
    if (await manual.isVisible()) await manual.click({ timeout: 5_000 }).catch(() => undefined);
    await input.waitFor();
  }

  async function begin(language: keyof typeof WORDS, change: object, brand: string, service?: RegExp): Promise<Page> {
    const { page } = await house.open("phone", "light");
    await page.goto(await house.link({ language, ...change }));
    await page.getByRole("button", { name: WORDS[language].begin }).click();
    await page.getByRole("button", { name: new RegExp(`^${brand}`) }).waitFor();
    await lookAt(page, `${language}-brands`);
    await page.getByRole("button", { name: new RegExp(`^${brand}`) }).click();
    if (service !== undefined) {
      await page.getByRole("button", { name: service }).waitFor();
      await lookAt(page, `${language}-${brand}-service`);
      await page.getByRole("button", { name: service }).click();
    }
    await page.getByRole("button", { name: WORDS[language].allow }).click();
    return page;
  }

  async function finish(page: Page, language: keyof typeof WORDS, name: string): Promise<void> {
    const words = WORDS[language];
    await page.getByRole("heading", { name: words.devices }).waitFor({ timeout: 35_000 });
    await lookAt(page, `${language}-${name}-devices`);
    await page.getByRole("button", { name: words.link, exact: true }).click();
    await page.getByRole("heading", { name: words.done }).waitFor();
    await page.context().close();
  }

  it.each(LANGUAGES)("a meter's P1 port, %s", async (language) => {
    const words = WORDS[language];
    const page = await begin(language, METER, "Smart Meter", /P1/);
    await page.getByLabel(words.line).waitFor();
    await lookAt(page, `${language}-p1-form`);
    await page.getByLabel(words.line).fill("127.0.0.1");
    await page.getByLabel(words.port).fill(String(devices.p1Port));
    await page.getByRole("button", { name: words.find }).click();
    await finish(page, language, "p1");
  });

  it.each(LANGUAGES)("a meter by a profile of the installer's own, %s", async (language) => {
    const words = WORDS[language];
    const page = await begin(language, METER, "Zzz of mine");
    await lookAt(page, `${language}-own-search`);
    const host = page.locator("input[name=host]");
    await toForm(page, language, host);
    await lookAt(page, `${language}-own-form`);
    await host.fill("127.0.0.1");
    await page.locator("input[name=port]").fill(String(devices.modbusPort));
    await page.getByRole("button", { name: words.find }).click();
    await finish(page, language, "own");
  });

  it.each(LANGUAGES)("SMA's meter by the number on it, %s", async (language) => {
    const page = await begin(language, METER, "SMA", /Speedwire/);
    await lookAt(page, `${language}-speedwire-search`);
    await toForm(page, language, page.locator("input[name=serial]"));
    await lookAt(page, `${language}-speedwire-form`);
    await page.context().close();
  });

  it.each(LANGUAGES)("a device whose button has to be pressed, %s", async (language) => {
    const words = WORDS[language];
    house.vendors.isEntered = false;
    const page = await begin(language, {}, "HomeWizard");
    const host = page.locator("input[name=host]");
    await toForm(page, language, host);
    await host.fill("192.168.1.7");
    await page.getByRole("button", { name: words.find }).click();
    await page.getByRole("heading", { name: new RegExp(words.press, "i") }).waitFor();
    await lookAt(page, `${language}-button`);
    await page.getByRole("button", { name: words.pressed }).click();
    await page.getByRole("heading", { name: new RegExp(words.press, "i") }).waitFor();
    house.vendors.isEntered = true;
    await page.getByRole("button", { name: words.pressed }).click();
    await finish(page, language, "button");
  });
});
