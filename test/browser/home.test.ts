/** The home page in a browser, in front of the sandbox home: from the setup code to the evening on the sofa. */
import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync } from "node:fs";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Hemgate, temporaryFolder } from "../cli/hemgate-process.ts";
import { freePorts } from "../free-ports.ts";
import { launchBrowser } from "./launch-browser.ts";
import { planOfCar, sessionsOf } from "./made-plan.ts";
import { axeFaults, pageFaults, WALKED_LANGUAGES, walkOf } from "./page-faults.ts";
import { SCREENSHOTS, SIZES } from "./page-house.ts";
import { asked, handOver } from "./sandbox-page.ts";

const ROOT = new URL("../../", import.meta.url).pathname;
const PAGES = ["", "charging", "plan", "history", "devices", "add", "house"];
const OWNER = { name: "Anna", password: "correct horse battery" };
const GUEST = { name: "<script>alert(1)</script>", password: "only for looking" };

describe("The home page in a browser", () => {
  const folder = temporaryFolder();
  let gateway: Hemgate;
  let browser: Browser;
  let address: string;
  /** Signed in as the owner. */
  let owner: BrowserContext;
  const trouble: string[] = [];

  beforeAll(async () => {
    mkdirSync(SCREENSHOTS, { recursive: true });
    const built = spawnSync(process.execPath, ["scripts/build-page.mjs", "--if-changed"], {
      cwd: ROOT,
      encoding: "utf8",
    });
    expect(built.stderr).toBe("");
    const [http, ...twins] = await freePorts(6);
    gateway = new Hemgate(["start", "--sandbox", "--state", folder.path, "--twin-ports", twins.join(",")], {
      environment: { HEMGATE_HTTP_PORT: String(http) },
    });
    address = (await gateway.output(/http:\/\/127\.0\.0\.1:\d+/))[0];
    await gateway.output(/Ctrl-C/);
    browser = await launchBrowser();
    owner = await open("phone", "de-DE");
  });

  afterAll(async () => {
    await browser.close();
    gateway.send("SIGTERM");
    await gateway.finished();
    folder[Symbol.dispose]();
  });

  /** A person with a browser. */
  async function open(size: keyof typeof SIZES, locale: string, change: object = {}): Promise<BrowserContext> {
    const context = await browser.newContext({ viewport: SIZES[size], locale, timezoneId: "Europe/Berlin", ...change });
    context.on("page", (page) => {
      page.on("pageerror", (error) => trouble.push(error.message));
      page.on("request", (request) => {
        if (!request.url().startsWith(address) && !request.url().startsWith("data:"))
          trouble.push(`asked ${request.url()}`);
      });
      page.on("console", (message) => {
        // Refused requests and the end of the stream are a part of these tests; the browser writes each of them down.
        if (message.type() === "error" && !message.text().startsWith("Failed to load resource"))
          trouble.push(message.text());
      });
    });
    return context;
  }

  async function signIn(page: Page, { name, password }: typeof OWNER): Promise<void> {
    await page.goto(`${address}/`);
    await page.locator("input[autocomplete=username]").fill(name);
    await page.locator("input[type=password]").fill(password);
    await page.locator("button[type=submit]").click();
  }

  test("Who holds the setup code becomes the owner, and it counts once", async () => {
    const claim = new Hemgate(["claim", "--state", folder.path]);
    const { out } = await claim.finished();
    const [code = ""] = /[0-9A-Z]{4}-[0-9A-Z]{4}/u.exec(out) ?? [];
    const page = await owner.newPage();
    await page.goto(`${address}/#code=${code}`);
    await page.getByRole("heading", { name: "Dieses Gateway ist neu" }).waitFor();
    expect(await page.getByLabel("Einrichtungscode").inputValue()).toBe(code);
    await page.screenshot({ path: `${SCREENSHOTS}home-claim.png` });
    expect(await axeFaults(page)).toEqual([]);
    await page.getByLabel("Ihr Name").fill(OWNER.name);
    await page.getByLabel("Passwort").fill(OWNER.password);
    await page.getByLabel("Einrichtungscode").fill("AAAA-AAAA");
    await page.getByRole("button", { name: "Dieses Haus einrichten" }).click();
    await page.getByText("Der Code ist falsch, wurde schon verwendet oder ist abgelaufen.").waitFor();
    await page.getByLabel("Einrichtungscode").fill(code);
    await page.getByRole("button", { name: "Dieses Haus einrichten" }).click();
    await page.getByRole("heading", { name: "Einrichtung", exact: true }).waitFor();
    // The sandbox home is set up; until somebody says so, the page leads there.
    const state = await handOver(page);
    expect(state).toMatchObject({ isDue: false });
    const again = await fetch(`${address}/local/claim`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ code, name: "Mallory", password: "let me in please" }),
    });
    expect(again.status).toBe(403);
    await page.close();
  });

  test("The flow of the house is shown with live values", async () => {
    const page = await owner.newPage();
    await page.goto(`${address}/`);
    const total = page.locator(".bal b");
    await total.waitFor({ timeout: 60_000 });
    expect((await total.textContent())?.trim()).toMatch(/^\d+([.,]\d+)?$/u);
    expect(await page.locator(".nds .nd").count()).toBeGreaterThanOrEqual(3);
    await page.screenshot({ path: `${SCREENSHOTS}home-flow.png`, fullPage: true });
    await page.close();
  });

  test("A heater is switched off and back to the sun, and a battery waits when it is told to", async () => {
    const page = await owner.newPage();
    await page.goto(`${address}/#/devices`);
    await page.getByText("Heizstab", { exact: false }).or(page.getByText("Heating rod")).first().click();
    const off = page.getByRole("radio", { name: "Aus", exact: true });
    const deviceId = (await off.getAttribute("name"))?.replace("mode-", "");
    await off.check();
    await page.getByText("Bleibt sich selbst überlassen").waitFor();
    await expect.poll(() => policyOf(page, deviceId), { timeout: 20_000 }).toMatchObject({ mode: "OFF" });
    await page.getByRole("radio", { name: "Sonne", exact: true }).check();
    await expect.poll(() => policyOf(page, deviceId), { timeout: 20_000 }).toMatchObject({ mode: "SURPLUS" });
    await page.getByRole("button", { name: "Das Gerät entscheiden lassen" }).waitFor();

    const battery = async (): Promise<{ id: string; config: { operationMode: string } }> =>
      await page.evaluate(async () => (await (await fetch("/batteries")).json()).data[0]);
    await page.goto(`${address}/#/devices/${(await battery()).id}`);
    const card = page.getByRole("region", { name: "Was die Batterie tut" });
    await card.getByRole("button", { name: /^Wartet/u }).click();
    await card.getByText("Gespeichert", { exact: true }).waitFor({ timeout: 60_000 });
    expect((await battery()).config.operationMode).toBe("IDLE");
    await card.getByRole("button", { name: /^Eigenverbrauch/u }).click();
    await expect.poll(async () => (await battery()).config.operationMode, { timeout: 60_000 }).toBe("SELF_RELIANCE");
    await page.close();
  });

  test("A mode that is chosen is what the gateway holds, and says why", async () => {
    const page = await owner.newPage();
    await page.goto(`${address}/#/charging`);
    const fast = page.getByRole("radio", { name: "Schnell" }).first();
    const deviceId = (await fast.getAttribute("name"))?.replace("mode-", "");
    expect(deviceId).toMatch(/^[0-9a-f-]{36}$/u);
    await fast.check();
    await page.getByText("So schnell, wie die Sicherung des Hauses es erlaubt.").waitFor();
    await expect.poll(() => policyOf(page, deviceId), { timeout: 20_000 }).toMatchObject({ mode: "FAST" });
    await page.getByText("Warum", { exact: true }).first().waitFor({ timeout: 30_000 });
    await page.close();
  });

  test("A car that must not have its phases changed is kept on one number of them", async () => {
    const page = await owner.newPage();
    await page.goto(`${address}/#/charging`);
    const three = page.getByRole("radio", { name: "drei" }).first();
    const deviceId = (await three.getAttribute("name"))?.replace("phases-", "");
    await three.check();
    await expect.poll(() => policyOf(page, deviceId), { timeout: 20_000 }).toMatchObject({ phases: 3 });
    await page.getByRole("radio", { name: "nach Bedarf" }).first().check();
    await expect.poll(() => policyOf(page, deviceId), { timeout: 20_000 }).toMatchObject({ phases: null });
    await page.close();
  });

  async function policyOf(page: Page, deviceId: string | undefined): Promise<unknown> {
    return await page.evaluate(async (wanted) => {
      const state = await (await fetch("/local/energy")).json();
      return state.devices.find(({ id }: { id: string }) => id === wanted)?.policy ?? null;
    }, deviceId);
  }

  test("A limit that is entered is in force from then on, and what the file sets is not offered", async () => {
    const page = await owner.newPage();
    await page.goto(`${address}/#/house`);
    expect(await page.getByLabel("Hauptsicherung, A je Phase").isDisabled()).toBe(true);
    await page.getByLabel("Vereinbarter Bezug, kW").fill("20");
    await page.getByRole("button", { name: "Speichern" }).click();
    await page.getByText("Gespeichert", { exact: true }).waitFor();
    const site = await page.evaluate(async () => (await fetch("/local/site")).json());
    expect(site.connection.importKw).toBe(20);
    await page.close();
  });

  test("A guest sees and commands nothing, and a name is text", async () => {
    const page = await owner.newPage();
    await page.goto(`${address}/#/house`);
    await page.getByText("Person hinzufügen").first().click();
    await page.getByLabel("Name", { exact: true }).fill(GUEST.name);
    await page.getByLabel(/^Darf[^:]/u).selectOption("guest");
    await page.getByLabel("Ihr erstes Passwort").fill(GUEST.password);
    await page.getByRole("button", { name: "Person hinzufügen" }).click();
    await page.locator(".list .t", { hasText: GUEST.name }).waitFor();
    await page.close();

    const guest = await open("desktop", "en-GB");
    const seen = await guest.newPage();
    await signIn(seen, GUEST);
    await seen.goto(`${address}/#/charging`);
    await seen.getByText("How should it charge?").first().waitFor({ timeout: 30_000 });
    expect(await seen.locator("fieldset:disabled").count()).toBeGreaterThan(0);
    const refused = await seen.evaluate(async () => {
      const { csrfToken } = await (await fetch("/local/session")).json();
      const headers = { "x-csrf-token": csrfToken, "content-type": "application/json" };
      return (await fetch("/local/site", { method: "PATCH", headers, body: '{"fuseA":63}' })).status;
    });
    expect(refused).toBe(403);
    await guest.close();
  });

  test("Who is invited enters with the code that the owner sends, and an installer's time is renewed", async () => {
    const page = await owner.newPage();
    await page.goto(`${address}/#/house`);
    await page.getByText("Person hinzufügen").first().click();
    await page.getByLabel("Name", { exact: true }).fill("Ines");
    await page.getByLabel(/^Darf[^:]/u).selectOption("installer");
    await page.getByRole("button", { name: "Person hinzufügen" }).click();
    const invitation = (await page.getByText(/Schicken Sie das an Ines/u).textContent()) ?? "";
    const [link = ""] = /http:\/\/\S+#code=\S+/u.exec(invitation) ?? [];
    await page.getByText("eingeladen, noch nicht hier").waitFor();

    const invited = await open("phone", "en-GB");
    const seen = await invited.newPage();
    await seen.goto(`${address}/`);
    await seen.getByRole("button", { name: "I have a code" }).waitFor();
    await seen.goto(link);
    await seen.getByRole("heading", { name: "You have a code" }).waitFor();
    expect(await axeFaults(seen)).toEqual([]);
    await seen.getByLabel("Your name").fill("Ines");
    await seen.getByLabel("Password").fill("a password of hers");
    await seen.getByRole("button", { name: "Enter" }).click();
    await seen.locator("nav").first().waitFor();
    await invited.close();

    const before = await endOf(page, "Ines");
    await page.getByRole("button", { name: "30 Tage mehr Ines" }).click();
    await expect.poll(() => endOf(page, "Ines"), { timeout: 20_000 }).not.toBe(before);
    await page.close();
  });

  async function endOf(page: Page, name: string): Promise<string | null> {
    const { body } = await asked(page, "GET", "/local/people");
    return (body as { name: string; expiresAt: string | null }[]).find((each) => each.name === name)?.expiresAt ?? null;
  }

  test("A car's plan, whether it will be ready, and what each charge cost stand at the car", async () => {
    const page = await owner.newPage();
    await page.goto(`${address}/`);
    const { body } = await asked(page, "GET", "/chargers");
    const { id } = (body as { data: { id: string }[] }).data[0] ?? { id: "" };
    await page.route(/\/local\/energy\/plan/u, (route) => route.fulfill({ json: planOfCar(id, Date.now()) }));
    await page.route(/\/statistics\/charging\/sessions/u, (route) => route.fulfill({ json: sessionsOf(id) }));
    await page.goto(`${address}/#/charging`);
    const card = page.locator("section.card", { has: page.getByRole("heading", { name: "Was geplant ist" }) });
    await card.getByText(/^12,0\s?kWh bis .* wird erreicht\.$/u).waitFor();
    await card.getByText(/^Bis .* werden 3,5\s?kWh fehlen\.$/u).waitFor();
    await card.locator(".uplot").nth(1).waitFor();
    expect(await card.locator(".uplot").count()).toBe(2);
    await card.getByText("Letzte Ladungen").click();
    const rows = await card.locator("details tbody tr").allTextContents();
    expect(rows).toHaveLength(2);
    expect(rows[0]).toMatch(/8,2\s?kWh.*unbekannt/u);
    expect(rows[1]).toMatch(/10,0\s?kWh.*2,50\s?€/u);
    await page.goto(`${address}/#/plan`);
    await page.getByRole("heading", { name: /^Bis .* sollte der Strom 1,20\s€ kosten\.$/u }).waitFor();
    const load = page.getByRole("region", { name: "Das Haus heute" });
    await load.getByText("Verbrauch ohne Geplantes, kW").waitFor();
    await page.locator("#main .uplot").nth(2).waitFor();
    expect(await page.locator("#main .uplot").count()).toBe(3);
    await page.getByText("Zur Abfahrt werden 3,5 kWh fehlen.").waitFor();
    await page.close();
  });

  test("The battery's reserve is set at the battery, and every reading of a device is shown", async () => {
    const page = await owner.newPage();
    await page.goto(`${address}/`);
    const { body } = await asked(page, "GET", "/batteries");
    const [battery] = (body as { data: { id: string }[] }).data;
    // As ten days after its last full charge.
    await page.route(/\/local\/energy\?language=de-DE$/u, async (route) => {
      const response = await route.fetch();
      const state = (await response.json()) as { devices: { id: string; reason: object | null }[] };
      const reason = { code: "full-charge", subject: null, until: null, text: "Wird einmal voll geladen." };
      const devices = state.devices.map((each) => (each.id === battery?.id ? { ...each, reason } : each));
      await route.fulfill({ response, json: { ...state, devices } });
    });
    await page.goto(`${address}/#/devices/${battery?.id}`);
    await page.getByRole("region", { name: "Was die Batterie tut" }).getByText("Wird einmal voll geladen.").waitFor();
    await page.getByText("und in zehn Tagen einmal ganz", { exact: false }).waitFor();
    const card = page.getByRole("region", { name: "Grenzen der Batterie" });
    await card.getByLabel("Reserve, %").fill("25");
    await card.getByRole("button", { name: "Speichern" }).click();
    const used = async () => (await asked(page, "GET", "/local/energy/battery-use")).body;
    await expect.poll(used, { timeout: 20_000 }).toMatchObject({ minSoc: 25 });
    await page.getByText("Alle Messwerte").click();
    await page.getByRole("row", { name: /battery\.soc [\d,]+\s%/u }).waitFor();
    // As while another program holds the connection.
    await page.route(/\/local\/devices\/[^/]+$/u, async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, json: { ...(await response.json()), mayBeInUse: true } });
    });
    await page.getByText(/^Vielleicht benutzt es ein anderes Programm/u).waitFor();
    await page.getByRole("link", { name: "Modbus für andere Programme" }).click();
    await page.getByRole("heading", { name: "Modbus für andere Programme" }).waitFor();
    await page.close();
  });

  test("A week of the history is saved as it is shown", async () => {
    const page = await owner.newPage();
    await page.goto(`${address}/#/history`);
    await page.getByRole("radio", { name: "Woche" }).check();
    const [saved] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name: "Als CSV speichern" }).click(),
    ]);
    const [head = "", ...rows] = readFileSync(await saved.path(), "utf8")
      .trim()
      .split("\r\n");
    expect(saved.suggestedFilename()).toMatch(/^hemgate-week-\d{4}-\d\d-\d\d\.csv$/u);
    expect(head).toMatch(/^time,.* kWh/u);
    expect(rows).toHaveLength(7);
    await page.close();
  });

  test("By keyboard alone one passes the frame and reaches what the page is about", async () => {
    const page = await owner.newPage();
    await page.goto(`${address}/#/history`);
    await page.getByRole("radio", { name: "Tag" }).waitFor();
    await page.keyboard.press("Tab");
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe("Zum Inhalt springen");
    await page.keyboard.press("Enter");
    expect(await page.evaluate(() => document.activeElement?.id)).toBe("main");
    await page.keyboard.press("Tab");
    await page.keyboard.press("ArrowRight");
    expect(await page.getByRole("radio", { name: "Woche" }).isChecked()).toBe(true);
    await page.close();
  });

  test("A wrong password is refused with a sentence, and after signing out the page asks again", async () => {
    const context = await open("desktop", "en-GB");
    const page = await context.newPage();
    await signIn(page, { ...OWNER, password: "wrong horse battery" });
    await page.getByText("The name or the password is wrong.").waitFor();
    await page.locator("input[type=password]").fill(OWNER.password);
    await page.locator("button[type=submit]").click();
    await page.locator("nav").waitFor();
    await page.goto(`${address}/#/house`);
    await page.getByRole("button", { name: "Sign out", exact: true }).click();
    await page.getByRole("heading", { name: "Sign in" }).waitFor();
    expect(await axeFaults(page)).toEqual([]);
    expect(await page.evaluate(async () => (await fetch("/batteries")).status)).toBe(401);
    await context.close();
  });

  test.each(WALKED_LANGUAGES)(
    "In %s nothing is cut off at 320 pixels, and axe finds nothing serious",
    async (locale) => {
      const { colorScheme, hasAxe } = walkOf(locale);
      const state = await owner.storageState();
      const context = await open("phone", locale, {
        storageState: state,
        colorScheme,
        viewport: { width: 320, height: 700 },
      });
      const options = { address, name: `home-${locale}`, hasAxe };
      const page = await context.newPage();
      await page.goto(`${address}/`);
      const lists = ["batteries", "hvacs", "meters"].map((kind) => asked(page, "GET", `/${kind}`));
      const bodies = (await Promise.all(lists)).map(({ body }) => body as { data: readonly { id: string }[] });
      const devices = bodies.map(({ data }) => `devices/${data[0]?.id}`);
      expect(await pageFaults(page, [...PAGES, ...devices], options)).toEqual([]);
      await context.close();
    },
  );

  test("The page asked nobody but the gateway, and the browser found nothing wrong", () => {
    expect(trouble).toEqual([]);
  });
});
