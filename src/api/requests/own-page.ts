/**
 * Whether a browser's request comes from a page of this gateway. A browser says where a request comes from by
 * `Sec-Fetch-Site`; to a plain http address in the house it sends `Origin` alone.
 */
import type { FastifyRequest } from "fastify";

/** `unknown`: nothing says where it comes from, as for programs that are no browsers. */
export function pageOf(
  { headers }: Pick<FastifyRequest, "headers">,
  configured: string | undefined,
): "own" | "foreign" | "unknown" {
  const { origin, host = "" } = headers;
  const site = headers["sec-fetch-site"];
  if (site !== undefined) return site === "same-origin" ? "own" : "foreign";
  if (origin === undefined) return "unknown";
  return isOwnOrigin(origin, host, configured) ? "own" : "foreign";
}

/** Of the gateway as this request reached it, or as the configuration says that browsers do. */
function isOwnOrigin(origin: string, host: string, configured: string | undefined): boolean {
  const own = [`http://${host}`, `https://${host}`, configured ?? ""].map((url) => URL.parse(url)?.origin);
  return origin !== "null" && own.includes(origin);
}
