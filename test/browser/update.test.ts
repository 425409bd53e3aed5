/** Updates in a browser: the gateway's own service of updates, beside a made-up program that updates the package. */
import { spawnSync } from "node:child_process";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { configSchema } from "../../src/config/config.ts";
import { createGateway, type Gateway } from "../../src/gateway.ts";
import { nodePlatform } from "../../src/platform/node/node-platform.ts";
import { temporaryFolder } from "../cli/hemgate-process.ts";
import { freePorts } from "../free-ports.ts";
import { launchBrowser } from "./launch-browser.ts";
import { SCREENSHOTS, SIZES } from "./page-house.ts";
import { asked, handOver } from "./sandbox-page.ts";

const ROOT = new URL("../../", import.meta.url).pathname;
const OWNER = { name: "Anna", password: "correct horse battery" };

describe("Updates in a browser", () => {
  const folder = temporaryFolder();
  const requests: string[] = [];
  let gateway: Gateway;
  let browser: Browser;
  let port: number;

  /** The same box with a version of the package. */
  async function start(version: string): Promise<Gateway> {
    const machine = nodePlatform({ stateFolder: folder.path, logLevel: "error", isPretty: false });
    const platform = { ...machine, updates: { request: async (what: string) => void requests.push(what) } };
    const config = configSchema([]).parse({ http: { host: "127.0.0.1", port } });
    return await createGateway({ platform, config, adapters: [], version });
  }

  beforeAll(async () => {
    const built = spawnSync(process.execPath, ["scripts/build-page.mjs", "--if-changed"], { cwd: ROOT });
    expect(built.status).toBe(0);
    port = (await freePorts(1))[0] ?? 0;
    gateway = await start("1.0.0");
    browser = await launchBrowser();
  });

  afterAll(async () => {
    await browser.close();
    await gateway[Symbol.asyncDispose]();
    folder[Symbol.dispose]();
  });

  test("An update is begun, left, found again after the restart with the later version, and its end is said", async () => {
    const context = await browser.newContext({ viewport: SIZES.phone, locale: "en-GB" });
    const page = await context.newPage();
    await page.goto(`http://127.0.0.1:${port}/`);
    const code = gateway.engine.services.people.setupCode() ?? "";
    await page.locator("input[type=password]").waitFor();
    await page.evaluate(
      async (body) =>
        void (await fetch("/local/claim", { method: "POST", headers: { "content-type": "application/json" }, body })),
      JSON.stringify({ code, ...OWNER }),
    );
    await handOver(page);
    await page.goto(`http://127.0.0.1:${port}/#/settings/update`);
    await page.reload();
    await page.getByText("none known").waitFor();
    await page.getByRole("button", { name: "Look for a later version" }).click();
    await page.getByText("Asking the repository …").waitFor();
    await gateway.updates.report({ outcome: "available", from: "1.0.0", to: "1.1.0" });
    await page.getByText("Version 1.1.0 is available.").waitFor();
    await page.getByRole("button", { name: "Update to 1.1.0" }).click();
    await page.getByText("The gateway stops for some minutes").waitFor();
    expect(requests).toEqual(["check"]);
    await page.getByRole("button", { name: "Update to 1.1.0" }).click();
    const now = page.locator("li[aria-current=step]");
    await now.getByText("Fetch the later version").waitFor();
    expect(requests).toEqual(["check", "install"]);
    expect((await asked(page, "POST", "/local/update/check")).status).toBe(409);
    await gateway.updates.report({ outcome: "prepared", from: "1.0.0", to: "1.1.0" });
    await now.getByText("Stop the gateway, copy its memory, install").waitFor();
    await page.screenshot({ path: `${SCREENSHOTS}update-running.png`, fullPage: true });
    await page.goto(`http://127.0.0.1:${port}/#/settings/help`);
    await gateway[Symbol.asyncDispose]();
    gateway = await start("1.1.0");
    await page.goto(`http://127.0.0.1:${port}/#/settings/update`);
    await now.getByText("Watch the later version").waitFor({ timeout: 30_000 });
    await gateway.updates.report({ outcome: "kept", from: "1.0.0", to: "1.1.0" });
    await page.getByText("Version 1.1.0 works and stays.").waitFor({ timeout: 15_000 });
    expect(await page.getByLabel("Command that goes back").inputValue()).toBe("sudo hemgate update rollback --yes");
    await page.getByText("none known").waitFor();
    await page.screenshot({ path: `${SCREENSHOTS}update-kept.png`, fullPage: true });
    await page.goto(`http://127.0.0.1:${port}/#/settings/audit`);
    await page.getByText("Update of the gateway").first().waitFor();
    await context.close();
  });
});
