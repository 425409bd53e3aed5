/** The cookie of a session. Scripts cannot read it, and no other site's page has it sent. */
import type { FastifyReply, FastifyRequest } from "fastify";
import { SECOND_MS } from "../../domain/duration.ts";
import { isLoopback } from "../lan-addresses.ts";

export const SESSION_COOKIE = "hemgate-session";
/**
 * Over the gateway's own https. Browsers take it over https only, for this host alone, and a page that was reached over http
 * cannot set it. It is another name than that of http, because a browser that has a secure cookie takes none of its name over
 * http: nobody could sign in there any more.
 */
const HTTPS_COOKIE = `__Host-${SESSION_COOKIE}`;
const NAMES = [HTTPS_COOKIE, SESSION_COOKIE];
const ATTRIBUTES = "Path=/; HttpOnly; SameSite=Strict";
/** A browser sends few; more are not looked at. */
const MAX_HEADER_CHARACTERS = 8_192;

/**
 * Returns the values of the session's cookies. A page of another port of this host may have set one beside the gateway's, and
 * over https a browser sends that of http too.
 */
export function sessionCookiesOf(headers: FastifyRequest["headers"]): readonly string[] {
  return (headers.cookie ?? "")
    .slice(0, MAX_HEADER_CHARACTERS)
    .split(";")
    .map((part) => part.trim())
    .flatMap((part) => {
      const name = NAMES.find((each) => part.startsWith(`${each}=`));
      return name === undefined ? [] : part.slice(name.length + 1);
    });
}

export function setSessionCookie(
  request: FastifyRequest,
  reply: FastifyReply,
  token: string,
  lifeMs: number,
): FastifyReply {
  const maxAge = Math.max(0, Math.floor(lifeMs / SECOND_MS));
  const secure = isSecure(request) ? "; Secure" : "";
  return reply.header("set-cookie", `${cookieName(request)}=${token}; Max-Age=${maxAge}; ${ATTRIBUTES}${secure}`);
}

/** Browsers take a cookie back only if it comes with the attributes that it was set with. */
export function clearSessionCookie(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const secure = isSecure(request) ? "; Secure" : "";
  return reply.header("set-cookie", `${cookieName(request)}=; Max-Age=0; ${ATTRIBUTES}${secure}`);
}

function cookieName({ protocol }: FastifyRequest): string {
  return protocol === "https" ? HTTPS_COOKIE : SESSION_COOKIE;
}

/**
 * True if the browser speaks https: with the gateway, or with a proxy in front of its http. Of a proxy a browser says so by
 * `Origin`, or by `Sec-Fetch-Site`, which it sends over https and to its own machine only. An `Origin: null`, which a page
 * without a referrer sends, says nothing of the scheme.
 */
export function isSecure({ headers, protocol }: FastifyRequest): boolean {
  if (protocol === "https") return true;
  const { origin = "", host = "" } = headers;
  if (origin !== "" && origin !== "null") return origin.startsWith("https://");
  return headers["sec-fetch-site"] !== undefined && !isLoopback(host.replace(/:\d+$/, ""));
}
