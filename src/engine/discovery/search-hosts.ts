/** Which hosts a search may ask: those of the house's own networks, without those that the gateway talks to. */
import { refuseAddress } from "../../platform/network/address-policy.ts";
import type { Net, NetInterface } from "../../platform/ports/ports.ts";

/** A larger network is looked through only around the gateway's own address. */
const WIDEST_PREFIX = 22;
const USUAL_PREFIX = 24;

/** A host that a device is reached at. */
export interface UsedHost {
  readonly host: string;
  readonly deviceId: string;
}

/** Addresses to ask, in their order, and those that were left out because they are in use. */
export async function searchHosts(
  net: Pick<Net, "interfaces" | "resolve">,
  wanted: readonly string[] | null,
  used: readonly UsedHost[],
): Promise<{ readonly hosts: readonly string[]; readonly inUse: readonly string[] }> {
  const interfaces = net.interfaces();
  const taken = new Set<string>();
  for (const { host } of used) for (const address of [host, ...(await net.resolve(host))]) taken.add(address);
  const own = new Set(interfaces.map(({ address }) => address));
  const asked = [...new Set(wanted ?? interfaces.flatMap(addressesOf))].filter((address) => !own.has(address));
  return {
    hosts: asked.filter((address) => !taken.has(address)),
    inUse: asked.filter((address) => taken.has(address)),
  };
}

/** Whether an address is in the house, so that it may be asked. */
export function isInHouse(address: string): boolean {
  return /^[\d.]+$/.test(address) && refuseAddress(address, "house") === null;
}

/** The addresses that machines in the interface's network may have. */
function addressesOf({ address, prefixLength }: NetInterface): readonly string[] {
  if (!isInHouse(address)) return [];
  const prefix = prefixLength < WIDEST_PREFIX ? USUAL_PREFIX : Math.min(prefixLength, 30);
  const size = 2 ** (32 - prefix);
  const own = address.split(".").reduce((sum, part) => sum * 256 + Number(part), 0);
  const first = own - (own % size);
  // The first and the last one mean the network itself.
  return Array.from({ length: size - 2 }, (_unused, index) => textOf(first + index + 1));
}

function textOf(value: number): string {
  return [24, 16, 8, 0].map((shift) => Math.floor(value / 2 ** shift) % 256).join(".");
}
