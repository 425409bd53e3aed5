/** HomeWizard's local API: version 1 without a sign-in, version 2 with a token that a pressed button gives. */
import type { SimWebAnswer } from "../../../src/testing/network/sim-web.ts";
import { HttpTwin, houseTruth, json, NOT_FOUND, type TwinRequest } from "./http-twin.ts";

/** A pressed button counts for so long. */
const BUTTON_MS = 30_000;
export const HOMEWIZARD_TOKEN = "0123456789abcdef0123456789ABCDEF";

const MODES = ["zero", "to_full", "standby", "predictive"];

export class HomeWizardTwin extends HttpTwin {
  readonly house = houseTruth();
  readonly #version: 1 | 2;
  readonly #kind: "meter" | "battery";
  /** The app's switch; off, version 1 answers 403. */
  isApiOn = true;
  mode = "zero";
  #pressedAtMs = Number.NEGATIVE_INFINITY;

  constructor(version: 1 | 2, kind: "meter" | "battery" = "meter") {
    super();
    this.#version = version;
    this.#kind = kind;
  }

  press(nowMs: number): void {
    this.#pressedAtMs = nowMs;
  }

  protected override answer(asked: TwinRequest): SimWebAnswer {
    return this.#version === 1 ? this.#one(asked) : this.#two(asked);
  }

  #one({ path }: TwinRequest): SimWebAnswer {
    if (!this.isApiOn) return json({ error: { id: 202, description: "API not enabled" } }, 403);
    if (path === "/api") return json(this.#plate("v1"));
    if (path !== "/api/v1/data") return NOT_FOUND;
    const { grid, battery, soc, frequency, imported, exported } = this.house;
    const power = this.#kind === "battery" ? battery : grid;
    return json({
      wifi_ssid: "House",
      wifi_strength: 88,
      total_power_import_kwh: imported / 1_000,
      total_power_export_kwh: exported / 1_000,
      active_power_w: power,
      active_frequency_hz: frequency,
      ...(this.#kind === "battery"
        ? { state_of_charge_pct: soc, cycles: 12 }
        : {
            active_power_l1_w: power - 300,
            active_power_l2_w: 100,
            active_power_l3_w: 200,
            active_voltage_l1_v: 231.5,
          }),
    });
  }

  #two({ method, path, headers, body, request }: TwinRequest): SimWebAnswer {
    if (headers["x-api-version"] !== "2") return json({ error: "request:api-version-missing" }, 400);
    if (path === "/api/user" && method === "POST") {
      const hasPressed = request.atMs - this.#pressedAtMs <= BUTTON_MS;
      if (!hasPressed) return json({ error: "user:creation-not-enabled" }, 403);
      return json({ token: HOMEWIZARD_TOKEN, name: JSON.parse(body).name });
    }
    if (headers["authorization"] !== `Bearer ${HOMEWIZARD_TOKEN}`) return json({ error: "user:unauthorized" }, 401);
    if (path === "/api") return json(this.#plate("2.1.0"));
    if (path === "/api/measurement") return json(this.#measurement());
    if (path !== "/api/batteries" || this.#kind === "battery") return json({ error: "request:not-found" }, 404);
    const { mode } = method === "PUT" ? JSON.parse(body) : { mode: this.mode };
    if (!MODES.includes(mode)) return json({ error: "request:invalid-mode" }, 400);
    this.mode = mode;
    return json({
      mode,
      power_w: this.house.battery,
      target_power_w: 1_200,
      max_consumption_w: 1_600,
      max_production_w: 800,
    });
  }

  #measurement(): unknown {
    const { grid, battery, soc, frequency, imported, exported } = this.house;
    const power = this.#kind === "battery" ? battery : grid;
    const both = { power_w: power, frequency_hz: frequency, energy_export_kwh: exported / 1_000 };
    if (this.#kind === "battery") return { ...both, energy_import_kwh: imported / 1_000, state_of_charge_pct: soc };
    return {
      ...both,
      // A meter of tariffs without a total.
      energy_import_t1_kwh: (imported - 500_000) / 1_000,
      energy_import_t2_kwh: 500,
      power_l1_w: power - 300,
      power_l2_w: 100,
      power_l3_w: 200,
      voltage_l1_v: 231.5,
    };
  }

  #plate(version: string): unknown {
    return {
      product_type: this.#kind === "battery" ? "HWE-BAT" : "HWE-P1",
      product_name: this.#kind === "battery" ? "Plug-In Battery" : "P1 Meter",
      serial: "5c2fafaabbcc",
      firmware_version: "6.00",
      api_version: version,
    };
  }
}
