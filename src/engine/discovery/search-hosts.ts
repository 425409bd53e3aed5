/** The hosts that a search may ask: those of the gateway's networks, without those that it has connections to. */
import { refuseAddress } from "../../platform/network/address-policy.ts";
import type { Net, NetInterface } from "../../platform/ports/ports.ts";

/** A larger network is searched only around the gateway's address. */
const WIDEST_PREFIX = 22;
const USUAL_PREFIX = 24;

/** The host of a device of the gateway. */
export interface UsedHost {
  readonly host: string;
  readonly deviceId: string;
}

/** Returns the addresses to ask, and those left out because they are in use. `requested` null means the own networks. */
export async function searchHosts(
  net: Pick<Net, "interfaces" | "resolve">,
  requested: readonly string[] | null,
  used: readonly UsedHost[],
): Promise<{ readonly hosts: readonly string[]; readonly inUse: readonly string[] }> {
  const interfaces = net.interfaces();
  const taken = new Set<string>();
  for (const { host } of used) for (const address of [host, ...(await net.resolve(host))]) taken.add(address);
  const own = new Set(interfaces.map(({ address }) => address));
  const asked = [...new Set(requested ?? interfaces.flatMap(addressesOf))].filter((address) => !own.has(address));
  return {
    hosts: asked.filter((address) => !taken.has(address)),
    inUse: asked.filter((address) => taken.has(address)),
  };
}

/** True for an IPv4 address in a private network. */
export function isInHouse(address: string): boolean {
  return /^[\d.]+$/.test(address) && refuseAddress(address, "house") === null;
}

/** Returns all host addresses in the interface's network. */
function addressesOf({ address, prefixLength }: NetInterface): readonly string[] {
  if (!isInHouse(address)) return [];
  const prefix = prefixLength < WIDEST_PREFIX ? USUAL_PREFIX : Math.min(prefixLength, 30);
  const size = 2 ** (32 - prefix);
  const own = address.split(".").reduce((sum, part) => sum * 256 + Number(part), 0);
  const first = own - (own % size);
  // The first is the network's own address, the last its broadcast address.
  return Array.from({ length: size - 2 }, (_unused, index) => textOf(first + index + 1));
}

function textOf(value: number): string {
  return [24, 16, 8, 0].map((shift) => Math.floor(value / 2 ** shift) % 256).join(".");
}
