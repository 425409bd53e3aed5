/** Growatt's OpenAPI v1, after the documents of PyPi_GrowattServer: a token in a header, errors in a 200. */
import type { SimWebAnswer } from "../../../src/testing/network/sim-web.ts";
import { type AskedOfTwin, CloudTwin, jsonAnswer } from "./cloud-twin.ts";

const WINDOW_MS = 300_000;
const SEGMENTS = 9;

interface TimeSegment {
  /** 0 load first, 1 battery first, 2 grid first. */
  mode: number;
  start: string;
  stop: string;
  isOn: boolean;
}

/** An inverter as it is: W, positive into the battery, from the grid and from the panels. */
export class GrowattInverterTruth {
  readonly serial: string;
  readonly plantId: number;
  /** 7 is MIN, 5 is SPH, 1 an inverter without a battery. */
  type: 1 | 5 | 7;
  hasMeter = true;
  hasBattery = true;
  /** True: its logger is not connected. */
  isLost = false;
  pvW = 0;
  gridW = 0;
  batteryW = 0;
  soc = 45;
  segments: TimeSegment[] = Array.from({ length: SEGMENTS }, () => ({
    mode: 0,
    start: "0:0",
    stop: "0:0",
    isOn: false,
  }));
  /** Settings that were written to its flash memory. */
  written = 0;

  constructor(serial: string, type: 1 | 5 | 7, plantId = 9_001) {
    this.serial = serial;
    this.type = type;
    this.plantId = plantId;
  }

  get loadW(): number {
    return this.pvW + this.gridW - this.batteryW;
  }
}

export class GrowattTwin extends CloudTwin {
  override readonly hosts = ["openapi.growatt.com", "openapi-us.growatt.com"];
  token = "token-1-tttttttttttttttttttttttt";
  inverters: GrowattInverterTruth[] = [new GrowattInverterTruth("MIN0000001", 7)];
  oddPlants: unknown[] = [];
  oddDevices: unknown[] = [];
  perWindow = 60;
  /** Serials that the account is listed, and may not read. */
  readonly withheld = new Set<string>();
  /** Set: every request fails with this code. */
  errorCode: number | null = null;
  readonly #counts = new Map<number, number>();

  protected override answer({ url, form, method, request }: AskedOfTwin): SimWebAnswer {
    if (request.headers["token"] !== this.token) return failed(10_011);
    if (this.errorCode !== null) return failed(this.errorCode);
    const window = Math.floor(this.clock.monotonicMs() / WINDOW_MS);
    this.#counts.set(window, (this.#counts.get(window) ?? 0) + 1);
    if ((this.#counts.get(window) ?? 0) > this.perWindow) return this.limited();
    const query = url.searchParams;
    const plantId = Number(query.get("plant_id"));
    switch (`${method} ${url.pathname}`) {
      case "GET /v1/plant/list":
        return right({ count: 1, plants: [...this.oddPlants, ...this.#plants()] });
      case "GET /v1/device/list": {
        const own = this.inverters.filter((one) => one.plantId === plantId);
        return right({ count: own.length, devices: [...this.oddDevices, ...own.map(listed)] });
      }
      case "GET /v1/plant/data": {
        const own = this.inverters.filter((one) => one.plantId === plantId);
        const powerW = own.reduce((sum, { pvW }) => sum + pvW, 0);
        return right({
          current_power: String(powerW),
          today_energy: "4.1",
          total_energy: "18843.2",
          timezone: "GMT+1",
        });
      }
      case "POST /v1/device/tlx/tlx_last_data":
        return this.#of(form.get("tlx_sn"), 7, (one) => right(minData(one)));
      case "POST /v1/device/mix/mix_last_data":
        return this.#of(form.get("mix_sn"), 5, (one) => right(sphData(one)));
      case "GET /v1/device/tlx/tlx_set_info":
        return this.#of(query.get("device_sn"), 7, (one) => right(settingsOf(one)));
      case "POST /v1/tlxSet":
        return this.#of(form.get("tlx_sn"), 7, (one) => set(one, form));
      default:
        return failed(10_001);
    }
  }

  protected override limited(): SimWebAnswer {
    return failed(10_012);
  }

  #plants(): readonly unknown[] {
    const ids = new Set(this.inverters.map(({ plantId }) => plantId));
    return [...ids].map((plant_id) => ({ plant_id, name: `Plant ${plant_id}`, status: 1 }));
  }

  #of(serial: string | null, type: number, answer: (one: GrowattInverterTruth) => SimWebAnswer): SimWebAnswer {
    if (this.withheld.has(serial ?? "")) return failed(10_011);
    const found = this.inverters.find((one) => one.serial === serial && one.type === type);
    return found === undefined ? failed(10_002) : answer(found);
  }
}

function listed({ serial, type, isLost }: GrowattInverterTruth): unknown {
  return { device_sn: serial, type, model: "MIN 6000TL-XH", lost: isLost, status: 1, manufacturer: "Growatt" };
}

function minData(one: GrowattInverterTruth): unknown {
  const { hasBattery, batteryW, soc, loadW, hasMeter } = one;
  return {
    ...commonData(one),
    pacToLocalLoad: hasMeter ? loadW : 0,
    bdc1ChargePower: hasBattery ? Math.max(0, batteryW) : 0,
    bdc1DischargePower: hasBattery ? Math.max(0, -batteryW) : 0,
    bmsSoc: hasBattery ? soc : 0,
    echargeTotal: hasBattery ? 904.4 : 0,
    edischargeTotal: hasBattery ? 826.2 : 0,
    etoUserTotal: hasMeter ? 1_500.5 : 0,
    etoGridTotal: hasMeter ? 9_200.1 : 0,
  };
}

/** Other names, and another case, than the MIN family's. */
function sphData(one: GrowattInverterTruth): unknown {
  const { batteryW, soc, loadW } = one;
  return {
    ...commonData(one),
    plocalLoadTotal: loadW,
    pcharge1: Math.max(0, batteryW),
    pdischarge1: Math.max(0, -batteryW),
    soc,
    echarge1Total: 904.4,
    edischarge1Total: 826.2,
    etouserTotal: 1_500.5,
    etogridTotal: 9_200.1,
  };
}

function commonData({ serial, pvW, batteryW, gridW, hasMeter, isLost }: GrowattInverterTruth): object {
  return {
    serialNum: serial,
    time: "2026-06-21 12:00:00",
    lost: isLost,
    ppv: pvW,
    ppv1: "--",
    pac: pvW - batteryW,
    pacToUserTotal: hasMeter ? Math.max(0, gridW) : 0,
    pacToGridTotal: hasMeter ? Math.max(0, -gridW) : 0,
    epvTotal: 18_843.2,
    eacTotal: 18_000.1,
  };
}

function settingsOf({ segments }: GrowattInverterTruth): unknown {
  const entries = segments.flatMap(({ mode, start, stop, isOn }, index) => [
    [`time${index + 1}Mode`, String(mode)],
    [`forcedTimeStart${index + 1}`, start],
    [`forcedTimeStop${index + 1}`, stop],
    [`forcedStopSwitch${index + 1}`, isOn ? 1 : 0],
  ]);
  return { ...Object.fromEntries(entries), acCharge: "0", chargePowerCommand: 100 };
}

function set(one: GrowattInverterTruth, form: URLSearchParams): SimWebAnswer {
  const [, number] = /^time_segment([1-9])$/.exec(form.get("type") ?? "") ?? [];
  const parameters = Array.from({ length: 19 }, (_, index) => form.get(`param${index + 1}`));
  if (number === undefined || parameters.includes(null)) return failed(10_001);
  const [mode, startHour, startMinute, stopHour, stopMinute, isOn] = parameters;
  one.segments[Number(number) - 1] = {
    mode: Number(mode),
    start: `${startHour}:${startMinute}`,
    stop: `${stopHour}:${stopMinute}`,
    isOn: isOn === "1",
  };
  one.written += 1;
  return right("");
}

function right(data: unknown): SimWebAnswer {
  return jsonAnswer({ data, error_code: 0, error_msg: "" });
}

function failed(error_code: number): SimWebAnswer {
  return jsonAnswer({ data: "", error_code, error_msg: "error" });
}
