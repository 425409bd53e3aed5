/** sonnenBatterie: discharging and feeding in are positive; setpoints count in manual mode only. */
import type { SimWebAnswer } from "../../../src/testing/network/sim-web.ts";
import { HttpTwin, houseTruth, json, NOT_FOUND, type TwinRequest } from "./http-twin.ts";

const PLATE = { DE_Software: "1.14.5", DE_Ticket_Number: "123456", ERP_HardwareLine: "eco" };

export class SonnenTwin extends HttpTwin {
  readonly house = houseTruth();
  readonly #version: 1 | 2;
  readonly #token: string;
  /** As the configuration has it: 1 manual, 2 self-consumption, 10 time of use. */
  mode = "2";
  /** W, charging positive; null when nobody set one. */
  setpoint: number | null = null;

  constructor(version: 1 | 2, token = "") {
    super();
    this.#version = version;
    this.#token = token;
  }

  protected override answer({ method, path, headers, body }: TwinRequest): SimWebAnswer {
    if (this.#version === 2 && headers["auth-token"] !== this.#token) return json({ error: "Unauthorized" }, 401);
    if (path === `/api/v${this.#version}/status`) return json(this.#status());
    if (this.#version === 1) return path === "/api/configuration" ? json(PLATE) : NOT_FOUND;
    if (path === "/api/v2/configurations" && method === "GET") return json({ DE_Software: PLATE.DE_Software });
    if (path === "/api/v2/configurations" && method === "PUT") {
      const wanted: unknown = JSON.parse(body).EM_OperatingMode;
      if (typeof wanted !== "string" || !["1", "2", "10"].includes(wanted)) return json({ error: "invalid" }, 400);
      this.mode = wanted;
      if (wanted !== "1") this.setpoint = null;
      return json({ EM_OperatingMode: wanted });
    }
    const [, direction, watts] = /^\/api\/v2\/setpoint\/(charge|discharge)\/(\d+)$/.exec(path) ?? [];
    if (method !== "POST" || direction === undefined) return NOT_FOUND;
    if (this.mode !== "1") return json({ error: "not in manual mode" }, 403);
    this.setpoint = Number(watts) * (direction === "charge" ? 1 : -1);
    return { status: 201, body: "true" };
  }

  #status(): unknown {
    const { soc, battery, grid, pv, load, frequency, reserve } = this.house;
    return {
      Apparent_output: 1_200,
      BackupBuffer: String(reserve),
      BatteryCharging: battery > 0,
      Consumption_W: load,
      Fac: frequency,
      GridFeedIn_W: -grid,
      OperatingMode: this.mode,
      Pac_total_W: -battery,
      Production_W: pv,
      RSOC: soc + 3,
      USOC: soc,
      Timestamp: "2026-06-21 12:00:00",
    };
  }
}
