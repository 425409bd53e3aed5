/** A cloud service as a server on this machine: it enrols gateways, and takes nothing of what they tell. */
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { makeCertificate } from "../../src/platform/certificate.ts";
import { nodeRandom as random } from "../../src/platform/node/node-random.ts";
import { SigningKey } from "../../src/platform/signing-key.ts";
import { EnrolmentTwin } from "../twins/cloud/enrolment-twin.ts";

const HOUR_MS = 3_600_000;
const ECHO = "/echo/";

export interface EnrolmentServer extends AsyncDisposable {
  readonly twin: EnrolmentTwin;
  /** PEM of who issued its certificate. */
  readonly authority: string;
  /** Where it answers with an error that repeats what it was asked, credentials included. */
  readonly echoUrl: string;
}

/** The twin as a server on this machine, with an authority that nobody knows yet. */
export async function openEnrolmentServer(options: { readonly hasPasswords?: boolean } = {}): Promise<EnrolmentServer> {
  const key = SigningKey.make(random);
  const fromMs = Date.now() - HOUR_MS;
  const issued = {
    issuer: { name: "Test", key },
    fromMs,
    untilMs: fromMs + 48 * HOUR_MS,
    publicKeyDer: key.publicKeyDer,
  };
  const authority = makeCertificate({ ...issued, subject: "Test", serial: Uint8Array.of(1), isAuthority: true });
  const own = makeCertificate({ ...issued, subject: "localhost", serial: Uint8Array.of(2), hosts: ["localhost"] });
  let twin: EnrolmentTwin | null = null;
  const server = createServer({ key: key.privateKeyPem, cert: own }, (request, reply) => {
    const parts: Buffer[] = [];
    request.on("data", (part: Buffer) => parts.push(part));
    request.on("end", () => {
      const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
      const body = Buffer.concat(parts).toString("utf8");
      const asked = {
        method: request.method ?? "",
        host: "localhost",
        path: request.url ?? "",
        headers,
        body,
        atMs: 0,
      };
      const isEcho = asked.path.startsWith(ECHO);
      const answer = isEcho ? { status: 500, body: `${asked.path} ${JSON.stringify(headers)}` } : twin?.answer(asked);
      reply
        .writeHead(answer?.status ?? 200, { ...(answer !== undefined && "headers" in answer && answer.headers) })
        .end(answer?.body);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "localhost", resolve));
  const { port } = server.address() as AddressInfo;
  const url = `https://localhost:${port}/`;
  twin = new EnrolmentTwin({ clock: { nowMs: () => Date.now() }, random, url, ...options });
  const close = async (): Promise<void> => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  return { twin, authority, echoUrl: `${url.slice(0, -1)}${ECHO}`, [Symbol.asyncDispose]: close };
}
