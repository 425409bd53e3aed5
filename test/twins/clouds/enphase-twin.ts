/** Enphase's API, version 4, after its documentation: a key beside the token, plans by the minute and the month. */
import type { SimWebAnswer } from "../../../src/testing/network/sim-web.ts";
import { type AskedOfTwin, CloudTwin, jsonAnswer } from "./cloud-twin.ts";
import { TokenDesk } from "./token-desk.ts";

const MINUTE_MS = 60_000;
const MONTH_MS = 30 * 86_400_000;
const PROFILES = ["Savings Mode", "Full Backup", "Self - Consumption"];
/** What a gateway reports arrives this much later. */
const LAG_MS = 10 * MINUTE_MS;

/** A system as it is: W, positive into the battery, from the grid and from the panels. */
export class EnphaseSystemTruth {
  readonly id: number;
  name = "Enphase System";
  hasMeters = true;
  hasBattery = true;
  productionW = 0;
  gridW = 0;
  batteryW = 0;
  soc = 60;
  profile = "Self - Consumption";
  reserve = 20;
  independence = "enabled";
  lifetimeWh = 9_876_543;
  capacityWh = 10_080;
  /** ms since the gateway was last heard. */
  silentMs = LAG_MS;
  /** The battery's own word for what it does; null: made of its power. */
  operationalMode: string | null = null;

  constructor(id: number) {
    this.id = id;
  }

  get loadW(): number {
    return this.productionW + this.gridW - this.batteryW;
  }
}

export class EnphaseTwin extends CloudTwin {
  override readonly hosts = ["api.enphaseenergy.com"];
  readonly desk = new TokenDesk({ clock: this.clock, accessMs: 86_393_000, refreshMs: 28 * 86_400_000, rotates: true });
  systems: EnphaseSystemTruth[] = [new EnphaseSystemTruth(698_910_067)];
  oddSystems: unknown[] = [];
  apiKey = "key-1";
  /** As a client sends it: `Basic` and its id and secret. */
  clientAuth = `Basic ${Buffer.from("client-1:secret-1").toString("base64")}`;
  /** Codes that the owner's consent gave, each good once. */
  readonly codes = new Set<string>();
  plan = { minute: 10, month: 1_000 };
  /** Resources that the plan does not include. */
  readonly notInPlan = new Set<string>();
  /** Bodies of the settings that were taken. */
  readonly settings: unknown[] = [];
  readonly #counts = new Map<string, number>();

  protected override answer(asked: AskedOfTwin): SimWebAnswer {
    if (asked.url.pathname === "/oauth/token") return this.#token(asked);
    const { headers } = asked.request;
    if (headers["key"] !== this.apiKey || !this.desk.accepts(headers["authorization"]))
      return jsonAnswer({ message: "Not Authorized", details: "User is not authorized", code: 401 }, 401);
    const exceeded = this.#exceeded();
    if (exceeded !== null) return exceeded;
    const path = asked.url.pathname.replace("/api/v4/systems", "");
    if (path === "") return jsonAnswer(this.#list(asked.url.searchParams));
    const [, id = "", resource = ""] = /^\/(?:config\/)?(\d+)\/(.+)$/.exec(path) ?? [];
    const system = this.systems.find((one) => String(one.id) === id);
    if (system === undefined)
      return jsonAnswer({ message: "Not Found", details: `System not found for {:id=>"${id}"}`, code: 404 }, 404);
    if (this.notInPlan.has(resource)) return jsonAnswer({ reason: "501", message: ["Not Implemented"] }, 501);
    return this.#resource(system, resource, asked);
  }

  protected override limited(): SimWebAnswer {
    return this.#refusal("minute", this.plan.minute, MINUTE_MS);
  }

  #token({ method, form, url, request }: AskedOfTwin): SimWebAnswer {
    const told = (name: string) => form.get(name) ?? url.searchParams.get(name);
    if (method !== "POST" || request.headers["authorization"] !== this.clientAuth)
      return jsonAnswer({ error: "invalid_client" }, 401);
    const isKnown = told("grant_type") === "authorization_code" && this.codes.delete(told("code") ?? "");
    const tokens = isKnown ? this.desk.issue() : this.desk.renew(told("refresh_token"));
    return tokens === null ? jsonAnswer({ error: "invalid_grant" }, 400) : jsonAnswer(tokens);
  }

  /** Another app asks with the same key. */
  useElsewhere(requests: number): void {
    for (let request = 0; request < requests; request += 1) this.#exceeded();
  }

  #exceeded(): SimWebAnswer | null {
    for (const [period, lengthMs] of [["minute", MINUTE_MS] as const, ["month", MONTH_MS] as const]) {
      const place = `${period} ${Math.floor(this.clock.nowMs() / lengthMs)}`;
      const count = (this.#counts.get(place) ?? 0) + 1;
      this.#counts.set(place, count);
      if (count > this.plan[period]) return this.#refusal(period, this.plan[period], lengthMs);
    }
    return null;
  }

  #refusal(period: string, limit: number, lengthMs: number): SimWebAnswer {
    const startMs = Math.floor(this.clock.nowMs() / lengthMs) * lengthMs;
    const body = {
      message: "Too Many Requests",
      details: "Usage limit exceeded for plan Watt",
      code: 429,
      period,
      period_start: startMs / 1_000,
      period_end: (startMs + lengthMs) / 1_000,
      limit,
    };
    return jsonAnswer(body, 429, { date: new Date(this.clock.nowMs()).toUTCString() });
  }

  #list(query: URLSearchParams): unknown {
    const known = this.systems.map(({ id, name }) => ({
      system_id: id,
      name,
      timezone: "Europe/Amsterdam",
      status: "normal",
    }));
    const all = [...this.oddSystems, ...known];
    const [page, size] = [Number(query.get("page") ?? 1), Number(query.get("size") ?? 10)];
    return {
      total: all.length,
      current_page: page,
      size,
      items: "systems",
      systems: all.slice((page - 1) * size, page * size),
    };
  }

  #resource(system: EnphaseSystemTruth, resource: string, { method, json }: AskedOfTwin): SimWebAnswer {
    const reportedAt = Math.floor((this.clock.nowMs() - system.silentMs) / 1_000);
    switch (resource) {
      case "devices":
        return jsonAnswer({ system_id: system.id, items: "devices", devices: devicesOf(system) });
      case "latest_telemetry":
        return jsonAnswer({ system_id: system.id, items: "devices", devices: reportOf(system, reportedAt) });
      case "summary":
        return jsonAnswer({
          system_id: system.id,
          current_power: system.productionW,
          energy_lifetime: system.lifetimeWh,
          battery_capacity_wh: system.hasBattery ? system.capacityWh : null,
          last_interval_end_at: reportedAt,
          last_report_at: reportedAt,
          status: "normal",
        });
      case "telemetry/battery":
        return jsonAnswer({
          system_id: system.id,
          granularity: "15mins",
          intervals: [
            { end_at: reportedAt, charge: { enwh: 40 }, discharge: { enwh: 0 }, soc: { percent: system.soc } },
          ],
          last_reported_aggregate_soc: `${system.soc}%`,
        });
      case "battery_settings":
        return method === "PUT"
          ? this.#set(system, json)
          : jsonAnswer(settingsOf(system), system.hasBattery ? 200 : 422);
      default:
        return jsonAnswer({ message: "Not Found", code: 404 }, 404);
    }
  }

  #set(system: EnphaseSystemTruth, json: unknown): SimWebAnswer {
    const wish = (json ?? {}) as Readonly<Record<string, unknown>>;
    const { battery_mode: profile, reserve_soc: reserve, energy_independence: independence } = wish;
    if (!system.hasBattery || (profile !== undefined && !PROFILES.includes(String(profile))))
      return jsonAnswer({ message: "Unprocessable Entity", details: "battery_mode is not valid", code: 422 }, 422);
    this.settings.push(json);
    if (profile !== undefined) system.profile = String(profile);
    if (profile === "Full Backup") system.reserve = 100;
    if (typeof reserve === "number") system.reserve = reserve;
    if (typeof independence === "string") system.independence = independence;
    return jsonAnswer(settingsOf(system), system.hasBattery ? 200 : 422);
  }
}

function settingsOf(system: EnphaseSystemTruth): unknown {
  if (!system.hasBattery)
    return { message: "Unprocessable Entity", details: "System doesn't have encharges", code: 422 };
  return {
    system_id: system.id,
    battery_mode: system.profile,
    reserve_soc: system.reserve,
    energy_independence: system.independence,
    charge_from_grid: "disabled",
    battery_shutdown_level: 13,
  };
}

function devicesOf({ hasMeters, hasBattery }: EnphaseSystemTruth): unknown {
  const meter = { id: 1_059_640_322, name: "production", config_type: "Production", status: "normal", active: true };
  return {
    micros: [{ id: 1_023_273_222, serial_number: "902167438951", model: "IQ8A", status: "normal", active: true }],
    ...(hasMeters && { meters: [meter, { ...meter, name: "consumption", config_type: "Net" }] }),
    gateways: [
      { id: 1, serial_number: "901553005272", emu_sw_version: "D8.2.4264", sku: "ENV-S-EM-230", active: true },
    ],
    ...(hasBattery && { encharges: [{ id: 1_059_640_295, serial_number: "121593621979", sku: "B05-T02" }] }),
  };
}

/** Two units share the battery's power; the second channel of the production meter is not connected. */
function reportOf(system: EnphaseSystemTruth, last_report_at: number): unknown {
  const { productionW, gridW, batteryW, hasMeters, hasBattery } = system;
  const word = batteryW === 0 ? "Idle" : batteryW > 0 ? "Charging" : "Discharging";
  const unit = { channel: 1, last_report_at, operational_mode: system.operationalMode ?? word };
  return {
    meters: hasMeters
      ? [
          { id: 1, name: "production", channel: 1, last_report_at, power: productionW },
          { id: 1, name: "production", channel: 2, last_report_at: null, power: null },
          { id: 2, name: "consumption", channel: 1, last_report_at, power: productionW + gridW },
        ]
      : [],
    ...(hasBattery && {
      encharges: [
        { ...unit, id: 3, name: "Encharge 1", power: 0 - Math.floor(batteryW / 2) },
        { ...unit, id: 4, name: "Encharge 2", power: 0 - Math.ceil(batteryW / 2) },
      ],
    }),
  };
}
