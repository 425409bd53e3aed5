/** The settings of the home page in a browser, in front of the sandbox home. */
import { readFileSync } from "node:fs";
import type { BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readBackup } from "../../src/platform/node/files/node-backup-files.ts";
import { nodeRandom } from "../../src/platform/node/node-random.ts";
import { readBackupContents } from "../../src/store/backup/backup-summary.ts";
import { pageFaults, WALKED_LANGUAGES, walkOf } from "./page-faults.ts";
import { SCREENSHOTS } from "./page-house.ts";
import { asked, SandboxPage } from "./sandbox-page.ts";

const PAGES = [
  "settings",
  "settings/fuses",
  "settings/prices",
  "settings/panels",
  "settings/programs",
  "settings/webhooks",
];
const MORE_PAGES = [
  "settings/connections",
  "settings/encryption",
  "settings/backups",
  "settings/update",
  "settings/audit",
  "settings/help",
  "history",
  "setup/import",
];
const PASSPHRASE = "canary of the passphrase";

describe("The settings in a browser", () => {
  let sandbox: SandboxPage;
  let owner: BrowserContext;

  beforeAll(async () => {
    sandbox = await SandboxPage.open();
    owner = await sandbox.owner();
  });

  afterAll(async () => {
    await sandbox[Symbol.asyncDispose]();
  });

  async function open(path: string): Promise<Page> {
    const page = await owner.newPage();
    await page.goto(`${sandbox.address}/#/${path}`);
    await page.locator("#main h1").first().waitFor();
    return page;
  }

  test("A tariff is shown with today's prices while it is typed, and is what the gateway counts with once saved", async () => {
    const page = await open("settings/prices");
    await page.getByRole("radio", { name: "One price" }).check();
    await page.getByLabel("Price, EUR per kWh").fill("0.4321");
    await page.getByRole("heading", { name: "A kWh costs 0.432 EUR now." }).waitFor();
    const before = await asked(page, "GET", "/local/energy/plan");
    expect(JSON.stringify(before.body)).not.toContain("0.4321");
    await page.getByRole("button", { name: "Save the tariff" }).click();
    await page.getByText("Saved", { exact: true }).waitFor();
    const { body } = await asked(page, "GET", "/tariffs/house");
    expect(body).toEqual([{ name: "0.4321", cost: "0.4321" }]);
    await page.close();
  });

  test("What feeding in brings is set here, the gateway restarts with it, and the page goes on by itself", async () => {
    const page = await open("settings/prices");
    await page.getByLabel("Fixed, EUR per kWh").fill("0.0803");
    await page.getByRole("button", { name: "Save and restart" }).click();
    await page.getByText("This was set here.").waitFor({ timeout: 60_000 });
    const { body } = await asked(page, "GET", "/local/configuration");
    const pricing = (body as { sections: { name: string }[] }).sections.find(({ name }) => name === "pricing");
    expect(pricing).toMatchObject({ origin: "api", value: { feedIn: { perKwh: "0.0803", marketFactor: "0" } } });
    expect(await page.getByLabel("Fixed, EUR per kWh").inputValue()).toBe("0.0803");
    await expect.poll(() => page.locator("p.away").count(), { timeout: 20_000 }).toBe(0);
    await page.close();
  });

  test("What is wrong is refused with the place, and what the file sets is shown with the key to change it", async () => {
    const page = await open("settings/prices");
    await page.getByLabel("Source").selectOption("energy-charts");
    await page.getByLabel("Zone, as the source calls it").fill("ATLANTIS");
    await page.getByRole("button", { name: "Save and restart" }).click();
    await page.getByText(/pricing\.market\.zone/u).waitFor();
    await page.goto(`${sandbox.address}/#/settings/connections`);
    await page.getByText("Only the configuration file of the gateway sets this (modbusProxy).").waitFor();
    const mqtt = page.getByRole("region", { name: "MQTT and Home Assistant" });
    await mqtt.getByLabel("Address of the broker").fill("192.168.1.9");
    await mqtt.getByRole("button", { name: "Save and restart" }).click();
    await mqtt.getByText(/broker\.url/u).waitFor();
    await page.close();
  });

  test("A web page may use the API once its origin is set here, and no longer once it is removed", async () => {
    const page = await open("settings/connections");
    const card = page.getByRole("region", { name: "Web pages that may use the API" });
    const answerTo = async (origin: string): Promise<string | null> =>
      (await fetch(`${sandbox.address}/health`, { headers: { origin } })).headers.get("access-control-allow-origin");
    await card.getByLabel("Address of the page").fill("app.example.com");
    await card.getByRole("button", { name: "Add", exact: true }).click();
    await card.getByText("This is no address of a web page. It begins with https:// or http://.").waitFor();
    await card.getByLabel("Address of the page").fill("https://app.example.com/house?a=b");
    await card.getByRole("button", { name: "Add", exact: true }).click();
    await card.getByRole("button", { name: "Remove https://app.example.com" }).waitFor();
    await card.getByRole("button", { name: "Save and restart" }).click();
    await card.getByText("This was set here.").waitFor({ timeout: 60_000 });
    expect(await answerTo("https://app.example.com")).toBe("https://app.example.com");
    await card.getByRole("button", { name: "Remove https://app.example.com" }).click();
    await card.getByText("No page but the gateway's own.").waitFor();
    await card.getByRole("button", { name: "Save and restart" }).click();
    await expect.poll(() => answerTo("https://app.example.com").catch(() => "away"), { timeout: 60_000 }).toBeNull();
    await expect.poll(() => page.locator("p.away").count(), { timeout: 20_000 }).toBe(0);
    await page.close();
  });

  test("A load that nothing measures is set here and counts at once, and what the file sets is only shown", async () => {
    const page = await open("settings/fuses");
    const before = (await asked(page, "GET", "/local/site")).body as {
      connection: { circuits: unknown; phasesOf: unknown };
    };
    await page.getByText("(site.connection.circuits)").waitFor();
    await page.getByText("(site.connection.phasesOf)").waitFor();
    expect(await page.getByRole("button", { name: "Add a fuse" }).isDisabled()).toBe(true);
    expect(await page.getByRole("group", { name: "Phases" }).getByRole("combobox").first().isDisabled()).toBe(true);
    await page.getByRole("button", { name: "Add a load" }).click();
    const load = page.getByRole("group", { name: "Loads that nothing measures" });
    await load.getByLabel("Name").fill("Sauna");
    await load.getByLabel("Most that it draws, A per phase").fill("0");
    await page.getByRole("button", { name: "Save" }).click();
    expect((await asked(page, "GET", "/local/site")).body).toEqual(before);
    await load.getByLabel("Most that it draws, A per phase").fill("10.5");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("Saved", { exact: true }).waitFor();
    const { body } = await asked(page, "GET", "/local/site");
    const { circuits, phasesOf } = before.connection;
    expect(body).toMatchObject({ connection: { circuits, phasesOf, unmetered: [{ name: "Sauna", maxA: 10.5 }] } });
    const { data } = (await asked(page, "GET", "/meters")).body as { data: readonly { id: string }[] };
    await page.goto(`${sandbox.address}/#/devices/${data[0]?.id}`);
    await page.getByLabel("What this meter measures").selectOption("the connection to the grid");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("Saved", { exact: true }).waitFor();
    expect((await asked(page, "GET", "/local/site")).body).toMatchObject({
      connection: { gridMeter: "meter", circuits },
    });
    await page.close();
  });

  test("A meter's page sets what it measures, the site has it at once, and the page shows it again", async () => {
    const page = await open("devices");
    const { data } = (await asked(page, "GET", "/meters")).body as { data: readonly { id: string }[] };
    await page.goto(`${sandbox.address}/#/devices/${data[0]?.id}`);
    const role = page.getByLabel("What this meter measures");
    const uses = async (): Promise<unknown> => {
      const { body } = await asked(page, "GET", "/local/site");
      const { meters = {}, gridMeter = null } = (body as { connection: { meters?: object; gridMeter?: string } })
        .connection;
      return { meters, gridMeter };
    };
    const roles = [
      [/production is positive/u, { meters: { meter: "panels" }, gridMeter: null }],
      [/production is negative/u, { meters: { meter: "panels-turned" }, gridMeter: null }],
      [/counted already/u, { meters: { meter: "inside" }, gridMeter: null }],
      [/connection to the grid/u, { meters: {}, gridMeter: "meter" }],
    ] as const;
    await role.waitFor();
    for (const [name, expected] of roles) {
      const label = (await role.locator("option").allTextContents()).find((text) => name.test(text)) ?? "";
      await role.selectOption(label);
      await page.getByRole("button", { name: "Save", exact: true }).click();
      await expect.poll(uses).toEqual(expected);
      await page.reload();
      await role.waitFor();
      expect(await role.locator("option:checked").textContent()).toBe(label);
    }
    await page.close();
  });

  test("A program's secret is shown once, gives a token, and ends with the program", async () => {
    const page = await open("settings/programs");
    await page.getByLabel("What is the program called?").fill("<b>Heat pump</b>");
    await page.getByRole("button", { name: "New credentials" }).click();
    await page.getByRole("heading", { name: "The secret is shown this once" }).waitFor();
    const [id = "", secret = ""] = await page.locator("dd code").allTextContents();
    const token = await fetch(`${sandbox.address}/oauth2/token`, {
      method: "POST",
      headers: { authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString("base64")}` },
      body: new URLSearchParams({ grant_type: "client_credentials" }),
    });
    expect(token.status).toBe(200);
    await page.getByRole("button", { name: "I have copied them" }).click();
    expect(await page.content()).not.toContain(secret);
    await page.getByRole("button", { name: "Revoke <b>Heat pump</b>" }).click();
    await page.getByText("<b>Heat pump</b> is refused at once").waitFor();
    await page.getByRole("button", { name: "Revoke <b>Heat pump</b>" }).click();
    await expect.poll(async () => JSON.stringify(await asked(page, "GET", "/local/clients"))).not.toContain(id);
    await page.close();
  });

  test("A webhook is tested, and the failed delivery says why", async () => {
    const page = await open("settings/webhooks");
    await page.getByLabel("Address, https").fill("https://receiver.invalid/in");
    await page.getByLabel("Secret to sign with").fill("canary-of-the-webhook");
    await page.getByRole("button", { name: "Add webhook" }).click();
    await page.getByRole("button", { name: "Send a test" }).click();
    await page.getByText("Last deliveries").click();
    await page.locator(".lines .error").first().waitFor({ timeout: 30_000 });
    expect((await page.locator(".lines .error").first().textContent())?.length).toBeGreaterThan(5);
    expect(await page.content()).not.toContain("canary");
    await page.close();
  });

  test("A backup is made, found again after leaving, verified, saved as it is, and removed after a question", async () => {
    const page = await open("settings/backups");
    await page.getByText("There is none yet.").waitFor();
    await page.getByLabel("Passphrase, at least 12 characters").fill(PASSPHRASE);
    await page.getByRole("button", { name: "Back up now" }).click();
    await page.goto(`${sandbox.address}/#/settings/help`);
    await page.getByRole("heading", { name: "Diagnostics", exact: true }).waitFor();
    await page.goto(`${sandbox.address}/#/settings/backups`);
    await page.getByText(/\.hgbackup was written and read again at/u).waitFor({ timeout: 30_000 });
    await page.getByText(/^whole, read to its end/u).waitFor();
    const [saved] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("link", { name: "Download" }).click(),
    ]);
    const summary = await readBackupContents(readBackup(await saved.path()), {
      passphrase: PASSPHRASE,
      random: nodeRandom,
    });
    expect(summary).toMatchObject({ hasConfiguration: true, hasKeys: true });
    await page.getByRole("button", { name: "Verify" }).click();
    await page.getByLabel("Its passphrase").fill("not the one of it");
    await page.getByRole("button", { name: "Verify" }).click();
    await page.getByText("It could not be verified: The file does not open with this passphrase.").waitFor();
    await page.getByRole("button", { name: "Verify" }).click();
    await page.getByLabel("Its passphrase").fill(PASSPHRASE);
    await page.getByRole("button", { name: "Verify" }).click();
    await page.getByText(/\.hgbackup is whole/u).waitFor({ timeout: 30_000 });
    await page.screenshot({ path: `${SCREENSHOTS}settings-backups.png`, fullPage: true });
    expect(await page.content()).not.toContain("canary");
    const command = await page.getByLabel("Commands that restore a backup").inputValue();
    expect(command).toContain(`${saved.suggestedFilename()} --as this-gateway`);
    await page.getByRole("button", { name: "Remove" }).click();
    await page.getByText("Really remove?").waitFor();
    await page.getByRole("button", { name: "Remove" }).click();
    await page.getByText("There is none yet.").waitFor();
    await page.getByLabel("Passphrase, at least 12 characters").fill(PASSPHRASE);
    await page.getByRole("button", { name: "Back up now" }).click();
    await page.getByText(/^whole, read to its end/u).waitFor({ timeout: 30_000 });
    await page.close();
  });

  test("When backups are made, where and how many are kept is set here, and the passphrase is shown nowhere", async () => {
    const page = await open("settings/backups");
    await page.getByText("No backup is made by itself.").waitFor();
    await page.getByRole("radio", { name: "Every week" }).check();
    await page.getByLabel(/^On/u).selectOption("Wednesday");
    await page.getByLabel("At", { exact: true }).fill("03:15");
    await page.getByLabel("How many are kept").fill("3");
    await page.getByLabel("Address of the folder").fill("https://nas.invalid/dav/hemgate");
    await page.getByLabel("Account", { exact: true }).fill("anna");
    await page.getByLabel("Password", { exact: true }).fill("canary of the account");
    await page.getByLabel("SHA-256 of its certificate").fill("ab".repeat(32));
    await page.getByRole("button", { name: "Save and restart" }).click();
    await page.getByText(/backup\.passphrase: .*a schedule needs a passphrase/u).waitFor();
    await page.getByLabel("Passphrase that is stored").fill(PASSPHRASE);
    await page.getByRole("button", { name: "Save and restart" }).click();
    await page.getByText("This was set here.").waitFor({ timeout: 60_000 });
    await page.getByText("15 3 * * 3").waitFor();
    const { body } = await asked(page, "GET", "/local/configuration");
    const backup = (body as { sections: { name: string }[] }).sections.find(({ name }) => name === "backup");
    const webdav = {
      ...{ url: "https://nas.invalid/dav/hemgate", username: "anna", password: "[redacted]" },
      fingerprint: expect.stringMatching(/^(?:ab:?){32}$/iu),
    };
    const value = { schedule: "15 3 * * 3", keep: 3, passphrase: "[redacted]", webdav };
    expect(backup).toMatchObject({ origin: "api", value });
    expect(JSON.stringify(body) + (await page.content())).not.toContain("canary");
    expect(await page.getByLabel(/^On/u).inputValue()).toBe("3");
    await page.getByLabel("Passphrase, at least 12 characters").waitFor();
    await expect.poll(() => page.locator("p.away").count(), { timeout: 20_000 }).toBe(0);
    await page.close();
  });

  test("The audit trail says who did what, older entries come by a button, and a refused deed is named so", async () => {
    const page = await open("settings/audit");
    await page.getByText("Backups").first().waitFor();
    const entries = page.locator("#main ol > li");
    await entries.filter({ hasText: "Anna" }).first().waitFor();
    const refused = (n: number): string => `/local/people/00000000-0000-4000-8000-${String(n).padStart(12, "0")}`;
    // One more than a page has: the first of them comes by the button only.
    for (let n = 0; n <= 50; n++) expect((await asked(page, "DELETE", refused(n))).status).toBe(404);
    await page.reload();
    await entries.filter({ hasText: "People" }).filter({ hasText: "refused" }).first().waitFor();
    expect(await entries.filter({ hasText: refused(0) }).count()).toBe(0);
    await page.getByRole("button", { name: "Older" }).click();
    await entries.filter({ hasText: refused(0) }).waitFor();
    await page.close();
  });

  test("A gateway that is not installed as a package says that it is not updated here, and offers nothing", async () => {
    const page = await open("settings/update");
    await page.getByText("This gateway was not installed as a Debian package").waitFor();
    expect(await page.getByRole("button", { name: /version|update/iu }).count()).toBe(0);
    expect((await asked(page, "POST", "/local/update/install")).status).toBe(503);
    await page.close();
  });

  test("A setup file is checked with the line of each mistake, previewed, imported, and found again with its end", async () => {
    const page = await open("setup/import");
    const choose = (text: string): Promise<void> =>
      page
        .getByLabel("Choose a setup file")
        .setInputFiles({ name: "house.yaml", mimeType: "text/yaml", buffer: Buffer.from(text) });
    const file = `leaveOut: { checks: no sun today }\npeople:\n  - { name: Zoe, role: guest, password: ${PASSPHRASE} }\n`;
    await choose(file.replace("guest", "king"));
    await page.getByText("Line 3:").waitFor();
    expect(await page.getByRole("button", { name: "Import", exact: true }).count()).toBe(0);
    await choose(file);
    await page.getByText("Make an account: Zoe").waitFor();
    await page.getByText("Leave out: Check").waitFor();
    await page.getByRole("button", { name: "Import", exact: true }).click();
    await page.getByText("All of it is done.").waitFor();
    await page.goto(`${sandbox.address}/#/house`);
    await page.getByText("Zoe").first().waitFor();
    await page.goto(`${sandbox.address}/#/setup/import`);
    await page.getByText("All of it is done.").waitFor();
    expect(await page.content()).not.toContain(PASSPHRASE);
    await page.close();
  });

  test("A vendor's cloud is shown with what is left of its quota, and a refused login says so", async () => {
    const page = await owner.newPage();
    const account = {
      ...{ vendor: "TADO", displayName: "tado°", account: "a", isSignedIn: false, answered: 3, failed: { timeout: 1 } },
      ...{ nextPollAt: null, quotas: [{ name: "per day", subject: null, limit: 1_000, left: 120 }] },
    };
    await page.route(/\/local\/vendors$/u, (route) => route.fulfill({ json: [account] }));
    await page.goto(`${sandbox.address}/#/settings/connections`);
    await page.getByText("120 of 1,000 requests left").waitFor();
    await page.getByText("The vendor refuses the login. Link the account again.").waitFor();
    await page.close();
  });

  test("The log is filtered, and the diagnostics are seen before they are saved", async () => {
    const page = await open("settings/help");
    await page.getByLabel("With this text").fill("nothing says this");
    await page.getByText("No line fits.").waitFor();
    await page.getByRole("button", { name: "Make the file" }).click();
    const shown = await page.getByLabel("What is in the file").inputValue();
    const [saved] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name: "Save the file" }).click(),
    ]);
    const text = readFileSync(await saved.path(), "utf8");
    expect(text).toBe(shown);
    expect(Object.keys(JSON.parse(text) as object)).toEqual(
      expect.arrayContaining(["versions", "health", "configuration", "devices", "checks", "log"]),
    );
    expect(/.{0,60}(?:canary|latitude": 52).{0,20}/u.exec(text)?.[0]).toBeUndefined();
    await page.close();
  });

  test.each(WALKED_LANGUAGES)(
    "In %s no settings are cut off at 320 pixels, and axe finds nothing serious",
    async (locale) => {
      const { colorScheme, hasAxe } = walkOf(locale);
      const storageState = await owner.storageState();
      const viewport = { width: 320, height: 700 };
      const context = await sandbox.browser(locale, { storageState, colorScheme, viewport });
      const options = { address: sandbox.address, name: `settings-${locale}`, hasAxe };
      expect(await pageFaults(await context.newPage(), [...PAGES, ...MORE_PAGES], options)).toEqual([]);
      await context.close();
    },
  );

  test("The browser found nothing wrong", () => {
    expect(sandbox.trouble).toEqual([]);
  });
});
