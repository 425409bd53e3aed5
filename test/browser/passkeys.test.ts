/** Passkeys in a real browser with a made-up authenticator, over the gateway's own https at hemgate.local. */
import { spawnSync } from "node:child_process";
import type { Browser, CDPSession, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { configSchema } from "../../src/config/config.ts";
import { createGateway, type Gateway } from "../../src/gateway.ts";
import { nodePlatform } from "../../src/platform/node/node-platform.ts";
import { nodeTlsListen } from "../../src/platform/node/tls-listener.ts";
import { temporaryFolder } from "../cli/hemgate-process.ts";
import { freePorts } from "../free-ports.ts";
import { launchBrowser } from "./launch-browser.ts";
import { SIZES } from "./page-house.ts";

const ROOT = new URL("../../", import.meta.url).pathname;
const OWNER = { name: "Anna", password: "correct horse battery" };

describe("Passkeys in a browser", () => {
  const folder = temporaryFolder();
  let gateway: Gateway;
  let browser: Browser;
  let port: number;
  const trouble: string[] = [];

  beforeAll(async () => {
    const built = spawnSync(process.execPath, ["scripts/build-page.mjs", "--if-changed"], { cwd: ROOT });
    expect(built.status).toBe(0);
    const ports = await freePorts(1);
    port = ports[0] ?? 0;
    const platform = nodePlatform({ stateFolder: folder.path, logLevel: "error", isPretty: false });
    const config = configSchema([]).parse({ http: { host: "127.0.0.1", port: 0 }, https: { port } });
    gateway = await createGateway({ platform, config, adapters: [], tlsListen: nodeTlsListen(platform) });
    browser = await launchBrowser(
      "--host-resolver-rules=MAP hemgate.local 127.0.0.1",
      // The browser has no passkeys where it was told to overlook a certificate page by page; so it trusts all of them.
      "--ignore-certificate-errors",
    );
  });

  afterAll(async () => {
    await browser.close();
    await gateway[Symbol.asyncDispose]();
    folder[Symbol.dispose]();
  });

  async function open(address: string): Promise<{ page: Page; cdp: CDPSession }> {
    const context = await browser.newContext({ viewport: SIZES.phone, locale: "en-GB" });
    const page = await context.newPage();
    page.on("pageerror", (error) => trouble.push(error.message));
    const cdp = await context.newCDPSession(page);
    await cdp.send("WebAuthn.enable");
    await page.goto(address);
    return { page, cdp };
  }

  const authenticator = (isUserVerified: boolean) => ({
    options: {
      protocol: "ctap2" as const,
      transport: "internal" as const,
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified,
      automaticPresenceSimulation: true,
    },
  });

  async function signInWithPassword(page: Page): Promise<void> {
    await page.locator("input[autocomplete=username]").fill(OWNER.name);
    await page.locator("input[type=password]").fill(OWNER.password);
    await page.locator("button[type=submit]").click();
    await page.locator("nav").first().waitFor();
  }

  test("A passkey is made on the house's page, signs in without a password, and does nothing once removed", async () => {
    const { page, cdp } = await open(`https://hemgate.local:${port}/`);
    const { authenticatorId } = await cdp.send("WebAuthn.addVirtualAuthenticator", authenticator(true));
    const { body } = await fetchJson(page, "POST", "/local/claim", {
      code: gateway.engine.services.people.setupCode() ?? "",
      ...OWNER,
    });
    expect(body).toMatchObject({ account: { name: "Anna" } });
    await page.goto(`https://hemgate.local:${port}/#/house`);
    await page.reload();
    const card = page.locator("section[aria-labelledby=h-passkeys]");
    await card.getByText("Add a passkey", { exact: true }).first().click();
    await card.getByLabel("Name").fill("Anna's phone");
    await card.getByLabel("Password").fill("wrong password");
    await card.locator("button[type=submit]").click();
    await card.getByText("The password is wrong.").waitFor();
    await card.getByLabel("Password").fill(OWNER.password);
    await card.locator("button[type=submit]").click();
    await card.locator("li").getByText("not used yet").waitFor();
    const { credentials } = await cdp.send("WebAuthn.getCredentials", { authenticatorId });
    expect(credentials).toMatchObject([{ rpId: "hemgate.local", isResidentCredential: true }]);

    await page.getByRole("button", { name: "Sign out", exact: true }).click();
    await page.getByRole("button", { name: "Sign in with a passkey" }).click();
    await card
      .locator("li")
      .getByText(/^used .* ago$/u)
      .waitFor();

    await card.getByRole("button", { name: "Remove Anna's phone" }).click();
    await expect.poll(() => card.locator("li").count()).toBe(0);
    await page.getByRole("button", { name: "Sign out", exact: true }).click();
    await page.getByRole("button", { name: "Sign in with a passkey" }).click();
    await page.getByText("This passkey was not accepted. Sign in with your password.").waitFor();
    await signInWithPassword(page);
    await page.context().close();
  });

  test("A device that does not know its person makes no passkey, and the page says so", async () => {
    const { page, cdp } = await open(`https://hemgate.local:${port}/#/house`);
    await cdp.send("WebAuthn.addVirtualAuthenticator", authenticator(false));
    await signInWithPassword(page);
    const card = page.locator("section[aria-labelledby=h-passkeys]");
    await card.getByText("Add a passkey", { exact: true }).first().click();
    await card.getByLabel("Name").fill("Somebody's phone");
    await card.getByLabel("Password").fill(OWNER.password);
    await card.locator("button[type=submit]").click();
    await card.getByText("Nothing was done: the device's question was not answered.").waitFor();
    expect(await card.locator("li").count()).toBe(0);
    await page.context().close();
  });

  test("Over http and at an address there is nothing of passkeys", async () => {
    for (const address of [`${gateway.address}/#/house`, `https://127.0.0.1:${port}/#/house`]) {
      const { page } = await open(address);
      await page.locator("button[type=submit]").waitFor();
      expect(await page.getByRole("button", { name: "Sign in with a passkey" }).count()).toBe(0);
      await signInWithPassword(page);
      await page.locator("#h-sessions").waitFor();
      expect(await page.locator("#h-passkeys").count()).toBe(0);
      await page.context().close();
    }
  });

  test("The browser found nothing wrong", () => {
    expect(trouble).toEqual([]);
  });
});

async function fetchJson(page: Page, method: string, path: string, body: object): Promise<{ readonly body: unknown }> {
  return await page.evaluate(
    async ([how, where, sent]) => {
      const headers = { "content-type": "application/json" };
      const answer = await fetch(where, { method: how, headers, body: sent });
      return { body: (await answer.json()) as unknown };
    },
    [method, path, JSON.stringify(body)] as const,
  );
}
