import { lookup as dnsLookup } from "node:dns/promises";
import { isIP, type LookupFunction } from "node:net";
import { vettedAddresses } from "../../network/vetted-addresses.ts";
import { HttpError } from "../../ports/http-error.ts";
import type { HttpPolicy } from "../../ports/ports.ts";

/** Addresses of one host that are tried. */
const MAX_ADDRESSES = 8;

/** The addresses of a name, IPv4 first. */
export async function resolveName(name: string): Promise<readonly string[]> {
  const found = await dnsLookup(name, { all: true, order: "ipv4first" });
  return found.map(({ address }) => address);
}

/** Hands a socket the vetted addresses themselves, so that nothing is resolved a second time. */
export function vettedLookup(
  policy: HttpPolicy,
  resolve: (name: string) => Promise<readonly string[]>,
): LookupFunction {
  return (host, options, answer) => {
    const look = async (): Promise<void> => {
      const addresses = await resolve(host).catch((cause: unknown) => {
        throw new HttpError("unresolved", `${host} cannot be resolved`, { cause });
      });
      const passed = vettedAddresses(host, addresses.slice(0, MAX_ADDRESSES), policy);
      const entries = passed.map((address) => ({ address, family: isIP(address) }));
      const [first] = entries;
      if (options.all === true) answer(null, entries);
      else answer(null, first?.address ?? "", first?.family);
    };
    look().catch((error: unknown) => answer(error instanceof Error ? error : new Error(String(error)), []));
  };
}

/** Node asks no `lookup` for an address: it is vetted before anything connects. Throws `HttpError("refused")`. */
export function vetLiteral(host: string, policy: HttpPolicy): void {
  if (isIP(host) !== 0) vettedAddresses(host, [host], policy);
}
