/** Converts errors of linking a device by its address to reasons for the user. */

import type { LinkRefusal } from "../domain/linking/link-form.ts";
import { refuseAddress } from "../platform/network/address-policy.ts";
import type { Net } from "../platform/ports/ports.ts";
import { type DeviceError, OtherDeviceError } from "../points/device-error.ts";

const HOST = /^[A-Za-z0-9.:_-]{1,253}$/;

/** Returns the reason for the user why a device could not be linked. */
export function deviceRefusal(error: DeviceError): LinkRefusal {
  const { kind, reason } = error;
  if (error instanceof OtherDeviceError) return "wrong-device";
  if (reason === "asleep" || reason === "timeout") return "not-answering";
  return reason ?? (kind === "unreachable" ? "not-answering" : "wrong-device");
}

/**
 * Returns why no connection to a typed address is made: it is not a valid host name, or its addresses are not in the local
 * network. `null` if it may be connected to; a name that cannot be resolved fails when the connection is made.
 */
export async function hostRefusal(net: Pick<Net, "resolve">, host: string): Promise<LinkRefusal | null> {
  if (host.startsWith("/")) return "no-serial-port";
  if (!HOST.test(host)) return "name-not-found";
  const addresses = host.includes(":") ? [host] : await net.resolve(host);
  const isOutside = addresses.length > 0 && addresses.every((address) => refuseAddress(address, "house") !== null);
  return isOutside ? "outside-house" : null;
}

/** Parses a typed whole number within limits, both included; `null` for anything else. */
export function typedNumber(text: string | undefined, min: number, max: number): number | null {
  const value = /^\d{1,5}$/.test(text ?? "") ? Number(text) : Number.NaN;
  return value >= min && value <= max ? value : null;
}
