/** SolarEdge's monitoring API, after its document: keys in the query, 300 requests a day for a key and for a site. */
import { Temporal } from "temporal-polyfill";
import type { SimWebAnswer } from "../../../src/testing/network/sim-web.ts";
import { type AskedOfTwin, CloudTwin, jsonAnswer } from "./cloud-twin.ts";

const DAY_MS = 86_400_000;
const PER_DAY = 300;

/** A site as it is: W, positive into the battery, from the grid and from the panels; Wh. */
export class SolarEdgeSiteTruth {
  readonly id: number;
  name = "Test Site";
  zone = "Europe/Berlin";
  unit = "kW";
  hasMeter = true;
  hasBattery = true;
  isBatteryHeard = true;
  /** False: the picture shows no arrows, as for a moment after a restart. */
  hasArrows = true;
  pvW = 0;
  gridW = 0;
  batteryW = 0;
  soc = 50;
  lifetimeWh = 12_345_678;
  chargedWh = 2_000_000;
  dischargedWh = 1_800_000;

  constructor(id: number) {
    this.id = id;
  }

  get loadW(): number {
    return this.pvW + this.gridW - this.batteryW;
  }
}

export class SolarEdgeTwin extends CloudTwin {
  override readonly hosts = ["monitoringapi.solaredge.com"];
  apiKey = "L4QLVQ1LOKCQX2193VSEICXW61NP6B1O";
  sites: SolarEdgeSiteTruth[] = [new SolarEdgeSiteTruth(1_001)];
  /** Entries of the list of sites that are not as documented. */
  oddSites: unknown[] = [];
  /** Resources that the key may not see. */
  readonly forbidden = new Set<string>();
  readonly #counts = new Map<string, number>();

  protected override answer({ url }: AskedOfTwin): SimWebAnswer {
    if (url.searchParams.get("api_key") !== this.apiKey) return jsonAnswer({ String: "Invalid token" }, 403);
    const [, kind = "", id = "", resource = ""] = url.pathname.split("/");
    if (!this.#counted("key") || (kind === "site" && !this.#counted(id))) return this.limited();
    if (kind === "sites") return jsonAnswer(this.#list(url.searchParams));
    const site = this.sites.find((one) => String(one.id) === id);
    if (site === undefined || this.forbidden.has(resource)) return jsonAnswer({ String: "Forbidden" }, 403);
    switch (resource) {
      case "details":
        return jsonAnswer({ details: { id: site.id, name: site.name, location: { timeZone: site.zone } } });
      case "inventory":
        return jsonAnswer({ Inventory: inventoryOf(site) });
      case "currentPowerFlow":
        return jsonAnswer({ siteCurrentPowerFlow: site.hasMeter ? pictureOf(site) : {} });
      case "overview":
        return jsonAnswer({ overview: this.#overview(site) });
      case "storageData":
        return jsonAnswer({ storageData: this.#storage(site, url.searchParams) });
      default:
        return { status: 404, body: "<html>not found</html>" };
    }
  }

  protected override limited(): SimWebAnswer {
    return { status: 429, body: "" };
  }

  /** Another app asks with the same key, of nothing in particular. */
  useElsewhere(requests: number): void {
    for (let request = 0; request < requests; request += 1) this.#counted("key");
  }

  #counted(of: string): boolean {
    const place = `${of} ${Math.floor(this.clock.monotonicMs() / DAY_MS)}`;
    const count = (this.#counts.get(place) ?? 0) + 1;
    this.#counts.set(place, count);
    return count <= PER_DAY;
  }

  #list(query: URLSearchParams): unknown {
    const all = [
      ...this.oddSites,
      ...this.sites.map(({ id, name }) => ({ id, name, status: "Active", peakPower: 9.8 })),
    ];
    const start = Number(query.get("startIndex") ?? 0);
    return { sites: { count: all.length, site: all.slice(start, start + Number(query.get("size") ?? 100)) } };
  }

  #overview(site: SolarEdgeSiteTruth): unknown {
    return {
      lastUpdateTime: this.#wall(site).toString({ smallestUnit: "second" }).replace("T", " "),
      lifeTimeData: { energy: site.lifetimeWh, revenue: 10 },
      currentPower: { power: site.pvW },
      measuredBy: "INVERTER",
    };
  }

  #storage(site: SolarEdgeSiteTruth, query: URLSearchParams): unknown {
    const timeStamp = this.#wall(site).toString({ smallestUnit: "second" }).replace("T", " ");
    const isWithin = (query.get("startTime") ?? "") <= timeStamp && timeStamp <= (query.get("endTime") ?? "");
    const first = {
      timeStamp: query.get("startTime"),
      power: null,
      lifeTimeEnergyCharged: 0,
      lifeTimeEnergyDischarged: 0,
    };
    const last = {
      timeStamp,
      power: site.batteryW,
      lifeTimeEnergyCharged: site.chargedWh,
      lifeTimeEnergyDischarged: site.dischargedWh,
    };
    return { batteryCount: 1, batteries: [{ serialNumber: "BAT001", telemetries: isWithin ? [first, last] : [] }] };
  }

  #wall({ zone }: SolarEdgeSiteTruth): Temporal.PlainDateTime {
    return Temporal.Instant.fromEpochMilliseconds(this.clock.nowMs()).toZonedDateTimeISO(zone).toPlainDateTime();
  }
}

function inventoryOf({ hasMeter, hasBattery }: SolarEdgeSiteTruth): unknown {
  return {
    meters: hasMeter ? [{ name: "Export Meter", manufacturer: "SolarEdge", model: "MTR" }] : [],
    sensors: [],
    gateways: [],
    batteries: hasBattery ? [{ name: "Battery 1.1", SN: "BAT001", model: "RESU10", nameplateCapacity: 9_700 }] : [],
    inverters: [
      { name: "Inverter 1", manufacturer: "SolarEdge", model: "SE10K", SN: "7E123456-78", cpuVersion: "4.18.32" },
    ],
  };
}

/** What is below a hundredth of the unit is not shown, nor an arrow for it. */
function pictureOf(site: SolarEdgeSiteTruth): unknown {
  const scale = site.unit === "kW" ? 1_000 : 1;
  const shown = (powerW: number) => ({
    status: powerW === 0 ? "Idle" : "Active",
    currentPower: Math.round((Math.abs(powerW) / scale) * 100) / 100,
  });
  const { pvW, gridW, batteryW, loadW, soc } = site;
  const arrows = [
    ...(gridW > 0 ? [{ from: "GRID", to: "Load" }] : []),
    ...(gridW < 0 ? [{ from: "LOAD", to: "Grid" }] : []),
    ...(pvW > 0 ? [{ from: "PV", to: "Load" }] : []),
    ...(batteryW > 0 ? [{ from: "PV", to: "STORAGE" }] : []),
    ...(batteryW < 0 ? [{ from: "STORAGE", to: "Load" }] : []),
  ];
  const storage = site.isBatteryHeard
    ? { ...shown(batteryW), chargeLevel: soc, critical: false }
    : { status: "Disabled", currentPower: 0, chargeLevel: 0, critical: false };
  return {
    updateRefreshRate: 3,
    unit: site.unit,
    connections: site.hasArrows ? arrows : [],
    GRID: shown(gridW),
    LOAD: shown(loadW),
    PV: shown(pvW),
    ...(site.hasBattery && { STORAGE: storage }),
  };
}
