import type { z } from "hemgate/sdk";
import { CloudError } from "../kit/cloud-error.ts";
import type { CloudAnswer, CloudSession, Purpose } from "../kit/connector.ts";
import { parsed } from "../kit/parsed.ts";
import { CommandResult, Products, Region, Wrapped } from "./schemas.ts";

/** Where an account's data is, by the continent that it was opened in. The first knows of the others. */
export const BASES = [
  "https://fleet-api.prd.na.vn.cloud.tesla.com",
  "https://fleet-api.prd.eu.vn.cloud.tesla.com",
  "https://fleet-api.prd.cn.vn.cloud.tesla.cn",
] as const;

const REGION_FRESH_MS = 24 * 3_600_000;
const PRODUCTS_FRESH_MS = 60_000;
const ACCOUNT = "account";
/** Wishes that come true without the command. */
const DONE_ALREADY = new Set(["already_set", "already_started", "is_charging", "charging", "not_charging", "complete"]);
/** The vehicle was asked, and did not wake. */
const ASLEEP_REASON = /could_not_wake|vehicle_unavailable|offline|asleep/;
const UNSIGNED_REASON = /unsigned_cmds/;
const SIGNATURE_WANTED = /vehicle command protocol required/i;
const VEHICLE_PATH = "/api/1/vehicles/";

/** What a request costs, by the connector's budgets: thousandths of a dollar, and one of its subject's minute. */
export function costOf(credit: number): Readonly<Record<string, number>> {
  return { credit, "credit-day": credit, requests: 1 };
}
/** 500 data requests a dollar, 1000 commands; asking for a vehicle's state alone is free (Home Assistant's tesla_fleet). */
export const PRICE = { state: 0, data: 2, command: 1 } as const;

interface FleetGet {
  readonly path: string;
  readonly subject: string;
  readonly price?: number;
  readonly query?: Readonly<Record<string, string>>;
}

/** One account at Tesla's Fleet API, in the region where it is at home. */
export class Fleet {
  readonly session: CloudSession;

  constructor(session: CloudSession) {
    this.session = session;
  }

  async get<Schema extends z.ZodType>(schema: Schema, what: FleetGet, signal: AbortSignal): Promise<z.infer<Schema>> {
    const { path, subject, price = PRICE.data, query = {} } = what;
    const url = `${await this.#base(signal)}${path}`;
    const answer = await this.session.ask({ method: "GET", url, query, subject, cost: costOf(price) }, signal);
    return response(schema, answer, `GET ${path}`);
  }

  /** What Tesla is asked without changing anything, in a body. */
  async query<Schema extends z.ZodType>(
    schema: Schema,
    { path, json, subject }: { readonly path: string; readonly json: unknown; readonly subject: string },
    signal: AbortSignal,
  ): Promise<z.infer<Schema>> {
    const answer = await this.#post({ path, json, subject, price: PRICE.data, purpose: "poll" }, signal);
    return response(schema, answer, `POST ${path}`);
  }

  /** Rejects with `refused` or `asleep` when the command was not taken, be it in a 200. */
  async command(path: string, json: unknown, subject: string, signal: AbortSignal): Promise<void> {
    const answer = await this.#post({ path, json, subject, price: PRICE.command, purpose: "command" }, signal);
    const { result, reason, code, message } = response(CommandResult, answer, `POST ${path}`);
    if (result === false && DONE_ALREADY.has(reason ?? "")) return;
    if (result === false && UNSIGNED_REASON.test(reason ?? "")) throw unsigned(path);
    if (result === false && ASLEEP_REASON.test(reason ?? ""))
      throw new CloudError("asleep", `POST ${path}: the vehicle did not wake`);
    if (result === false || (code ?? 0) >= 400)
      throw new CloudError("refused", `POST ${path}: ${reason ?? message ?? "not taken"}`);
  }

  /** Everything of the account, vehicles and sites in one answer. */
  products(signal: AbortSignal): Promise<readonly unknown[]> {
    const fetch = (inner: AbortSignal) => this.get(Products, { path: "/api/1/products", subject: ACCOUNT }, inner);
    return this.session.shared("products", PRODUCTS_FRESH_MS, fetch, signal);
  }

  async #post(
    what: {
      readonly path: string;
      readonly json: unknown;
      readonly subject: string;
      readonly price: number;
      readonly purpose: Purpose;
    },
    signal: AbortSignal,
  ): Promise<CloudAnswer> {
    const { path, json, subject, price, purpose } = what;
    const url = `${await this.#base(signal)}${path}`;
    const isRepeatable = purpose === "poll";
    const request = {
      method: "POST",
      url,
      body: { json },
      subject,
      purpose,
      cost: costOf(price),
      isRepeatable,
    } as const;
    try {
      return await this.session.ask(request, signal);
    } catch (cause) {
      if (path.startsWith(VEHICLE_PATH) && cause instanceof CloudError && cause.kind === "refused")
        throw unsigned(path, cause);
      throw cause;
    }
  }

  #base(signal: AbortSignal): Promise<string> {
    return this.session.shared("region", REGION_FRESH_MS, (inner) => this.#region(inner), signal);
  }

  /** Asks every region in turn: an app that is not registered in one is refused there, and told nothing. */
  async #region(signal: AbortSignal): Promise<string> {
    let failure: unknown;
    for (const base of BASES) {
      const path = "/api/1/users/region";
      try {
        const request = { method: "GET", url: `${base}${path}`, subject: ACCOUNT, cost: costOf(PRICE.data) } as const;
        const answer = await this.session.ask(request, signal);
        const { fleet_api_base_url: told } = response(Region, answer, `GET ${path}`);
        const known = BASES.find((one) => one === told.replace(/\/+$/, ""));
        if (known !== undefined) return known;
        throw new CloudError("malformed", `GET ${path}: an address that is none of Tesla's regions`);
      } catch (cause) {
        if (!(cause instanceof CloudError) || (cause.kind !== "refused" && cause.kind !== "forbidden")) throw cause;
        failure ??= cause;
      }
    }
    throw failure;
  }
}

/** True for the 403 that wants a signature: no scope of the login would help. */
export function wantsSignature({ status, body }: CloudAnswer): boolean {
  return status === 403 && SIGNATURE_WANTED.test(JSON.stringify(body ?? ""));
}

/** Why a vehicle does not do what it is told, in words for its owner. */
function unsigned(path: string, cause?: CloudError): CloudError {
  const text =
    `POST ${path}: a vehicle that takes only signed commands (Tesla Vehicle Command Protocol) cannot be commanded by ` +
    "this gateway, which does not sign";
  return new CloudError("refused", cause === undefined ? text : `${text}; or it was asked in a wrong way`, { cause });
}

function response<Schema extends z.ZodType>(schema: Schema, answer: CloudAnswer, what: string): z.infer<Schema> {
  const { response: body } = parsed(Wrapped, answer, what);
  return parsed(schema, { ...answer, body }, what);
}
