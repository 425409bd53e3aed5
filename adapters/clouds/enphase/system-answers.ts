/** What is asked of one Enphase system, each answer shared for as long as it is worth. */
import { DAY_MS, MINUTE_MS, type z } from "hemgate/sdk";
import type { Ask, CloudSession } from "../kit/connector.ts";
import { extra } from "../kit/device/extra.ts";
import { fitting, parsed } from "../kit/device/parsed.ts";
import { BatterySettings, BatteryTelemetry, Devices, LatestTelemetry, Summary, System, Systems } from "./schemas.ts";

export const HOST = "api.enphaseenergy.com";
const API = `https://${HOST}/api/v4`;

/** A month has a thousand requests: what changes seldom is asked for once a day. */
export const SELDOM_MS = DAY_MS;
const PAGE = 100;
const MAX_PAGES = 5;

export async function systemsOf(ask: Ask, signal: AbortSignal): Promise<readonly System[]> {
  const systems: System[] = [];
  for (let page = 1; page <= MAX_PAGES; page += 1) {
    const query = { page: String(page), size: String(PAGE) };
    const answer = parsed(Systems, await ask({ method: "GET", url: `${API}/systems`, query }, signal), "systems");
    systems.push(...fitting(System, answer.systems));
    if (answer.systems.length < PAGE || page * PAGE >= (answer.total ?? 0)) break;
  }
  return systems;
}

export class SystemAnswers {
  readonly #session: CloudSession;
  readonly #id: string;

  constructor(session: CloudSession, id: string) {
    this.#session = session;
    this.#id = id;
  }

  async devices(signal: AbortSignal): Promise<Devices> {
    const ask = (inner: AbortSignal) => this.#get("devices", Devices, inner);
    const question = { key: `devices ${this.#id}`, freshMs: SELDOM_MS, schema: Devices, ask };
    return (await this.#session.seldom(question, signal)).devices;
  }

  async latest(signal: AbortSignal): Promise<LatestTelemetry> {
    return (await this.#get("latest_telemetry", LatestTelemetry, signal)).devices;
  }

  /** Null when the vendor does not give it now; `freshMs` ms old at most. */
  summary(freshMs: number, signal: AbortSignal): Promise<Summary | null> {
    const fetch = (inner: AbortSignal) => this.#get("summary", Summary, inner);
    return extra(this.#session, `summary ${this.#id}`, freshMs, fetch, signal);
  }

  charge(signal: AbortSignal): Promise<BatteryTelemetry | null> {
    const fetch = (inner: AbortSignal) =>
      this.#get("telemetry/battery", BatteryTelemetry, inner, { granularity: "15mins" });
    return extra(this.#session, `charge ${this.#id}`, MINUTE_MS, fetch, signal);
  }

  /** Null where the account may not see them, or nothing can be set. */
  settings(isJustWritten: boolean, signal: AbortSignal): Promise<BatterySettings | null> {
    const url = this.#settingsUrl;
    const fetch = async (inner: AbortSignal) =>
      parsed(BatterySettings, await this.#session.ask({ method: "GET", url }, inner), "battery_settings");
    return extra(this.#session, this.#settingsKey, isJustWritten ? MINUTE_MS : SELDOM_MS, fetch, signal);
  }

  async set(settings: Readonly<Record<string, unknown>>, signal: AbortSignal): Promise<void> {
    const url = this.#settingsUrl;
    try {
      await this.#session.ask({ method: "PUT", url, body: { json: settings }, purpose: "command" }, signal);
    } finally {
      this.#session.outdate(this.#settingsKey);
    }
  }

  get #settingsUrl(): string {
    return `${API}/systems/config/${encodeURIComponent(this.#id)}/battery_settings`;
  }

  get #settingsKey(): string {
    return `battery_settings ${this.#id}`;
  }

  async #get<Schema extends z.ZodType>(
    resource: string,
    schema: Schema,
    signal: AbortSignal,
    query: Readonly<Record<string, string>> = {},
  ): Promise<z.infer<Schema>> {
    const url = `${API}/systems/${encodeURIComponent(this.#id)}/${resource}`;
    return parsed(schema, await this.#session.ask({ method: "GET", url, query }, signal), resource);
  }
}
