/**
 * Which Host headers are ours. A web page can make a browser resolve the page's own name to this gateway's address and
 * then read its answers as its own (DNS rebinding), but it cannot forge the Host header.
 */
import type { Config } from "../../config/config.ts";
import { isLabel, routedNames } from "../../domain/https/house-names.ts";

const AUTHORITY = /^(?:\[([0-9a-f:.]{2,45})\]|([a-z0-9._-]{1,253}))(?::([0-9]{1,5}))?$/i;
const IPV4 = /^(?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(?:\.(?!$)|$)){4}$/;

/**
 * Lower-case: the host of the configuration, unless that is an address, its further names, and the machine's own name,
 * alone and in the domain of a router.
 */
export function ownNames(http: Pick<Config["http"], "host" | "names">, hostName: string): ReadonlySet<string> {
  return new Set([http.host, ...(http.names ?? []), ...routedNames(hostName)].map((name) => name.toLowerCase()));
}

/** True for an IP address, localhost, a name of the local link, or one of `names`, each with any port. */
export function isOwnHost(header: string | undefined, names: ReadonlySet<string>): boolean {
  const [, ipv6, name, port] = AUTHORITY.exec(header ?? "") ?? [];
  if (port !== undefined && !isPort(port)) return false;
  // DNS rebinding needs a name: a request with an address is for this machine.
  if (ipv6 !== undefined) return URL.canParse(`http://[${ipv6}]`);
  if (name === undefined) return false;
  return IPV4.test(name) || isOwnName(name.toLowerCase().replace(/\.$/, ""), names);
}

function isPort(digits: string): boolean {
  const port = Number(digits);
  return port > 0 && port <= 65_535;
}

function isOwnName(name: string, names: ReadonlySet<string>): boolean {
  if (name === "localhost" || names.has(name)) return true;
  const labels = name.split(".");
  const last = labels.at(-1);
  // Browsers resolve *.localhost to loopback and *.local by multicast on the link; public DNS serves neither.
  return (last === "localhost" || last === "local") && labels.length > 1 && labels.every(isLabel);
}
