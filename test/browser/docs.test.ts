import { mkdirSync } from "node:fs";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Hemgate, temporaryFolder } from "../cli/hemgate-process.ts";
import { freePorts } from "../free-ports.ts";
import { launchBrowser } from "./launch-browser.ts";

const MAX_SCROLLS = 300;
const screenshots = new URL("./screenshots/", import.meta.url).pathname;

describe("the API's page in a browser", () => {
  const folder = temporaryFolder();
  let gateway: Hemgate;
  let browser: Browser;
  let page: Page;
  let address: string;
  const foreign: string[] = [];
  const complaints: string[] = [];

  beforeAll(async () => {
    mkdirSync(screenshots, { recursive: true });
    const [http, ...twins] = await freePorts(6);
    gateway = new Hemgate(["start", "--sandbox", "--state", folder.path, "--twin-ports", twins.join(",")], {
      environment: { HEMGATE_HTTP_PORT: String(http) },
    });
    address = (await gateway.output(/http:\/\/127\.0\.0\.1:\d+/))[0];
    browser = await launchBrowser();
    page = await browser.newPage({ viewport: { width: 1200, height: 1400 } });
    page.on("request", (request) => {
      const url = request.url();
      if (!url.startsWith(address) && !url.startsWith("data:")) foreign.push(url);
    });
    page.on("console", (message) => {
      if (message.type() === "error") complaints.push(message.text());
    });
    await page.goto(`${address}/docs`);
    await page.getByText("List all batteries").waitFor();
  });

  afterAll(async () => {
    await browser.close();
    gateway.send("SIGTERM");
    await gateway.finished();
    folder[Symbol.dispose]();
  });

  it("lists every operation and webhook of the document", async () => {
    interface Listed {
      readonly paths: Readonly<Record<string, object>>;
      readonly webhooks: Readonly<Record<string, object>>;
    }
    const { paths, webhooks } = (await (await fetch(`${address}/openapi.json`)).json()) as Listed;
    const operations = [...Object.values(paths), ...Object.values(webhooks)].flatMap((path) =>
      Object.keys(path).filter((key) => ["get", "put", "post", "patch", "delete"].includes(key)),
    );
    await page.screenshot({ path: `${screenshots}docs.png` });
    const seen = new Set<string>();
    // The page draws only what is near the window.
    for (let scrolls = 0; scrolls < MAX_SCROLLS && seen.size < operations.length; scrolls += 1) {
      for (const id of await page.locator(".opblock").evaluateAll((blocks) => blocks.map((block) => block.id))) {
        seen.add(id);
      }
      await page.mouse.wheel(0, 500);
      await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))));
    }
    expect(seen.size).toBe(operations.length);
    await page.reload();
    await page.getByText("List all batteries").waitFor();
  });

  it("opens an operation with its answers", async () => {
    await page.getByText("Set a battery's operation mode").click();
    await page.getByText("IMPORT_FOCUS").first().waitFor();
    await page.screenshot({ path: `${screenshots}docs-operation.png` });
  });

  it("asks nobody but the gateway", () => {
    expect(foreign).toEqual([]);
  });

  it("has nothing to complain about", () => {
    expect(complaints).toEqual([]);
  });
});
