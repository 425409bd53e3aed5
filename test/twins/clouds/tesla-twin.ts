/** Tesla's Fleet API in memory: developer.tesla.com's conventions, python-tesla-fleet-api's paths and answers. */
import { createHash } from "node:crypto";
import type { Clock } from "../../../src/platform/ports/ports.ts";
import type { SimWebAnswer } from "../../../src/testing/network/sim-web.ts";
import { type AskedOfTwin, CloudTwin, jsonAnswer } from "./cloud-twin.ts";
import { TeslaCar } from "./tesla-car.ts";
import { COMMANDS, commanded, type TwinVehicle, vehicleData } from "./tesla-vehicle.ts";
import { TokenDesk } from "./token-desk.ts";

const REGIONS = {
  na: "fleet-api.prd.na.vn.cloud.tesla.com",
  eu: "fleet-api.prd.eu.vn.cloud.tesla.com",
} as const;
type RegionName = keyof typeof REGIONS;

const ACCESS_MS = 8 * 3_600_000;
const REFRESH_MS = 90 * 24 * 3_600_000;
/** A change of settings shows this much later. */
const SETTLE_MS = 30_000;
/** From the request to wake it. */
const WAKES_MS = 20_000;
/** Without a question for its data a car falls asleep. */
const FALLS_ASLEEP_MS = 12 * 60_000;
const MODES = ["self_consumption", "autonomous", "backup"];
const RULES = ["battery_ok", "pv_only", "never"];

/** An energy site as it really is, in W, Wh and %; power positive out of the battery and from the grid. */
export interface TwinSite {
  readonly id: number;
  name: string;
  parts: { solar: boolean; battery: boolean; grid: boolean; load_meter: boolean; tou_capable: boolean };
  solarW: number | null;
  batteryW: number | null;
  gridW: number | null;
  loadW: number | null;
  soc: number | null;
  packWh: number | null;
  /** By the batteries' plates. Absent: the site does not tell. */
  nameplateWh?: number;
  reserve: number;
  mode: string;
  exportRule: string | null;
  isConnected: boolean;
  place: { readonly latitude: number; readonly longitude: number } | null;
}

export class TeslaTwin extends CloudTwin {
  readonly hosts = ["fleet-auth.prd.vn.cloud.tesla.com", ...Object.values(REGIONS)];
  readonly desk: TokenDesk;
  /** Where the account is at home, and where the app is registered. */
  home: RegionName = "na";
  registered: readonly RegionName[] = ["na", "eu"];
  sites: TwinSite[] = [];
  vehicles: TwinVehicle[] = [];
  /** Products of kinds that nobody knows. */
  strangers: unknown[] = [];
  /** The token lacks what commands need. */
  lacksCommandScope = false;
  /** The token lacks what tells how vehicles want their commands. */
  hidesStatus = false;
  readonly #codes = new Map<string, string>();
  readonly #cars = new Map<string, TeslaCar>();
  readonly #pending: { readonly atMs: number; readonly apply: () => void }[] = [];
  readonly #askedAtMs = new Map<string, number>();
  /** Of vehicles that are being woken, monotonic ms. */
  readonly #wakesAtMs = new Map<string, number>();

  constructor(clock: Clock) {
    super(clock);
    this.desk = new TokenDesk({ clock, accessMs: ACCESS_MS, refreshMs: REFRESH_MS, rotates: true });
  }

  /** Somebody plugs it in or out, or opens a door: it is awake for as long as after a question. */
  wake(vehicle: TwinVehicle): void {
    vehicle.power = "online";
    this.#wakesAtMs.delete(vehicle.vin);
    this.#askedAtMs.set(vehicle.vin, this.clock.monotonicMs());
  }

  /** The person says yes on Tesla's page: the code that the browser brings back. */
  agree(codeChallenge: string): string {
    const code = `EU_${this.#codes.size}_code`;
    this.#codes.set(code, codeChallenge);
    return code;
  }

  /** The computer of the vehicle that signed commands are for. */
  car(vin: string): TeslaCar {
    const vehicle = this.vehicles.find((one) => one.vin === vin);
    if (vehicle === undefined) throw new RangeError(`there is no vehicle ${vin}`);
    const car = this.#cars.get(vin) ?? new TeslaCar(vehicle, this.clock);
    this.#cars.set(vin, car);
    return car;
  }

  protected answer(asked: AskedOfTwin): SimWebAnswer {
    this.#settle();
    const { url } = asked;
    if (url.host === this.hosts[0]) return this.#token(asked);
    if (!this.desk.accepts(asked.request.headers["authorization"])) return problem(401, "token expired (401)");
    const region = url.host === REGIONS.eu ? "eu" : "na";
    if (!this.registered.includes(region))
      return problem(412, `Account ${region} must be registered in the current region`);
    if (url.pathname === "/api/1/users/region") return this.#region();
    if (region !== this.home) return problem(421, `user out of region, use base URL: https://${REGIONS[this.home]}`);
    return this.#api(asked, url.pathname.split("/").slice(3));
  }

  protected override limited(): SimWebAnswer {
    return { status: 429, headers: { "ratelimit-reset": "32", "retry-after": "32" }, body: '{"error":"too_many"}' };
  }

  #token({ url, form }: AskedOfTwin): SimWebAnswer {
    if (url.pathname !== "/oauth2/v3/token") return problem(404, "not_found");
    if (form.get("grant_type") === "refresh_token") {
      const renewed = this.desk.renew(form.get("refresh_token"));
      return renewed === null ? jsonAnswer({ error: "login_required" }, 401) : jsonAnswer(renewed);
    }
    const challenge = this.#codes.get(form.get("code") ?? "");
    this.#codes.delete(form.get("code") ?? "");
    const proof = createHash("sha256")
      .update(form.get("code_verifier") ?? "")
      .digest("base64url");
    const isRight = challenge === proof && (form.get("audience") ?? "").startsWith("https://fleet-api.");
    return isRight ? jsonAnswer(this.desk.issue()) : jsonAnswer({ error: "invalid_grant" }, 400);
  }

  #region(): SimWebAnswer {
    return wrapped({ region: this.home, fleet_api_base_url: `https://${REGIONS[this.home]}` });
  }

  #api(asked: AskedOfTwin, [kind = "", id = "", ...rest]: readonly string[]): SimWebAnswer {
    if (kind === "products") return wrapped(this.#products());
    const site = this.sites.find((one) => String(one.id) === id);
    if (kind === "energy_sites" && site !== undefined) return this.#site(asked, site, rest.join("/"));
    if (kind === "vehicles" && id === "fleet_status") return this.#fleetStatus(asked.json);
    const vehicle = this.vehicles.find((one) => one.vin === id);
    if (kind === "vehicles" && vehicle !== undefined) return this.#vehicle(asked, vehicle, rest);
    return problem(404, "not_found");
  }

  #products(): readonly unknown[] {
    return [
      ...this.strangers,
      ...this.vehicles.map(({ vin, name, power }) => ({ id: 1, vin, display_name: name, state: power })),
      ...this.sites.map((site) => ({
        energy_site_id: site.id,
        resource_type: site.parts.battery ? "battery" : "solar",
        site_name: site.name,
        components: site.parts,
      })),
    ];
  }

  #site(asked: AskedOfTwin, site: TwinSite, what: string): SimWebAnswer {
    if (asked.method === "GET" && what === "site_info") return wrapped(siteInfo(site));
    if (asked.method === "GET" && what === "live_status") return wrapped(site.isConnected ? this.#live(site) : "");
    if (asked.method !== "POST") return problem(404, "not_found");
    if (this.lacksCommandScope) return problem(403, "Unauthorized missing scopes");
    const body = Object(asked.json);
    const [mode, rule] = [body.default_real_mode, body.customer_preferred_export_rule];
    if (what === "operation" && MODES.includes(mode)) return this.#later(site, { mode });
    if (what === "grid_import_export" && RULES.includes(rule)) return this.#later(site, { exportRule: rule });
    return wrapped({ code: 400, message: "invalid command" });
  }

  #later(site: TwinSite, change: Partial<TwinSite>): SimWebAnswer {
    this.#pending.push({ atMs: this.clock.monotonicMs() + SETTLE_MS, apply: () => Object.assign(site, change) });
    return wrapped({ code: 201, message: "Updated" });
  }

  #settle(): void {
    const nowMs = this.clock.monotonicMs();
    while (this.#pending[0] !== undefined && this.#pending[0].atMs <= nowMs) this.#pending.shift()?.apply();
    for (const vehicle of this.vehicles) {
      if (nowMs >= (this.#wakesAtMs.get(vehicle.vin) ?? Number.POSITIVE_INFINITY)) this.wake(vehicle);
      const askedMs = this.#askedAtMs.get(vehicle.vin) ?? nowMs;
      const isIdle = vehicle.chargingState !== "Charging" && nowMs - askedMs >= FALLS_ASLEEP_MS;
      if (isIdle && vehicle.power === "online") vehicle.power = "asleep";
    }
  }

  #live(site: TwinSite): Readonly<Record<string, unknown>> {
    return {
      solar_power: site.solarW,
      battery_power: site.batteryW,
      grid_power: site.gridW,
      load_power: site.loadW,
      percentage_charged: site.soc,
      total_pack_energy: site.packWh,
      grid_status: "Active",
      timestamp: new Date(this.clock.nowMs()).toISOString(),
    };
  }

  #fleetStatus(json: unknown): SimWebAnswer {
    if (this.hidesStatus) return problem(403, "Unauthorized missing scopes");
    const vins: readonly string[] = Object(json).vins ?? [];
    const known = this.vehicles.filter(({ vin }) => vins.includes(vin));
    const info = known.map(({ vin, isSigned }) => [vin, { vehicle_command_protocol_required: isSigned }]);
    const paired = known.map(({ vin }) => vin).filter((vin) => this.car(vin).hasKeys);
    const unpaired = vins.filter((vin) => !paired.includes(vin));
    return wrapped({ key_paired_vins: paired, unpaired_vins: unpaired, vehicle_info: Object.fromEntries(info) });
  }

  /** Passes on to the vehicle what is meant for it; the scopes count here, too. */
  #signed(vin: string, json: unknown): SimWebAnswer {
    const message: unknown = Object(json).routable_message;
    if (this.lacksCommandScope) return problem(403, "Unauthorized missing scopes");
    if (typeof message !== "string") return problem(400, "routable_message is missing");
    const answer = this.car(vin).answer(Buffer.from(message, "base64"));
    return wrapped(Buffer.from(answer).toString("base64"));
  }

  #wakeUp(vehicle: TwinVehicle): SimWebAnswer {
    if (this.lacksCommandScope) return problem(403, "Unauthorized missing scopes");
    const { vin, power } = vehicle;
    if (power === "offline") return problem(408, "vehicle unavailable: vehicle is offline");
    if (power === "asleep" && !this.#wakesAtMs.has(vin)) this.#wakesAtMs.set(vin, this.clock.monotonicMs() + WAKES_MS);
    return wrapped({ vin, state: power });
  }

  #vehicle(asked: AskedOfTwin, vehicle: TwinVehicle, [what, command = ""]: readonly string[]): SimWebAnswer {
    if (what === undefined) return wrapped({ vin: vehicle.vin, state: vehicle.power });
    if (what === "wake_up" && asked.method === "POST") return this.#wakeUp(vehicle);
    if (vehicle.power !== "online") return problem(408, `vehicle unavailable: vehicle is ${vehicle.power}`);
    if (what === "vehicle_data") {
      this.#askedAtMs.set(vehicle.vin, this.clock.monotonicMs());
      return wrapped(vehicleData(vehicle, (asked.url.searchParams.get("endpoints") ?? "").split(";"), this.clock));
    }
    if (what === "signed_command") return this.#signed(vehicle.vin, asked.json);
    if (what !== "command" || !COMMANDS.includes(command)) return problem(404, "not_found");
    if (this.lacksCommandScope) return problem(403, "Unauthorized missing scopes");
    if (vehicle.isSigned)
      return problem(403, "Tesla Vehicle Command Protocol required, please refer to the documentation");
    return wrapped(commanded(vehicle, command, Object(asked.json)));
  }
}

function siteInfo(site: TwinSite): Readonly<Record<string, unknown>> {
  return {
    id: `uuid-${site.id}`,
    site_name: site.name,
    version: "24.4.0",
    default_real_mode: site.mode,
    backup_reserve_percent: site.reserve,
    ...(site.nameplateWh !== undefined && { nameplate_energy: site.nameplateWh }),
    installation_time_zone: "Europe/Berlin",
    components: {
      ...site.parts,
      ...(site.exportRule !== null && { customer_preferred_export_rule: site.exportRule }),
      gateways: site.parts.battery ? [{ serial_number: `CN${site.id}`, part_name: "Tesla Backup Gateway 2" }] : [],
    },
    ...(site.place !== null && { geolocation: site.place }),
  };
}

function wrapped(response: unknown): SimWebAnswer {
  return jsonAnswer({ response }, 200, {
    "ratelimit-limit": "60",
    "ratelimit-remaining": "59",
    "ratelimit-reset": "60",
  });
}

function problem(status: number, error: string): SimWebAnswer {
  return jsonAnswer({ response: null, error, error_description: "" }, status);
}
