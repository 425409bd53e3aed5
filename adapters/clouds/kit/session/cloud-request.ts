import type { HttpRequest } from "hemgate/sdk";
import type { CloudRequest } from "../connector.ts";
import { CloudError } from "./cloud-error.ts";

/** Of a body as it is sent, packed. */
const MAX_BODY_BYTES = 1024 * 1024;
const VIN = /\b[A-HJ-NPR-Z0-9]{17}\b/g;
/** What may stand in a header: no line ends, no control characters. */
const HEADER_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;

/** What was asked of whom, for errors and logs: never a query, and no vehicle's number. */
export function placeOf({ method, url }: Pick<CloudRequest, "method" | "url">): string {
  const parsed = URL.parse(url);
  if (parsed === null) return `${method} of what is no address`;
  return `${method} ${parsed.hostname}${parsed.pathname.replaceAll(VIN, "[vin]")}`;
}

/** True: asking twice does no harm. */
export function isRepeatable({ method, purpose, isRepeatable: isSaid }: CloudRequest): boolean {
  return isSaid ?? (method === "GET" && purpose !== "command");
}

/**
 * A request with its grant as it goes on the wire. Throws a `CloudError("refused")` when it leads to none of the
 * connector's hosts or cannot be sent; nothing of it is in the message but `place`.
 */
export function wireRequest(request: CloudRequest, hosts: readonly string[], place: string): HttpRequest {
  const url = URL.parse(request.url);
  if (url === null || url.protocol !== "https:") throw new CloudError("refused", `${place}: not an https address`);
  if (!isVendors(url, hosts)) {
    throw new CloudError("refused", `${place}: the host is not the vendor's`);
  }
  for (const [name, value] of Object.entries(request.query ?? {})) url.searchParams.append(name, value);
  const { type, text } = bodyOf(request);
  const headers = {
    accept: "application/json",
    "user-agent": "hemgate",
    ...(type !== null && { "content-type": type }),
    ...request.headers,
    "accept-encoding": "gzip",
  };
  const unsendable = Object.entries(headers).find(([, value]) => !HEADER_VALUE.test(value));
  if (unsendable !== undefined) throw new CloudError("refused", `${place}: the header ${unsendable[0]} cannot be sent`);
  const body = text === null ? null : new TextEncoder().encode(text);
  return { method: request.method, url, headers, body, maxBodyBytes: MAX_BODY_BYTES };
}

/** Whether an address is one of the vendor's: `https:`, at one of its hosts, and without a user in front. */
export function isVendors(url: URL, hosts: readonly string[]): boolean {
  const isOwn = hosts.some((host) => isHost(url.hostname, host));
  return url.protocol === "https:" && isOwn && url.username === "" && url.password === "";
}

function isHost(name: string, host: string): boolean {
  return host.startsWith("*.") ? name.endsWith(host.slice(1)) && name.length > host.length - 1 : name === host;
}

function bodyOf({ body }: CloudRequest): { readonly type: string | null; readonly text: string | null } {
  if (body === undefined) return { type: null, text: null };
  return "form" in body
    ? { type: "application/x-www-form-urlencoded", text: String(new URLSearchParams(body.form)) }
    : { type: "application/json", text: JSON.stringify(body.json) };
}
