/** What is asked of one site, each answer shared for as long as it is worth. */
import { DAY_MS, HOUR_MS, MINUTE_MS, type z } from "hemgate/sdk";
import type { Ask, CloudSession } from "../kit/connector.ts";
import { extra, seldomExtra } from "../kit/device/extra.ts";
import { fitting, parsed } from "../kit/device/parsed.ts";
import { localDay } from "../kit/device/zoned-time.ts";
import type { SeldomQuestion } from "../kit/session/seldom-answers.ts";
import { Details, Inventory, Overview, PowerFlow, Site, SiteList, StorageData } from "./schemas.ts";

export const HOST = "monitoringapi.solaredge.com";

/** Counters change slowly, and each costs a request of the day's. */
export const COUNTERS_MS = HOUR_MS;
/** Telemetries come every five minutes, from sites that report late too; just after midnight they are yesterday's. */
const STORAGE_WINDOW_MS = 2 * HOUR_MS;
const PAGE = 100;
const MAX_SITES = 500;

/** The budgets that a request for one site counts in. */
export const DAY_BUDGETS = ["account-day", "site-day"] as const;
/** The list of sites counts once, however many it has, and for none of them. */
const NO_SITE = { "site-day": 0 } as const;

export async function sitesOf(ask: Ask, signal: AbortSignal): Promise<readonly Site[]> {
  const sites: Site[] = [];
  for (let startIndex = 0; startIndex < MAX_SITES; startIndex += PAGE) {
    const query = { size: String(PAGE), startIndex: String(startIndex) };
    const answer = await ask({ method: "GET", url: `https://${HOST}/sites/list`, query, cost: NO_SITE }, signal);
    const { count, site } = parsed(SiteList, answer, "sites/list").sites;
    sites.push(...fitting(Site, site ?? []));
    if (startIndex + PAGE >= count) break;
  }
  return sites;
}

/** An answer, and the wall-clock ms at which it was asked for: it may have been kept for a while. */
export interface Dated<Answer> {
  readonly answer: Answer;
  readonly askedAtMs: number;
}

export class SiteAnswers {
  readonly #session: CloudSession;
  readonly #siteId: string;

  constructor(session: CloudSession, siteId: string) {
    this.#session = session;
    this.#siteId = siteId;
  }

  /** The picture of this moment. */
  async flow(signal: AbortSignal): Promise<PowerFlow> {
    const fetch = this.#fetch("currentPowerFlow", PowerFlow);
    const { answer } = await this.#session.shared(this.#key("currentPowerFlow"), MINUTE_MS, fetch, signal);
    return answer.siteCurrentPowerFlow;
  }

  async details(signal: AbortSignal): Promise<Details> {
    return (await this.#session.seldom(this.#question("details", Details), signal)).details;
  }

  /** Null where the account may not see it. */
  async inventory(signal: AbortSignal): Promise<Inventory | null> {
    return (await seldomExtra(this.#session, this.#question("inventory", Inventory), signal))?.Inventory ?? null;
  }

  async overview(signal: AbortSignal): Promise<Dated<Overview> | null> {
    const fetch = this.#fetch("overview", Overview);
    return await extra(this.#session, this.#key("overview"), COUNTERS_MS, fetch, signal);
  }

  /** Null for a site whose zone is not known: the question has to be put in its wall time. */
  async storage(zone: string | null, signal: AbortSignal): Promise<Dated<StorageData> | null> {
    const nowMs = this.#session.clock.nowMs();
    const startDay = zone === null ? null : localDay(nowMs - STORAGE_WINDOW_MS, zone);
    const endDay = zone === null ? null : localDay(nowMs, zone);
    const query = { startTime: `${startDay} 00:00:00`, endTime: `${endDay} 23:59:59` };
    if (startDay === null || endDay === null) return null;
    const fetch = this.#fetch("storageData", StorageData, query);
    return await extra(this.#session, this.#key("storageData"), COUNTERS_MS, fetch, signal);
  }

  #question<Schema extends z.ZodType>(resource: string, schema: Schema): SeldomQuestion<Schema> {
    const ask = async (inner: AbortSignal) => (await this.#fetch(resource, schema)(inner)).answer;
    return { key: this.#key(resource), freshMs: DAY_MS, schema, ask };
  }

  #key(resource: string): string {
    return `${resource} ${this.#siteId}`;
  }

  #fetch<Schema extends z.ZodType>(resource: string, schema: Schema, query: Readonly<Record<string, string>> = {}) {
    const subject = this.#siteId;
    const url = `https://${HOST}/site/${encodeURIComponent(subject)}/${resource}`;
    return async (signal: AbortSignal): Promise<Dated<z.infer<Schema>>> => {
      const askedAtMs = this.#session.clock.nowMs();
      const answer = await this.#session.ask({ method: "GET", url, query, subject }, signal);
      return { answer: parsed(schema, answer, resource), askedAtMs };
    };
  }
}
