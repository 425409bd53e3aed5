import { DeviceError } from "hemgate/sdk";
import type { HttpAuth } from "../http-profile.ts";
import { CookieSession } from "./cookie-session.ts";
import { DigestSession } from "./digest-session.ts";
import { basicSession, NO_SESSION, querySession, tokenSession } from "./plain-sessions.ts";
import { PlenticoreSession } from "./plenticore-session.ts";
import type { Session, SessionWorld } from "./session.ts";

/** The session that a profile asks for. Throws `DeviceError("unauthorized")` when a credential that it needs is missing. */
export function openSession(auth: HttpAuth, world: SessionWorld): Session {
  if (auth.kind === "none") return NO_SESSION;
  const { password, token } = world.credentials;
  if (auth.kind === "token") {
    if (token === null) throw new DeviceError("unauthorized", "the device needs a token");
    return tokenSession(auth, token, world);
  }
  const username = world.credentials.username ?? auth.username;
  if (password === null) {
    if (auth.kind === "query" || ("isOptional" in auth && auth.isOptional)) return NO_SESSION;
    throw new DeviceError("unauthorized", "the device needs a password");
  }
  switch (auth.kind) {
    case "basic":
      return basicSession(username, password);
    case "digest":
      return new DigestSession(username, password, world);
    case "query":
      return querySession(auth, username, password);
    case "cookies":
      return new CookieSession(auth, world);
    case "plenticore":
      return new PlenticoreSession(username, password, world);
    default:
      return auth satisfies never;
  }
}
