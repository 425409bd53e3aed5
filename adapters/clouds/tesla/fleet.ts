import { DAY_MS, z } from "hemgate/sdk";
import type { CloudAnswer, CloudSession, Purpose } from "../kit/connector.ts";
import { parsed } from "../kit/device/parsed.ts";
import { outdateLacking } from "../kit/session/account-list.ts";
import { CloudError } from "../kit/session/cloud-error.ts";
import { CommandResult, Products, Region, VehicleSummary, Wrapped } from "./schemas.ts";

/** Where an account's data is, by the continent that it was opened in. The first knows of the others. */
export const BASES = [
  "https://fleet-api.prd.na.vn.cloud.tesla.com",
  "https://fleet-api.prd.eu.vn.cloud.tesla.com",
  "https://fleet-api.prd.cn.vn.cloud.tesla.cn",
] as const;

/** What hardly ever changes is asked for once a day, as each question costs as much as a reading. */
export const KEPT_MS = DAY_MS;
const PRODUCTS = "products";
const ACCOUNT = "account";
/** Wishes that come true without the command. */
const DONE_ALREADY = new Set(["already_set", "already_started", "is_charging", "charging", "not_charging", "complete"]);
/** The vehicle was asked, and did not wake. */
const ASLEEP_REASON = /could_not_wake|vehicle_unavailable|offline|asleep/;
const UNSIGNED_REASON = /unsigned_cmds/;
/** Characters. */
const MAX_REASON = 100;
const SIGNATURE_REQUIRED = /vehicle command protocol required/i;
export const VEHICLE_PATH = "/api/1/vehicles/";
const VEHICLE = /^\/api\/1\/vehicles\/[^/]+/;
/** More than any answer of a vehicle has in base64. */
const MAX_MESSAGE = 20_000;
const CarMessage = z.base64().max(MAX_MESSAGE);

/** What a request costs, by the connector's budgets: thousandths of a dollar, and one of its subject's minute. */
export function costOf(credit: number): Readonly<Record<string, number>> {
  return { credit, "credit-day": credit, requests: 1 };
}
/**
 * 500 data requests a dollar, 1000 commands, 50 wakes; asking for a vehicle's state alone is free (Home Assistant's
 * tesla_fleet).
 */
export const PRICE = { state: 0, data: 2, command: 1, wake: 20 } as const;

const COMMAND = { price: PRICE.command, purpose: "command", isRepeatable: false } as const;

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
    const answer = await this.#post(
      { path, json, subject, price: PRICE.data, purpose: "poll", isRepeatable: true },
      signal,
    );
    return response(schema, answer, `POST ${path}`);
  }

  /**
   * Rejects with `refused` or `asleep` when the command was not taken, be it in a 200, and with an `UnsignedRefusal` where
   * a signature may be what a vehicle misses.
   */
  async command(path: string, json: unknown, subject: string, signal: AbortSignal): Promise<void> {
    const what = `POST ${path.replace(VEHICLE, `${VEHICLE_PATH}[vin]`)}`;
    const answer = await this.#post({ path, json, subject, ...COMMAND }, signal).catch((cause: unknown) => {
      const isOfVehicle = path.startsWith(VEHICLE_PATH) && cause instanceof CloudError && cause.kind === "refused";
      throw isOfVehicle ? new UnsignedRefusal(what, { cause }) : cause;
    });
    const { result, reason, code, message } = response(CommandResult, answer, what);
    if (result === false && UNSIGNED_REASON.test(reason ?? "")) throw new UnsignedRefusal(what);
    if (result === false) refuseUnlessDone(what, reason);
    if ((code ?? 0) >= 400) throw new CloudError("refused", `${what}: ${message ?? "not taken"}`);
  }

  /** Whether a vehicle is `online`, `asleep` or `offline`; asking wakes nobody. */
  async stateOf(vin: string, signal: AbortSignal): Promise<string> {
    const what = { path: `${VEHICLE_PATH}${vin}`, subject: vin, price: PRICE.state };
    return (await this.get(VehicleSummary, what, signal)).state;
  }

  /** Resolved: Tesla tries to wake the vehicle, which takes some tens of seconds. */
  async wake(vin: string, signal: AbortSignal): Promise<void> {
    const path = `${VEHICLE_PATH}${vin}/wake_up`;
    await this.#post({ path, json: {}, subject: vin, ...COMMAND, price: PRICE.wake }, signal);
  }

  /** Brings a message to a vehicle's own computer, and its answer back. `isRepeatable`: it changes nothing. */
  async message(vin: string, message: Uint8Array, isRepeatable: boolean, signal: AbortSignal): Promise<Uint8Array> {
    const path = `${VEHICLE_PATH}${vin}/signed_command`;
    const json = { routable_message: Buffer.from(message).toString("base64") };
    const answer = await this.#post({ path, json, subject: vin, ...COMMAND, isRepeatable }, signal);
    return Buffer.from(response(CarMessage, answer, "POST signed_command"), "base64");
  }

  /** Everything of the account, vehicles and sites in one answer. */
  products(signal: AbortSignal): Promise<Products> {
    const ask = (inner: AbortSignal) => this.get(Products, { path: "/api/1/products", subject: ACCOUNT }, inner);
    return this.session.seldom({ key: PRODUCTS, freshMs: KEPT_MS, schema: Products, ask }, signal);
  }

  /** Something was looked for among the products in vain. */
  lacksProduct(): void {
    outdateLacking(this.session, PRODUCTS);
  }

  async #post(
    what: {
      readonly path: string;
      readonly json: unknown;
      readonly subject: string;
      readonly price: number;
      readonly purpose: Purpose;
      readonly isRepeatable: boolean;
    },
    signal: AbortSignal,
  ): Promise<CloudAnswer> {
    const { path, json, price, ...rest } = what;
    const url = `${await this.#base(signal)}${path}`;
    return await this.session.ask({ method: "POST", url, body: { json }, cost: costOf(price), ...rest }, signal);
  }

  #base(signal: AbortSignal): Promise<string> {
    const ask = (inner: AbortSignal) => this.#region(inner);
    return this.session.seldom({ key: "region", freshMs: KEPT_MS, schema: z.enum(BASES), ask }, signal);
  }

  /** Asks every region in turn: an app that is not registered in one is refused there, without details. */
  async #region(signal: AbortSignal): Promise<(typeof BASES)[number]> {
    let failure: unknown;
    for (const base of BASES) {
      const path = "/api/1/users/region";
      try {
        const request = { method: "GET", url: `${base}${path}`, subject: ACCOUNT, cost: costOf(PRICE.data) } as const;
        const answer = await this.session.ask(request, signal);
        const { fleet_api_base_url: baseUrl } = response(Region, answer, `GET ${path}`);
        const known = BASES.find((one) => one === baseUrl.replace(/(?<!\/)\/+$/, ""));
        if (known !== undefined) return known;
        throw new CloudError("malformed", `GET ${path}: an address that is not one of Tesla's regions`);
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
  return status === 403 && SIGNATURE_REQUIRED.test(JSON.stringify(body ?? ""));
}

/** A vehicle took nothing, as those do that take signed commands only. */
export class UnsignedRefusal extends CloudError {
  constructor(what: string, options?: ErrorOptions) {
    super("refused", `${what}: refused, as by vehicles that take signed commands only`, options);
  }
}

/** Throws what became of a command that was not taken, unless what it wished is so already. */
export function refuseUnlessDone(what: string, reason: string | null): void {
  if (DONE_ALREADY.has(reason ?? "")) return;
  if (ASLEEP_REASON.test(reason ?? "")) throw new CloudError("asleep", `${what}: the vehicle did not wake`);
  throw new CloudError("refused", `${what}: ${reason?.slice(0, MAX_REASON) ?? "not taken"}`);
}

function response<Schema extends z.ZodType>(schema: Schema, answer: CloudAnswer, what: string): z.infer<Schema> {
  const { response: body } = parsed(Wrapped, answer, what);
  return parsed(schema, { ...answer, body }, what);
}
