/** Which addresses a request that a stranger asks for may be sent to (server-side request forgery). */
import ipaddr from "ipaddr.js";

/**
 * The Internet, the private ranges of the house, or both. `house` is for devices whose owner says where they are: the
 * private ranges, this machine, addresses of one link, and IPv6, where devices in the house have public addresses.
 */
export type Reach = "internet" | "lan" | "both" | "house";

/** Metadata services of cloud hosts; they give secrets to every program on the machine. */
const METADATA_SERVICES: ReadonlySet<string> = new Set([
  "169.254.169.254",
  "168.63.129.16",
  "100.100.100.200",
  "fd00:ec2::254",
]);

const PRIVATE_RANGES: ReadonlySet<string> = new Set(["private", "uniqueLocal"]);
/** Besides the private ones. */
const HOUSE_RANGES: ReadonlySet<string> = new Set(["loopback", "linkLocal", "carrierGradeNat"]);

/**
 * Why nothing may be sent to an IP address, in words; null when it may. What is not plainly a public unicast address is
 * refused, and so is every form that carries another address inside: mapped, translated, tunnelled.
 */
export function refuseAddress(address: string, reach: Reach): string | null {
  if (address.includes("%")) return "the address belongs to one link";
  const parsed = parse(address);
  if (parsed === null) return "the address is not a plain IP address";
  if (METADATA_SERVICES.has(parsed.toString())) return "the address is a metadata service";
  const range = parsed.range();
  if (PRIVATE_RANGES.has(range)) return reach === "internet" ? "the address is private" : null;
  if (reach === "house" && HOUSE_RANGES.has(range)) return null;
  if (range !== "unicast") return `the address is not public (${range})`;
  if (reach === "lan") return "the address is not private";
  if (parsed instanceof ipaddr.IPv4) return reach === "house" ? "the address is not in the house" : null;
  return refuseIpv6(parsed);
}

/** True for an IP address of this machine: 127.0.0.0/8 or ::1. */
export function isLoopback(address: string): boolean {
  return parse(address)?.range() === "loopback";
}

/** Dotted decimal or IPv6 text as a resolver or `URL` writes it; nothing octal, hexadecimal or shortened. */
function parse(address: string): ipaddr.IPv4 | ipaddr.IPv6 | null {
  if (ipaddr.IPv4.isValidFourPartDecimal(address)) return ipaddr.IPv4.parse(address);
  return address.includes(":") && ipaddr.IPv6.isValid(address) ? ipaddr.IPv6.parse(address) : null;
}

/** Global unicast is 2000::/3; the rest is reserved, and some of it (`::a.b.c.d`) means an IPv4 address. */
function refuseIpv6(address: ipaddr.IPv6): string | null {
  const [first = 0, , , , marker = 0, isatap = 0] = address.parts;
  if (first >> 13 !== 1) return "the address is not public (reserved)";
  const isIsatap = isatap === 0x5efe && (marker === 0 || marker === 0x0200);
  return isIsatap ? "the address is not public (isatap)" : null;
}
