import { MINUTE_MS } from "../../domain/duration.ts";
import { type KnownHeatStore, knownHeatStore } from "../../domain/energy/heat-store.ts";
import type { Clock } from "../../platform/ports/ports.ts";
import type { PointName } from "../../points/points.ts";
import type { EnergyDeviceRecord } from "../../store/records/energy.ts";
import type { PlannedCharge } from "../contracts/energy/energy-manager.ts";
import { assetIdOf, type EnergyDevice } from "./energy-device.ts";
import { isHeater } from "./heat-pumps.ts";

/** An older reading is not known any more; those that a cloud reads are minutes old. */
const KNOWN_FOR_MS = 30 * MINUTE_MS;
/** After it was as warm as it may be, it takes power again when it is colder by this, K. */
const WARM_HYSTERESIS_K = 1;
/** When a heater that got too cold begins to heat and ends, K from its lowest temperature. A plan keeps near it by itself. */
const COLD_K = { withoutPlan: { begins: 0, ends: 2 }, withPlan: { begins: -1, ends: 0 } } as const;

/** What a plan has to know of what heats. */
export interface HeatNeed {
  readonly store: KnownHeatStore;
  /** °C; `null`: not known. */
  readonly temperatureC: number | null;
  /** True if its power is measured, so that what it took is not a part of the house's load. */
  readonly isMeasured: boolean;
}

export interface PlannedHeatOptions {
  readonly clock: Pick<Clock, "monotonicMs">;
  readonly recordOf: (id: string) => EnergyDeviceRecord | null;
  readonly devices: () => readonly EnergyDevice[];
}

/**
 * Heat pumps and heaters in mode `PLANNED`: what they warm, and the plain rule where no plan has them. It keeps a heater's
 * water at its lowest temperature. A heat pump does so by its own programme.
 */
export class PlannedHeat {
  readonly #options: PlannedHeatOptions;
  readonly #warm = new Set<string>();
  readonly #cold = new Set<string>();

  constructor(options: PlannedHeatOptions) {
    this.#options = options;
  }

  /** True if the device heats and is in mode `PLANNED`. */
  isPlanned(id: string): boolean {
    const record = this.#options.recordOf(id);
    return record?.kind === "hvac" && record.mode === "PLANNED";
  }

  /** Returns what is to be planned; `null` if the device is not in mode `PLANNED`. */
  needOf(id: string): HeatNeed | null {
    const device = this.#deviceOf(id);
    const record = this.#options.recordOf(id);
    if (device === null || record === null) return null;
    return {
      store: this.storeOf(record),
      temperatureC: this.#reading(device, "hvac.temperature"),
      isMeasured: this.#reading(device, "hvac.power") !== null,
    };
  }

  /** True while the device is in mode `PLANNED` and as warm as it may be. */
  isWarm(id: string): boolean {
    const need = this.needOf(id);
    const temperatureC = need?.temperatureC ?? null;
    if (need === null || temperatureC === null) {
      this.#warm.delete(id);
      return false;
    }
    const { maxC } = need.store;
    const limitC = this.#warm.has(id) ? maxC - WARM_HYSTERESIS_K : maxC;
    return mark(this.#warm, id, temperatureC >= limitC);
  }

  /**
   * Returns what a device takes now: full power for a heater that got too cold, whatever the plan expected of the sun, else
   * what is planned. `null`: nothing but surplus.
   */
  charge(id: string, planned: PlannedCharge | null): PlannedCharge | null {
    const isCold = this.#isCold(id, planned === null ? COLD_K.withoutPlan : COLD_K.withPlan);
    return isCold ? { powerW: Number.MAX_SAFE_INTEGER, untilMs: null } : planned;
  }

  #isCold(id: string, { begins, ends }: { readonly begins: number; readonly ends: number }): boolean {
    const device = this.#deviceOf(id);
    const need = this.needOf(id);
    const temperatureC = need?.temperatureC ?? null;
    if (device === null || need === null || temperatureC === null || !isHeater(device)) {
      this.#cold.delete(id);
      return false;
    }
    const { minC, maxC } = need.store;
    const limitC = this.#cold.has(id) ? Math.min(minC + ends, maxC) : minC + begins;
    return mark(this.#cold, id, temperatureC < limitC);
  }

  /** Returns what a device warms, with the defaults of a tank or a building. */
  storeOf({ assetId, heat = null }: Pick<EnergyDeviceRecord, "assetId" | "heat">): KnownHeatStore {
    const device = this.#options.devices().find((each) => assetIdOf(each, "hvac") === assetId);
    return knownHeatStore(heat, device !== undefined && isHeater(device) ? "heater" : "heat-pump");
  }

  #deviceOf(id: string): EnergyDevice | null {
    if (!this.isPlanned(id)) return null;
    return this.#options.devices().find((device) => assetIdOf(device, "hvac") === id) ?? null;
  }

  #reading(device: EnergyDevice, point: Extract<PointName, "hvac.temperature" | "hvac.power">): number | null {
    const measuredAtMs = device.measuredAtMs(point);
    if (measuredAtMs === null || this.#options.clock.monotonicMs() - measuredAtMs > KNOWN_FOR_MS) return null;
    return device.values[point] ?? null;
  }
}

function mark(set: Set<string>, id: string, isIn: boolean): boolean {
  if (isIn) set.add(id);
  else set.delete(id);
  return isIn;
}
