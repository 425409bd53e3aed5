/** The cookie of a session. Scripts cannot read it, and no other site's page has it sent. */
import type { FastifyReply, FastifyRequest } from "fastify";
import { SECOND_MS } from "../../domain/duration.ts";
import { isLoopback } from "../lan-addresses.ts";

export const SESSION_COOKIE = "hemgate-session";
const ATTRIBUTES = "Path=/; HttpOnly; SameSite=Strict";
/** A browser sends few; more are not looked at. */
const MAX_HEADER_CHARACTERS = 8_192;

/** Returns the values of the session's cookie; a page of another port of this host may have set one beside the gateway's. */
export function sessionCookiesOf(headers: FastifyRequest["headers"]): readonly string[] {
  return (headers.cookie ?? "")
    .slice(0, MAX_HEADER_CHARACTERS)
    .split(";")
    .map((part) => part.trim())
    .filter((part) => part.startsWith(`${SESSION_COOKIE}=`))
    .map((part) => part.slice(SESSION_COOKIE.length + 1));
}

export function setSessionCookie(
  request: FastifyRequest,
  reply: FastifyReply,
  token: string,
  lifeMs: number,
): FastifyReply {
  const maxAge = Math.max(0, Math.floor(lifeMs / SECOND_MS));
  const secure = isSecure(request) ? "; Secure" : "";
  return reply.header("set-cookie", `${SESSION_COOKIE}=${token}; Max-Age=${maxAge}; ${ATTRIBUTES}${secure}`);
}

export function clearSessionCookie(reply: FastifyReply): FastifyReply {
  return reply.header("set-cookie", `${SESSION_COOKIE}=; Max-Age=0; ${ATTRIBUTES}`);
}

/**
 * The gateway itself speaks http. Behind a proxy with https a browser says so by `Origin`, or by `Sec-Fetch-Site`, which it
 * sends over https and to its own machine only.
 */
function isSecure({ headers }: FastifyRequest): boolean {
  const { origin = "", host = "" } = headers;
  if (origin !== "") return origin.startsWith("https://");
  return headers["sec-fetch-site"] !== undefined && !isLoopback(host.replace(/:\d+$/, ""));
}
