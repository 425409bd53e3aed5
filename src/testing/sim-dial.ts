import { hash } from "node:crypto";
import { HttpError } from "../platform/http-error.ts";
import { CertificatePin } from "../platform/pinned-certificate.ts";
import type { HttpPolicy } from "../platform/ports.ts";
import { hostOf, vettedAddresses } from "../platform/vetted-addresses.ts";
import type { SimWeb, SimWebServer } from "./sim-web.ts";

/** How long a kernel goes on asking an address where nobody answers. */
const CONNECT_GIVES_UP_MS = 127_000;

export interface DialRules {
  readonly policy: HttpPolicy;
  readonly pin: CertificatePin | null;
}

export function dialRules(policy: HttpPolicy): DialRules {
  return { policy, pin: policy.tls === undefined ? null : new CertificatePin(policy.tls) };
}

/** Comes to a server as real ports do: look-up, policy, connection, certificate. `pass` lets time go by. */
export async function dial(
  web: SimWeb,
  url: URL,
  { policy, pin }: DialRules,
  pass: (ms: number) => Promise<void>,
): Promise<SimWebServer> {
  const host = hostOf(url);
  const address = await vettedAddress(web, host, policy, pass);
  const isTls = url.protocol === "https:" || url.protocol === "wss:";
  const port = url.port === "" ? (isTls ? 443 : 80) : Number(url.port);
  web.noteConnect({ address, port, host });
  if (web.blackHoles.has(address)) await pass(CONNECT_GIVES_UP_MS);
  await pass(2 * web.latencyMs());
  const server = web.server(address, port);
  if (server === undefined || web.blackHoles.has(address)) {
    throw new HttpError("unreachable", `${host} is not reachable: ECONNREFUSED`);
  }
  if (isTls) checkCertificate(host, server, pin);
  return server;
}

async function vettedAddress(
  web: SimWeb,
  host: string,
  policy: HttpPolicy,
  pass: (ms: number) => Promise<void>,
): Promise<string> {
  const isLiteral = host.includes(":") || /^\d+\.\d+\.\d+\.\d+$/.test(host);
  if (!isLiteral) await pass(web.latencyMs());
  const addresses = isLiteral ? [host] : web.resolve(host);
  if (addresses.length === 0) throw new HttpError("unresolved", `${host} cannot be resolved`);
  return vettedAddresses(host, addresses, policy)[0] ?? "";
}

function checkCertificate(host: string, { certificate, fingerprint }: SimWebServer, pin: CertificatePin | null): void {
  if (certificate === null) throw new HttpError("broken", `the connection to ${host} broke: it speaks no TLS`);
  if (pin !== null) pin.check(host, fingerprint ?? hash("sha256", certificate.join("\n")));
  else if (!certificate.includes(host)) {
    throw new HttpError("untrusted", `the certificate of ${host} is not valid`);
  }
}
