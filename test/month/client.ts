/** A client of the API, whatever becomes of the gateway meanwhile. */
import type { Gateway } from "../../src/gateway.ts";
import type { World } from "../../src/testing/world.ts";

/** Where the gateway is, while there is one. */
export interface GatewayPlace {
  readonly life: { readonly gateway: Pick<Gateway, "api" | "createClient"> } | null;
}

export interface Answer {
  readonly status: number;
  readonly body: unknown;
}

const ANSWER_WITHIN_MS = 20_000;
const TOKEN_LIFE_MS = 3_000_000;

export class Client {
  readonly #world: World;
  readonly #box: GatewayPlace;
  #credentials = { id: "", secret: "" };
  #token = { text: "", untilMs: 0 };

  constructor(world: World, box: GatewayPlace) {
    this.#world = world;
    this.#box = box;
  }

  async join(): Promise<void> {
    const made = this.#box.life?.gateway.createClient("resident");
    if (made !== undefined) this.#credentials = await this.#world.clock.resolve(made, ANSWER_WITHIN_MS);
  }

  /** Null: no gateway is there. */
  async ask(method: "GET" | "POST" | "PUT" | "DELETE", url: string, payload?: object): Promise<Answer | null> {
    const api = this.#box.life?.gateway.api;
    if (api === undefined) return null;
    if (this.#world.clock.monotonicMs() >= this.#token.untilMs) await this.#signIn();
    const ask = async (): Promise<Answer> => {
      const headers = { authorization: `Bearer ${this.#token.text}` };
      const request = api.inject({ method, url, headers, ...(payload !== undefined && { payload }) });
      const answer = await this.#world.clock.resolve(
        request.then((response) => response),
        ANSWER_WITHIN_MS,
      );
      return { status: answer.statusCode, body: answer.body === "" ? null : answer.json() };
    };
    const answer = await ask();
    if (answer.status !== 401) return answer;
    // A gateway that began without a clock does not know how old the tokens of before are.
    await this.#signIn();
    return await ask();
  }

  async #signIn(): Promise<void> {
    const { clock } = this.#world;
    const basic = Buffer.from(`${this.#credentials.id}:${this.#credentials.secret}`).toString("base64");
    const request = this.#box.life?.gateway.api.inject({
      method: "POST",
      url: "/oauth2/token",
      headers: { authorization: `Basic ${basic}`, "content-type": "application/x-www-form-urlencoded" },
      payload: "grant_type=client_credentials",
    });
    const answer = await clock.resolve(Promise.resolve(request), ANSWER_WITHIN_MS);
    const isSignedIn = answer?.statusCode === 200;
    this.#token = {
      text: isSignedIn ? String(answer.json().access_token) : "none",
      untilMs: isSignedIn ? clock.monotonicMs() + TOKEN_LIFE_MS : 0,
    };
  }
}
