/** Fronius' Solar.web Query API, after its description and python-fronius-web: a pair of keys in headers. */
import type { SimWebAnswer } from "../../../src/testing/network/sim-web.ts";
import { type AskedOfTwin, CloudTwin, jsonAnswer } from "./cloud-twin.ts";

const HOUR_MS = 3_600_000;

/** A PV system as it is: W, positive into the battery, from the grid and from the panels. */
export class FroniusSystemTruth {
  readonly id: string;
  name = "Home";
  hasMeter = true;
  hasBattery = true;
  isOnline = true;
  pvW = 0;
  gridW = 0;
  batteryW = 0;
  soc = 55;
  /** W that the picture lacks: parts that are measured at different moments. */
  missingW = 0;
  /** `inverter`: positive flows to the inverter, as documented. `names`: feed-in and charging are positive. */
  signs: "inverter" | "names" = "inverter";

  constructor(id: string) {
    this.id = id;
  }

  get loadW(): number {
    return this.pvW + this.gridW - this.batteryW;
  }
}

export class FroniusTwin extends CloudTwin {
  override readonly hosts = ["api.solarweb.com"];
  systems: FroniusSystemTruth[] = [new FroniusSystemTruth("20bb600e-019b-4e03-9df3-a0a900cda689")];
  oddSystems: unknown[] = [];
  keyId = "FKIAFEF58CFEFA94486F9C804CF6077A01AB";
  keyValue = "47c076bc-23e5-4949-37a6-4bcfcf8d21d6";
  perHour = 120;
  /** Set: every request is refused with this code. */
  refusal: number | null = null;
  #asked = 0;
  #hour = 0;

  /** Another app of the account asks. */
  useElsewhere(requests: number): void {
    this.#asked += requests;
  }

  protected override answer({ url, request }: AskedOfTwin): SimWebAnswer {
    const { accesskeyid: keyId, accesskeyvalue: keyValue } = request.headers;
    if (keyId === undefined || keyValue === undefined) return refused(1_101, 401);
    if (keyId !== this.keyId) return refused(1_102, 401);
    if (keyValue !== this.keyValue) return refused(1_106, 401);
    if (this.refusal !== null) return refused(this.refusal, this.refusal === 1_013 ? 403 : 400);
    const hour = Math.floor(this.clock.nowMs() / HOUR_MS);
    if (hour !== this.#hour) [this.#hour, this.#asked] = [hour, 0];
    this.#asked += 1;
    if (this.#asked > this.perHour) return this.limited();
    const [, , kind, id = "", resource = ""] = url.pathname.split("/");
    if (kind !== "pvsystems") return refused(1_004, 404);
    if (id === "") return this.#ok({ pvSystems: [...this.oddSystems, ...this.systems.map(listed)] });
    const system = this.systems.find((one) => one.id === id);
    if (system === undefined) return refused(1_015, 404);
    if (resource === "devices") return this.#ok({ devices: devicesOf(system) });
    if (resource === "aggrdata")
      return this.#ok({ pvSystemId: id, data: [{ logDateTime: "total", channels: TOTALS }] });
    return resource === "flowdata" ? this.#ok(this.#flow(system)) : refused(1_004, 404);
  }

  protected override limited(): SimWebAnswer {
    const { status, body = "" } = refused(1_011, 429);
    return { status: status ?? 429, body, headers: this.#counted(0) };
  }

  #ok(body: unknown): SimWebAnswer {
    return jsonAnswer(body, 200, this.#counted(this.perHour - this.#asked));
  }

  #counted(left: number): Readonly<Record<string, string>> {
    const nowMs = this.clock.nowMs();
    const resetMs = (Math.floor(nowMs / HOUR_MS) + 1) * HOUR_MS;
    return {
      date: new Date(nowMs).toUTCString(),
      "x-rate-limit-limit": String(this.perHour),
      "x-rate-limit-remaining": String(left),
      "x-rate-limit-reset": new Date(resetMs).toISOString().replace("Z", "0000Z"),
    };
  }

  #flow(system: FroniusSystemTruth): unknown {
    const { pvW, gridW, batteryW, loadW, soc, isOnline, hasMeter, hasBattery } = system;
    const way = system.signs === "inverter" ? 1 : -1;
    const shown = (channelName: string, value: number | null, has: boolean, unit = "W") => ({
      channelName,
      channelType: unit === "W" ? "Power" : "Percent",
      unit,
      value: isOnline && has ? value : null,
    });
    return {
      pvSystemId: system.id,
      status: { isOnline, battMode: hasBattery ? "1.0" : null },
      data: {
        logDateTime: new Date(this.clock.nowMs()).toISOString(),
        channels: [
          shown("PowerFeedIn", gridW * way, hasMeter),
          shown("PowerLoad", -loadW - system.missingW, hasMeter),
          shown("PowerBattCharge", -batteryW * way, hasBattery),
          shown("PowerPV", pvW, true),
          shown("PowerOhmpilot", null, false),
          shown("BattSOC", soc, hasBattery, "%"),
        ],
      },
    };
  }
}

/** Wh since installation. */
const TOTALS = [
  ["EnergyProductionTotal", 20_000_000],
  ["EnergyPurchased", 3_000_000],
  ["EnergyBattChargeGrid", 100_000],
  ["EnergyFeedIn", 8_000_000],
  ["EnergyBattDischargeGrid", 50_000],
].map(([channelName, value]) => ({ channelName, channelType: "Energy", unit: "Wh", value }));

function listed({ id, name }: FroniusSystemTruth): unknown {
  return { pvSystemId: id, name, peakPower: 9_900, timeZone: "Europe/Vienna" };
}

function devicesOf({ hasMeter, hasBattery }: FroniusSystemTruth): readonly unknown[] {
  return [
    { deviceId: "d1", deviceType: "Inverter", deviceName: "Symo GEN24 10.0", serialnumber: "31415926", isActive: true },
    ...(hasMeter ? [{ deviceId: "d2", deviceType: "SmartMeter", deviceName: "TS 65A-3", isActive: true }] : []),
    ...(hasBattery ? [{ deviceId: "d3", deviceType: "Battery", deviceName: "HVS 10.2", isActive: true }] : []),
  ];
}

function refused(responseError: number, status: number): SimWebAnswer {
  return jsonAnswer({ responseError, responseMessage: "refused" }, status);
}
