/** The real ways out of the house, to servers on the loopback. */
import { createServer, type IncomingMessage } from "node:http";
import { describe, expect, test } from "vitest";
import type { ChannelSettings, MailServerSettings } from "../../../src/domain/notifications/settings.ts";
import { nodeHttp } from "../../../src/platform/node/http/node-http.ts";
import { nodeClock } from "../../../src/platform/node/node-clock.ts";
import { nodeMailer } from "../../../src/platform/node/node-mail.ts";
import { type OutgoingMessage, sendMessage } from "../../../src/sync/notifications/senders.ts";
import { openTargetClients } from "../../../src/sync/webhooks/target-policy.ts";
import { openSmtpSink } from "../../platform/node/smtp-sink.ts";

const MESSAGE: OutgoingMessage = {
  id: "7c1f0a52-9f9e-4b0c-8b1c-0f2a6f1f9d34",
  title: "Zuhause: Wärmepumpe antwortet nicht",
  text: "Bitte prüfen.",
  isUrgent: true,
  items: [],
};
const BASICS = { id: "phone", language: "de" } as const;

/** An ntfy server on the loopback: it wants a token, and keeps what it takes. */
async function openNtfy(status?: number) {
  const taken: { readonly request: IncomingMessage; readonly body: unknown }[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const bytes = Buffer.concat(chunks);
    const isAllowed = request.headers.authorization === "Bearer tk_canary";
    response.writeHead(status ?? (isAllowed ? 200 : 401)).end("{}");
    if (isAllowed) taken.push({ request, body: JSON.parse(bytes.toString()) });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", () => resolve());
  });
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  return {
    taken,
    url: `http://127.0.0.1:${address.port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function send(channel: ChannelSettings, mailServer?: MailServerSettings) {
  using clients = openTargetClients(nodeHttp(), { allowInsecureLan: true, allowLoopback: true });
  const parts = { clients, mailer: nodeMailer, mailServer, clock: nodeClock(() => "synced"), namePrefix: "Service" };
  return await sendMessage({ ...parts, version: "2024-10-01" }, channel, MESSAGE, new AbortController().signal);
}

describe("a message to ntfy", () => {
  test("arrives with its title, its text, its priority and the token", async () => {
    await using ntfy = await openNtfy();
    const outcome = await send({ ...BASICS, type: "ntfy", server: ntfy.url, topic: "house-1", token: "tk_canary" });
    expect(outcome.code).toBe("sent");
    expect(ntfy.taken[0]?.request).toMatchObject({ method: "POST", url: "/" });
    expect(ntfy.taken[0]?.body).toEqual({
      topic: "house-1",
      title: "Zuhause: Wärmepumpe antwortet nicht",
      message: "Bitte prüfen.",
      priority: 4,
    });
  });

  test("without the right token says so, and quotes neither the token nor the topic", async () => {
    await using ntfy = await openNtfy();
    const { code, description } = await send({
      ...BASICS,
      type: "ntfy",
      server: ntfy.url,
      topic: "house-1",
      token: "tk_no",
    });
    expect([code, description]).toEqual(["unauthorized", expect.stringContaining("(HTTP 401): check the token")]);
    expect(description).not.toMatch(/tk_no|house-1/);
  });

  test.each([
    [404, "not-found"],
    [429, "rate-limited"],
    [413, "rejected"],
    [302, "rejected"],
    [500, "rejected"],
  ])("that is answered with %i is %s", async (status, code) => {
    await using ntfy = await openNtfy(status);
    const outcome = await send({ ...BASICS, type: "ntfy", server: ntfy.url, topic: "house-1", token: "tk_canary" });
    expect([outcome.code, outcome.description]).toEqual([code, expect.stringContaining(`(HTTP ${status})`)]);
  });

  test("says that nothing listens at the port", async () => {
    const ntfy = await openNtfy();
    await ntfy[Symbol.asyncDispose]();
    const outcome = await send({ ...BASICS, type: "ntfy", server: ntfy.url, topic: "house-1" });
    expect([outcome.code, outcome.description]).toEqual([
      "unreachable",
      expect.stringContaining("nothing accepts connections at this port"),
    ]);
  });
});

test("a message by e-mail arrives, and says what failed where it does not", async () => {
  await using sink = await openSmtpSink({ account: "house:s3cret" });
  const server = { host: "127.0.0.1", port: sink.port, security: "none", from: "house@example.com" } as const;
  const channel: ChannelSettings = { ...BASICS, type: "email", to: ["anna@example.com"] };
  expect(await send(channel, { ...server, username: "house", password: "s3cret" })).toEqual({
    code: "sent",
    description: "127.0.0.1 took the e-mail.",
  });
  expect(sink.mails).toHaveLength(1);
  const refused = await send(channel, { ...server, username: "house", password: "wr0ng" });
  expect([refused.code, refused.description]).toEqual(["unauthorized", expect.stringContaining("SMTP 535")]);
  expect(refused.description).not.toMatch(/anna|wr0ng/);
});
