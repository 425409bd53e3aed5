/** A gateway in a wired house, used over its API. */
import { ADAPTERS } from "../../../src/cli/adapters.ts";
import { configSchema } from "../../../src/config/config.ts";
import { createGateway, type Gateway } from "../../../src/gateway.ts";
import type { SimProcess } from "../../../src/testing/index.ts";
import type { WiredHouse } from "./wired-house.ts";

const WITHIN_MS = 30_000;
const PLACE = { latitude: 48.1, longitude: 11.6 };
const COLLECTIONS = { battery: "batteries", charger: "chargers", inverter: "inverters", meter: "meters" } as const;

/** A finding as `/local/checks` shows it. */
export interface ShownFinding {
  readonly id: string;
  readonly check: string;
  readonly deviceId: string;
  readonly assetType: keyof typeof COLLECTIONS;
  readonly assetId: string | null;
  readonly againstDeviceId: string | null;
  readonly measured: string;
  readonly fix: {
    readonly kind: string;
    readonly points: readonly string[] | null;
    readonly factor: number | null;
    readonly order: readonly number[] | null;
  } | null;
  readonly state: "OPEN" | "CONFIRMED" | "DISMISSED";
}

export class WiredGateway {
  readonly #house: WiredHouse;
  readonly #devices: readonly object[];
  #credentials: { readonly id: string; readonly secret: string } | null = null;
  #process: SimProcess | null = null;
  #gateway: Gateway | null = null;
  #token = "";

  /** `devices`: the configuration, correct or wrong. */
  constructor(house: WiredHouse, devices: readonly object[] = house.devices) {
    this.#house = house;
    this.#devices = devices;
  }

  async start(): Promise<void> {
    const { world, disk } = this.#house;
    const process = world.boot("gateway", disk);
    const site = { timezone: "Europe/Berlin", place: PLACE };
    const config = configSchema(ADAPTERS).parse({ site, devices: this.#devices });
    const { platform } = process;
    const opening = createGateway({ platform, config, adapters: ADAPTERS, listen: false });
    const gateway = await world.clock.resolve(opening, WITHIN_MS);
    this.#process = process;
    this.#gateway = gateway;
    this.#credentials ??= await world.clock.resolve(gateway.createClient("installer"), WITHIN_MS);
    const { id, secret } = this.#credentials;
    const payload = new URLSearchParams({ grant_type: "client_credentials", client_id: id, client_secret: secret });
    const headers = { "content-type": "application/x-www-form-urlencoded" };
    const asking = gateway.api.inject({ method: "POST", url: "/oauth2/token", headers, payload: payload.toString() });
    const answer = await world.clock.resolve(
      asking.then((made) => made),
      WITHIN_MS,
    );
    this.#token = String(answer.json().access_token);
  }

  async stop(): Promise<void> {
    const [gateway, process] = [this.#gateway, this.#process];
    if (gateway === null || process === null) return;
    await this.#house.world.clock.resolve(Promise.resolve(gateway[Symbol.asyncDispose]()), WITHIN_MS);
    process.kill();
    this.#gateway = null;
  }

  /** Advances the time. */
  async pass(seconds: number): Promise<void> {
    await this.#house.world.clock.advance(1_000 * seconds);
  }

  async ask<Body>(method: "GET" | "POST" | "DELETE", url: string): Promise<Body> {
    const gateway = this.#gateway;
    if (gateway === null) throw new Error("the gateway does not run");
    const headers = { authorization: `Bearer ${this.#token}` };
    const asking = gateway.api.inject({ method, url, headers }).then((made) => made);
    const answer = await this.#house.world.clock.resolve(asking, WITHIN_MS);
    if (answer.statusCode >= 300) throw new Error(`${method} ${url}: ${answer.statusCode} ${answer.body}`);
    return (answer.body === "" ? null : answer.json()) as Body;
  }

  async findings(): Promise<readonly ShownFinding[]> {
    const all = await this.ask<readonly ShownFinding[]>("GET", "/local/checks");
    return all.filter(({ check }) => check !== "site");
  }

  /** Returns a finding's asset; `null` if it no longer exists. */
  async assetOf({ assetType, assetId }: ShownFinding): Promise<Record<string, unknown> | null> {
    return assetId === null ? null : await this.ask("GET", `/${COLLECTIONS[assetType]}/${assetId}`);
  }

  /** Returns the titles of an asset's remedies. */
  async remedies(asset: Readonly<Record<string, unknown>>): Promise<readonly string[]> {
    const capabilities = Object.values(asset["capabilities"] ?? {}) as readonly {
      interventionIds?: readonly string[];
    }[];
    const ids = new Set(capabilities.flatMap(({ interventionIds = [] }) => interventionIds));
    const texts = await Promise.all(
      [...ids].map((id) => this.ask<{ resolution: { title: string } }>("GET", `/interventions/${id}`)),
    );
    return texts.map(({ resolution }) => resolution.title);
  }
}
