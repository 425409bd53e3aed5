import type { FastifyRequest } from "fastify";
import { problem } from "../../domain/problem.ts";
import type { PasskeyPlace } from "../../engine/contracts/people.ts";
import { isLoopback } from "../lan-addresses.ts";

/**
 * Returns the page that asks for a passkey, which is bound to its host name. Throws `conflict` over http and at an IP address,
 * where browsers have no passkeys, and `forbidden` for a page of another origin or a program without one.
 */
export function passkeyPlaceOf(request: FastifyRequest, configured: string | undefined): PasskeyPlace {
  const url = URL.parse(originOf(request, configured));
  if (url?.protocol === "http:")
    throw problem("conflict", "Passkeys need https; open the page at the gateway's https.");
  const own = [`https://${request.headers.host}`, configured ?? ""].map((each) => URL.parse(each)?.origin);
  if (url === null || url.protocol !== "https:" || !own.includes(url.origin)) {
    throw problem("forbidden", "Passkeys are used from the gateway's own page: Origin is another, or missing.");
  }
  const host = url.hostname;
  if (/^[\d.]+$|^\[/.test(host)) {
    throw problem("conflict", "An IP address has no passkeys; open the page by a name, such as hemgate.local.");
  }
  return { origin: url.origin, host, address: request.ip };
}

/**
 * A browser hides `Origin` from pages that send no referrer, as ours, and says `Sec-Fetch-Site` to secure addresses and its own
 * machine only. What it signs has the origin once more.
 */
function originOf({ headers, protocol }: FastifyRequest, configured = ""): string {
  const { origin = "null", host = "" } = headers;
  if (origin !== "null" || headers["sec-fetch-site"] !== "same-origin") return origin;
  if (protocol === "https") return `https://${host}`;
  if (configured.startsWith("https:")) return configured;
  return `${isLoopback(host.replace(/:\d+$/, "")) ? "http" : "https"}://${host}`;
}
