import type { Gateway } from "../../src/gateway.ts";
import type { SeededRandom } from "../../src/testing/seeded-random.ts";

/** What an answer of the API came to. */
export interface Answered {
  /** Whether it is the answer to the request for a token: no token, so the request itself was not made. */
  readonly isSignIn: boolean;
  readonly status: number;
  readonly body: unknown;
}

/** A command that the user sends. */
export interface UserCommand {
  readonly resource: "batteries" | "chargers";
  readonly path: "operation-mode" | "charging" | "max-current";
  readonly body: Readonly<Record<string, unknown>>;
}

interface Request {
  readonly method: "GET" | "POST";
  readonly url: string;
  readonly payload?: object;
}

const MODES = ["IMPORT_FOCUS", "EXPORT_FOCUS", "SELF_RELIANCE", "IDLE"] as const;
const CURRENTS_A = [6, 8, 10, 13, 16] as const;
const FORM = { "content-type": "application/x-www-form-urlencoded" };
/** The token is asked anew a little before its hour is over. */
const TOKEN_LIFE_MS = 3_000_000;

/** Somebody in the house with an app: a client of the API like any other, with a mind of its own from the seed. */
export class SimulatedUser {
  readonly #random: SeededRandom;
  readonly #nowMs: () => number;
  #credentials: { readonly id: string; readonly secret: string } | null = null;
  #token: { readonly text: string; readonly untilMs: number } | null = null;

  constructor(random: SeededRandom, nowMs: () => number) {
    this.#random = random;
    this.#nowMs = nowMs;
  }

  /** Becomes a client of the gateway; for the first start only: later ones must know it. */
  async join(gateway: Gateway): Promise<void> {
    this.#credentials = await gateway.createClient("simulated user");
  }

  nextCommand(): UserCommand {
    const choice = this.#random.next();
    if (choice < 0.45) {
      return { resource: "batteries", path: "operation-mode", body: { operationMode: this.#random.pick(MODES) } };
    }
    if (choice < 0.75) {
      return { resource: "chargers", path: "charging", body: { action: this.#random.pick(["START", "STOP"]) } };
    }
    return { resource: "chargers", path: "max-current", body: { maxCurrent: this.#random.pick(CURRENTS_A) } };
  }

  /** Sends a command to the first device of its kind. Null: there is none yet. */
  async command(gateway: Gateway, { resource, path, body }: UserCommand): Promise<Answered | null> {
    const page = await this.get(gateway, `/${resource}`);
    if (page.status !== 200) return page;
    const id = firstId(page.body);
    return id === null ? null : await this.post(gateway, `/${resource}/${id}/${path}`, body);
  }

  async get(gateway: Gateway, url: string): Promise<Answered> {
    return await this.#ask(gateway, { method: "GET", url });
  }

  async post(gateway: Gateway, url: string, body: object): Promise<Answered> {
    return await this.#ask(gateway, { method: "POST", url, payload: body });
  }

  async #ask(gateway: Gateway, request: Request): Promise<Answered> {
    const refusal = await this.#signIn(gateway);
    if (refusal !== null) return refusal;
    const headers = { authorization: `Bearer ${this.#token?.text}` };
    const answer = await gateway.api.inject({ ...request, headers });
    return { isSignIn: false, status: answer.statusCode, body: answer.body === "" ? null : answer.json() };
  }

  /** Sees to a token. Answers what came instead of one, or null. */
  async #signIn(gateway: Gateway): Promise<Answered | null> {
    if (this.#token !== null && this.#nowMs() < this.#token.untilMs) return null;
    const { id, secret } = this.#credentials ?? { id: "", secret: "" };
    const payload = new URLSearchParams({ grant_type: "client_credentials", client_id: id, client_secret: secret });
    const answer = await gateway.api.inject({
      method: "POST",
      url: "/oauth2/token",
      headers: FORM,
      payload: payload.toString(),
    });
    if (answer.statusCode !== 200) return { isSignIn: true, status: answer.statusCode, body: answer.json() };
    this.#token = { text: String(answer.json().access_token), untilMs: this.#nowMs() + TOKEN_LIFE_MS };
    return null;
  }
}

/** The id of the first entry of a page. */
function firstId(page: unknown): string | null {
  const entry = entriesOf(page)[0];
  const id = entry === undefined ? undefined : field(entry, "id");
  return typeof id === "string" ? id : null;
}

export function entriesOf(page: unknown): readonly unknown[] {
  const data = field(page, "data");
  return Array.isArray(data) ? data : [];
}

/** A value inside an answer, by the names on the way to it; undefined where the way ends. */
export function field(value: unknown, ...names: readonly string[]): unknown {
  return names.reduce<unknown>(
    (at, name) => (typeof at === "object" && at !== null ? Reflect.get(at, name) : undefined),
    value,
  );
}
