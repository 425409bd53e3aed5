/** GoodWe's SEMS portal, after goodwe-sems-home-assistant: a token made of the login's answer, numbers with units. */
import type { SimWebAnswer } from "../../../src/testing/network/sim-web.ts";
import { type AskedOfTwin, CloudTwin, jsonAnswer } from "./cloud-twin.ts";

/** A station as it is: W, positive into the battery, from the grid and from the panels. */
export class GoodweStationTruth {
  readonly id: string;
  name = "Test Station";
  hasMeter = true;
  hasBattery = true;
  /** False: the portal goes on showing what was told last. */
  isOnline = true;
  /** False: the statuses beside the numbers say nothing. */
  hasStatus = true;
  pvW = 0;
  gridW = 0;
  batteryW = 0;
  soc = 70;
  /** W that the picture lacks. */
  missingW = 0;

  constructor(id: string) {
    this.id = id;
  }

  get loadW(): number {
    return this.pvW + this.gridW - this.batteryW;
  }
}

export class GoodweTwin extends CloudTwin {
  override readonly hosts = ["www.semsportal.com", "eu.semsportal.com"];
  stations: GoodweStationTruth[] = [new GoodweStationTruth("12345678-1234-5678-9abc-123456789abc")];
  oddStations: unknown[] = [];
  /** `id`: one id as a text, as for most owners. */
  listForm: "id" | "ids" | "stations" = "ids";
  account = { account: "owner@example.com", pwd: "password-1" };
  /** What the login names as the address for the rest. */
  api = "https://eu.semsportal.com/api/";
  /** Set: every request but logins is refused with this code. */
  code: string | number | null = null;
  #token: string | null = null;
  #logins = 0;

  protected override answer({ url, json, method, request }: AskedOfTwin): SimWebAnswer {
    if (method !== "POST") return jsonAnswer({ Message: "method not allowed" }, 405);
    const body = (json ?? {}) as Readonly<Record<string, unknown>>;
    const { token = "" } = request.headers;
    if (url.hostname === "www.semsportal.com") return this.#login(url.pathname, token, body);
    const shown = asObject(token);
    if (this.#token === null || shown["token"] !== this.#token || shown["uid"] !== UID) return failed(100_002);
    if (this.code !== null) return failed(this.code);
    if (url.pathname === "/api/PowerStation/GetPowerStationIdByOwner") return right(this.#list());
    const station = this.stations.find(({ id }) => id === body["powerStationId"]);
    const isDetail = url.pathname === "/api/v3/PowerStation/GetMonitorDetailByPowerstationId";
    if (!isDetail || station === undefined) return failed(100_004);
    return right(detailOf(station, this.clock.nowMs()));
  }

  expire(): void {
    this.#token = null;
  }

  protected override limited(): SimWebAnswer {
    return failed("GY0429");
  }

  #login(path: string, token: string, { account, pwd }: Readonly<Record<string, unknown>>): SimWebAnswer {
    if (path !== "/api/v3/Common/CrossLogin" || asObject(token)["client"] !== "ios") return failed(100_001);
    if (account !== this.account.account || pwd !== this.account.pwd) return failed(100_005);
    this.#logins += 1;
    this.#token = `token-${this.#logins}-${"t".repeat(24)}`;
    const data = {
      uid: UID,
      timestamp: 1,
      token: this.#token,
      client: "ios",
      version: "3.1.1",
      language: "en",
      town: "Köln",
    };
    return jsonAnswer({ hasError: false, code: 0, msg: "success", data, api: this.api });
  }

  #list(): unknown {
    const [first] = this.stations;
    if (this.listForm === "id") return first?.id ?? "";
    const stations = this.stations.map(({ id, name }) => (this.listForm === "ids" ? id : { id, stationname: name }));
    return [...this.oddStations, ...stations];
  }
}

const UID = "0f1e2d3c-user";

function asObject(text: string): Readonly<Record<string, unknown>> {
  try {
    return JSON.parse(text);
  } catch {
    return {};
  }
}

function detailOf(station: GoodweStationTruth, nowMs: number): unknown {
  const { name, hasMeter, hasBattery, isOnline, pvW, batteryW } = station;
  const full = {
    sn: "9010KETU000W0001",
    model_type: "GW10K-ET",
    pac: pvW - batteryW,
    last_time: nowMs - 45_000,
    etotal: 18_843.2,
  };
  return {
    info: { powerstation_id: station.id, stationname: name, battery_capacity: hasBattery ? 10.2 : 0 },
    kpi: { pac: pvW, power: 12.5, total_power: 18_843.2, currency: "EUR" },
    inverter: [null, { sn: full.sn, status: isOnline ? 1 : -1, output_power: `${pvW}W`, invert_full: full }],
    hasPowerflow: hasMeter,
    powerflow: hasMeter ? pictureOf(station) : null,
    isShowBattery: hasBattery,
  };
}

/** No number has a sign; a status is -1 for what gives and 1 for what takes. */
function pictureOf(station: GoodweStationTruth): unknown {
  const { pvW, gridW, batteryW, loadW, soc, missingW, hasBattery, hasStatus } = station;
  const status = (takenW: number) => (hasStatus ? Math.sign(takenW) + 0 : 0);
  return {
    pv: `${pvW}(W)`,
    pvStatus: status(-pvW),
    bettery: hasBattery ? `${Math.abs(batteryW)}(W)` : null,
    betteryStatus: status(batteryW),
    load: `${loadW + missingW}(W)`,
    loadStatus: status(loadW),
    grid: `${Math.abs(gridW)}(W)`,
    gridStatus: status(-gridW),
    soc: hasBattery ? soc : 0,
    socText: hasBattery ? `${soc}%` : "--",
  };
}

function right(data: unknown): SimWebAnswer {
  return jsonAnswer({ hasError: false, code: "0", msg: "操作成功", data });
}

function failed(code: string | number): SimWebAnswer {
  return jsonAnswer({ hasError: true, code, msg: "failed", data: null });
}
