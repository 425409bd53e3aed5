/** Decides which URLs a webhook may have. The resolved address is checked again at each connection. */
import { isLoopback, type Reach, refuseAddress } from "../../platform/network/address-policy.ts";
import { hostOf } from "../../platform/network/vetted-addresses.ts";
import type { Http, HttpClient } from "../../platform/ports/ports.ts";

export interface TargetRules {
  /** Allows webhooks in the local network, also by plain HTTP. */
  readonly allowInsecureLan: boolean;
  /** Allows webhooks on this machine, also by plain HTTP: for a sandbox. */
  readonly allowLoopback: boolean;
}

/** Ports above the well-known ones with other protocols, some of which execute lines of a request as commands. */
const REFUSED_PORTS: ReadonlySet<number> = new Set([
  1719, 1720, 1723, 1883, 2049, 3659, 4045, 4190, 5060, 5061, 6000, 6379, 6566, 6665, 6666, 6667, 6668, 6669, 6679,
  6697, 8883, 10_080, 11_211,
]);
const FIRST_FREE_PORT = 1_024;

/** Returns why a URL may not be a webhook, as a text; `null` if it may. */
export function refuseTarget(url: URL, rules: TargetRules): string | null {
  const mayBePlain = rules.allowInsecureLan || isOnLoopback(url, rules);
  if (url.protocol !== "https:" && !(url.protocol === "http:" && mayBePlain)) return "Expected an https URL";
  if (url.username !== "" || url.password !== "") return "Use `authentication` instead of a user in the URL";
  return refusePort(url) ?? (isOnLoopback(url, rules) ? null : refuseHost(hostOf(url), url, rules));
}

/** True if the URL names this machine, and webhooks may be there. */
function isOnLoopback(url: URL, { allowLoopback }: TargetRules): boolean {
  const host = hostOf(url);
  return allowLoopback && (host === "localhost" || isLoopback(host));
}

function refusePort({ port, protocol }: URL): string | null {
  if (port === "") return null;
  const number = Number(port);
  const isUsual = number === 443 || (number === 80 && protocol === "http:");
  if (isUsual || (number >= FIRST_FREE_PORT && !REFUSED_PORTS.has(number))) return null;
  return `Port ${number} is not for webhooks`;
}

function refuseHost(host: string, url: URL, rules: TargetRules): string | null {
  const name = host.endsWith(".") ? host.slice(0, -1) : host;
  if (name === "") return "The URL names no host";
  if (name === "localhost" || name.endsWith(".localhost")) return "The host is the gateway itself";
  // `URL` has converted every notation of an IPv4 address (octal, hexadecimal, one number) to dotted decimal.
  const isAddress = name.includes(":") || /^[\d.]+$/.test(name);
  if (isAddress) {
    const refusal = refuseAddress(name, reachOf(url, rules));
    return refusal === null ? null : `Not allowed: ${refusal}`;
  }
  if (!rules.allowInsecureLan && !name.includes(".")) return "The host is not on the Internet";
  return null;
}

function reachOf({ protocol }: URL, { allowInsecureLan }: TargetRules): Reach {
  if (protocol === "http:") return "lan";
  return allowInsecureLan ? "both" : "internet";
}

/** The HTTP clients for deliveries; they check the address at each connection. */
export interface TargetClients extends Disposable {
  clientFor(url: URL): HttpClient;
}

export function openTargetClients(http: Http, rules: TargetRules): TargetClients {
  const secure = http.open({
    refuse: (address) => refuseAddress(address, rules.allowInsecureLan ? "both" : "internet"),
  });
  const plain = http.open({ refuse: (address) => refuseAddress(address, "lan") });
  const own = http.open({ refuse: (address) => (isLoopback(address) ? null : "the address is not this machine") });
  return {
    clientFor: (url) => (isOnLoopback(url, rules) ? own : url.protocol === "https:" ? secure : plain),
    [Symbol.dispose]() {
      own[Symbol.dispose]();
      secure[Symbol.dispose]();
      plain[Symbol.dispose]();
    },
  };
}
