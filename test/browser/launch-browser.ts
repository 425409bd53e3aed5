import chromium from "@sparticuz/chromium";
import { type Browser, chromium as playwright } from "playwright-core";

/** Pages here are drawn by the processor alone: an emulated graphics card costs it more than the pages do. */
chromium.setGraphicsMode = false;

/** Starts Chromium in processes of its own, with `args` beside those that it needs without a display. */
export async function launchBrowser(...args: readonly string[]): Promise<Browser> {
  return await playwright.launch({
    executablePath: await chromium.executablePath(),
    args: [...chromium.args.filter((arg) => arg !== "--single-process"), ...args],
    headless: true,
  });
}
