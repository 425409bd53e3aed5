import { createServer } from "node:net";
import { createServer as createTlsServer } from "node:tls";
import { describe, expect, test } from "vitest";
import { nodeMailer } from "../../../src/platform/node/node-mail.ts";
import { type Mail, MailError, type MailServer } from "../../../src/platform/ports/mail-port.ts";
import { Authority } from "../authority.ts";
import { openSmtpSink } from "./smtp-sink.ts";

const MAIL: Mail = {
  id: "7c1f0a52-9f9e-4b0c-8b1c-0f2a6f1f9d34",
  from: "house@example.com",
  to: ["anna@example.com", "ben@example.com"],
  subject: "Zuhause: Wärmepumpe antwortet nicht",
  text: "Bitte prüfen.\n.\nEine Zeile mit Punkt.",
};

function serverAt(port: number, more: Partial<MailServer> = {}): MailServer {
  return { host: "127.0.0.1", port, security: "none", account: null, ...more };
}

async function failureOf(server: MailServer, signal = new AbortController().signal): Promise<MailError> {
  const error = await nodeMailer.send(server, MAIL, signal).catch((reason: unknown) => reason);
  if (!(error instanceof MailError)) throw new Error("the mail was taken, or failed otherwise", { cause: error });
  return error;
}

describe("an e-mail over SMTP", () => {
  test("arrives at all recipients with its subject, its text, and the id that a repetition has too", async () => {
    await using sink = await openSmtpSink({ account: "house:s3cret" });
    const server = serverAt(sink.port, { account: { username: "house", password: "s3cret" } });
    await nodeMailer.send(server, MAIL, new AbortController().signal);
    await nodeMailer.send(server, MAIL, new AbortController().signal);
    expect(sink.mails).toHaveLength(2);
    const [first, second] = sink.mails;
    expect(first?.to).toEqual(["RCPT TO:<anna@example.com>", "RCPT TO:<ben@example.com>"]);
    const idOf = (data: string | undefined) => /^Message-ID: (.*)$/im.exec(data ?? "")?.[1];
    expect(idOf(first?.data)).toBe("<7c1f0a52-9f9e-4b0c-8b1c-0f2a6f1f9d34@example.com>");
    expect(idOf(second?.data)).toBe(idOf(first?.data));
    expect(first?.data).toMatch(/^Subject: =\?UTF-8\?/m);
    expect(first?.data).toMatch(/^Auto-Submitted: auto-generated$/m);
    expect(first?.data).toContain("Eine Zeile mit Punkt.");
  });

  test("that the account may not send says so, and quotes neither the password nor an address", async () => {
    await using sink = await openSmtpSink({ account: "house:s3cret" });
    const error = await failureOf(serverAt(sink.port, { account: { username: "house", password: "wr0ng" } }));
    expect(error.kind).toBe("unauthorized");
    expect(error.message).toContain("does not accept the user or the password (SMTP 535)");
    expect(error.message).not.toMatch(/wr0ng|anna@/);
  });

  test("that the server refuses for its recipients is rejected", async () => {
    await using sink = await openSmtpSink({ recipientCode: 550 });
    const error = await failureOf(serverAt(sink.port));
    expect([error.kind, error.message]).toEqual([
      "rejected",
      "127.0.0.1 does not take the e-mail (SMTP 550); check the addresses in from and to",
    ]);
  });

  test("says that nothing listens at the port", async () => {
    const sink = await openSmtpSink();
    await sink[Symbol.asyncDispose]();
    const error = await failureOf(serverAt(sink.port));
    expect(error.kind).toBe("unreachable");
    expect(error.message).toContain("nothing accepts connections at this port");
  });

  test("says that the network knows no such name", async () => {
    const error = await failureOf({ ...serverAt(25), host: "mail.invalid" });
    expect([error.kind, error.message]).toEqual([
      "unresolved",
      "mail.invalid is not known: the network knows no host of this name; check mailServer.host",
    ]);
  });

  test("is not sent without TLS where STARTTLS is required", async () => {
    await using sink = await openSmtpSink();
    const error = await failureOf(serverAt(sink.port, { security: "starttls" }));
    expect(error.message).toBe("127.0.0.1 offers no TLS after its greeting; check mailServer.security");
    expect(sink.mails).toEqual([]);
  });

  test("is not sent to a server whose certificate is of an authority that nobody knows", async () => {
    const { pem, keyPem } = new Authority().issue("mail", ["127.0.0.1"]);
    const server = createTlsServer({ cert: pem, key: keyPem }, (socket) => socket.write("220 sink\r\n"));
    server.on("tlsClientError", () => undefined);
    await new Promise<void>((resolve) => {
      server.listen(0, "127.0.0.1", () => resolve());
    });
    const address = server.address();
    if (address === null || typeof address === "string") throw new Error("no port");
    const error = await failureOf(serverAt(address.port, { security: "tls" }));
    expect(error.kind).toBe("untrusted");
    expect(error.message).toContain("127.0.0.1 is not trusted: the authority that issued the certificate is not known");
    await new Promise((resolve) => server.close(resolve));
  });

  test("says that a port without TLS needs another setting", async () => {
    await using sink = await openSmtpSink();
    const error = await failureOf(serverAt(sink.port, { security: "tls" }));
    expect(error.kind).toBe("broken");
    expect(error.message).toContain("check mailServer.port and mailServer.security");
  });

  test("says that the other side is no mail server", async () => {
    await using sink = await openSmtpSink({ greeting: "HTTP/1.1 400 Bad Request" });
    const error = await failureOf(serverAt(sink.port));
    expect(error.kind).toBe("broken");
    expect(error.message).toContain("does not answer as a mail server");
  });

  test("ends with the caller's signal, and leaves no connection behind", async () => {
    const silent = createServer(() => undefined);
    await new Promise<void>((resolve) => {
      silent.listen(0, "127.0.0.1", () => resolve());
    });
    const address = silent.address();
    if (address === null || typeof address === "string") throw new Error("no port");
    const stop = new AbortController();
    silent.once("connection", (socket) => {
      socket.on("error", () => undefined);
      stop.abort(new Error("the gateway stops"));
    });
    await expect(nodeMailer.send(serverAt(address.port), MAIL, stop.signal)).rejects.toThrow("the gateway stops");
    await new Promise((resolve) => silent.close(resolve));
  });
});
