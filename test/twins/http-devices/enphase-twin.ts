/** Enphase's IQ Gateway: a token lets in (firmware 7 and later), meters are told apart by a number, all of it is slow. */
import type { SimWebAnswer } from "../../../src/testing/network/sim-web.ts";
import { HttpTwin, houseTruth, json, NOT_FOUND, type TwinRequest } from "./http-twin.ts";

const PRODUCTION = 704_643_328;
const GRID = 704_643_584;
const STORAGE = 704_643_840;

/** A token as the maker's service gives them: the middle part says until when it counts, s since 1970. */
export function envoyToken(endS: number): string {
  const part = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString("base64url");
  return `${part({ alg: "ES256", typ: "JWT" })}.${part({ aud: "122238082690", exp: endS })}.c2lnbmF0dXJl`;
}

export class EnphaseTwin extends HttpTwin {
  readonly house = houseTruth();
  /** Null: firmware before 7, which lets everybody in. */
  readonly token: string | null;
  hasClamps = true;
  /** A third clamp, at the battery. */
  hasStorageClamp = false;

  constructor(token: string | null) {
    super();
    this.token = token;
    this.delayMs = 900;
  }

  protected override answer({ path, headers }: TwinRequest): SimWebAnswer {
    if (path === "/info") return { headers: { "content-type": "text/xml" }, body: info(this.token === null) };
    if (this.token !== null && headers["authorization"] !== `Bearer ${this.token}`) return { status: 401, body: "" };
    const { soc, reserve, battery } = this.house;
    switch (path) {
      case "/api/v1/production":
        return json({ wattHoursToday: 9, wattHoursLifetime: this.house.produced, wattsNow: this.house.pv });
      case "/production.json":
        return json(this.#details());
      case "/ivp/meters":
        return this.hasClamps ? json(this.#kinds()) : NOT_FOUND;
      case "/ivp/meters/readings":
        return this.hasClamps ? json(this.#readings()) : NOT_FOUND;
      case "/ivp/ensemble/power":
        return json({ "devices:": [cell("1", -battery / 2), cell("2", -battery / 2)] });
      case "/ivp/ensemble/secctrl":
        return json({ agg_soc: soc, configured_backup_soc: reserve, Enc_max_available_capacity: 7_000 });
      case "/admin/lib/tariff":
        return json({ tariff: { storage_settings: { mode: "self-consumption", reserved_soc: reserve } } });
      default:
        return NOT_FOUND;
    }
  }

  #kinds(): readonly unknown[] {
    const both = [kind(PRODUCTION, "production"), kind(GRID, "net-consumption")];
    return this.hasStorageClamp ? [...both, kind(STORAGE, "storage")] : both;
  }

  /** The list is in another order than that of the kinds, as it may be. */
  #readings(): unknown {
    const { grid, pv, imported, exported, produced, frequency, battery, charged, discharged } = this.house;
    const channel = (power: number): unknown => ({ activePower: power, voltage: 231.5, current: 2.5, freq: frequency });
    const channels = [channel(grid - 300), channel(100), channel(200)];
    return [
      { eid: GRID, activePower: grid, actEnergyDlvd: imported, actEnergyRcvd: exported, freq: frequency, channels },
      ...(this.hasStorageClamp
        ? [{ eid: STORAGE, activePower: -battery, actEnergyDlvd: discharged, actEnergyRcvd: charged }]
        : []),
      { eid: PRODUCTION, activePower: pv, actEnergyDlvd: produced, actEnergyRcvd: 99, freq: frequency, channels: [] },
    ];
  }

  #details(): unknown {
    const { grid, pv, load, produced } = this.house;
    const clamps = this.hasClamps ? 1 : 0;
    const eim = { type: "eim", activeCount: clamps };
    return {
      production: [
        { type: "inverters", activeCount: 12, wNow: pv, whLifetime: produced },
        { ...eim, measurementType: "production", wNow: clamps * pv, whLifetime: clamps * produced },
      ],
      consumption: this.hasClamps
        ? [
            { ...eim, measurementType: "total-consumption", wNow: load },
            { ...eim, measurementType: "net-consumption", wNow: grid },
          ]
        : [],
    };
  }
}

function kind(eid: number, measurementType: string): unknown {
  return { eid, state: "enabled", measurementType, phaseMode: "three", phaseCount: 3, meteringStatus: "normal" };
}

/** A battery's power is positive when it discharges, in mW. */
function cell(serial: string, power: number): unknown {
  return { serial_num: serial, real_power_mw: power * 1_000, apparent_power_mva: 0, soc: 63 };
}

function info(isOld: boolean): string {
  return `<?xml version='1.0' encoding='UTF-8'?>
<envoy_info>
  <time>1782000000</time>
  <device>
    <sn>122238082690</sn>
    <pn>800-00654-r08</pn>
    <software>${isOld ? "R3.9.36" : "D8.3.5167"}</software>
  </device>
  <package name='rootfs'>
    <pn>500-00001-r01</pn>
    <version>02.00.00</version>
  </package>
</envoy_info>
`;
}
