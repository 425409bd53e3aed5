/** The names of a machine in a house. */

const LABEL = /^[a-z0-9_](?:[a-z0-9_-]*[a-z0-9_])?$/;

/**
 * Domains in which routers name the machines of a house. Public DNS serves none of them (RFC 8375, `internal` and `home` are
 * reserved, the others have no such top level), but for fritz.box, whose names only the router's maker could give.
 */
export const ROUTER_DOMAINS = [
  "fritz.box",
  "home",
  "home.arpa",
  "internal",
  "intranet",
  "lan",
  "localdomain",
  "speedport.ip",
] as const;

/** A part of a host name between its dots, in lower case. */
export function isLabel(text: string): boolean {
  return LABEL.test(text);
}

/** The machine's own name, alone and in the domain of each router; empty if it is no name. */
export function routedNames(hostName: string): readonly string[] {
  const [own = ""] = hostName.split(".");
  return isLabel(own.toLowerCase()) ? [own, ...ROUTER_DOMAINS.map((domain) => `${own}.${domain}`)] : [];
}
