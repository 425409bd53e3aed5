/** FusionSolar's northbound interface, after HomeAssistant-FusionSolar: one session, one call a minute and resource. */
import type { SimWebAnswer } from "../../../src/testing/network/sim-web.ts";
import { type AskedOfTwin, CloudTwin, jsonAnswer } from "./cloud-twin.ts";

const MINUTE_MS = 60_000;
const SESSION_MS = 30 * MINUTE_MS;
const PATH = "/thirdData/";

/** A plant as it is: W, positive into the battery, from the grid and from the panels. */
export class HuaweiPlantTruth {
  readonly code: string;
  name = "Test Plant";
  /** 39 in homes, 41 for businesses; null: none. */
  batteryType: 39 | 41 | null = 39;
  /** 47 with W, 17 with kW; null: none. */
  meterType: 17 | 47 | null = 47;
  /** What the meter tells as positive. */
  meterPositive: "export" | "import" = "export";
  isConnected = true;
  batteryStatus = 2;
  pvW = 0;
  gridW = 0;
  batteryW = 0;
  soc = 60;

  constructor(code: string) {
    this.code = code;
  }
}

export class HuaweiTwin extends CloudTwin {
  override readonly hosts = ["eu5.fusionsolar.huawei.com"];
  plants: HuaweiPlantTruth[] = [new HuaweiPlantTruth("NE=33550001")];
  oddPlants: unknown[] = [];
  user = { userName: "hemgate_api", systemCode: "secret-code-1" };
  /** Resources, and types of devices, that the installer did not grant. */
  readonly forbidden = new Set<string | number>();
  /** Set: every request but logins fails with this code. */
  failCode: number | null = null;
  #session = { token: "", endsAtMs: 0 };
  #logins = 0;
  readonly #askedAtMs = new Map<string, number>();

  protected override answer({ url, json, method, request }: AskedOfTwin): SimWebAnswer {
    if (method !== "POST" || !url.pathname.startsWith(PATH)) return jsonAnswer({ error: "Not Found" }, 404);
    const body = (json ?? {}) as Readonly<Record<string, unknown>>;
    const resource = url.pathname.slice(PATH.length);
    if (resource === "login") return this.#login(body);
    const nowMs = this.clock.monotonicMs();
    const { token, endsAtMs } = this.#session;
    if (token === "" || request.headers["xsrf-token"] !== token || endsAtMs <= nowMs) return failed(305);
    if (nowMs - (this.#askedAtMs.get(resource) ?? Number.NEGATIVE_INFINITY) < MINUTE_MS) return failed(407);
    this.#askedAtMs.set(resource, nowMs);
    this.#session.endsAtMs = nowMs + SESSION_MS;
    if (this.failCode !== null) return failed(this.failCode);
    if (this.forbidden.has(resource)) return failed(401);
    return this.#resource(resource, body);
  }

  /** As when somebody signs in elsewhere with the same account. */
  endSession(): void {
    this.#session.endsAtMs = 0;
  }

  protected override limited(): SimWebAnswer {
    return failed(407);
  }

  #login({ userName, systemCode }: Readonly<Record<string, unknown>>): SimWebAnswer {
    if (userName !== this.user.userName || systemCode !== this.user.systemCode) return failed(20_400);
    this.#logins += 1;
    this.#session = {
      token: `xsrf-${this.#logins}-${"x".repeat(24)}`,
      endsAtMs: this.clock.monotonicMs() + SESSION_MS,
    };
    return jsonAnswer(right(null), 200, { "xsrf-token": this.#session.token });
  }

  #resource(resource: string, body: Readonly<Record<string, unknown>>): SimWebAnswer {
    const listed = this.plants.map(({ code, name }) => ({ plantCode: code, plantName: name }));
    const before = this.plants.map(({ code, name }) => ({ stationCode: code, stationName: name }));
    switch (resource) {
      case "stations":
        return jsonAnswer(right({ list: [...this.oddPlants, ...listed], pageCount: 1, pageNo: body["pageNo"] }));
      case "getStationList":
        return jsonAnswer(right([...this.oddPlants, ...before]));
      case "getDevList": {
        const codes = String(body["stationCodes"]).split(",");
        return jsonAnswer(right(this.plants.filter(({ code }) => codes.includes(code)).flatMap(devicesOf)));
      }
      case "getDevRealKpi": {
        if (this.forbidden.has(Number(body["devTypeId"]))) return failed(401);
        const ids = String(body["devIds"]).split(",");
        const told = this.plants.flatMap(kpisOf).filter((one) => one.devTypeId === Number(body["devTypeId"]));
        const asked = told.filter(({ devId }) => ids.includes(String(devId)));
        return jsonAnswer(right(asked.map(({ devId, dataItemMap }) => ({ devId, dataItemMap }))));
      }
      default:
        return failed(401);
    }
  }
}

const ID = { inverter: 1_000_000_035_350_464, battery: 1_000_000_035_350_465, meter: 1_000_000_035_350_466 };

function devicesOf({ code, batteryType, meterType }: HuaweiPlantTruth): readonly unknown[] {
  const base = { stationCode: code, softwareVersion: "V100R001C00SPC141" };
  const plant = Number(code.slice(-1)) * 10;
  return [
    { ...base, id: ID.inverter + plant, devTypeId: 38, esnCode: "HV2140012345", invType: "SUN2000-8KTL-M1" },
    { ...base, id: ID.inverter + plant + 5, devTypeId: 62, devName: "Dongle-1" },
    ...(batteryType === null ? [] : [{ ...base, id: ID.battery + plant, devTypeId: batteryType }]),
    ...(meterType === null ? [] : [{ ...base, id: ID.meter + plant, devTypeId: meterType }]),
  ];
}

interface Kpi {
  readonly devId: number;
  readonly devTypeId: number;
  readonly dataItemMap: Readonly<Record<string, unknown>>;
}

/** kW and kWh, but for what home batteries and power sensors tell in W. */
function kpisOf(plant: HuaweiPlantTruth): readonly Kpi[] {
  const { code, batteryType, meterType, pvW, gridW, batteryW, soc, batteryStatus } = plant;
  const number = Number(code.slice(-1)) * 10;
  const run_state = plant.isConnected ? 1 : 0;
  const exportW = plant.meterPositive === "export" ? -gridW : gridW;
  const [active_cap, reverse_active_cap] = plant.meterPositive === "export" ? [8_100.5, 3_200.25] : [3_200.25, 8_100.5];
  const inverter = {
    run_state,
    active_power: (pvW - batteryW) / 1_000,
    mppt_power: pvW / 1_000,
    total_cap: 21_345.67,
    day_cap: 12.3,
    inverter_state: pvW > 0 ? 512 : 40_960,
  };
  const battery = {
    run_state,
    ch_discharge_power: batteryType === 41 ? -batteryW : batteryW,
    battery_soc: soc,
    battery_status: batteryStatus,
    charge_cap: 4.2,
  };
  const active_power = meterType === 17 ? exportW / 1_000 : exportW;
  const meter = { run_state, active_power, active_cap, reverse_active_cap, meter_status: 1, power_factor: "N/A" };
  return [
    { devId: ID.inverter + number, devTypeId: 38, dataItemMap: inverter },
    ...(batteryType === null ? [] : [{ devId: ID.battery + number, devTypeId: batteryType, dataItemMap: battery }]),
    ...(meterType === null ? [] : [{ devId: ID.meter + number, devTypeId: meterType, dataItemMap: meter }]),
  ];
}

function right(data: unknown): unknown {
  return { success: true, failCode: 0, params: {}, message: null, data };
}

function failed(failCode: number): SimWebAnswer {
  return jsonAnswer({ success: false, failCode, params: {}, message: "failed", data: null });
}
