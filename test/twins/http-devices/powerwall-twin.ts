/** A Powerwall's gateway: a password gives two cookies, and too many sign-ins lock it. */
import type { SimWebAnswer } from "../../../src/testing/network/sim-web.ts";
import { HttpTwin, houseTruth, json, NOT_FOUND, type TwinRequest } from "./http-twin.ts";

const LOCKS_AFTER = 5;

export class PowerwallTwin extends HttpTwin {
  readonly house = houseTruth();
  readonly #password: string;
  /** Sign-ins so far. */
  signIns = 0;
  #refused = 0;
  #cookie: string | null = null;

  constructor(password: string) {
    super();
    this.#password = password;
  }

  /** Forgets who is signed in, as a restart does. */
  restart(): void {
    this.#cookie = null;
  }

  protected override answer({ method, path, headers, body }: TwinRequest): SimWebAnswer {
    if (path === "/api/login/Basic" && method === "POST") return this.#signIn(body);
    const wanted = this.#cookie === null ? null : `AuthCookie=${this.#cookie}; UserRecord=customer`;
    if (headers["cookie"] !== wanted) return json({ code: 401, error: "bad credentials" }, 401);
    const { soc, reserve, frequency } = this.house;
    switch (path) {
      case "/api/meters/aggregates":
        return json(this.#aggregates());
      case "/api/system_status/soe":
        return json({ percentage: soc });
      case "/api/meters/site":
        return json([
          { id: 0, location: "site", Cached_readings: { v_l1n: 231.5, real_power_a: this.house.grid, frequency } },
        ]);
      case "/api/operation":
        return json({ real_mode: "self_consumption", backup_reserve_percent: reserve });
      case "/api/site_info":
        return json({ site_name: "Home", nominal_system_energy_kWh: 27, timezone: "Europe/Berlin" });
      case "/api/status":
        return json({ version: "23.44.0 eb113390", device_type: "teg", up_time_seconds: "17h11m31s" });
      case "/api/powerwalls":
        return json({ gateway_din: "1232100-00-E--TG123", powerwalls: [] });
      default:
        return NOT_FOUND;
    }
  }

  #signIn(body: string): SimWebAnswer {
    this.signIns += 1;
    if (this.#refused >= LOCKS_AFTER) return json({ code: 429, error: "Login limit exceeded" }, 429);
    const { username, password } = JSON.parse(body);
    if (username !== "customer" || password !== this.#password) {
      this.#refused += 1;
      return json({ code: 401, error: "bad credentials", message: "Login Error" }, 401);
    }
    this.#cookie = `session${this.signIns}`;
    return {
      ...json({ email: "", roles: ["Home_Owner"], provider: "Basic" }),
      cookies: [`AuthCookie=${this.#cookie}; Path=/; HttpOnly`, "UserRecord=customer; Path=/"],
    };
  }

  #aggregates(): unknown {
    const { grid, pv, battery, load, imported, exported, produced, charged, discharged, frequency } = this.house;
    const flow = (instant_power: number, energy_imported: number, energy_exported: number): unknown => ({
      instant_power,
      energy_imported,
      energy_exported,
      frequency,
      timeout: 1_500_000_000,
    });
    return {
      site: flow(grid, imported, exported),
      battery: flow(-battery, charged, discharged),
      load: flow(load, 0, 0),
      solar: flow(pv, 65, produced),
    };
  }
}
