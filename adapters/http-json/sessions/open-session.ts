import { DeviceError } from "hemgate/sdk";
import type { HttpAuth } from "../http-profile.ts";
import { CookieSession } from "./cookie-session.ts";
import { DigestSession } from "./digest-session.ts";
import { missingCredential } from "./missing-credential.ts";
import { basicSession, NO_SESSION, querySession, tokenSession } from "./plain-sessions.ts";
import { PlenticoreSession } from "./plenticore-session.ts";
import type { Session, SessionWorld } from "./session.ts";

/** Opens the session that a profile asks for. Throws `DeviceError("unauthorized")` if a credential is missing. */
export function openSession(auth: HttpAuth, world: SessionWorld): Session {
  const missing = missingCredential(auth, world.credentials);
  if (missing !== null) throw new DeviceError("unauthorized", `the device needs a ${missing}`);
  const { password, token } = world.credentials;
  if (auth.kind === "none") return NO_SESSION;
  if (auth.kind === "token") return token === null ? NO_SESSION : tokenSession(auth, token, world);
  if (password === null) return NO_SESSION;
  const username = world.credentials.username ?? auth.username;
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
