/** A client of the API that is a part of this process: the cloud service, or the command line over its socket. */
import type { FastifyInstance } from "fastify";
import { SECOND_MS } from "../../domain/duration.ts";
import type { ClientScope } from "../../domain/users/scope.ts";
import type { Clock, Random } from "../../platform/ports/ports.ts";
import type { Store } from "../../store/store.ts";
import { type ClientCredentials, makeClientRecord } from "./clients.ts";
import { EXPIRES_IN_S } from "./tokens.ts";

export interface OwnClientParts {
  readonly api: Pick<FastifyInstance, "inject">;
  readonly store: Store;
  readonly clock: Clock;
  readonly random: Random;
}

export interface OwnClientName {
  /** The same over restarts. */
  readonly id: string;
  readonly name: string;
  readonly scopes?: readonly ClientScope[];
}

const FORM = { "content-type": "application/x-www-form-urlencoded" };

/** Signs in with a secret that lives as long as this process and is nowhere else. */
export class OwnClient {
  readonly #parts: OwnClientParts;
  readonly #name: OwnClientName;
  #asked: Promise<string> | null = null;
  #credentials: ClientCredentials | null = null;
  #token: { readonly text: string; readonly untilMs: number } | null = null;

  constructor(parts: OwnClientParts, name: OwnClientName) {
    this.#parts = parts;
    this.#name = name;
  }

  /** Returns a valid token. Rejects with a `StorageError` when the disk does not take the client. */
  token(): Promise<string> {
    // Two that sign in at once would each make the other's secret invalid.
    this.#asked ??= this.#signedIn().finally(() => {
      this.#asked = null;
    });
    return this.#asked;
  }

  async #signedIn(): Promise<string> {
    const { api, clock, store } = this.#parts;
    // Somebody may have revoked it.
    const isThere = store.get("client", this.#name.id) !== null;
    if (isThere && this.#token !== null && clock.monotonicMs() < this.#token.untilMs) return this.#token.text;
    const { id, secret } = (isThere ? this.#credentials : null) ?? (await this.#make());
    const payload = new URLSearchParams({ grant_type: "client_credentials", client_id: id, client_secret: secret });
    const answer = await api.inject({
      method: "POST",
      url: "/oauth2/token",
      headers: FORM,
      payload: payload.toString(),
    });
    if (answer.statusCode !== 200)
      throw new Error(`the client "${this.#name.name}" gets no token: ${answer.statusCode}`);
    const text = String(answer.json().access_token);
    this.#token = { text, untilMs: clock.monotonicMs() + EXPIRES_IN_S * SECOND_MS };
    return text;
  }

  async #make(): Promise<ClientCredentials> {
    const { id, scopes } = this.#name;
    const { record, secret } = await makeClientRecord(this.#parts, this.#name);
    const put = { ...record, ...(scopes !== undefined && { scopes: [...scopes] }) };
    await this.#parts.store.commit([{ table: "client", key: id, put }], []);
    this.#credentials = { id, secret };
    return this.#credentials;
  }
}
