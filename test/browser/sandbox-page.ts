/** The sandbox as a process that can go away and come back at the same address, and browsers in front of its page. */
import { spawnSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { Hemgate, temporaryFolder } from "../cli/hemgate-process.ts";
import { freePorts } from "../free-ports.ts";
import { launchBrowser } from "./launch-browser.ts";
import { SCREENSHOTS, SIZES } from "./page-house.ts";

const ROOT = new URL("../../", import.meta.url).pathname;
const OWNER = { name: "Anna", password: "correct horse battery" };

export class SandboxPage implements AsyncDisposable {
  readonly #folder = temporaryFolder();
  readonly #ports: readonly number[];
  readonly #browser: Browser;
  #gateway: Hemgate;
  /** What the browser found wrong. */
  readonly trouble: string[] = [];

  private constructor(browser: Browser, ports: readonly number[]) {
    this.#browser = browser;
    this.#ports = ports;
    this.#gateway = this.#start();
  }

  /** A running sandbox that Anna owns, whose page is built. */
  static async open(): Promise<SandboxPage> {
    mkdirSync(SCREENSHOTS, { recursive: true });
    const built = spawnSync(process.execPath, ["scripts/build-page.mjs", "--if-changed"], { cwd: ROOT });
    if (built.status !== 0) throw new Error(String(built.stderr));
    const sandbox = new SandboxPage(await launchBrowser(), await freePorts(6));
    await sandbox.#gateway.output(/Ctrl-C/);
    return sandbox;
  }

  get address(): string {
    return `http://127.0.0.1:${this.#ports[0]}`;
  }

  /** The link that the welcome prints. */
  async link(): Promise<string> {
    return (await this.#gateway.output(/http:\/\/127\.0\.0\.1:\d+\/#code=[0-9A-Z-]+/))[0];
  }

  async stop(): Promise<void> {
    this.#gateway.send("SIGTERM");
    await this.#gateway.finished();
  }

  async startAgain(): Promise<void> {
    this.#gateway = this.#start();
    await this.#gateway.output(/Ctrl-C/);
  }

  /** A person with a browser. */
  async browser(locale = "en-GB", change: object = {}): Promise<BrowserContext> {
    const context = await this.#browser.newContext({
      viewport: SIZES.phone,
      locale,
      timezoneId: "Europe/Berlin",
      ...change,
    });
    context.on("page", (page) => page.on("pageerror", (error) => this.trouble.push(error.message)));
    return context;
  }

  /** The owner's browser, signed in. */
  async owner(change: object = {}): Promise<BrowserContext> {
    const context = await this.browser("en-GB", change);
    const page = await context.newPage();
    await page.goto(`${this.address}/`);
    await page.locator("input[type=password]").waitFor();
    if ((await page.locator("input[autocomplete=new-password]").count()) > 0) await page.goto(await this.link());
    await page.locator("input[autocomplete=username]").fill(OWNER.name);
    await page.locator("input[type=password]").fill(OWNER.password);
    await page.locator("button[type=submit]").click();
    await page.locator("nav").first().waitFor({ timeout: 60_000 });
    await handOver(page);
    await page.close();
    return context;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#browser.close();
    await this.#gateway[Symbol.asyncDispose]();
    this.#folder[Symbol.dispose]();
  }

  #start(): Hemgate {
    const [http, ...twins] = this.#ports;
    return new Hemgate(["start", "--sandbox", "--state", this.#folder.path, "--twin-ports", twins.join(",")], {
      environment: { HEMGATE_HTTP_PORT: String(http) },
    });
  }
}

const STEPS = ["site", "devices", "checks", "control-tests", "prices", "people"];

/** Ends the setup with the session of the page, which leads there until it has ended. Returns the state of the setup. */
export async function handOver(page: Page): Promise<unknown> {
  for (const step of STEPS) await asked(page, "PUT", `/local/setup/steps/${step}`, { isSkipped: true });
  return (await asked(page, "PUT", "/local/setup/hand-over", { isHandedOver: true })).body;
}

/** Sends a request with the session of the page; returns status and body. */
export async function asked(
  page: Page,
  method: string,
  path: string,
  body?: object,
): Promise<{ readonly status: number; readonly body: unknown }> {
  return await page.evaluate(
    async ([how, where, sent]) => {
      const { csrfToken } = (await (await fetch("/local/session")).json()) as { csrfToken: string };
      const headers = { "x-csrf-token": csrfToken, "content-type": "application/json" };
      const answer = await fetch(where, { method: how, headers, ...(sent === undefined ? {} : { body: sent }) });
      const text = await answer.text();
      return { status: answer.status, body: text === "" ? null : (JSON.parse(text) as unknown) };
    },
    [method, path, body === undefined ? undefined : JSON.stringify(body)] as const,
  );
}
