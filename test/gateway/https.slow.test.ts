import { X509Certificate } from "node:crypto";
import { writeFileSync } from "node:fs";
import { get, type RequestOptions, request } from "node:https";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Hemgate, temporaryFolder } from "../cli/hemgate-process.ts";
import { freePorts } from "../free-ports.ts";
import { Authority } from "../platform/authority.ts";

/** A busy machine starts a process slowly. */
const START_MS = 240_000;

interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
}

/** Asks over TLS, of a gateway on this machine that is reached by a name. */
async function ask(port: number, path: string, options: RequestOptions, body?: object): Promise<Answer> {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>();
  const { headers, ...more } = options;
  const sent = request(
    {
      host: "127.0.0.1",
      port,
      path,
      servername: "hemgate.local",
      agent: false,
      ...more,
      headers: { host: `hemgate.local:${port}`, "content-type": "application/json", ...headers },
    },
    (answer) => {
      answer
        .toArray()
        .then(
          (parts) =>
            resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body: Buffer.concat(parts).toString() }),
          reject,
        );
    },
  );
  sent.on("error", reject);
  sent.end(body === undefined ? undefined : JSON.stringify(body));
  return await promise;
}

function startGateway(folder: string, configuration: string): Hemgate {
  const file = join(folder, "gateway.yaml");
  writeFileSync(file, configuration);
  return new Hemgate(["start", "--config", file, "--state", join(folder, "state"), "--json"]);
}

describe("A gateway with https by its own authority", () => {
  const folder = temporaryFolder();
  let gateway: Hemgate;
  let http: number;
  let https: number;
  let ca: string;
  let cookie = "";
  let csrfToken = "";

  beforeAll(async () => {
    [http = 0, https = 0] = await freePorts(2);
    gateway = startGateway(
      folder.path,
      `devices: []\nhttp: { host: 127.0.0.1, port: ${http} }\nhttps: { port: ${https} }\n`,
    );
    await gateway.output(/127\.0\.0\.1/);
    const downloaded = await fetch(`http://127.0.0.1:${http}/local/https/authority.crt`);
    ca = new X509Certificate(Buffer.from(await downloaded.arrayBuffer())).toString();
  }, START_MS);

  afterAll(async () => {
    gateway.send("SIGTERM");
    await gateway.finished();
    folder[Symbol.dispose]();
  }, START_MS);

  test("who trusts the authority of the fingerprint in the log reaches it, by name and by address", async () => {
    const [, logged] = await gateway.logged(/"authority":"([0-9A-F:]{95})"/);
    expect(new X509Certificate(ca).fingerprint256).toBe(logged);
    const state = JSON.parse((await ask(https, "/local/https", { ca })).body);
    expect(state).toMatchObject({ isThisEncrypted: true, authority: { fingerprint: logged }, problem: null });
    expect((await ask(https, "/health/ready", { ca, servername: "" })).status).toBe(204);
    expect((await fetch(`http://127.0.0.1:${http}/local/https`)).status).toBe(200);
  });

  test("who does not trust it, or means another host, does not", async () => {
    await expect(ask(https, "/health/ready", {})).rejects.toMatchObject({
      code: expect.stringMatching(/UNABLE_TO|SELF_SIGNED/),
    });
    await expect(ask(https, "/health/ready", { ca, servername: "bank.example" })).rejects.toMatchObject({
      code: "ERR_TLS_CERT_ALTNAME_INVALID",
    });
  });

  test("a request for another host is refused as over http", async () => {
    const answer = await ask(https, "/local/claim", { ca, headers: { host: "evil.example" } });
    expect(answer.status).toBe(421);
  });

  test("the session's cookie is for https on this host alone, and does not spoil the one of http", async () => {
    const [, code] = await gateway.logged(/([0-9A-Z]{4}-[0-9A-Z]{4})/);
    const origin = `https://hemgate.local:${https}`;
    const body = { code, name: "Anna", password: "correct horse" };
    const claimed = await ask(https, "/local/claim", { ca, method: "POST", headers: { origin } }, body);
    expect(claimed.status).toBe(201);
    const [set = ""] = claimed.headers["set-cookie"] ?? [];
    expect(set).toMatch(/^__Host-hemgate-session=[^;]+; Max-Age=\d+; Path=\/; HttpOnly; SameSite=Strict; Secure$/);
    cookie = set.split(";")[0] ?? "";
    ({ csrfToken } = JSON.parse(claimed.body));
    const plain = await fetch(`http://127.0.0.1:${http}/local/session`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ name: "Anna", password: "correct horse" }),
    });
    expect(plain.headers.get("set-cookie")).toMatch(
      /^hemgate-session=[^;]+; Max-Age=\d+; Path=\/; HttpOnly; SameSite=Strict$/,
    );
  });

  test("a signed-in browser follows the live stream over it", async () => {
    const { promise, resolve, reject } = Promise.withResolvers<string>();
    const headers = { host: `hemgate.local:${https}`, cookie, accept: "text/event-stream" };
    const path = "/local/events";
    const options = { host: "127.0.0.1", port: https, path, ca, servername: "hemgate.local", agent: false, headers };
    const stream = get(options, (answer) => {
      expect(answer.headers["content-type"]).toContain("text/event-stream");
      answer.once("data", (part: Buffer) => resolve(part.toString()));
    });
    stream.on("error", reject);
    expect(await promise).not.toBe("");
    stream.destroy();
  });

  test("signing out takes the cookie back", async () => {
    const headers = { cookie, origin: `https://hemgate.local:${https}`, "x-csrf-token": csrfToken };
    const out = await ask(https, "/local/session", { ca, method: "DELETE", headers });
    expect([out.status, String(out.headers["set-cookie"])]).toEqual([
      204,
      "__Host-hemgate-session=; Max-Age=0; Path=/; HttpOnly; SameSite=Strict; Secure",
    ]);
    expect((await ask(https, "/local/session", { ca, headers: { cookie } })).status).toBe(401);
  });

  test("a stop ends its connections in time", async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const options = { host: "127.0.0.1", port: https, path: "/health/ready", ca, servername: "hemgate.local" };
    get({ ...options, headers: { connection: "keep-alive" }, agent: false }, (answer) => answer.resume()).on(
      "close",
      resolve,
    );
    await promise;
    gateway.send("SIGTERM");
    expect((await gateway.finished()).code).toBe(0);
  });
});

describe("A gateway with a certificate of its owner", () => {
  test("shows that one, with the chain of the file, and makes no authority", { timeout: START_MS }, async () => {
    using folder = temporaryFolder();
    const [http = 0, https = 0] = await freePorts(2);
    const authority = new Authority("Owner's");
    const { pem, keyPem } = authority.issue("home.example.org", ["hemgate.local"]);
    const [certFile, keyFile] = [join(folder.path, "cert.pem"), join(folder.path, "key.pem")];
    writeFileSync(certFile, pem);
    writeFileSync(keyFile, keyPem, { mode: 0o600 });
    await using gateway = startGateway(
      folder.path,
      `devices: []\nhttp: { host: 127.0.0.1, port: ${http} }\nhttps: { port: ${https}, certFile: ${certFile}, keyFile: ${keyFile} }\n`,
    );
    await gateway.output(/127\.0\.0\.1/);
    const state = JSON.parse((await ask(https, "/local/https", { ca: authority.pem })).body);
    expect(state).toMatchObject({ source: "files", authority: null, problem: null });
    expect((await fetch(`http://127.0.0.1:${http}/local/https/authority.crt`)).status).toBe(404);
  });

  test("starts without https when the key is another one, and says so", { timeout: START_MS }, async () => {
    using folder = temporaryFolder();
    const [http = 0, https = 0] = await freePorts(2);
    const authority = new Authority("Owner's");
    const [certFile, keyFile] = [join(folder.path, "cert.pem"), join(folder.path, "key.pem")];
    writeFileSync(certFile, authority.issue("a", ["hemgate.local"]).pem);
    writeFileSync(keyFile, authority.issue("b", ["hemgate.local"]).keyPem);
    const configuration = `devices: []\nhttp: { host: 127.0.0.1, port: ${http} }\nhttps: { port: ${https}, certFile: ${certFile}, keyFile: ${keyFile} }\n`;
    await using gateway = startGateway(folder.path, configuration);
    await gateway.output(/127\.0\.0\.1/);
    expect(await (await fetch(`http://127.0.0.1:${http}/local/https`)).json()).toMatchObject({
      isListening: false,
      problem: expect.stringContaining("the private key does not belong to the certificate"),
    });
    await using check = new Hemgate(["check-config", join(folder.path, "gateway.yaml")]);
    const { code, out, err } = await check.finished();
    expect([code, out + err]).toEqual([1, expect.stringContaining("does not belong")]);
  });
});
