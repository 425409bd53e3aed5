/** Which names and addresses the certificate of the gateway's https is for, and what its authority may issue. */
import { isLabel, ROUTER_DOMAINS, routedNames } from "./house-names.ts";

/** The name that people are given, whatever the machine calls itself, and those that a second and third gateway in the house take. */
const COMMON_NAMES = ["hemgate.local", "hemgate-2.local", "hemgate-3.local"] as const;
const LOOPBACK = ["127.0.0.1", "::1"] as const;
const HOST_NAME = /^[a-z0-9_.-]{1,253}$/;
const MAX_LABEL = 63;

/** Ranges of addresses that no machine in the Internet has: private, of one link, of this machine. */
const HOUSE_NETWORKS = [
  "10.0.0.0/8",
  "100.64.0.0/10",
  "127.0.0.0/8",
  "169.254.0.0/16",
  "172.16.0.0/12",
  "192.168.0.0/16",
  "::1/128",
  "fc00::/7",
  "fe80::/10",
] as const;

export interface HouseServer {
  /** What the machine calls itself. */
  readonly hostName: string;
  /** Host names of the configuration. */
  readonly names: readonly string[];
  /** IP addresses at which it listens. */
  readonly addresses: readonly string[];
}

/** Lower-case names, then addresses, each once. */
export function serverNames({ hostName, names, addresses }: HouseServer): readonly string[] {
  const [own = ""] = hostName.toLowerCase().split(".");
  const local = isLabel(own) ? [`${own}.local`] : [];
  const all = [...COMMON_NAMES, "localhost", ...local, ...routedNames(hostName), ...names].map((name) =>
    name.toLowerCase(),
  );
  return [...new Set([...all.filter(isHostName), ...LOOPBACK, ...addresses])];
}

/**
 * The domains and networks that the house's authority is limited to: those that exist in houses only, and the names of the
 * configuration. Who trusts the authority trusts it for nothing in the Internet. A name without a dot is not among them,
 * because it would permit all names below it, and `box`, `cloud` and `solar` are top levels of the Internet.
 */
export function permittedNames(names: readonly string[]) {
  const house = ["local", "localhost", ...ROUTER_DOMAINS];
  const own = names.map((name) => name.toLowerCase()).filter((name) => isHostName(name) && name.includes("."));
  return {
    domains: [...new Set([...house, ...own.filter((name) => !isBelow(name, house))])],
    networks: HOUSE_NETWORKS,
  };
}

/** True if a host name is one of the domains or below one. */
export function isBelow(name: string, domains: readonly string[]): boolean {
  return domains.some((domain) => name === domain || name.endsWith(`.${domain}`));
}

function isHostName(name: string): boolean {
  return HOST_NAME.test(name) && name.split(".").every((label) => label.length <= MAX_LABEL && isLabel(label));
}
