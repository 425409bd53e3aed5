/** The cloud service as a client of this API: its requests pass the same handlers, rights and limits as those on the LAN. */
import type { FastifyInstance } from "fastify";
import { SECOND_MS } from "../../domain/duration.ts";
import type { Clock, Random } from "../../platform/ports/ports.ts";
import type { CloudRequest } from "../../store/records/cloud/cloud-command.ts";
import type { Store } from "../../store/store.ts";
import { isCommandPath } from "../commands.ts";
import { type ClientCredentials, makeClientRecord } from "./clients.ts";
import { EXPIRES_IN_S } from "./tokens.ts";

/** The client that the cloud service is; the same over restarts, so that its Idempotency-Keys are known again. */
export const CLOUD_CLIENT_ID = "cloud-service";
const CLIENT_NAME = "Cloud service";
const FORM = { "content-type": "application/x-www-form-urlencoded" };

export interface CloudCallerParts {
  readonly api: Pick<FastifyInstance, "inject">;
  readonly store: Store;
  readonly clock: Clock;
  readonly random: Random;
  readonly namePrefix: string;
}

export class CloudCaller {
  readonly #parts: CloudCallerParts;
  #credentials: ClientCredentials | null = null;
  #token: { readonly text: string; readonly untilMs: number } | null = null;

  constructor(parts: CloudCallerParts) {
    this.#parts = parts;
  }

  /** Rejects with a `StorageError` when the disk does not take the client. */
  async ask(
    { version, method, path, body, userId }: CloudRequest,
    key: string,
  ): Promise<{ readonly status: number; readonly contentType: string; readonly body: string }> {
    const { api, namePrefix } = this.#parts;
    const headers = {
      authorization: `Bearer ${await this.#signedIn()}`,
      [`${namePrefix}-Version`]: version,
      ...(userId !== undefined && { [`${namePrefix}-User-Id`]: userId }),
      ...(isCommandPath(method, path) && { "idempotency-key": key }),
      ...(body !== undefined && { "content-type": "application/json" }),
    };
    const payload = body === undefined ? {} : { payload: JSON.stringify(body) };
    const answer = await api.inject({ method, url: path, headers, ...payload });
    const contentType = String(answer.headers["content-type"] ?? "");
    return { status: answer.statusCode, contentType, body: answer.body };
  }

  /** Reading, replacing and deleting have no second effect, and the key sees to commands. */
  isRepeatable({ method, path }: Pick<CloudRequest, "method" | "path">): boolean {
    return method === "GET" || method === "PUT" || method === "DELETE" || isCommandPath(method, path);
  }

  async #signedIn(): Promise<string> {
    const { api, clock } = this.#parts;
    if (this.#token !== null && clock.monotonicMs() < this.#token.untilMs) return this.#token.text;
    const { id, secret } = await this.#client();
    const payload = new URLSearchParams({ grant_type: "client_credentials", client_id: id, client_secret: secret });
    const answer = await api.inject({
      method: "POST",
      url: "/oauth2/token",
      headers: FORM,
      payload: payload.toString(),
    });
    if (answer.statusCode !== 200) throw new Error(`the cloud service's client gets no token: ${answer.statusCode}`);
    const text = String(answer.json().access_token);
    this.#token = { text, untilMs: clock.monotonicMs() + EXPIRES_IN_S * SECOND_MS };
    return text;
  }

  /** The client, with a secret that lives as long as this process and is nowhere else. */
  async #client(): Promise<ClientCredentials> {
    if (this.#credentials !== null) return this.#credentials;
    const { record, secret } = await makeClientRecord(this.#parts, { id: CLOUD_CLIENT_ID, name: CLIENT_NAME });
    await this.#parts.store.commit([{ table: "client", key: CLOUD_CLIENT_ID, put: record }], []);
    this.#credentials = { id: CLOUD_CLIENT_ID, secret };
    return this.#credentials;
  }
}
