import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import { get } from "node:https";
import { connect as connectTcp } from "node:net";
import { connect, type TLSSocket } from "node:tls";
import { expect, test } from "vitest";
import { nodeClock } from "../../../src/platform/node/node-clock.ts";
import { nodeTlsListen } from "../../../src/platform/node/tls-listener.ts";
import { TestLog } from "../../../src/testing/test-log.ts";
import { freePort } from "../../free-ports.ts";
import { Authority } from "../authority.ts";

const host = "127.0.0.1";
const authority = new Authority();

function pairFor(name: string) {
  const { pem: certificate, keyPem: privateKeyPem } = authority.issue(name, [name]);
  return { certificate, privateKeyPem };
}

/** An HTTP server whose connections come over TLS only. */
async function open(name = "localhost") {
  const app = createServer((request, response) => {
    response.end(`${request.url} ${request.socket.remoteAddress} ${Reflect.get(request.socket, "encrypted")}`);
  });
  const listen = nodeTlsListen({ clock: nodeClock(() => "synced"), log: new TestLog() });
  const listener = await listen({ host, port: 0 }, pairFor(name), (connection) => app.emit("connection", connection));
  return { app, listener, port: listener.port };
}

async function ask(port: number, { ca = authority.pem, servername = "localhost" } = {}): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  get({ host, port, path: "/batteries", ca, servername, agent: false }, resolve).on("error", reject);
  const answer = await promise;
  return Buffer.concat(await answer.toArray()).toString();
}

test("An HTTP server answers over TLS, with the address of the client", async () => {
  const { listener, port } = await open();
  expect(await ask(port)).toBe("/batteries 127.0.0.1 true");
  await listener[Symbol.asyncDispose]();
});

test("A client that does not know the authority, or means another host, goes no further", async () => {
  const { listener, port } = await open();
  await expect(ask(port, { ca: new Authority("Another").pem })).rejects.toMatchObject({
    code: expect.stringMatching(/ISSUER|SELF_SIGNED|SIGNATURE/),
  });
  await expect(ask(port, { servername: "other.local" })).rejects.toMatchObject({
    code: "ERR_TLS_CERT_ALTNAME_INVALID",
  });
  expect(await ask(port)).toContain("true");
  await listener[Symbol.asyncDispose]();
});

test("New connections get the next certificate, and open ones go on", async () => {
  const { listener, port } = await open("localhost");
  const kept = connect({ host, port, ca: authority.pem, servername: "localhost" });
  await once(kept, "secureConnect");
  listener.use(pairFor("hemgate.local"));
  await expect(ask(port)).rejects.toMatchObject({ code: "ERR_TLS_CERT_ALTNAME_INVALID" });
  expect(await ask(port, { servername: "hemgate.local" })).toContain("true");
  kept.write("GET /kept HTTP/1.1\r\nHost: localhost\r\n\r\n");
  const [bytes] = await once(kept, "data");
  expect(String(bytes)).toContain("/kept");
  await listener[Symbol.asyncDispose]();
});

test("A certificate that cannot be used is refused, and the one before stays", async () => {
  const { listener, port } = await open();
  expect(() => listener.use({ certificate: "none", privateKeyPem: "none" })).toThrow();
  expect(await ask(port)).toContain("true");
  await listener[Symbol.asyncDispose]();
});

test("Sockets that say nothing, or speak http, keep nobody out, and end with the listener", async () => {
  const { listener, port } = await open();
  const silent = Array.from({ length: 200 }, () => connectTcp({ host, port }).on("error", () => undefined));
  await Promise.all(silent.map((socket) => once(socket, "connect")));
  const plain = connectTcp({ host, port }).on("error", () => undefined);
  plain.write("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n");
  await once(plain, "close");
  expect(await ask(port)).toContain("true");
  const closed = Promise.all(silent.map(async (socket) => socket.closed || (await once(socket, "close"))));
  await listener[Symbol.asyncDispose]();
  await closed;
});

test("An old version of TLS is refused", async () => {
  const { listener, port } = await open();
  const old: TLSSocket = connect({ host, port, ca: authority.pem, maxVersion: "TLSv1.1", minVersion: "TLSv1" });
  const [error] = await once(old, "error").catch((thrown: unknown) => [thrown]);
  expect(String(error)).toMatch(/version|protocol|handshake|hang up/i);
  await listener[Symbol.asyncDispose]();
});

test("A port that another program has is named", async () => {
  const port = await freePort();
  const other = createServer().listen(port, host);
  await once(other, "listening");
  const listen = nodeTlsListen({ clock: nodeClock(() => "synced"), log: new TestLog() });
  const refused = listen({ host, port }, pairFor("localhost"), () => undefined);
  await expect(refused).rejects.toMatchObject({ code: "EADDRINUSE", port, address: host });
  other.close();
});
