/** SMA's Monitoring API, after what is quoted of its OpenAPI; nobody has compared it with the real one. */
import { Temporal } from "temporal-polyfill";
import type { SimWebAnswer } from "../../../src/testing/network/sim-web.ts";
import { type AskedOfTwin, CloudTwin, jsonAnswer } from "./cloud-twin.ts";
import { TokenDesk } from "./token-desk.ts";

const WINDOW_MS = 300_000;

/** A plant as it is: W, positive into the battery, from the grid and from the panels. */
export class SmaPlantTruth {
  readonly id: string;
  name = "Test Plant";
  zone = "Europe/Berlin";
  hasBattery = true;
  pvW = 0;
  gridW = 0;
  batteryW = 0;
  soc = 65.25;
  /** False: the portal has no value of the last minutes. */
  isOnline = true;

  constructor(id: string) {
    this.id = id;
  }

  get loadW(): number {
    return this.pvW + this.gridW - this.batteryW;
  }
}

export class SmaTwin extends CloudTwin {
  override readonly hosts = ["monitoring.smaapis.de", "auth.smaapis.de"];
  readonly desk = new TokenDesk({ clock: this.clock, accessMs: 300_000, refreshMs: null, rotates: true });
  plants: SmaPlantTruth[] = [new SmaPlantTruth("25057")];
  oddPlants: unknown[] = [];
  client = { id: "client-1", secret: "secret-1" };
  /** Codes that the owner's consent gave, each good once. */
  readonly codes = new Set<string>();
  /** Sets and resources that the contract does not include. */
  readonly forbidden = new Set<string>();
  perWindow = 60;
  readonly #counts = new Map<number, number>();

  protected override answer(asked: AskedOfTwin): SimWebAnswer {
    const { url, request } = asked;
    if (url.host === "auth.smaapis.de") return this.#token(asked);
    if (!this.desk.accepts(request.headers["authorization"])) return jsonAnswer({ code: 401 }, 401);
    const window = Math.floor(this.clock.monotonicMs() / WINDOW_MS);
    this.#counts.set(window, (this.#counts.get(window) ?? 0) + 1);
    if ((this.#counts.get(window) ?? 0) > this.perWindow) return this.limited();
    const [, , , id, ...rest] = url.pathname.split("/");
    if (id === undefined) return jsonAnswer({ plants: [...this.oddPlants, ...this.plants.map(listed)] });
    const plant = this.plants.find((one) => one.id === id);
    const resource = rest.join("/");
    if (plant === undefined || this.forbidden.has(resource)) return jsonAnswer({ code: 403 }, 403);
    if (resource === "devices/lean") return jsonAnswer({ plant: listed(plant), devices: devicesOf(plant) });
    if (resource === "measurements/sets/EnergyBalance/Recent") return this.#recent(plant);
    if (resource === "measurements/sets/EnergyBalance/Total") return jsonAnswer(setOf(plant, totalOf(plant)));
    return jsonAnswer({ code: 404 }, 404);
  }

  /** It does not say when to come back. */
  protected override limited(): SimWebAnswer {
    return jsonAnswer({ code: 429 }, 429);
  }

  #token({ form }: AskedOfTwin): SimWebAnswer {
    if (form.get("client_id") !== this.client.id || form.get("client_secret") !== this.client.secret)
      return jsonAnswer({ error: "invalid_client" }, 401);
    const isKnown = form.get("grant_type") === "authorization_code" && this.codes.delete(form.get("code") ?? "");
    const tokens = isKnown ? this.desk.issue() : this.desk.renew(form.get("refresh_token"));
    return tokens === null ? jsonAnswer({ error: "invalid_grant" }, 400) : jsonAnswer(tokens);
  }

  #recent(plant: SmaPlantTruth): SimWebAnswer {
    const { pvW, gridW, batteryW, loadW, soc, hasBattery } = plant;
    const now = Temporal.Instant.fromEpochMilliseconds(this.clock.nowMs()).toZonedDateTimeISO(plant.zone);
    const recent = {
      time: now.toPlainDateTime().toString({ smallestUnit: "second" }),
      pvGeneration: pvW,
      totalConsumption: loadW,
      gridFeedIn: Math.max(0, -gridW),
      gridConsumption: Math.max(0, gridW),
      ...(hasBattery && {
        batteryCharging: Math.max(0, batteryW),
        batteryDischarging: Math.max(0, -batteryW),
        batteryStateOfCharge: soc,
      }),
    };
    return jsonAnswer(setOf(plant, plant.isOnline ? recent : null));
  }
}

function setOf(plant: SmaPlantTruth, entry: unknown): unknown {
  return {
    plant: listed(plant),
    setType: "EnergyBalance",
    resolution: "FiveMinutes",
    set: entry === null ? [] : [entry],
  };
}

/** Wh. */
function totalOf({ hasBattery }: SmaPlantTruth): unknown {
  const battery = { batteryCharging: 2_500_000, batteryDischarging: 2_300_000 };
  const plant = { pvGeneration: 31_000_000, gridFeedIn: 12_000_000, gridConsumption: 5_000_000 };
  return hasBattery ? { ...plant, ...battery } : plant;
}

function listed({ id, name, zone }: SmaPlantTruth): unknown {
  return { plantId: id, name, timezone: zone };
}

function devicesOf({ hasBattery }: SmaPlantTruth): readonly unknown[] {
  return [
    { deviceId: "1", name: "STP 10.0", type: "Solar Inverters", product: "STP 10.0 SE", serial: "3012345678" },
    ...(hasBattery ? [{ deviceId: "2", name: "Battery", type: "Battery", product: "HVS" }] : []),
  ];
}
