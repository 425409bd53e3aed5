/** The cloud service as a client of this API: its requests pass the same handlers, rights and limits as those on the LAN. */
import type { CloudRequest } from "../../store/records/cloud/cloud-command.ts";
import { isCommandPath } from "../commands.ts";
import { OwnClient, type OwnClientParts } from "./own-client.ts";

/** The client that the cloud service is; the same over restarts, so that its Idempotency-Keys are known again. */
export const CLOUD_CLIENT_ID = "cloud-service";
const CLIENT_NAME = "Cloud service";

export interface CloudCallerParts extends OwnClientParts {
  readonly namePrefix: string;
}

export class CloudCaller {
  readonly #parts: CloudCallerParts;
  readonly #client: OwnClient;

  constructor(parts: CloudCallerParts) {
    this.#parts = parts;
    this.#client = new OwnClient(parts, { id: CLOUD_CLIENT_ID, name: CLIENT_NAME });
  }

  /** Rejects with a `StorageError` when the disk does not take the client. */
  async ask(
    { version, method, path, body, userId }: CloudRequest,
    key: string,
  ): Promise<{ readonly status: number; readonly contentType: string; readonly body: string }> {
    const { api, namePrefix } = this.#parts;
    const headers = {
      authorization: `Bearer ${await this.#client.token()}`,
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
}
