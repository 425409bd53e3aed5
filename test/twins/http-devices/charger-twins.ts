/** Chargers that answer by HTTP: go-e in both versions, Peblar, OpenEVSE. */
import type { SimWebAnswer } from "../../../src/testing/network/sim-web.ts";
import { HttpTwin, json, NOT_FOUND, type TwinRequest } from "./http-twin.ts";

/** A vehicle at a charger; W, A per phase, Wh. */
class CarTruth {
  isPlugged = true;
  isAllowed = true;
  /** A, as the charger is set. */
  limit = 16;
  session = 5_400;
  total = 1_234_500;

  get isCharging(): boolean {
    return this.isPlugged && this.isAllowed && this.limit >= 6;
  }

  /** A on each of three phases. */
  get current(): number {
    return this.isCharging ? this.limit - 0.5 : 0;
  }

  get power(): number {
    return this.current * 3 * 230;
  }
}

export class GoETwin extends HttpTwin {
  readonly car = new CarTruth();
  /** 0 neutral, 1 off, 2 on. */
  force = 0;
  /** 0 auto, 1 one phase, 2 three phases. */
  phaseMode = 2;
  /** Writes to the memory that wears. */
  stored = 0;
  readonly #version: 1 | 2;

  constructor(version: 1 | 2) {
    super();
    this.#version = version;
  }

  protected override answer({ path, query }: TwinRequest): SimWebAnswer {
    if (this.#version === 1) return this.#one(path, query.get("payload"));
    if (path === "/api/set")
      return json(Object.fromEntries([...query].map(([key, value]) => [key, this.#set(key, value)])));
    if (path !== "/api/status") return NOT_FOUND;
    const all = this.#status();
    const wanted = (query.get("filter") ?? "").split(",");
    return json(Object.fromEntries(wanted.filter((key) => key in all).map((key) => [key, all[key]])));
  }

  #set(key: string, text: string): true | string {
    const value: unknown = JSON.parse(text);
    if (key === "frc" && (value === 0 || value === 1 || value === 2)) {
      this.force = value;
      this.car.isAllowed = value !== 1;
      return true;
    }
    if (key === "psm" && (value === 0 || value === 1 || value === 2)) {
      this.stored += 1;
      this.phaseMode = value;
      return true;
    }
    if (key === "amp" && Number.isInteger(value) && Number(value) >= 6 && Number(value) <= 32) {
      this.stored += 1;
      this.car.limit = Number(value);
      return true;
    }
    return "value not accepted";
  }

  #status(): Readonly<Record<string, unknown>> {
    const { car } = this;
    const { current, power } = car;
    return {
      car: carState(car),
      alw: car.isAllowed,
      frc: this.force,
      amp: car.limit,
      psm: this.phaseMode,
      nrg: [230, 231, 232, 1, current, current, current, power / 3, power / 3, power / 3, 0, power, 100, 100, 100, 0],
      wh: car.session,
      eto: car.total,
      err: 0,
      sse: "213456",
      typ: "go-eCharger_V4",
      fwv: "056.2",
      fna: "Garage",
    };
  }

  #one(path: string, payload: string | null): SimWebAnswer {
    const { car } = this;
    if (path === "/mqtt") {
      const [, key, value] = /^(amx|amp|alw)=(\d+)$/.exec(payload ?? "") ?? [];
      if (key === undefined) return json({ error: "unknown" }, 400);
      if (key === "amp") this.stored += 1;
      if (key === "alw") car.isAllowed = value === "1";
      else car.limit = Number(value);
    } else if (path !== "/status") return NOT_FOUND;
    const tenths = Math.round(car.current * 10);
    return json({
      version: "B",
      car: String(carState(car)),
      amp: String(car.limit),
      alw: car.isAllowed ? "1" : "0",
      dws: String(car.session * 360),
      eto: String(car.total / 100),
      nrg: [230, 231, 232, 1, tenths, tenths, tenths, 34, 34, 34, 0, car.power / 10, 100, 100, 100, 0],
      sse: "000815",
      fwv: "041.0",
    });
  }
}

function carState({ isPlugged, isCharging }: CarTruth): number {
  if (!isPlugged) return 1;
  return isCharging ? 2 : 4;
}

export class PeblarTwin extends HttpTwin {
  readonly car = new CarTruth();
  readonly #token: string;
  isReadOnly = false;

  constructor(token: string) {
    super();
    this.#token = token;
  }

  protected override answer({ method, path, headers, body }: TwinRequest): SimWebAnswer {
    if (headers["authorization"] !== this.#token) return { status: 401, body: "" };
    const { car } = this;
    switch (path) {
      case "/api/wlac/v1/system":
        return json({ ProductPn: "6004-2300-8002", ProductSn: "23-45-A4O-MOF", FirmwareVersion: "1.6.1+1+WL-1.0" });
      case "/api/wlac/v1/meter":
        return json({
          CurrentPhase1: Math.round(car.current * 1_000),
          CurrentPhase2: Math.round(car.current * 1_000),
          CurrentPhase3: Math.round(car.current * 1_000),
          VoltagePhase1: 230,
          VoltagePhase2: 231,
          VoltagePhase3: 232,
          PowerTotal: car.power,
          EnergyTotal: car.total,
          EnergySession: car.session,
        });
      case "/api/wlac/v1/evinterface":
        return method === "PATCH" ? this.#set(JSON.parse(body)) : json(this.#interface());
      default:
        return NOT_FOUND;
    }
  }

  #set({ ChargeCurrentLimit: limit }: { readonly ChargeCurrentLimit: unknown }): SimWebAnswer {
    if (this.isReadOnly) return { status: 403, body: "" };
    if (typeof limit !== "number" || limit > 32_000 || (limit !== 0 && limit < 6_000)) return { status: 400, body: "" };
    this.car.limit = limit / 1_000;
    return json(this.#interface());
  }

  #interface(): unknown {
    const { isPlugged, isCharging, limit } = this.car;
    const state = isPlugged ? (isCharging ? "State C" : "State B") : "State A";
    return { ChargeCurrentLimit: limit * 1_000, ChargeCurrentLimitSource: "Local REST API", CpState: state };
  }
}

/** What an OpenEVSE offers when nobody limits it, A. */
const MOST_A = 32;

export class OpenEvseTwin extends HttpTwin {
  readonly car = new CarTruth();

  protected override answer({ method, path, body }: TwinRequest): SimWebAnswer {
    const { car } = this;
    if (path === "/override" && method === "POST") {
      // An override takes the place of the one before, and what it does not name is as it would be without one.
      const { state, charge_current: current } = JSON.parse(body);
      car.isAllowed = state !== "disabled";
      car.limit = current ?? MOST_A;
      return json({ msg: "Created" }, 201);
    }
    if (path === "/config") return json({ version: "5.1.2", wifi_serial: "1234567890AB", hostname: "openevse-7b2c" });
    if (path !== "/status") return NOT_FOUND;
    return json({
      amp: Math.round(car.current * 1_000),
      voltage: 230,
      power: car.power,
      pilot: car.limit,
      state: car.isCharging ? 3 : car.isAllowed ? (car.isPlugged ? 2 : 1) : 254,
      status: car.isAllowed ? "active" : "disabled",
      vehicle: car.isPlugged ? 1 : 0,
      session_energy: car.session,
      total_energy: car.total / 1_000,
      watthour: car.total,
      temp: 440,
      temp1: false,
    });
  }
}
