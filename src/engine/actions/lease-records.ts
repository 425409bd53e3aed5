/** Leases as they are stored: their keys, their defaults, and the writes that change them. */
import type { ActionOrigin } from "../../domain/actions/action.ts";
import { isSameControlValue } from "../../domain/actions/desired-setting.ts";
import type { LeaseState } from "../../domain/actions/lease.ts";
import type { ControlPoint, PointValue } from "../../points/points.ts";
import type { LeaseRecord, Write } from "../../store/records.ts";

/** The origin of the values that the energy manager regulates. */
export const ENERGY = "energy" satisfies ActionOrigin;

/** A value that an action, or its renewal, wants held. */
export interface LeasedSetting {
  readonly point: ControlPoint;
  readonly value: PointValue;
  readonly origin: ActionOrigin;
}

/** Returns true if the record keeps this value for this origin. */
export function isLeaseOf(record: LeaseRecord, { value, origin }: LeasedSetting): boolean {
  return stateOf(record) === "held" && isSameControlValue(record.value, value) && originOf(record) === origin;
}

export function originOf(record: LeaseRecord): ActionOrigin {
  return record.origin ?? "client";
}

export function stateOf(record: LeaseRecord): LeaseState {
  return record.state ?? "held";
}

/** Returns true for the record of a regulated value, which lies above what others hold on the point. */
export function isOfEnergy(record: Pick<LeaseRecord, "origin">): boolean {
  return record.origin === ENERGY;
}

export function keyOf(record: Pick<LeaseRecord, "deviceId" | "point" | "origin">): string {
  const key = `${record.deviceId}/${record.point}`;
  return isOfEnergy(record) ? `${key}/${ENERGY}` : key;
}

export function putLease(record: LeaseRecord): Write {
  return { table: "lease", key: keyOf(record), put: record };
}

/** Forgets a lease. */
export function removeLease(record: Pick<LeaseRecord, "deviceId" | "point" | "origin">): Write {
  return { table: "lease", key: keyOf(record), remove: true };
}
