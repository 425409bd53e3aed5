/** The way from an unclaimed box to a handed-over house, on a phone, in a house with a clamp that is turned round. */
import { spawnSync } from "node:child_process";
import type { BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { pageFaults, WALKED_LANGUAGES, walkOf } from "./page-faults.ts";
import { openPageHouse, type PageHouse, SCREENSHOTS, SIZES } from "./page-house.ts";
import { type SimulatedHouse, simulatedHouse } from "./setup-house.ts";

const ROOT = new URL("../../", import.meta.url).pathname;
const PAGES = [
  "setup",
  "setup/site",
  "setup/devices",
  "setup/checks",
  "setup/control-tests",
  "setup/prices",
  "setup/hand-over",
  "setup/report",
];
/** What an installer may need at most: claim and six screens. */
const MOST_SCREENS = 7;
const MOST_TAPS = 20;
/** From the claim to the first live value. */
const FIRST_VALUE_MS = 60_000;
/** Pictures of long pages take their time on a machine that has other things to do. */
const PICTURE_MS = 90_000;

describe("The guided setup in a browser", () => {
  let simulated: SimulatedHouse;
  let house: PageHouse;
  let context: BrowserContext;
  let page: Page;
  let [taps, screens] = [0, 0];

  beforeAll(async () => {
    const built = spawnSync(process.execPath, ["scripts/build-page.mjs", "--if-changed"], {
      cwd: ROOT,
      encoding: "utf8",
    });
    expect(built.stderr).toBe("");
    house = await openPageHouse((clock) => {
      simulated = simulatedHouse(clock);
      return [simulated.adapter];
    });
    context = await house.browser.newContext({
      viewport: SIZES.phone,
      locale: "en-GB",
      timezoneId: "Europe/Berlin",
      colorScheme: "light",
    });
    page = await context.newPage();
    page.on("pageerror", (error) => house.trouble.push(error.message));
  });

  afterAll(async () => {
    simulated[Symbol.dispose]();
    await house[Symbol.asyncDispose]();
  });

  async function tap(name: string | RegExp, role: "button" | "link" | "radio" = "button"): Promise<void> {
    taps += 1;
    const target = page.getByRole(role, { name }).first();
    if (role === "radio") await target.check({ force: true });
    else await target.click();
  }

  async function at(title: string): Promise<void> {
    await page.getByRole("heading", { level: 1, name: title }).waitFor();
    screens += 1;
  }

  async function picture(name: string): Promise<void> {
    await page.screenshot({
      path: `${SCREENSHOTS}setup-${name}.png`,
      fullPage: true,
      animations: "disabled",
      timeout: PICTURE_MS,
    });
  }

  test("The box is claimed, and leads to the setup", async () => {
    const code = house.gateway.engine.services.people.setupCode() ?? "";
    await page.goto(`${house.address}/#code=${code}`);
    await at("This gateway is new");
    await page.getByLabel("Your name").fill("Ines");
    await page.getByLabel("Password").fill("correct horse battery");
    await tap("Set up this house");
    await page.getByRole("heading", { name: "Setup", exact: true }).waitFor();
    await picture("overview-begin");
    await tap("Start", "link");
  });

  test("The fuse is the one number that is typed", async () => {
    await at("What protects the connection?");
    await page.getByLabel("Main fuse, A per phase").fill("35");
    await tap("Save");
    await page.getByText("The connection has a limit, and it is kept.").waitFor();
    await picture("site");
    await tap("Continue");
  });

  test("Devices that announce themselves are added by one tap, and live values follow within a minute", async () => {
    const begunAt = Date.now();
    await at("Devices in this house");
    await page.getByText(/reads 3[0-9]{3} W/).waitFor({ timeout: 30_000 });
    await picture("devices-found");
    await tap("Add all 4 that are sure");
    await page.locator(".card.flush .v").first().waitFor({ timeout: FIRST_VALUE_MS });
    expect(Date.now() - begunAt).toBeLessThan(FIRST_VALUE_MS);
    await expect.poll(() => page.locator(".card.flush a.li").count(), { timeout: 60_000 }).toBe(4);
    await page.getByText("All devices answer.").waitFor({ timeout: 30_000 });
    await picture("devices-added");
    await tap("Continue");
  });

  test("A kettle finds the turned clamp, and Fix puts it right", async () => {
    await at("Does everything measure right?");
    // What the house draws without the kettle is read for a while first.
    await page.waitForTimeout(8_000);
    await tap("Watch the meter");
    await page.getByRole("heading", { name: "Switch it on now" }).waitFor();
    simulated.loads[1] += 2_000;
    await page.getByText(/^Turned round: L2 fell by/).waitFor({ timeout: 60_000 });
    await picture("checks-turned");
    await tap("Fix");
    await page.getByText("fixed", { exact: true }).waitFor({ timeout: 30_000 });
    simulated.loads[1] -= 2_000;
    await page.getByText("The house adds up, and each direction was seen to be right.").waitFor({ timeout: 60_000 });
    await picture("checks-right");
    await tap("Continue");
  }, 240_000);

  test("Each device follows a small command and has its value back", async () => {
    await at("Does each device follow?");
    await tap("Test all");
    await page
      .getByText(/^followed in/)
      .first()
      .waitFor({ timeout: 60_000 });
    await picture("tests-running");
    await page.getByText("Every device follows its commands.").waitFor({ timeout: 240_000 });
    await expect.poll(() => page.getByText(/^followed in/).count(), { timeout: 10_000 }).toBe(3);
    await picture("tests-passed");
    await tap("Continue");
  }, 320_000);

  test("Prices can wait, and the house is handed over", async () => {
    await at("Prices and forecast");
    await picture("prices");
    await tap("Leave out");
    await at("Hand the house over");
    await tap("Leave out People");
    const submit = page.getByRole("button", { name: "Hand over" });
    await expect.poll(() => submit.isEnabled(), { timeout: 20_000 }).toBe(true);
    await picture("hand-over");
    await tap("Hand over");
    await page.getByText(/^Handed over by Ines/).waitFor();
    await picture("handed-over");
    expect(screens).toBeLessThanOrEqual(MOST_SCREENS);
    expect(taps).toBeLessThanOrEqual(MOST_TAPS);
  });

  test("The report names devices, tests and people, and prints without the frame", async () => {
    await page.goto(`${house.address}/#/setup/report`);
    await page.getByRole("heading", { name: "Report of the installation" }).waitFor();
    const text = (await page.locator("article").textContent()) ?? "";
    for (const part of ["20114482", "1.34.6", "Turned round: L2", "16 to 14 A", "Ines", "35"])
      expect(text).toContain(part);
    await page.emulateMedia({ media: "print" });
    expect(await page.locator(".nav").isVisible()).toBe(false);
    expect(await page.locator(".signature").isVisible()).toBe(true);
    await page.screenshot({ path: `${SCREENSHOTS}setup-report-print.png`, fullPage: true });
    await page.emulateMedia({ media: null });
  });

  test("After the hand-over the box opens the house, and members never see the setup", async () => {
    await page.goto("about:blank");
    await page.goto(`${house.address}/`);
    await page.locator(".bal b").waitFor({ timeout: 60_000 });
    expect(await page.getByText("The setup of this house is not finished.").count()).toBe(0);
    await house.ask("POST", "/local/people", { name: "Max", role: "member", password: "only for looking" });
    const made = await page.evaluate(async () => {
      const { csrfToken } = await (await fetch("/local/session")).json();
      const headers = { "x-csrf-token": csrfToken, "content-type": "application/json" };
      const body = JSON.stringify({ name: "Mia", role: "member", password: "only for looking" });
      return (await fetch("/local/people", { method: "POST", headers, body })).status;
    });
    expect(made).toBe(201);
    const other = await house.browser.newContext({ viewport: SIZES.phone, locale: "en-GB" });
    const seen = await other.newPage();
    await seen.goto(`${house.address}/#/house`);
    await seen.locator("input[autocomplete=username]").fill("Mia");
    await seen.locator("input[type=password]").fill("only for looking");
    await seen.locator("button[type=submit]").click();
    await seen.getByRole("heading", { name: "Your house" }).waitFor();
    expect(await seen.getByText("Setup and report").count()).toBe(0);
    await seen.goto(`${house.address}/#/setup`);
    await seen.getByText("Your account may not do this.").first().waitFor();
    await other.close();
  });

  test.each(WALKED_LANGUAGES)(
    "In %s nothing is cut off at 320 pixels, and axe finds nothing serious",
    async (locale) => {
      const { colorScheme, hasAxe } = walkOf(locale);
      const narrow = await house.browser.newContext({
        storageState: await context.storageState(),
        viewport: { width: 320, height: 700 },
        colorScheme,
        locale,
      });
      const options = { address: house.address, name: `setup-${locale}`, hasAxe };
      expect(await pageFaults(await narrow.newPage(), PAGES, options)).toEqual([]);
      await narrow.close();
    },
  );

  test("On a desktop it is shown in the dark, too", async () => {
    const wide = await house.browser.newContext({
      storageState: await context.storageState(),
      viewport: SIZES.desktop,
      colorScheme: "dark",
      locale: "en-GB",
    });
    const options = { address: house.address, name: "setup-desktop-dark", hasAxe: true };
    expect(await pageFaults(await wide.newPage(), PAGES, options)).toEqual([]);
    await wide.close();
  });

  test("The browser found nothing wrong", () => {
    expect(house.trouble).toEqual([]);
  });
});
