/** A sign-in with name and password that answers cookies. Too many of them lock the device, so they are far apart. */
import { DeviceError, HOUR_MS, type HttpAnswer } from "hemgate/sdk";
import type { HttpAuth } from "../http-profile.ts";
import { fillPath } from "../path-settings.ts";
import { RefusedSignIns } from "./refused-sign-ins.ts";
import type { Pass, Session, SessionWorld, SignInLine } from "./session.ts";

/** The shortest time between two sign-ins. */
const SIGN_IN_GAP_MS = 60_000;
/** Before the 24 h of a Powerwall's cookies are over. */
const LIFE_MS = 23 * HOUR_MS;

export class CookieSession implements Session {
  readonly #auth: Extract<HttpAuth, { kind: "cookies" }>;
  readonly #world: SessionWorld;
  #cookie: string | null = null;
  #signedInMs = Number.NEGATIVE_INFINITY;
  readonly #rest = new RefusedSignIns();

  constructor(auth: Extract<HttpAuth, { kind: "cookies" }>, world: SessionWorld) {
    this.#auth = auth;
    this.#world = world;
  }

  async pass(_request: unknown, line: SignInLine, signal: AbortSignal): Promise<Pass> {
    const nowMs = this.#world.clock.monotonicMs();
    if (this.#cookie === null || nowMs - this.#signedInMs > LIFE_MS) this.#cookie = await this.#signIn(line, signal);
    return { headers: { cookie: this.#cookie } };
  }

  refused({ status }: HttpAnswer): boolean {
    if (status !== 401 && status !== 403) return false;
    this.#cookie = null;
    return this.#rest.restMs(this.#world.clock.monotonicMs()) === 0;
  }

  async #signIn(line: SignInLine, signal: AbortSignal): Promise<string> {
    const { path, body, cookies } = this.#auth;
    const nowMs = this.#world.clock.monotonicMs();
    const restMs = this.#rest.restMs(nowMs);
    if (restMs > 0) {
      const restS = Math.ceil(restMs / 1_000);
      throw new DeviceError("unauthorized", `signing in at ${path} rests for ${restS} s, not to lock the device`);
    }
    this.#rest.spaced(nowMs, SIGN_IN_GAP_MS);
    const answer = await line.send(
      { method: "POST", path, headers: {}, body: JSON.stringify(this.#filled(body)) },
      signal,
    );
    if (answer.status === 401 || answer.status === 403) {
      this.#rest.refused(nowMs);
      throw new DeviceError("unauthorized", `the device refuses the password (${answer.status} at ${path})`);
    }
    if (answer.status >= 300) throw new DeviceError("rejected", `signing in at ${path} answered ${answer.status}`);
    const set = answer.headers.filter(([name]) => name === "set-cookie").map(([, value]) => value.split(";")[0] ?? "");
    const kept = cookies.map((name) => set.find((cookie) => cookie.startsWith(`${name}=`)));
    if (kept.includes(undefined)) {
      throw new DeviceError("malformed", `signing in at ${path} set no cookie ${cookies.join(" or ")}`);
    }
    this.#rest.accepted();
    this.#signedInMs = nowMs;
    return kept.join("; ");
  }

  #filled(body: Readonly<Record<string, string | boolean>>): Record<string, string | boolean> {
    const { username, password } = this.#world.credentials;
    const known = new Map([
      ["username", username ?? this.#auth.username],
      ["password", password ?? ""],
    ]);
    const fill = (value: string | boolean): string | boolean =>
      typeof value === "string" ? (fillPath(value, (name) => known.get(name) ?? "") ?? "") : value;
    return Object.fromEntries(Object.entries(body).map(([name, value]) => [name, fill(value)]));
  }
}
