import { type EnergyTarget, nextTargetMs } from "../../domain/energy/energy-policy.ts";
import { type ChargeNeed, LEAST_FULL_W, latestStartMs } from "../../domain/energy/latest-start.ts";
import type { Clock } from "../../platform/ports/ports.ts";
import type { EnergyDeviceRecord } from "../../store/records/energy.ts";
import type { PlannedCharge } from "../contracts/energy/energy-manager.ts";
import type { Assets } from "../contracts/engine.ts";
import { assetIdOf, type EnergyDevice } from "./energy-device.ts";

/** Share of the energy from the charger that arrives in the battery of a car. */
const CHARGE_EFFICIENCY = 0.9;
/** A power above this shows how fast the car charges, W. */
const DRAWING_W = 1_000;
const WATT_HOURS_A_KWH = 1_000;

export interface LatestStartOptions {
  readonly clock: Clock;
  readonly zone: string;
  readonly assets: Pick<Assets, "get">;
  readonly recordOf: (id: string) => EnergyDeviceRecord | null;
  readonly devices: () => readonly EnergyDevice[];
}

/**
 * Charges for the target of a device in mode `PLANNED` as late as it can be reached, where no plan by price has it. How
 * fast the car charges is learned while it does: a car that may be slow starts early, and waits once it is known to be fast.
 */
export class LatestStart {
  readonly #options: LatestStartOptions;
  /** By asset, the highest power since its car was plugged in, W. */
  readonly #fullW = new Map<string, number>();
  /** By asset, the same of the car before. */
  readonly #lastFullW = new Map<string, number>();
  /** By asset, the time of the target for which it charges. */
  readonly #chargingFor = new Map<string, number>();
  /** By charger, what its counter of the session showed before the car was plugged in, Wh. */
  readonly #countedBeforeWh = new Map<string, number>();

  constructor(options: LatestStartOptions) {
    this.#options = options;
  }

  /** Notes what the chargers without a car count. To be called now and then, also while there is no target. */
  watch(): void {
    for (const device of this.#options.devices()) {
      const { "charger.state": state, "charger.energySession": countedWh } = device.values;
      const id = state === "UNPLUGGED" ? assetIdOf(device, "charger") : null;
      if (id !== null) this.#countedBeforeWh.set(id, countedWh ?? 0);
    }
  }

  /** Returns what the target needs and when; `null` without a target, and before the clock is set. */
  needOf(id: string): ChargeNeed | null {
    const { clock, zone, recordOf, devices } = this.#options;
    const record = recordOf(id);
    const target = record?.target ?? null;
    const dueMs = nextTargetMs(target, clock.nowMs(), zone);
    const device = devices().find((each) => record !== null && assetIdOf(each, record.kind) === id);
    if (record === null || target === null || dueMs === null || device === undefined) return null;
    if (record.kind === "hvac") return null;
    if (clock.quality() !== "synced") return null;
    const fullW = this.#learn(id, record.kind, device);
    return { dueMs, neededWh: this.#neededWh(target, record, device), fullW };
  }

  /** Returns the power with which the last car charged here, W; `null` if none was seen. */
  usualW(id: string): number | null {
    return this.#fullW.get(id) ?? this.#lastFullW.get(id) ?? null;
  }

  /** Returns what the target needs now; `null` without a target, when it is reached, and before the clock is set. */
  plannedCharge(id: string): PlannedCharge | null {
    const { clock } = this.#options;
    const need = this.needOf(id);
    if (need === null) return null;
    const { dueMs, neededWh } = need;
    if (neededWh !== null && neededWh <= 0) {
      this.#chargingFor.delete(id);
      return null;
    }
    const isCharging = this.#chargingFor.get(id) === dueMs;
    const aheadMs = latestStartMs(need, isCharging) - clock.nowMs();
    if (aheadMs > 0) {
      this.#chargingFor.delete(id);
      return { powerW: 0, untilMs: clock.monotonicMs() + aheadMs };
    }
    this.#chargingFor.set(id, dueMs);
    return { powerW: Number.MAX_SAFE_INTEGER, untilMs: clock.monotonicMs() + dueMs - clock.nowMs() };
  }

  #learn(id: string, kind: "charger" | "vehicle", { values }: EnergyDevice): number {
    if (values[`${kind}.state`] === "UNPLUGGED") {
      const last = this.#fullW.get(id);
      if (last !== undefined) this.#lastFullW.set(id, last);
      this.#fullW.delete(id);
    }
    const powerW = values[`${kind}.power`] ?? 0;
    const known = this.#fullW.get(id) ?? 0;
    if (powerW > DRAWING_W && powerW > known) this.#fullW.set(id, powerW);
    return this.#fullW.get(id) ?? LEAST_FULL_W;
  }

  /** Some chargers count the session before on, until the car charges. */
  #chargedWh(id: string, { values }: EnergyDevice): number | null {
    const countedWh = values["charger.energySession"] ?? null;
    const beforeWh = this.#countedBeforeWh.get(id) ?? 0;
    if (countedWh === null) return null;
    if (countedWh >= beforeWh) return countedWh - beforeWh;
    this.#countedBeforeWh.delete(id);
    return countedWh;
  }

  #neededWh({ soc, energyKwh }: EnergyTarget, { assetId, kind }: EnergyDeviceRecord, device: EnergyDevice) {
    const { assets } = this.#options;
    if (energyKwh !== null) {
      const chargedWh = this.#chargedWh(assetId, device);
      return chargedWh === null ? null : energyKwh * WATT_HOURS_A_KWH - chargedWh;
    }
    const plugged = assets.get("charger", assetId)?.chargeState.pluggedInVehicleId ?? null;
    const vehicleId = kind === "vehicle" ? assetId : plugged;
    const state = vehicleId === null ? null : assets.get("vehicle", vehicleId)?.chargeState;
    const [level, capacityKwh] = [state?.batteryLevel ?? null, state?.batteryCapacity ?? null];
    if (soc === null || level === null || capacityKwh === null) return null;
    return (((soc - level) / 100) * capacityKwh * WATT_HOURS_A_KWH) / CHARGE_EFFICIENCY;
  }
}
