/** The notifications of the settings in a browser, in front of the sandbox home and an ntfy server on the loopback. */
import { createServer } from "node:http";
import type { BrowserContext } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { pageFaults, WALKED_LANGUAGES, walkOf } from "./page-faults.ts";
import { asked, SandboxPage } from "./sandbox-page.ts";

/** An ntfy server: it keeps what it takes, and refuses topics that begin with `private`. */
async function openNtfy() {
  const taken: { readonly topic: string; readonly title: string }[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const message = JSON.parse(Buffer.concat(chunks).toString()) as (typeof taken)[number];
    const isAllowed = !message.topic.startsWith("private");
    if (isAllowed) taken.push(message);
    response.writeHead(isAllowed ? 200 : 403).end("{}");
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", () => resolve());
  });
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  return {
    taken,
    url: `http://127.0.0.1:${address.port}`,
    [Symbol.asyncDispose]: () => new Promise<void>((resolve) => void server.close(() => resolve())),
  };
}

describe("The notifications in a browser", () => {
  let sandbox: SandboxPage;
  let owner: BrowserContext;

  beforeAll(async () => {
    sandbox = await SandboxPage.open();
    owner = await sandbox.owner();
  });

  afterAll(async () => {
    await sandbox[Symbol.asyncDispose]();
  });

  test("A phone is added and tested, the page says what the server answered, and its topic is not shown again", async () => {
    await using ntfy = await openNtfy();
    const page = await owner.newPage();
    await page.goto(`${sandbox.address}/#/settings/notifications`);
    await page.getByText("Nobody is notified yet.").waitFor();
    await page.getByLabel("Name of the channel").fill("anna-phone");
    const topic = page.getByLabel("Topic");
    expect(await topic.inputValue()).toMatch(/^house-[0-9a-f]{20}$/);
    await topic.fill("private-canary");
    await page.getByLabel("Server of ntfy").fill("http://10.0.0.300");
    await page.getByRole("button", { name: "Add a channel" }).click();
    await page.getByText(/server: /).waitFor();
    await page.getByLabel("Server of ntfy").fill(ntfy.url);
    await page.getByLabel("a backup failed").uncheck();
    await page.getByLabel("From").fill("22:00");
    await page.getByLabel("Until").fill("07:00");
    await page.getByRole("button", { name: "Add a channel" }).click();
    const test = page.getByRole("button", { name: "Send a test anna-phone" });
    await test.click();
    await page
      .getByRole("status")
      .filter({ hasText: "The token, the user or the password is not accepted." })
      .waitFor();
    await page.getByRole("button", { name: "Change anna-phone" }).click();
    const form = page.getByRole("listitem").filter({ hasText: "anna-phone" });
    expect(await form.getByLabel("Topic").inputValue()).toBe("");
    await form.getByLabel("Topic").fill("house-canary");
    await form.getByRole("button", { name: "Save" }).click();
    await form.getByLabel("Topic").waitFor({ state: "detached" });
    await test.click();
    await page.getByRole("status").filter({ hasText: "It arrived." }).waitFor();
    expect(ntfy.taken).toMatchObject([{ topic: "house-canary" }]);
    const { body } = await asked(page, "GET", "/local/notifications");
    expect(JSON.stringify(body)).not.toContain("canary");
    expect(body).toMatchObject([
      { id: "anna-phone", quietHours: { from: "22:00", until: "07:00" }, failures: 0, deliveries: [{}, {}] },
    ]);
    expect((body as { kinds: string[] }[])[0]?.kinds).not.toContain("backup-failed");
    await page.close();
  });

  test("E-mails wait for a mail server, whose password is not shown again", async () => {
    const page = await owner.newPage();
    await page.goto(`${sandbox.address}/#/settings/notifications`);
    await page.getByRole("radio", { name: "E-mail" }).check();
    await page.getByText("Set the mail server first.").waitFor();
    await page.getByLabel("Name of the server").fill("smtp.example.com");
    await page.getByLabel("User").fill("house");
    await page.getByLabel("Password").fill("canary of the mail");
    await page.getByLabel("Address of the sender").fill("house@example.com");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByRole("button", { name: "Remove smtp.example.com" }).waitFor();
    expect(await page.getByLabel("Password").inputValue()).toBe("");
    expect((await asked(page, "GET", "/local/mail-server")).body).toMatchObject({ server: { hasPassword: true } });
    await page.getByRole("radio", { name: "E-mail" }).check();
    await page.getByLabel("Name of the channel").fill("mail");
    await page.getByLabel("E-mail addresses, with commas").fill("anna@example.com, ben@example.com");
    await page.getByRole("button", { name: "Add a channel" }).click();
    await page.getByText("anna@example.com, ben@example.com").waitFor();
    await page.close();
  });

  test.each(WALKED_LANGUAGES)("Nothing is cut off on the page in %s, and axe finds nothing serious", async (locale) => {
    const context = await sandbox.browser(locale);
    await context.addCookies(await owner.cookies());
    const options = { address: sandbox.address, name: `settings-${locale}`, hasAxe: walkOf(locale).hasAxe };
    expect(await pageFaults(await context.newPage(), ["settings/notifications"], options)).toEqual([]);
    await context.close();
  });

  test("A channel is removed once that was asked", async () => {
    const page = await owner.newPage();
    await page.goto(`${sandbox.address}/#/settings/notifications`);
    for (const id of ["anna-phone", "mail"]) {
      await page.getByRole("button", { name: `Remove ${id}`, exact: true }).click();
      await page
        .getByRole("alert")
        .getByRole("button", { name: `Remove ${id}` })
        .click();
      await page.getByRole("button", { name: `Remove ${id}`, exact: true }).waitFor({ state: "detached" });
    }
    await page.getByText("Nobody is notified yet.").waitFor();
    expect(sandbox.trouble).toEqual([]);
    await page.close();
  });
});
