import { changesBetween } from "../../../domain/assets/changes.ts";
import { NO_VEHICLE_POLICY, type Vehicle } from "../../../domain/assets/vehicle.ts";
import { instant } from "../../../domain/fields.ts";
import type { VehicleChargingPlan, VehicleSmartStatus } from "../../../domain/smart/vehicle-smart-charging.ts";
import type { ExecutedPlan } from "../../../domain/smart/vehicle-smart-plan.ts";
import { isEnded, isExecuting } from "../../../domain/smart/vehicle-smart-state.ts";
import type { VehicleSmartRecord, Write } from "../../../store/records.ts";
import type { NewJournalEntry } from "../../../store/store.ts";
import { smartChargingStatusUpdated } from "../../events.ts";
import type { SmartParts } from "../smart-parts.ts";
import type { Kept } from "./vehicle-step.ts";

/** Plans kept for each vehicle; the oldest go first. */
const MAX_PLANS = 50;

/** Stores the records of vehicles' smart charging, and publishes the changes of their status. */
export class VehicleBook {
  readonly #parts: Pick<SmartParts, "store" | "overrides" | "shifts">;
  /** The status that was published last; a difference from it is published. */
  readonly #published = new Map<string, VehicleSmartStatus>();

  constructor(parts: Pick<SmartParts, "store" | "overrides" | "shifts">) {
    this.#parts = parts;
  }

  get ids(): readonly string[] {
    return this.#parts.store.all("vehicle-smart").map(({ vehicleId }) => vehicleId);
  }

  get(vehicleId: string): Kept | null {
    const { store } = this.#parts;
    const record = store.get("vehicle-smart", vehicleId);
    if (record === null) return null;
    return { record, plan: record.planId === null ? null : store.get("vehicle-plan", record.planId) };
  }

  /** A vehicle's plans, the latest first. */
  plans(vehicleId: string): readonly ExecutedPlan[] {
    return this.#parts.store
      .all("vehicle-plan")
      .filter(({ plan }) => plan.vehicleId === vehicleId)
      .toSorted((a, b) => b.createdAtMs - a.createdAtMs);
  }

  status(vehicle: Vehicle, { record, plan }: Kept): VehicleSmartStatus {
    const { state, updatedAtMs, stateChangedAtMs, consideration } = record;
    return {
      updatedAt: instant(updatedAtMs),
      vehicleId: vehicle.id,
      userId: vehicle.userId,
      vendor: vehicle.vendor,
      state,
      stateChangedAt: instant(stateChangedAtMs),
      consideration,
      plan: isExecuting(state) || isEnded(state) ? (plan?.plan ?? null) : null,
      smartOverride: this.#embeddedOverride(vehicle.id),
    };
  }

  /** The status before anybody set a policy. */
  untouched(vehicle: Vehicle, knownSinceMs: number): VehicleSmartStatus {
    return this.status(vehicle, { record: newRecord(vehicle.id, knownSinceMs), plan: null });
  }

  /**
   * Stores a change and publishes what it changes of the status, in one commit. Rejects when the disk refuses; then nothing
   * has changed.
   */
  async commit(vehicle: Vehicle, before: Kept | null, after: Kept, nowMs: number): Promise<void> {
    const { store } = this.#parts;
    const record: VehicleSmartRecord = { ...after.record, updatedAtMs: nowMs };
    const status = this.status(vehicle, { record, plan: after.plan });
    const { entries, paths } = this.#news(vehicle, before, status);
    if (before?.record === after.record && before.plan === after.plan && paths.length === 0) return;
    await store.commit([...this.#writes(before, { record, plan: after.plan }, nowMs)], entries);
    this.#published.set(vehicle.id, status);
  }

  /** The vehicle is gone, with what was stored of it. */
  forget(vehicleId: string): void {
    this.#published.delete(vehicleId);
  }

  #news(vehicle: Vehicle, before: Kept | null, status: VehicleSmartStatus) {
    const known = this.#published.get(vehicle.id) ?? (before === null ? null : this.status(vehicle, before));
    const paths = changesBetween(known ?? {}, status).paths.filter((path) => path !== "updatedAt");
    const isFirst = known === null && status.state === "DISABLED";
    const entries: readonly NewJournalEntry[] =
      paths.length === 0 || isFirst ? [] : [smartChargingStatusUpdated(status, paths)];
    return { entries, paths };
  }

  *#writes(before: Kept | null, after: Kept, nowMs: number): Generator<Write> {
    const { vehicleId } = after.record;
    yield { table: "vehicle-smart", key: vehicleId, put: after.record };
    if (after.plan === null || after.plan === before?.plan) return;
    yield { table: "vehicle-plan", key: after.plan.plan.id, put: after.plan };
    if (before?.plan?.plan.id !== after.plan.plan.id) {
      yield* this.plans(vehicleId)
        .slice(MAX_PLANS - 1)
        .map(removePlan);
    }
    yield* this.#shiftWrites(before?.plan?.plan ?? null, after.plan.plan, nowMs);
  }

  /** Charging that goes on after the pause was moved, until the plan ends. */
  #shiftWrites(before: VehicleChargingPlan | null, after: VehicleChargingPlan, nowMs: number): readonly Write[] {
    const { shifts } = this.#parts;
    const wasResumed = before?.id === after.id && before.startConfirmedAt !== null;
    if (after.endedAt !== null) return shifts.closed(after.vehicleId, nowMs);
    if (wasResumed || after.stopConfirmedAt === null || after.startConfirmedAt === null) return [];
    return shifts.opened(after.vehicleId, Date.parse(after.stopConfirmedAt), Date.parse(after.startConfirmedAt));
  }

  #embeddedOverride(vehicleId: string): VehicleSmartStatus["smartOverride"] {
    const active = this.#parts.overrides.active(vehicleId);
    if (active?.targetType !== "vehicle") return null;
    const { createdAt, endedAt, targetId, targetType, vendorActionId } = active;
    return { createdAt, endedAt, targetId, targetType, vendorActionId };
  }
}

/** A vehicle that nobody set a policy for. */
export function newRecord(vehicleId: string, nowMs: number): VehicleSmartRecord {
  return {
    vehicleId,
    policy: NO_VEHICLE_POLICY,
    state: "DISABLED",
    stateChangedAtMs: nowMs,
    updatedAtMs: nowMs,
    consideration: null,
    planId: null,
    seenKw: null,
    owesStart: false,
    stops: 0,
  };
}

function removePlan({ plan }: ExecutedPlan): Write {
  return { table: "vehicle-plan", key: plan.id, remove: true };
}
