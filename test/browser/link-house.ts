/** A gateway on this machine with vendors of a made-up town, and a browser in front of it. */
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import chromium from "@sparticuz/chromium";
import { type Browser, type BrowserContext, type Page, chromium as playwright } from "playwright-core";
import { configSchema } from "../../src/config/config.ts";
import { createGateway, type Gateway } from "../../src/gateway.ts";
import { nodePlatform } from "../../src/platform/node/node-platform.ts";
import type { Adapter } from "../../src/sdk/driver.ts";
import { FakeDevice } from "../../src/testing/fake-adapter.ts";
import { getToken } from "../api/support/api-house.ts";
import { chargerOptions } from "../engine/home.ts";
import { makeTown, type Town } from "../engine/linking/town.ts";

/** Outside of git; people look at them. */
export const SCREENSHOTS = new URL("./screenshots/", import.meta.url).pathname;

export const SIZES = { phone: { width: 390, height: 844 }, desktop: { width: 1280, height: 900 } } as const;
export type Size = keyof typeof SIZES;

const BRANDS = {
  Wallbox: "WALLBOX",
  "go-e": "GOE",
  Alfen: "ALFEN",
  Ohme: "OHME",
  EVBox: "EVBOX",
  myenergi: "MYENERGI",
};

export interface LinkHouse extends AsyncDisposable {
  readonly town: Town;
  readonly gateway: Gateway;
  readonly address: string;
  readonly browser: Browser;
  /** What pages asked of anybody but the gateway, and what the browser complained about. */
  readonly trouble: string[];
  ask(method: string, path: string, body?: object): Promise<Response>;
  link(change?: object): Promise<string>;
  /** A person with a browser of their own. */
  open(size: Size, scheme: "light" | "dark", hasScripts?: boolean): Promise<{ context: BrowserContext; page: Page }>;
}

/** `more`: adapters beside the town's. */
export async function openLinkHouse(more: readonly Adapter[] = []): Promise<LinkHouse> {
  mkdirSync(SCREENSHOTS, { recursive: true });
  const folder = mkdtempSync(join(tmpdir(), "hemgate-link-"));
  const platform = nodePlatform({ stateFolder: folder, logLevel: "error", isPretty: false });
  const town = makeTown(BRANDS, { hasButton: true });
  for (const [key, name] of [
    ["EH-204711", "Garage"],
    ["EH-204712", "Carport"],
  ] as const) {
    const options = chargerOptions({ vendors: ["EASEE", "SIMULATED"], pollMs: 1_000 });
    town.account[key] = { device: new FakeDevice({ ...options, clock: platform.clock }), name };
  }
  const adapters = [town.adapter, ...more];
  const config = configSchema(adapters).parse({ http: { host: "127.0.0.1", port: 0 } });
  const gateway = await createGateway({ platform, config, adapters });
  const address = gateway.address ?? "";
  const client = await gateway.createClient("Sunny Home");
  const token = await getToken(gateway.api, client);
  const browser = await playwright.launch({
    executablePath: await chromium.executablePath(),
    // In a single process the browser ends with its first context.
    args: chromium.args.filter((arg) => arg !== "--single-process"),
    headless: true,
  });
  const trouble: string[] = [];
  const ask: LinkHouse["ask"] = (method, path, body) =>
    fetch(`${address}${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  return {
    town,
    gateway,
    address,
    browser,
    trouble,
    ask,
    async link(change = {}) {
      const scopes = ["charger:read:data", "charger:control:charging"];
      const body = { scopes, language: "en-US", redirectUri: `${address}/problems?state=7`, ...change };
      const answer = await ask("POST", "/users/anna/link", body);
      return ((await answer.json()) as { linkUrl: string }).linkUrl;
    },
    async open(size, scheme, hasScripts = true) {
      const context = await browser.newContext({
        viewport: SIZES[size],
        colorScheme: scheme,
        javaScriptEnabled: hasScripts,
        deviceScaleFactor: size === "phone" ? 2 : 1,
      });
      const page = await context.newPage();
      page.on("request", (request) => {
        const url = request.url();
        if (!url.startsWith(address) && !url.startsWith("data:")) trouble.push(`asked ${url}`);
      });
      page.on("requestfinished", (request) => {
        // What was really sent: the browser tells nobody an address with a token in it.
        const told = ({ referer = "" }: Record<string, string>): void => {
          if (referer.includes("/link/")) trouble.push(`told ${request.url()} that it came from ${referer}`);
        };
        void request.allHeaders().then(told, () => {});
      });
      page.on("console", (message) => {
        if (message.type() === "error") trouble.push(message.text());
      });
      page.on("pageerror", (error) => trouble.push(error.message));
      return { context, page };
    },
    async [Symbol.asyncDispose]() {
      await browser.close();
      await gateway[Symbol.asyncDispose]();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
