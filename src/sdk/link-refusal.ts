/** What a person who links a device by its address is told, by what went wrong. */
import { refuseAddress } from "../platform/network/address-policy.ts";
import type { Net } from "../platform/ports/ports.ts";
import type { DeviceError } from "../points/device-error.ts";
import type { LinkRefusal } from "./linking.ts";

const HOST = /^[A-Za-z0-9.:_-]{1,253}$/;

/** Why a device that was asked is not linked. */
export function deviceRefusal({ kind, reason }: DeviceError): LinkRefusal {
  if (reason === "asleep" || reason === "timeout") return "not-answering";
  return reason ?? (kind === "unreachable" ? "not-answering" : "wrong-device");
}

/**
 * Why nothing is asked at an address as it was typed: it is no name of a host, or its addresses are not in the house.
 * Null where it may be; a name without an address shows itself when it is connected to.
 */
export async function hostRefusal(net: Pick<Net, "resolve">, host: string): Promise<LinkRefusal | null> {
  if (host.startsWith("/")) return "no-serial-port";
  if (!HOST.test(host)) return "name-not-found";
  const addresses = host.includes(":") ? [host] : await net.resolve(host);
  const isOutside = addresses.length > 0 && addresses.every((address) => refuseAddress(address, "house") !== null);
  return isOutside ? "outside-house" : null;
}

/** A whole number within limits as people type it; null for anything else. */
export function typedNumber(text: string | undefined, min: number, max: number): number | null {
  const value = /^\d{1,5}$/.test(text ?? "") ? Number(text) : Number.NaN;
  return value >= min && value <= max ? value : null;
}
