/** Where other machines of the house find the API. */
import type { Https } from "../engine/contracts/https/https.ts";
import type { Net } from "../platform/ports/ports.ts";

const EVERY_ADDRESS: ReadonlySet<string> = new Set(["0.0.0.0", "::"]);

/**
 * The URLs at which the LAN reaches an API that listens on a host; `address` is one of its URLs. Where it listens on every
 * address of the machine, one for each of its networks; empty where only this machine reaches it.
 */
export function lanAddresses(address: string, host: string, net: Pick<Net, "interfaces">): readonly string[] {
  if (isLoopback(host)) return [];
  const port = portOf(address);
  return EVERY_ADDRESS.has(host) ? net.interfaces().map((each) => `http://${each.address}:${port}`) : [address];
}

/** The same with https, at its port: those that its certificate is for; empty while it is not answered. */
export function httpsAddresses(
  addresses: readonly string[],
  { isListening, port, certificate }: HttpsPlace,
): readonly string[] {
  if (!isListening || port === null) return [];
  const hosts = addresses.map((address) => new URL(address).hostname);
  return hosts.filter((host) => certificate?.names.includes(host)).map((host) => `https://${host}:${port}`);
}

/**
 * The addresses for people, best first. A certificate that the owner provides is for names, and a browser trusts it. One of the gateway's
 * authority makes a browser warn until its owner trusts the authority, which the page that is reached over http tells how.
 */
export function pageAddresses(addresses: readonly string[], https: ReturnType<Https["state"]>): readonly string[] {
  if (https.source !== "files") return [...addresses, ...httpsAddresses(addresses, https)];
  const names = (https.certificate?.names ?? []).filter((name) => /[a-z]/iu.test(name) && !/[*:]/u.test(name));
  const secure =
    https.isListening && https.problem === null ? names.map((name) => `https://${name}:${https.port}`) : [];
  return [...secure, ...addresses];
}

type HttpsPlace = Pick<ReturnType<Https["state"]>, "isListening" | "port" | "certificate">;

/** The port that a URL names, or its scheme's. */
export function portOf(address: string): number {
  const { port } = new URL(address);
  return port === "" ? 80 : Number(port);
}

export function isLoopback(host: string): boolean {
  return host === "localhost" || host === "::1" || host.startsWith("127.");
}
