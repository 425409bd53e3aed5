import { X509Certificate } from "node:crypto";
import { readFileSync } from "node:fs";
import { createServer as createPlainServer, type IncomingMessage, type RequestListener, type Server } from "node:http";
import { createServer as createTlsServer, type ServerOptions } from "node:https";
import { type AddressInfo, createServer as createSilentServer } from "node:net";
import { TLSSocket } from "node:tls";
import { afterEach, describe, expect, test } from "vitest";
import { refuseAddress } from "../../../../src/platform/network/address-policy.ts";
import { type NodeHttpOptions, nodeHttp } from "../../../../src/platform/node/http/node-http.ts";
import { nodeHttpStreams } from "../../../../src/platform/node/http/node-http-streams.ts";
import type { VerifiedServer } from "../../../../src/platform/ports/http-port.ts";
import type { HttpClient, HttpPolicy, HttpRequest } from "../../../../src/platform/ports/ports.ts";
import { Authority } from "../../authority.ts";

const folder = new URL("../tls/", import.meta.url);
/** Made for these tests: a certificate for hooks.example that nothing else trusts. */
const TLS = {
  key: readFileSync(new URL("test-only.key.pem", folder), "utf8"),
  cert: readFileSync(new URL("test-only.cert.pem", folder), "utf8"),
};
const ANYWHERE: HttpPolicy = { refuse: () => null };
const NOT_ABORTED = new AbortController().signal;

const servers: Server[] = [];
const clients: HttpClient[] = [];
afterEach(() => {
  for (const client of clients.splice(0)) client[Symbol.dispose]();
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

interface Served {
  readonly port: number;
  connections(): number;
}

async function serve(listener: RequestListener, tls: ServerOptions | boolean = false): Promise<Served> {
  const server: Server =
    tls === false ? createPlainServer(listener) : createTlsServer(tls === true ? TLS : tls, listener);
  servers.push(server);
  let connections = 0;
  server.on("connection", () => {
    connections += 1;
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { port: (server.address() as AddressInfo).port, connections: () => connections };
}

function open(options: NodeHttpOptions = {}, policy: HttpPolicy = ANYWHERE): HttpClient {
  const client = nodeHttp({ resolve: async () => ["127.0.0.1"], ...options }).open(policy);
  clients.push(client);
  return client;
}

function post(url: string, more: Partial<HttpRequest> = {}): HttpRequest {
  const body = new TextEncoder().encode("[1]");
  return { method: "POST", url: new URL(url), headers: { "x-a": "b" }, body, maxBodyBytes: 1_000, ...more };
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}

describe("a request", () => {
  test("carries method, path, host, headers and body, and answers what came back", async () => {
    const seen: unknown[] = [];
    const { port } = await serve(async (request, response) => {
      seen.push([request.method, request.url, request.headers.host, request.headers["x-a"], await textOf(request)]);
      response.writeHead(202, { "X-Answer": "yes" }).end("thanks");
    });
    const answer = await open().request(post(`http://hooks.example:${port}/a?b=c`), NOT_ABORTED);
    expect(seen).toEqual([["POST", "/a?b=c", `hooks.example:${port}`, "b", "[1]"]]);
    expect(answer).toMatchObject({ status: 202, isBodyCut: false });
    expect(answer.headers).toContainEqual(["x-answer", "yes"]);
    expect(Buffer.from(answer.body).toString()).toBe("thanks");
  });

  test("over TLS names the host, and the certificate is verified", async () => {
    const { port } = await serve((_request, response) => response.end("ok"), true);
    const url = `https://hooks.example:${port}/`;
    expect((await open({ ca: TLS.cert }).request(post(url), NOT_ABORTED)).status).toBe(200);
    await expect(open().request(post(url), NOT_ABORTED)).rejects.toMatchObject({ kind: "untrusted" });
    const wrongName = open({ ca: TLS.cert }).request(post(`https://other.example:${port}/`), NOT_ABORTED);
    await expect(wrongName).rejects.toMatchObject({ kind: "untrusted" });
  });

  test("says when it was sent, and nothing while nobody takes the connection", async () => {
    const told: string[] = [];
    const { port } = await serve(async (_request, response) => {
      told.push("arrived");
      response.end("ok");
    }, true);
    const onSent = (): void => void told.push("sent");
    const client = open({ ca: TLS.cert });
    await client.request(post(`https://hooks.example:${port}/`, { onSent }), NOT_ABORTED);
    await client.request(post(`https://hooks.example:${port}/`, { onSent, method: "GET", body: null }), NOT_ABORTED);
    expect(told.toSorted()).toEqual(["arrived", "arrived", "sent", "sent"]);

    // It takes the connection and speaks no TLS.
    const silent = createSilentServer(() => undefined);
    await new Promise<void>((resolve) => silent.listen(0, "127.0.0.1", resolve));
    const { port: silentPort } = silent.address() as AddressInfo;
    const waiting = AbortSignal.timeout(300);
    await expect(client.request(post(`https://hooks.example:${silentPort}/`, { onSent }), waiting)).rejects.toThrow();
    await expect(client.request(post("https://hooks.example:1/", { onSent }), NOT_ABORTED)).rejects.toThrow();
    expect(told).toHaveLength(4);
    silent.close();
  });

  test("follows no redirect", async () => {
    const target = await serve((_request, response) => response.end("secret"));
    const { port } = await serve((_request, response) =>
      response.writeHead(302, { location: `http://127.0.0.1:${target.port}/latest/meta-data` }).end(),
    );
    expect((await open().request(post(`http://hooks.example:${port}/`), NOT_ABORTED)).status).toBe(302);
    expect(target.connections()).toBe(0);
  });

  test("reads no more of an answer than it was told to", async () => {
    let isClosed = false;
    const { port } = await serve((_request, response) => {
      response.on("close", () => {
        isClosed = true;
      });
      const flood = (): void => {
        while (!response.destroyed && response.write(Buffer.alloc(65_536, "x"))) {}
        response.once("drain", flood);
      };
      flood();
    });
    const answer = await open().request(post(`http://hooks.example:${port}/`, { maxBodyBytes: 10 }), NOT_ABORTED);
    expect(answer).toMatchObject({ status: 200, isBodyCut: true });
    expect(answer.body).toHaveLength(10);
    await expect.poll(() => isClosed).toBe(true);
  });

  test("ends when its signal says so", async () => {
    const { port } = await serve(() => undefined);
    const stop = new AbortController();
    const asking = open().request(post(`http://hooks.example:${port}/`), stop.signal);
    const reason = new Error("enough");
    const ended = expect(asking).rejects.toBe(reason);
    await new Promise((resolve) => setImmediate(resolve));
    stop.abort(reason);
    await ended;
  });

  test("says why it got no answer", async () => {
    const { port } = await serve((request) => request.socket.destroy());
    const gone = await serve(() => undefined);
    servers.at(-1)?.close();
    await new Promise((resolve) => setImmediate(resolve));
    const client = open();
    await expect(client.request(post(`http://hooks.example:${port}/`), NOT_ABORTED)).rejects.toMatchObject({
      kind: "broken",
    });
    await expect(client.request(post(`http://hooks.example:${gone.port}/`), NOT_ABORTED)).rejects.toMatchObject({
      kind: "unreachable",
    });
    const nameless = open({ resolve: () => Promise.reject(new Error("ENOTFOUND")) });
    await expect(nameless.request(post("http://nowhere.example/"), NOT_ABORTED)).rejects.toMatchObject({
      kind: "unresolved",
    });
    const empty = open({ resolve: async () => [] });
    await expect(empty.request(post("http://nowhere.example/"), NOT_ABORTED)).rejects.toMatchObject({
      kind: "unresolved",
    });
  });

  test("uses a connection again while it is fresh", async () => {
    const { port, connections } = await serve((_request, response) => response.end("ok"));
    const client = open();
    for (let times = 0; times < 5; times += 1) {
      await client.request(post(`http://hooks.example:${port}/`), NOT_ABORTED);
    }
    expect(connections()).toBe(1);
  });
});

describe("the policy", () => {
  const INTERNET: HttpPolicy = { refuse: (address) => refuseAddress(address, "internet") };

  test.each(["127.0.0.1", "[::1]", "2130706433", "0x7f.1", "[::ffff:127.0.0.1]"])(
    "refuses %s in a URL before anything connects",
    async (host) => {
      const { port, connections } = await serve((_request, response) => response.end("secret"));
      const asking = open({}, INTERNET).request(post(`http://${host}:${port}/`), NOT_ABORTED);
      await expect(asking).rejects.toMatchObject({ kind: "refused" });
      expect(connections()).toBe(0);
    },
  );

  test("refuses what a name resolves to, at each connection anew", async () => {
    const { port, connections } = await serve((_request, response) => response.end("secret"));
    const answers = ["93.184.216.34", "127.0.0.1"];
    const vetted: string[] = [];
    // The first look-up is of a registration that was fine; the name means another address by the time of the delivery.
    const resolve = async (): Promise<readonly string[]> => [answers.shift() ?? "127.0.0.1"];
    await resolve();
    const client = open(
      { resolve },
      {
        refuse: (address) => {
          vetted.push(address);
          return refuseAddress(address, "internet");
        },
      },
    );
    for (let times = 0; times < 3; times += 1) {
      const asking = client.request(post(`http://hooks.example:${port}/`), NOT_ABORTED);
      await expect(asking).rejects.toMatchObject({ kind: "refused" });
    }
    expect(vetted).toEqual(["127.0.0.1", "127.0.0.1", "127.0.0.1"]);
    expect(connections()).toBe(0);
  });

  test("leaves only the addresses that pass, and no name is looked up twice", async () => {
    const { port } = await serve((_request, response) => response.end("ok"));
    let lookUps = 0;
    const resolve = async (): Promise<readonly string[]> => {
      lookUps += 1;
      return lookUps === 1 ? ["10.0.0.1", "127.0.0.1", "::1"] : ["10.0.0.1"];
    };
    const onlyLoopback: HttpPolicy = { refuse: (address) => (address === "127.0.0.1" ? null : "not here") };
    const client = open({ resolve }, onlyLoopback);
    expect((await client.request(post(`http://hooks.example:${port}/`), NOT_ABORTED)).status).toBe(200);
    expect(lookUps).toBe(1);
  });
});

test("a closed client answers nothing more", async () => {
  const arrived = Promise.withResolvers<void>();
  const { port } = await serve(() => arrived.resolve());
  const client = open();
  const asking = client.request(post(`http://hooks.example:${port}/`), NOT_ABORTED);
  const ended = expect(asking).rejects.toMatchObject({ kind: "broken" });
  await arrived.promise;
  client[Symbol.dispose]();
  await ended;
});

describe("a pinned certificate", () => {
  const fingerprint = new X509Certificate(TLS.cert).fingerprint256;
  const plain = fingerprint.replaceAll(":", "").toLowerCase();

  function pinned(sha256: string | null, seen: string[] = [], serverName?: string): HttpClient {
    const tls = { kind: "pinned", sha256, seen: (one: string) => void seen.push(one) } as const;
    return open({}, { ...ANYWHERE, tls: serverName === undefined ? tls : { ...tls, serverName } });
  }

  test("is trusted though nobody signed it and its name is another, and told", async () => {
    const { port } = await serve((_request, response) => response.end("ok"), true);
    for (const sha256 of [fingerprint, plain, null]) {
      const seen: string[] = [];
      const client = pinned(sha256, seen);
      for (const host of ["device.lan", "127.0.0.1"]) {
        const answer = await client.request(post(`https://${host}:${port}/`), NOT_ABORTED);
        expect(answer.status).toBe(200);
      }
      expect(new Set(seen)).toEqual(new Set([plain]));
    }
  });

  test("any other is refused before a byte of the request is sent", async () => {
    let asked = 0;
    const { port } = await serve((_request, response) => {
      asked += 1;
      response.end();
    }, true);
    const refused = pinned("0".repeat(64)).request(post(`https://device.lan:${port}/`), NOT_ABORTED);
    await expect(refused).rejects.toMatchObject({ kind: "untrusted", message: expect.stringContaining(plain) });
    expect(asked).toBe(0);
  });

  test("does not let the policy's addresses be passed by, and a server without TLS is told as broken", async () => {
    const { port } = await serve((_request, response) => response.end());
    await expect(pinned(null).request(post(`https://device.lan:${port}/`), NOT_ABORTED)).rejects.toMatchObject({
      kind: "broken",
    });
    const tls = { kind: "pinned", sha256: null, seen: () => undefined } as const;
    const closed = open({}, { refuse: () => "not there", tls });
    await expect(closed.request(post(`https://device.lan:${port}/`), NOT_ABORTED)).rejects.toMatchObject({
      kind: "refused",
    });
  });

  // Left to itself a dial ends after 15 s.
  test("a request that is given up while hands are shaken ends at once, and its connection too", async () => {
    const given = new AbortController();
    const gone = Promise.withResolvers<void>();
    const silent = createSilentServer((socket) => {
      socket.on("error", () => undefined).on("close", () => gone.resolve());
      // The client's first words: hands are being shaken.
      socket.once("data", () => given.abort(new Error("given up")));
    });
    await new Promise<void>((resolve) => silent.listen(0, "127.0.0.1", resolve));
    const { port } = silent.address() as AddressInfo;
    const client = pinned(null);
    await expect(client.request(post(`https://device.lan:${port}/`), given.signal)).rejects.toThrow("given up");
    await gone.promise;
    silent.close();
  }, 10_000);

  test("one that is given up does not take the next one's connection along", async () => {
    const { port } = await serve((_request, response) => response.end("ok"), true);
    const client = pinned(null);
    const url = `https://device.lan:${port}/`;
    const given = new AbortController();
    const asking = client.request(post(url), given.signal);
    given.abort(new Error("given up"));
    await expect(asking).rejects.toThrow("given up");
    expect((await client.request(post(url), NOT_ABORTED)).status).toBe(200);
    const later = new AbortController();
    expect((await client.request(post(url), later.signal)).status).toBe(200);
    later.abort(new Error("too late"));
    expect((await client.request(post(url), NOT_ABORTED)).status).toBe(200);
  });
});

describe("a server of an authority of one's own, which asks for a certificate", () => {
  const authority = new Authority();
  const own = authority.issue("gw-1");
  const { pem: cert, keyPem: key } = authority.issue("server", ["cloud.example"]);
  const mutual = { cert, key, ca: authority.pem, requestCert: true, rejectUnauthorized: true };

  async function name(tls: Omit<VerifiedServer, "kind">, by: "request" | "stream", host = "cloud.example") {
    const { port } = await serve((request, response) => {
      const { socket } = request;
      const subject = socket instanceof TLSSocket ? socket.getPeerCertificate().subject : null;
      response.setHeader("x-subject", String(subject?.CN));
      response.end();
    }, mutual);
    const policy: HttpPolicy = { ...ANYWHERE, tls: { kind: "verified", ...tls } };
    const url = `https://${host}:${port}/`;
    const events = { data: () => undefined, closed: () => undefined };
    const streams = nodeHttpStreams({ resolve: async () => ["127.0.0.1"] });
    const answer =
      by === "request"
        ? await open({}, policy).request(post(url), NOT_ABORTED)
        : await streams.open({ url: new URL(url), headers: {} }, policy, events, NOT_ABORTED);
    return answer.headers.find(([header]) => header === "x-subject")?.[1];
  }

  test.each(["request", "stream"] as const)("is asked by a %s with it, and by nobody else", async (by) => {
    const authoritiesPem = authority.pem;
    expect(await name({ authoritiesPem, certificate: own }, by)).toBe("gw-1");
    await expect(name({ authoritiesPem }, by)).rejects.toMatchObject({ kind: "broken" });
    const foreign = new Authority().issue("gw-1");
    await expect(name({ authoritiesPem, certificate: foreign }, by)).rejects.toMatchObject({ kind: "broken" });
  });

  test.each(["request", "stream"] as const)(
    "is believed by a %s for its name and by its authority alone",
    async (by) => {
      const untrusted = { kind: "untrusted", message: expect.stringContaining("is not trusted: ") };
      await expect(name({ certificate: own }, by)).rejects.toMatchObject(untrusted);
      const authoritiesPem = new Authority().pem;
      await expect(name({ authoritiesPem, certificate: own }, by)).rejects.toMatchObject(untrusted);
      const right = { authoritiesPem: authority.pem, certificate: own };
      await expect(name(right, by, "other.example")).rejects.toMatchObject(untrusted);
    },
  );
});
