import { HttpError } from "../ports/http-error.ts";
import type { HttpPolicy } from "../ports/ports.ts";

/** The host of a URL as a name server or a socket takes it: an IPv6 address without its brackets. */
export function hostOf({ hostname }: URL): string {
  return hostname.startsWith("[") ? hostname.slice(1, -1) : hostname;
}

/** The addresses that the policy lets pass, in order. Throws `HttpError("refused")` when that leaves none. */
export function vettedAddresses(host: string, addresses: readonly string[], policy: HttpPolicy): readonly string[] {
  const refusals = new Set<string>();
  const passed = addresses.filter((address) => {
    const refusal = policy.refuse(address);
    if (refusal !== null) refusals.add(refusal);
    return refusal === null;
  });
  if (passed.length > 0) return passed;
  if (refusals.size === 0) throw new HttpError("unresolved", `${host} has no address`);
  throw new HttpError("refused", `${host}: ${[...refusals].join(", ")}`);
}
