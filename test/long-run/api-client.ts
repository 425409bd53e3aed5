import type { ClientScope } from "../../src/domain/users/scope.ts";
import type { World } from "../../src/testing/world.ts";
import type { GatewayBox } from "./gateway-box.ts";

/** An answer of the API. */
export interface Answer {
  /** True if it answers the request for a token: without a token, the request itself was not sent. */
  readonly isSignIn: boolean;
  readonly status: number;
  readonly body: unknown;
}

type Request = readonly [method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE", url: string, payload?: object];

const ANSWER_WITHIN_MS = 20_000;
/** A new token is requested a little before the old one expires. */
const TOKEN_LIFE_MS = 3_000_000;

/** A client of the API, such as an app: it joins once and signs in again after each restart of the gateway. */
export class ApiClient {
  readonly #world: World;
  readonly #box: Pick<GatewayBox, "running">;
  #credentials = { id: "", secret: "" };
  #token: { readonly text: string; readonly untilMs: number } | null = null;

  constructor(world: World, box: Pick<GatewayBox, "running">) {
    this.#world = world;
    this.#box = box;
  }

  /** Becomes a client of the gateway; at the first start only, later ones must know it. */
  async join(name: string, scopes: readonly ClientScope[] = []): Promise<void> {
    const joining = this.#box.running?.gateway.createClient(name, undefined, scopes);
    if (joining !== undefined) this.#credentials = await this.#world.clock.resolve(joining, ANSWER_WITHIN_MS);
  }

  /** Lets time pass until the answer is there; `null` if no gateway runs. */
  async ask(...request: Request): Promise<Answer | null> {
    const answer = await this.#resolved(request);
    if (answer?.status !== 401 || answer.isSignIn) return answer;
    // A gateway that started without a clock does not know how old earlier tokens are.
    this.#token = null;
    return await this.#resolved(request);
  }

  /** Sends a request, in the caller's time. `null` if no gateway runs; never settles if the gateway dies meanwhile. */
  async send(...[method, url, payload]: Request): Promise<Answer | null> {
    const api = this.#box.running?.gateway.api;
    if (api === undefined) return null;
    const refusal = await this.#signIn(api);
    if (refusal !== null) return refusal;
    const headers = { authorization: `Bearer ${this.#token?.text}` };
    const answer = await api.inject({ method, url, headers, ...(payload !== undefined && { payload }) });
    return { isSignIn: false, status: answer.statusCode, body: answer.body === "" ? null : answer.json() };
  }

  #resolved(request: Request): Promise<Answer | null> {
    return this.#world.clock.resolve(this.send(...request), ANSWER_WITHIN_MS);
  }

  /** Requests a token unless there is one. Resolves with the answer that refused it; `null` if there is a token. */
  async #signIn(api: NonNullable<GatewayBox["running"]>["gateway"]["api"]): Promise<Answer | null> {
    const nowMs = this.#world.clock.monotonicMs();
    if (this.#token !== null && nowMs < this.#token.untilMs) return null;
    const { id, secret } = this.#credentials;
    const answer = await api.inject({
      method: "POST",
      url: "/oauth2/token",
      headers: {
        authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString("base64")}`,
        "content-type": "application/x-www-form-urlencoded",
      },
      payload: "grant_type=client_credentials",
    });
    if (answer.statusCode !== 200) return { isSignIn: true, status: answer.statusCode, body: answer.json() };
    this.#token = { text: String(answer.json().access_token), untilMs: nowMs + TOKEN_LIFE_MS };
    return null;
  }
}
