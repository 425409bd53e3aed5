/** Leases as they are stored: their keys, their defaults, and the writes that change them. */
import type { ActionOrigin } from "../../domain/actions/action.ts";
import { isSameControlValue } from "../../domain/actions/desired-setting.ts";
import type { LeaseState } from "../../domain/actions/lease.ts";
import type { ControlPoint, PointValue } from "../../points/points.ts";
import type { LeaseRecord, Write } from "../../store/records.ts";

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

export function keyOf({ deviceId, point }: Pick<LeaseRecord, "deviceId" | "point">): string {
  return `${deviceId}/${point}`;
}

export function putLease(record: LeaseRecord): Write {
  return { table: "lease", key: keyOf(record), put: record };
}

/** Forgets a lease. */
export function removeLease(record: Pick<LeaseRecord, "deviceId" | "point">): Write {
  return { table: "lease", key: keyOf(record), remove: true };
}
