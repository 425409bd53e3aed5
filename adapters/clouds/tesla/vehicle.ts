import { MINUTE_MS, type PointName } from "hemgate/sdk";
import type { CloudControl, CloudDevice, CloudReading, Tempo } from "../kit/connector.ts";
import { CloudError } from "../kit/session/cloud-error.ts";
import { stateOf, vehicleReadings } from "./charge-state.ts";
import { costOf, type Fleet, PRICE, VEHICLE_PATH } from "./fleet.ts";
import { VehicleData, type VehicleProduct } from "./schemas.ts";
import { type ChargingCommand, VehicleCommands } from "./vehicle-commands.ts";

const ACTIVE_MS = 5 * MINUTE_MS;
/** Each reading sends a new request, however soon. */
const NEVER_FRESH_MS = -1;
/** Location is a separate part since firmware 2023.38, and empty without the scope. */
const ENDPOINTS = "charge_state;drive_state;location_data;vehicle_state";
/** What a plug gives at most; the car tells the actual limit only while it is plugged in. */
const MIN_A = 5;
const MAX_A = 48;

const POINTS: readonly PointName[] = [
  "vehicle.soc",
  "vehicle.chargeLimit",
  "vehicle.range",
  "vehicle.state",
  "vehicle.power",
  "vehicle.timeToFull",
  "vehicle.enabled",
  "vehicle.maxCurrent",
  "vehicle.latitude",
  "vehicle.longitude",
  "vehicle.odometer",
];

const MODELS: Readonly<Record<string, string>> = {
  "3": "Model 3",
  C: "Cybertruck",
  R: "Roadster",
  S: "Model S",
  T: "Semi",
  X: "Model X",
  Y: "Model Y",
};
/** The tenth place of a VIN from 2010 on (ISO 3779 as used in North America and by Tesla everywhere). */
const YEARS = "ABCDEFGHJKLMNPRSTVWXY123456789";
const FIRST_YEAR = 2_010;

export function modelOf(vin: string): string | null {
  return MODELS[vin.charAt(3)] ?? null;
}

/** Connects a vehicle. A sleeping one is not asked anything, and stays asleep. */
export async function openVehicle(fleet: Fleet, product: VehicleProduct, signal: AbortSignal): Promise<CloudDevice> {
  return new Vehicle(fleet, product, await VehicleCommands.of(fleet, product.vin, signal));
}

class Vehicle implements CloudDevice {
  readonly identity: CloudDevice["identity"];
  readonly points = POINTS;
  readonly cost = costOf(PRICE.data);
  readonly #fleet: Fleet;
  readonly #vin: string;
  readonly #commands: VehicleCommands;
  #isCharging = false;
  #isAsleep = false;
  /** A, of the plug that it is at. */
  #mostAmperes = MAX_A;
  #activeUntilMs = Number.NEGATIVE_INFINITY;

  constructor(fleet: Fleet, { vin, display_name: name }: VehicleProduct, commands: VehicleCommands) {
    this.#fleet = fleet;
    this.#vin = vin;
    const year = vin.length === 17 ? YEARS.indexOf(vin.charAt(9)) : -1;
    this.identity = {
      manufacturer: "Tesla",
      model: modelOf(vin),
      serial: vin,
      version: null,
      name,
      year: year < 0 ? null : FIRST_YEAR + year,
    };
    this.#commands = commands;
  }

  get controls(): readonly CloudControl[] {
    const { isProven, caveat } = this.#commands;
    const kept = { holdMs: null, confidence: isProven ? "documented" : "unverified", caveat } as const;
    return [
      { point: "vehicle.enabled", values: [true, false], ...kept, safeDefault: null },
      { point: "vehicle.maxCurrent", range: { min: MIN_A, max: this.#mostAmperes }, ...kept, safeDefault: "as-found" },
    ];
  }

  get isAsleep(): boolean {
    return this.#isAsleep;
  }

  /**
   * What the car tells now; of a sleeping one the last readings, as old as they are, from before a restart too. Only commands
   * wake it.
   */
  async read(signal: AbortSignal): Promise<readonly CloudReading[]> {
    this.#isAsleep = false;
    const question = {
      key: `vehicle ${this.#vin}`,
      freshMs: NEVER_FRESH_MS,
      schema: VehicleData,
      ask: (inner: AbortSignal) => this.#ask(inner),
      standsIn: ["asleep"],
    } as const;
    try {
      const data = await this.#fleet.session.seldom(question, signal);
      return this.#isAsleep ? this.#readingsIn(data).filter(isDated) : this.#readingsIn(data);
    } catch (cause) {
      if (!this.#isAsleep) throw cause;
      // It has slept since it was linked.
      return [];
    }
  }

  async write(point: string, value: unknown, signal: AbortSignal): Promise<void> {
    const request = this.#requestOf(point, value);
    if (request === null) throw new CloudError("refused", `vehicle: ${point} takes no ${String(value)}`);
    try {
      await this.#commands.send(request, signal);
    } finally {
      this.#activeUntilMs = this.#fleet.session.clock.monotonicMs() + ACTIVE_MS;
    }
  }

  /** Idle unless it charges: a car that is asked every few minutes never falls asleep. */
  tempo(): Tempo {
    if (this.#fleet.session.clock.monotonicMs() < this.#activeUntilMs) return "active";
    return this.#isCharging ? "usual" : "idle";
  }

  #requestOf(point: string, value: unknown): ChargingCommand | null {
    if (point === "vehicle.enabled" && typeof value === "boolean") return { isOn: value };
    if (point !== "vehicle.maxCurrent" || typeof value !== "number" || !Number.isInteger(value)) return null;
    return value >= MIN_A && value <= this.#mostAmperes ? { amperes: value } : null;
  }

  async #ask(signal: AbortSignal): Promise<VehicleData> {
    const path = `${VEHICLE_PATH}${this.#vin}/vehicle_data`;
    const what = { path, subject: this.#vin, query: { endpoints: ENDPOINTS } };
    try {
      const state = await this.#fleet.stateOf(this.#vin, signal);
      if (state === "online") return await this.#fleet.get(VehicleData, what, signal);
      throw new CloudError("asleep", `vehicle: it is ${state}`);
    } catch (cause) {
      this.#isAsleep = cause instanceof CloudError && cause.kind === "asleep";
      throw cause;
    }
  }

  #readingsIn(data: VehicleData): readonly CloudReading[] {
    const charge = data.charge_state;
    this.#isCharging = !this.#isAsleep && stateOf(charge) === "PLUGGED_IN:CHARGING";
    this.#mostAmperes = limitOf(charge?.charge_current_request_max ?? null);
    return vehicleReadings(data);
  }
}

/** A reading without a time, as a null has, would count as measured now. */
function isDated({ value, measuredAtMs }: CloudReading): boolean {
  return value !== null && measuredAtMs !== undefined;
}

/** A limit that no plug has counts as missing. */
function limitOf(amperes: number | null): number {
  return amperes === null || amperes < MIN_A ? MAX_A : Math.min(MAX_A, amperes);
}
