/** The enrolment service over HTTPS, with the certificates that OpenSSL issues. */
import { execFile } from "node:child_process";
import { createPrivateKey, createPublicKey, randomBytes, sign } from "node:crypto";
import { once } from "node:events";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import type { IncomingMessage, ServerResponse } from "node:http";
import { createServer, type Server } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import type pg from "pg";
import type { Configuration } from "./configuration.ts";
import { Enrolment, Refused } from "./enrolment.ts";
import type { Log } from "./log.ts";

const run = promisify(execFile);
const MAX_BODY_BYTES = 64 * 1024;
/** The gateway asks for another certificate when two thirds of it are over. */
const CERTIFICATE_DAYS = 30;
const PROOF = "hemgate-proof";

type EnrolmentSettings = NonNullable<Configuration["enrolment"]>;

interface EnrolmentServer extends AsyncDisposable {
  readonly enrolment: Enrolment;
}

/** Resolves when it takes requests. The caller disposes it. */
export async function startEnrolment(
  settings: EnrolmentSettings,
  { pool, log, nowMs }: { readonly pool: pg.Pool; readonly log: Log; readonly nowMs: () => number },
): Promise<EnrolmentServer> {
  const { ENROLMENT_PORT, ENROLMENT_HOST, ENROLMENT_URL } = settings;
  const signingKey = createPrivateKey(await readFile(settings.ENROLMENT_SIGNING_KEY_FILE));
  const caPem = await readFile(settings.GATEWAYS_MQTT_CA_FILE, "utf8");
  const enrolment = new Enrolment({
    pool,
    nowMs,
    url: ENROLMENT_URL,
    issue: (gateway, publicKeyPem) => issue(settings, gateway, publicKeyPem),
    answer: {
      uplinks: [
        { kind: "mqtt", servers: [settings.GATEWAYS_MQTT_URL], topicPrefix: settings.GATEWAYS_TOPIC_PREFIX, caPem },
      ],
      verificationKeyPem: createPublicKey(signingKey).export({ type: "spki", format: "pem" }),
    },
  });
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    try {
      if (request.method !== "POST") throw new Refused(405, "Only POST.");
      const { pathname } = new URL(request.url ?? "/", ENROLMENT_URL);
      const given = await enrolment.answer(pathname, await bodyOf(request), String(request.headers[PROOF] ?? ""));
      const body = given === null ? "" : JSON.stringify(given);
      const proof = sign("sha256", Buffer.from(body), signingKey).toString("base64");
      response.writeHead(given === null ? 204 : 200, { "content-type": "application/json", [PROOF]: proof }).end(body);
    } catch (err) {
      const refused = err instanceof Refused ? err : new Refused(500, "Something went wrong.");
      log.warn({ err, status: refused.status }, "an enrolment was refused");
      const body = JSON.stringify({ detail: refused.message.slice(0, 500) });
      response.writeHead(refused.status, { "content-type": "application/json" }).end(body);
    }
  };
  const [cert, key] = [await readFile(settings.ENROLMENT_CERT_FILE), await readFile(settings.ENROLMENT_KEY_FILE)];
  const server: Server = createServer({ cert, key, requestTimeout: 30_000 }, (request, response) => {
    void answer(request, response);
  });
  server.listen(ENROLMENT_PORT, ENROLMENT_HOST);
  await once(server, "listening");
  return {
    enrolment,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
    },
  };
}

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request) {
    bytes += chunk.length;
    if (bytes > MAX_BODY_BYTES) throw new Refused(400, `More than ${MAX_BODY_BYTES} bytes.`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** The name in it is the gateway's, whatever a request says: the broker goes by it. */
async function issue(settings: EnrolmentSettings, gateway: string, publicKeyPem: string): Promise<string> {
  const { GATEWAYS_CA_FILE, GATEWAYS_CA_KEY_FILE } = settings;
  const folder = await mkdtemp(join(tmpdir(), "hemgate-enrolment-"));
  try {
    const [keyFile, requestFile] = [join(folder, "key.pem"), join(folder, "request.pem")];
    const extensionsFile = join(folder, "extensions");
    await writeFile(keyFile, publicKeyPem);
    // RabbitMQ since 3.13 takes the client id from the alternative name only.
    await writeFile(extensionsFile, `subjectAltName=DNS:${gateway}\nextendedKeyUsage=clientAuth\n`);
    // OpenSSL wants a request to sign; its key gives way to the gateway's.
    const subject = `/CN=${gateway}`;
    await run("openssl", ["req", "-new", "-key", GATEWAYS_CA_KEY_FILE, "-subj", subject, "-out", requestFile]);
    const serial = `0x${randomBytes(16).toString("hex")}`;
    const { stdout } = await run("openssl", [
      ...["x509", "-req", "-in", requestFile, "-force_pubkey", keyFile, "-subj", subject, "-set_serial", serial],
      ...["-CA", GATEWAYS_CA_FILE, "-CAkey", GATEWAYS_CA_KEY_FILE, "-days", String(CERTIFICATE_DAYS)],
      ...["-extfile", extensionsFile],
    ]);
    return `${stdout}${await readFile(GATEWAYS_CA_FILE, "utf8")}`;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
