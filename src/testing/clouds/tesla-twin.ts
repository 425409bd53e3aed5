/** Tesla's Fleet API in memory: developer.tesla.com's conventions, python-tesla-fleet-api's paths and answers. */
import { createHash } from "node:crypto";
import type { Clock } from "../../platform/ports.ts";
import type { SimWebAnswer } from "../sim-web.ts";
import { type AskedOfTwin, CloudTwin, jsonAnswer } from "./cloud-twin.ts";
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
  reserve: number;
  mode: string;
  exportRule: string | null;
  isConnected: boolean;
  place: { readonly latitude: number; readonly longitude: number } | null;
}

export interface TwinVehicle {
  readonly vin: string;
  name: string;
  power: "online" | "asleep" | "offline";
  /** Signed commands only. */
  isSigned: boolean;
  chargingState: string;
  /** %. */
  level: number;
  chargeLimit: number;
  amps: number;
  mostAmps: number;
  volts: number;
  phases: number;
  rangeMiles: number;
  odometerMiles: number;
  minutesToFull: number;
  isLocationShared: boolean;
  isFastCharging: boolean;
}

const COMMANDS = ["charge_start", "charge_stop", "set_charging_amps"];

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
  readonly #codes = new Map<string, string>();
  readonly #pending: { readonly atMs: number; readonly apply: () => void }[] = [];
  readonly #askedAtMs = new Map<string, number>();

  constructor(clock: Clock) {
    super(clock);
    this.desk = new TokenDesk({ clock, accessMs: ACCESS_MS, refreshMs: REFRESH_MS, rotates: true });
  }

  /** The person says yes on Tesla's page: the code that the browser brings back. */
  agree(codeChallenge: string): string {
    const code = `EU_${this.#codes.size}_code`;
    this.#codes.set(code, codeChallenge);
    return code;
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
    const vins: readonly string[] = Object(json).vins ?? [];
    const known = this.vehicles.filter(({ vin }) => vins.includes(vin));
    const info = known.map(({ vin, isSigned }) => [vin, { vehicle_command_protocol_required: isSigned }]);
    return wrapped({ key_paired_vins: [], unpaired_vins: vins, vehicle_info: Object.fromEntries(info) });
  }

  #vehicle(asked: AskedOfTwin, vehicle: TwinVehicle, [what, command = ""]: readonly string[]): SimWebAnswer {
    if (what === undefined) return wrapped({ vin: vehicle.vin, state: vehicle.power });
    if (vehicle.power !== "online") return problem(408, `vehicle unavailable: vehicle is ${vehicle.power}`);
    if (what === "vehicle_data") {
      this.#askedAtMs.set(vehicle.vin, this.clock.monotonicMs());
      return wrapped(vehicleData(vehicle, (asked.url.searchParams.get("endpoints") ?? "").split(";"), this.clock));
    }
    if (what !== "command" || !COMMANDS.includes(command)) return problem(404, "not_found");
    if (this.lacksCommandScope) return problem(403, "Unauthorized missing scopes");
    if (vehicle.isSigned)
      return problem(403, "Tesla Vehicle Command Protocol required, please refer to the documentation");
    return wrapped(commanded(vehicle, command, Object(asked.json)));
  }
}

function commanded(vehicle: TwinVehicle, command: string, body: Readonly<Record<string, unknown>>) {
  const isPlugged = vehicle.chargingState !== "Disconnected";
  if (command === "set_charging_amps") {
    vehicle.amps = Number(body["charging_amps"]);
    return { result: true, reason: "" };
  }
  const isCharging = vehicle.chargingState === "Charging";
  if (!isPlugged) return { result: false, reason: "disconnected" };
  if (command === "charge_start" && isCharging) return { result: false, reason: "is_charging" };
  if (command === "charge_stop" && !isCharging) return { result: false, reason: "not_charging" };
  vehicle.chargingState = isCharging ? "Stopped" : "Charging";
  return { result: true, reason: "" };
}

function siteInfo(site: TwinSite): Readonly<Record<string, unknown>> {
  return {
    id: `uuid-${site.id}`,
    site_name: site.name,
    version: "24.4.0",
    default_real_mode: site.mode,
    backup_reserve_percent: site.reserve,
    installation_time_zone: "Europe/Berlin",
    components: {
      ...site.parts,
      ...(site.exportRule !== null && { customer_preferred_export_rule: site.exportRule }),
      gateways: site.parts.battery ? [{ serial_number: `CN${site.id}`, part_name: "Tesla Backup Gateway 2" }] : [],
    },
    ...(site.place !== null && { geolocation: site.place }),
  };
}

function vehicleData(vehicle: TwinVehicle, endpoints: readonly string[], clock: Clock) {
  const timestamp = clock.nowMs();
  const isCharging = vehicle.chargingState === "Charging";
  const watts = isCharging ? vehicle.volts * vehicle.amps * vehicle.phases : 0;
  const charge = {
    timestamp,
    battery_level: vehicle.level,
    battery_range: vehicle.rangeMiles,
    charge_limit_soc: vehicle.chargeLimit,
    charging_state: vehicle.chargingState,
    charge_enable_request: vehicle.chargingState !== "Stopped",
    charge_current_request: vehicle.amps,
    charge_current_request_max: vehicle.mostAmps,
    charger_actual_current: isCharging && !vehicle.isFastCharging ? vehicle.amps : 0,
    charger_voltage: isCharging ? vehicle.volts : 2,
    // Three phases are told as two.
    charger_phases: isCharging ? Math.min(2, vehicle.phases) : null,
    charger_power: Math.round(watts / 1_000),
    minutes_to_full_charge: vehicle.minutesToFull,
  };
  const place = { latitude: 52.5, longitude: 13.4, gps_as_of: Math.floor(timestamp / 1_000) };
  return {
    vin: vehicle.vin,
    state: "online",
    ...(endpoints.includes("charge_state") && { charge_state: charge }),
    drive_state: {
      timestamp,
      ...(vehicle.isLocationShared && endpoints.includes("location_data") && place),
    },
    ...(endpoints.includes("vehicle_state") && { vehicle_state: { timestamp, odometer: vehicle.odometerMiles } }),
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
