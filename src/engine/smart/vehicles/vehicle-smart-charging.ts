import type { ActionOrigin } from "../../../domain/actions/action.ts";
import { NO_VEHICLE_POLICY, type Vehicle, type VehicleSmartChargingPolicy } from "../../../domain/assets/vehicle.ts";
import { patch } from "../../../domain/patch.ts";
import { problem } from "../../../domain/problem.ts";
import type {
  VehicleChargingPlan,
  VehiclePolicyUpdate,
  VehicleSmartStatus,
} from "../../../domain/smart/vehicle-smart-charging.ts";
import type { VehicleSmartEvent } from "../../../domain/smart/vehicle-smart-state.ts";
import { isExecuting } from "../../../domain/smart/vehicle-smart-state.ts";
import type { AssetOverlay } from "../../assets/asset-overlays.ts";
import type { Controller } from "../../contracts/control.ts";
import type { VehicleSmartCharging } from "../../contracts/smart.ts";
import type { EnginePart } from "../../engine-part.ts";
import type { SmartParts } from "../smart-parts.ts";
import { activationFault } from "./activation.ts";
import { stoppedBy } from "./stopped-by.ts";
import { newRecord, VehicleBook } from "./vehicle-book.ts";
import { VehicleLoop } from "./vehicle-loop.ts";
import { applied, type Kept } from "./vehicle-step.ts";

/**
 * Smart charging of vehicles: the policies, and one plan a vehicle that pauses charging until it is cheap. It is in
 * charge of a vehicle while a plan is executed.
 */
export class VehicleSmartService implements VehicleSmartCharging, Controller, EnginePart {
  readonly kind = "smart-charging";
  readonly #parts: SmartParts;
  readonly #book: VehicleBook;
  readonly #loop: VehicleLoop;

  constructor(parts: SmartParts) {
    this.#parts = parts;
    this.#book = new VehicleBook(parts);
    this.#loop = new VehicleLoop(parts, this.#book);
  }

  readonly overlay: AssetOverlay = {
    vehicle: (vehicle) => patch(vehicle, { smartChargingPolicy: this.#policyOf(vehicle) }),
  };

  latenessMs(): number {
    return this.#loop.latenessMs();
  }

  run(signal: AbortSignal): Promise<void> {
    return this.#loop.run(signal);
  }

  /** The vehicle is gone, with what was stored of it. */
  forget(vehicleId: string): void {
    this.#loop.forget(vehicleId);
  }

  controls(targetId: string): boolean {
    const kept = this.#book.get(targetId);
    return kept !== null && isExecuting(kept.record.state);
  }

  async release(targetId: string): Promise<void> {
    const kept = this.#book.get(targetId);
    if (kept === null || !(kept.record.policy.isEnabled || kept.record.owesStart)) return;
    await this.#loop.withLock(targetId, async () => {
      await this.#change(targetId, (before, nowMs) => {
        const { record, plan } = before;
        const off = { record: { ...record, policy: { ...record.policy, isEnabled: false } }, plan };
        const isOn = record.policy.isEnabled;
        const over = isOn ? applied(off, endOf(record.state, "PLAN:ENDED:DISABLED"), null, nowMs) : before;
        // The new automation owner decides about charging.
        return { ...over, record: { ...over.record, owesStart: false } };
      });
    });
  }

  policy(vehicleId: string): VehicleSmartChargingPolicy {
    this.#require(vehicleId);
    return this.#book.get(vehicleId)?.record.policy ?? NO_VEHICLE_POLICY;
  }

  async setPolicy(vehicleId: string, update: VehiclePolicyUpdate): Promise<VehicleSmartChargingPolicy> {
    const vehicle = this.#require(vehicleId);
    const requested = updated(this.policy(vehicleId), update);
    if (requested.isEnabled) {
      const fault = activationFault(vehicle, requested, this.#parts);
      if (fault !== null) throw fault;
    }
    const change = (): Promise<VehicleSmartChargingPolicy> =>
      this.#loop.withLock(vehicleId, async () => {
        await this.#change(vehicleId, (kept, nowMs) => {
          const stop = stoppedBy(this.#parts.store, vehicleId);
          return withPolicy(kept, updated(kept.record.policy, update), { nowMs, stop });
        });
        return this.policy(vehicleId);
      });
    // Before taking this vehicle's lock: another feature may be waiting for it.
    return requested.isEnabled ? await this.#parts.controllers.takeOver(vehicleId, this.kind, change) : await change();
  }

  status(vehicleId: string): VehicleSmartStatus {
    const vehicle = this.#require(vehicleId);
    const kept = this.#book.get(vehicleId);
    if (kept !== null) return this.#book.status(vehicle, kept);
    const entry = this.#parts.assets.list("vehicle").find(({ asset }) => asset.id === vehicleId);
    return this.#book.untouched(vehicle, entry?.createdAtMs ?? 0);
  }

  plan(vehicleId: string, planId: string): VehicleChargingPlan | null {
    this.#require(vehicleId);
    const plans = this.#book.plans(vehicleId);
    const found = planId === "latest" ? plans[0] : plans.find(({ plan }) => plan.id === planId);
    return found?.plan ?? null;
  }

  /** Stores a change of a vehicle's record, and lets the loop look at it. */
  async #change(vehicleId: string, change: (kept: Kept, nowMs: number) => Kept): Promise<void> {
    const { clock, refresh } = this.#parts;
    const vehicle = this.#require(vehicleId);
    const nowMs = clock.nowMs();
    const before = this.#book.get(vehicleId);
    const after = change(before ?? { record: newRecord(vehicleId, nowMs), plan: null }, nowMs);
    await this.#book.commit(vehicle, before, after, nowMs).catch((cause: unknown) => {
      throw problem("service-unavailable", "The policy cannot be stored now, so it did not change.", { cause });
    });
    refresh({ kind: "vehicle", id: vehicleId });
    this.#loop.reconsider(vehicleId);
  }

  /** The asset's own policy object when it says the same. */
  #policyOf({ id, smartChargingPolicy }: Vehicle): VehicleSmartChargingPolicy {
    return patch(smartChargingPolicy, this.#book.get(id)?.record.policy ?? NO_VEHICLE_POLICY);
  }

  #require(vehicleId: string): Vehicle {
    const vehicle = this.#parts.assets.get("vehicle", vehicleId);
    if (vehicle === null) throw problem("not-found", `There is no vehicle "${vehicleId}".`);
    return vehicle;
  }
}

function updated(policy: VehicleSmartChargingPolicy, update: VehiclePolicyUpdate): VehicleSmartChargingPolicy {
  const { isEnabled, deadline, minimumChargeLimit } = update;
  return {
    isEnabled: isEnabled ?? policy.isEnabled,
    deadline: deadline === undefined ? policy.deadline : deadline,
    minimumChargeLimit: minimumChargeLimit ?? policy.minimumChargeLimit,
  };
}

function withPolicy(
  { record, plan }: Kept,
  policy: VehicleSmartChargingPolicy,
  { nowMs, stop }: { readonly nowMs: number; readonly stop: ActionOrigin | null },
): Kept {
  const before = record.policy;
  const changed = { record: { ...record, policy }, plan };
  if (!policy.isEnabled) {
    // What somebody else stopped before, stays stopped.
    const owesStart = record.owesStart && (stop === null || stop === "smart-charging");
    const off = { record: { ...changed.record, owesStart }, plan };
    return applied(off, endOf(record.state, "PLAN:ENDED:DISABLED"), null, nowMs);
  }
  if (!isExecuting(record.state)) {
    if (before.isEnabled) return changed;
    // Switched on, it is for smart charging to start what a schedule or a client has stopped. Switched on again, the end
    // of an earlier plan is no reason to wait for another plug-in.
    const on = { record: { ...changed.record, owesStart: record.owesStart || stop !== null }, plan };
    return applied(on, { type: "rested", as: "CONSIDERING" }, null, nowMs);
  }
  if (before.deadline === policy.deadline) return changed;
  return applied(changed, { type: "ended", as: "PLAN:ENDED:DEADLINE_CHANGED" }, null, nowMs);
}

function endOf(state: Kept["record"]["state"], as: "PLAN:ENDED:DISABLED"): VehicleSmartEvent {
  return isExecuting(state) ? { type: "ended", as } : { type: "rested", as: "DISABLED" };
}
