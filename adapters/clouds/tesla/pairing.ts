/** How the gateway's key comes to a vehicle (developer.tesla.com: virtual keys, developer's guide). */
import type { App } from "../kit/connector.ts";

/** Below `/.well-known/` of the app's domain. */
export const PUBLIC_KEY_AT = "appspecific/com.tesla.3p.public-key.pem";

/** Opens the Tesla app, which asks the owner whether the key of that domain may be added. */
export function pairingLink({ domain }: App): string {
  return `https://tesla.com/_ak/${domain ?? "(the domain of your registration with Tesla)"}`;
}
