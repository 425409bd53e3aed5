/** Where other machines of the house find the API. */
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

/** The port that a URL names, or its scheme's. */
export function portOf(address: string): number {
  const { port } = new URL(address);
  return port === "" ? 80 : Number(port);
}

export function isLoopback(host: string): boolean {
  return host === "localhost" || host === "::1" || host.startsWith("127.");
}
