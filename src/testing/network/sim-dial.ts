import { hash } from "node:crypto";
import { CertificatePin } from "../../platform/network/pinned-certificate.ts";
import { hostOf, vettedAddresses } from "../../platform/network/vetted-addresses.ts";
import { HttpError } from "../../platform/ports/http-error.ts";
import type { HttpPolicy } from "../../platform/ports/ports.ts";
import type { SimWeb, SimWebRequest, SimWebServer } from "./sim-web.ts";

/** How long a kernel goes on asking an address where nobody answers. */
const CONNECT_GIVES_UP_MS = 127_000;

export interface DialRules {
  readonly policy: HttpPolicy;
  readonly pin: CertificatePin | null;
}

export function dialRules(policy: HttpPolicy): DialRules {
  return { policy, pin: policy.tls?.kind === "pinned" ? new CertificatePin(policy.tls) : null };
}

/** The certificate that servers are shown. */
export function shownBy({ policy: { tls } }: Pick<DialRules, "policy">): Pick<SimWebRequest, "certificate"> {
  const pem = tls?.kind === "verified" ? tls.certificate?.pem : undefined;
  return pem === undefined ? {} : { certificate: pem };
}

/** Comes to a server as real ports do: look-up, policy, connection, certificate. `pass` lets time go by. */
export async function dial(
  web: SimWeb,
  url: URL,
  rules: DialRules,
  pass: (ms: number) => Promise<void>,
): Promise<SimWebServer> {
  const host = hostOf(url);
  const address = await vettedAddress(web, host, rules.policy, pass);
  const isTls = url.protocol === "https:" || url.protocol === "wss:";
  const port = url.port === "" ? (isTls ? 443 : 80) : Number(url.port);
  web.noteConnect({ address, port, host });
  if (web.blackHoles.has(address)) await pass(CONNECT_GIVES_UP_MS);
  await pass(2 * web.latencyMs());
  const server = web.server(address, port);
  if (server === undefined || web.blackHoles.has(address)) {
    throw new HttpError("unreachable", `${host} is not reachable: ECONNREFUSED`, { reason: "connection-refused" });
  }
  if (isTls) checkCertificate(host, server, rules);
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

function checkCertificate(host: string, server: SimWebServer, { policy, pin }: DialRules): void {
  const { certificate, fingerprint, authorityPem } = server;
  if (certificate === null) throw new HttpError("broken", `the connection to ${host} broke: it speaks no TLS`);
  if (pin !== null) pin.check(host, fingerprint ?? hash("sha256", certificate.join("\n")));
  else if (!certificate.includes(host) || !isTrusted(authorityPem, policy)) {
    throw new HttpError("untrusted", `the certificate of ${host} is not valid`);
  }
}

function isTrusted(authorityPem: string | undefined, { tls }: HttpPolicy): boolean {
  const own = tls?.kind === "verified" ? tls.authoritiesPem : undefined;
  return authorityPem === undefined ? own === undefined : own?.includes(authorityPem.trim()) === true;
}
