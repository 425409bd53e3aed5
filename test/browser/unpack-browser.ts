import chromium from "@sparticuz/chromium";

/** The package unpacks its browser when it is first asked for: two files at once would start one that is still written. */
export async function setup(): Promise<void> {
  await chromium.executablePath();
}
