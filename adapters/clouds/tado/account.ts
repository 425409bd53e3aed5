import { DAY_MS, type z } from "hemgate/sdk";
import type { CloudAnswer, CloudRequest, CloudSession } from "../kit/connector.ts";
import { parsed } from "../kit/device/parsed.ts";
import { ofEach } from "../kit/session/of-each.ts";
import { Home, Me } from "./schemas.ts";

export const MY = "https://my.tado.com/api/v2";
export const HOPS = "https://hops.tado.com";

/** Homes, zones and what they can do change when somebody installs something, ms. */
const STATIC_MS = DAY_MS;

/** What is the budget's name, and what one request costs of it. */
export const BUDGET = "requests";

/** Each costs two requests of a small budget. */
const MOST_HOMES = 10;

/** An account's homes, as devices and the list of devices ask for them. */
export class TadoAccount {
  readonly #session: CloudSession;

  constructor(session: CloudSession) {
    this.#session = session;
  }

  /** Homes with whether they are of the X line. */
  async homes(signal: AbortSignal): Promise<readonly { readonly id: number; readonly isX: boolean }[]> {
    const { homes } = await this.details(`${MY}/me`, Me, signal);
    const { found } = await ofEach(new Set(homes.slice(0, MOST_HOMES).map((home) => home.id)), async (id) => {
      const { generation } = await this.details(`${MY}/homes/${id}`, Home, signal);
      return { id, isX: generation === "LINE_X" };
    });
    return found;
  }

  /** What changes seldom. */
  details<Schema extends z.ZodType>(url: string, schema: Schema, signal: AbortSignal): Promise<z.infer<Schema>> {
    return this.seldom(url, schema, this.#fetch(url, schema), signal);
  }

  seldom<Schema extends z.ZodType>(
    key: string,
    schema: Schema,
    ask: (signal: AbortSignal) => Promise<z.infer<Schema>>,
    signal: AbortSignal,
  ): Promise<z.infer<Schema>> {
    return this.#session.seldom({ key, freshMs: STATIC_MS, schema, ask }, signal);
  }

  state<Schema extends z.ZodType>(
    url: string,
    schema: Schema,
    freshMs: number,
    signal: AbortSignal,
  ): Promise<z.infer<Schema>> {
    return this.#session.shared(url, freshMs, this.#fetch(url, schema), signal);
  }

  /** Sends a command that changes what `stateUrl` answers. */
  async command(request: CloudRequest, stateUrl: string, signal: AbortSignal): Promise<CloudAnswer> {
    try {
      return await this.#session.ask({ ...request, purpose: "command" }, signal);
    } finally {
      // Also after a failure: an answer that was lost may have been a success.
      this.#session.outdate(stateUrl);
    }
  }

  #fetch<Schema extends z.ZodType>(url: string, schema: Schema) {
    return async (limited: AbortSignal): Promise<z.infer<Schema>> =>
      parsed(schema, await this.#session.ask({ method: "GET", url }, limited), url);
  }
}
