/** Sessions that say the same with every request. */
import { DeviceError } from "hemgate/sdk";
import type { HttpAuth } from "../http-profile.ts";
import type { Pass, Session, SessionWorld } from "./session.ts";

/** The same pass always; what refuses it refuses for good. */
function constant(pass: Pass): Session {
  return { pass: async () => pass, refused: () => false };
}

export const NO_SESSION: Session = constant({ headers: {} });

export function basicSession(username: string, password: string): Session {
  const text = Buffer.from(`${username}:${password}`, "utf8").toString("base64");
  return constant({ headers: { authorization: `Basic ${text}` } });
}

export function querySession(auth: Extract<HttpAuth, { kind: "query" }>, username: string, password: string): Session {
  const query = new URLSearchParams({ [auth.usernameKey]: username, [auth.passwordKey]: password });
  return constant({ headers: {}, query: query.toString() });
}

/** A token in a header. One that says itself when it ends (JWT) is not sent afterwards. */
export function tokenSession(
  { header, prefix = "", isJwt = false }: Extract<HttpAuth, { kind: "token" }>,
  token: string,
  { clock }: Pick<SessionWorld, "clock">,
): Session {
  const endsAtMs = isJwt ? jwtEndMs(token) : null;
  const headers = { [header]: `${prefix}${token}` };
  return {
    async pass() {
      if (endsAtMs !== null && clock.quality() !== "unset" && clock.nowMs() >= endsAtMs) {
        throw new DeviceError("unauthorized", `the token ended at ${new Date(endsAtMs).toISOString()}: get a new one`);
      }
      return { headers };
    },
    refused: () => false,
  };
}

/** When a JWT ends, ms since 1970; null when it does not say, or is not a JWT. */
function jwtEndMs(token: string): number | null {
  const [, payload = ""] = token.split(".");
  try {
    const claims: unknown = JSON.parse(Buffer.from(payload, "base64url").toString("utf8"));
    const end = typeof claims === "object" && claims !== null && "exp" in claims ? claims.exp : null;
    return typeof end === "number" && Number.isFinite(end) ? end * 1_000 : null;
  } catch {
    return null;
  }
}
