import { hash } from "node:crypto";
import type { LineAddress } from "../http-line.ts";
import type { HttpAuth } from "../http-profile.ts";
import { openSession } from "./open-session.ts";
import type { Credentials, Session, SessionWorld } from "./session.ts";

/** More devices with a sign-in than a house has; the oldest are forgotten. */
const MAX_SESSIONS = 200;

/** The sessions of all devices, one for each sign-in at a host, over connections that come and go. */
export class SessionStore {
  readonly #world: Pick<SessionWorld, "clock" | "random">;
  readonly #sessions = new Map<string, Session>();

  constructor(world: Pick<SessionWorld, "clock" | "random">) {
    this.#world = world;
  }

  /** Throws `DeviceError("unauthorized")` when a credential is missing. New credentials start a new session. */
  of({ scheme, host, port }: LineAddress, auth: HttpAuth, credentials: Credentials): Session {
    const key = hash("sha256", JSON.stringify([scheme, host.toLowerCase(), port, auth, credentials]));
    const known = this.#sessions.get(key);
    if (known !== undefined) return known;
    const session = openSession(auth, { ...this.#world, credentials });
    this.#sessions.set(key, session);
    const [oldest] = this.#sessions.keys();
    if (this.#sessions.size > MAX_SESSIONS && oldest !== undefined) this.#sessions.delete(oldest);
    return session;
  }
}
