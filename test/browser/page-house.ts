/** A gateway on this machine, and a browser in front of its link page. */
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { expect } from "vitest";
import { configSchema } from "../../src/config/config.ts";
import { createGateway, type Gateway } from "../../src/gateway.ts";
import { nodePlatform } from "../../src/platform/node/node-platform.ts";
import { HttpError } from "../../src/platform/ports/http-error.ts";
import type { Clock, Http, Platform } from "../../src/platform/ports/ports.ts";
import type { Adapter } from "../../src/sdk/driver.ts";
import { getToken } from "../api/support/api-house.ts";
import { launchBrowser } from "./launch-browser.ts";

/** Outside of git; people look at them. */
export const SCREENSHOTS = new URL("./screenshots/", import.meta.url).pathname;

/** `small`: the narrowest phones that many people have; `narrow`: an older Android phone. */
export const SIZES = {
  narrow: { width: 360, height: 740 },
  small: { width: 375, height: 667 },
  phone: { width: 390, height: 844 },
  desktop: { width: 1280, height: 900 },
} as const;
export type Size = keyof typeof SIZES;

export interface PageHouse extends AsyncDisposable {
  readonly gateway: Gateway;
  readonly address: string;
  readonly browser: Browser;
  /** What pages asked of anybody but the gateway, and what the browser complained about. */
  readonly trouble: string[];
  ask(method: string, path: string, body?: object): Promise<Response>;
  link(change?: { readonly scopes?: readonly string[] } & Readonly<Record<string, unknown>>): Promise<string>;
  /** A person with a browser of their own. */
  open(size: Size, scheme: "light" | "dark", hasScripts?: boolean): Promise<{ context: BrowserContext; page: Page }>;
}

/** Where the vendors of a house are, for the gateway and for the browser. */
export interface Surroundings {
  readonly http: Http;
  /** Chromium's `--host-resolver-rules`. */
  readonly hostRules: string;
  /** Names that pages may lead to. */
  readonly hosts: readonly string[];
}

export async function openPageHouse(
  makeAdapters: (clock: Clock) => readonly Adapter[],
  surroundings?: Surroundings,
): Promise<PageHouse> {
  mkdirSync(SCREENSHOTS, { recursive: true });
  const folder = mkdtempSync(join(tmpdir(), "hemgate-link-"));
  const machine = nodePlatform({ stateFolder: folder, logLevel: "error", isPretty: false });
  const platform = surroundings === undefined ? machine : { ...machine, ...within(surroundings) };
  const adapters = makeAdapters(platform.clock);
  const config = configSchema(adapters).parse({ http: { host: "127.0.0.1", port: 0 } });
  const gateway = await createGateway({ platform, config, adapters });
  const address = gateway.address ?? "";
  const client = await gateway.createClient("Sunny Home");
  const token = await getToken(gateway.api, client);
  // In a single process the browser ends with its first context.
  const browser = await launchBrowser(
    ...(surroundings === undefined ? [] : [`--host-resolver-rules=${surroundings.hostRules}`]),
  );
  const trouble: string[] = [];
  const ask: PageHouse["ask"] = (method, path, body) =>
    fetch(`${address}${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  const mayAsk = (url: string): boolean =>
    url.startsWith(address) || url.startsWith("data:") || surroundings?.hosts.includes(new URL(url).hostname) === true;
  return {
    gateway,
    address,
    browser,
    trouble,
    ask,
    async link({ scopes = ["charger:read:data", "charger:control:charging"], ...change } = {}) {
      const body = {
        vendorType: scopes[0]?.split(":")[0],
        scopes,
        language: "en-US",
        redirectUri: `${address}/problems?state=7`,
        ...change,
      };
      const answer = await ask("POST", "/users/anna/link", body);
      return ((await answer.json()) as { linkUrl: string }).linkUrl;
    },
    async open(size, scheme, hasScripts = true) {
      const context = await browser.newContext({
        viewport: SIZES[size],
        colorScheme: scheme,
        javaScriptEnabled: hasScripts,
        deviceScaleFactor: size === "desktop" ? 1 : 2,
        ignoreHTTPSErrors: surroundings !== undefined,
      });
      context.on("page", (page) => watch(page, trouble, mayAsk));
      return { context, page: await context.newPage() };
    },
    async [Symbol.asyncDispose]() {
      await browser.close();
      await gateway[Symbol.asyncDispose]();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Nothing of such a house leaves the machine. */
function within({ http }: Surroundings): Pick<Platform, "http" | "webSockets"> {
  const open = async (): Promise<never> => {
    throw new HttpError("unresolved", "no vendor here has a stream");
  };
  return { http, webSockets: { open } };
}

function watch(page: Page, trouble: string[], mayAsk: (url: string) => boolean): void {
  page.on("request", (request) => {
    if (!mayAsk(request.url())) trouble.push(`asked ${request.url()}`);
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
}

/** Takes a picture. Nothing is cut off or needs scrolling sideways, and every field and button has a name. */
export async function lookAt(page: Page, name: string): Promise<void> {
  // A page that goes on by itself stands still for its picture.
  const goesOn = (await page.locator("meta[http-equiv=refresh]").count()) > 0;
  // Stopped before its style has come, a page is looked at without one.
  if (goesOn) await page.waitForLoadState();
  if (goesOn) await page.evaluate(() => window.stop());
  await page.screenshot({ path: `${SCREENSHOTS}${name}.png`, fullPage: true });
  const faults = await page.evaluate(() => {
    const wide =
      document.documentElement.scrollWidth > document.documentElement.clientWidth ? ["scrolls sideways"] : [];
    const controls = [
      ...document.querySelectorAll<HTMLInputElement | HTMLElement>("input:not([type=hidden]), button, a"),
    ];
    const nameless = controls.filter((control) => {
      const labels = control instanceof HTMLInputElement ? [...(control.labels ?? [])] : [];
      return [control, ...labels].every((element) => (element.textContent ?? "").trim() === "");
    });
    const small = controls.filter((control) => {
      const { height, width } = control.getBoundingClientRect();
      const isDrawnByLabel = control instanceof HTMLInputElement && control.type === "checkbox";
      return width > 1 && height < 44 && !isDrawnByLabel && !control.classList.contains("skip");
    });
    return [...wide, ...nameless.map(({ outerHTML }) => outerHTML), ...small.map(({ outerHTML }) => outerHTML)];
  });
  expect(faults).toEqual([]);
  if (goesOn) await page.reload();
}
