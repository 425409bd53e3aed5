import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Page } from "playwright-core";
import { SCREENSHOTS } from "./page-house.ts";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
/** Pages ask for values again and again, so the network never rests for long. */
const SETTLED_MS = 400;

const LANGUAGES = ["de-DE", "fr-FR", "en-GB", "nl-NL", "sv-SE"];
export const IN_ALL_LANGUAGES = process.env["BROWSER_LANGUAGES"] === "all";

/** Those with the longest words, unless `BROWSER_LANGUAGES=all`. */
export const WALKED_LANGUAGES = IN_ALL_LANGUAGES ? LANGUAGES : LANGUAGES.slice(0, 2);

interface AxeResult {
  readonly violations: readonly { readonly id: string; readonly impact: string | null; readonly nodes: AxeNode[] }[];
}

interface AxeNode {
  readonly html: string;
}

interface FaultOptions {
  /** The open page's address; paths follow its `#/`. */
  readonly address: string;
  /** Of the pictures, which `PICTURES=1` takes. */
  readonly name: string;
  /** What axe finds depends on colours and elements and not on the language, and takes a second a page. */
  readonly hasAxe: boolean;
}

/** Goes to each path of the home page; returns what is cut off, and what axe calls serious or critical. */
export async function pageFaults(page: Page, paths: readonly string[], options: FaultOptions): Promise<string[]> {
  await page.goto(`${options.address}/`);
  const faults: string[] = [];
  for (const path of paths) {
    await page.evaluate((to) => {
      location.hash = `#/${to}`;
    }, path);
    await page.locator("#main h1, #main .lead").first().waitFor();
    await page.waitForLoadState("networkidle", { timeout: SETTLED_MS }).catch(() => undefined);
    const isWide = await page.evaluate(
      () => document.documentElement.scrollWidth > document.documentElement.clientWidth,
    );
    if (isWide) faults.push(`${path}: scrolls sideways`);
    if (options.hasAxe) faults.push(...(await axeFaults(page)).map((fault) => `${path}: ${fault}`));
    if (process.env["PICTURES"] === "1") {
      const file = `${SCREENSHOTS}${options.name}-${path.replaceAll("/", "-") || "home"}.png`;
      await page.screenshot({ path: file, fullPage: true, animations: "disabled", timeout: 90_000 });
    }
  }
  return faults;
}

/** Returns what axe calls serious or critical about what the page shows now. */
export async function axeFaults(page: Page): Promise<string[]> {
  await page.evaluate(AXE);
  const { violations } = (await page.evaluate("axe.run(document, { resultTypes: ['violations'] })")) as AxeResult;
  return violations
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .map(({ id, nodes }) => `${id} ${nodes[0]?.html.slice(0, 150)}`);
}

/** How a language is walked: in the light and the dark by turns, and axe looks once at each. */
export function walkOf(locale: string): { readonly colorScheme: "light" | "dark"; readonly hasAxe: boolean } {
  const at = LANGUAGES.indexOf(locale);
  return { colorScheme: at % 2 === 0 ? "light" : "dark", hasAxe: at < 2 };
}
