import type { ActionEvent } from "../../domain/actions/action-machine.ts";
import { type ControlValue, isSameControlValue } from "../../domain/actions/desired-setting.ts";
import { isAtRest, isReasserted, judgeLease, type LeaseVerdict } from "../../domain/actions/lease.ts";
import type { PointValues } from "../../domain/assets/snapshot.ts";
import type { Clock, Log } from "../../platform/ports/ports.ts";
import type { ControlPoint, PointName, PointValue } from "../../points/points.ts";
import type { Control } from "../../sdk/driver.ts";
import type { LeaseRecord, Write } from "../../store/records.ts";
import type { Store } from "../../store/store.ts";
import type { ControlConflicts } from "../checks/control-conflicts.ts";
import type { TakenOver } from "../contracts/engine.ts";
import {
  isLeaseOf,
  isOfEnergy,
  keyOf,
  type LeasedSetting,
  originOf,
  putLease,
  removeLease,
  stateOf,
} from "./lease-records.ts";
import type { LeaseTerms } from "./lease-terms.ts";

/** A renewal that failed is tried again after this long, ms. */
const RENEW_RETRY_MS = 5_000;

/** A point may be unknown for a moment; after so many readings in a row it is one that cannot be read. */
const BLIND_AFTER_READINGS = 3;

interface Lease {
  record: LeaseRecord;
  isResuming: boolean;
  hasMatched: boolean;
  mismatches: number;
  /** Monotonic ms of the last write in this connection or an earlier one of this run. */
  writtenAtMs: number | null;
  /** Monotonic ms of the next write; infinite when none is wanted. */
  writeAtMs: number;
  /** A change of the record is on its way to the disk. */
  isStoring: boolean;
}

export interface DeviceLeasesOptions {
  readonly deviceId: string;
  readonly store: Pick<Store, "commit" | "all">;
  readonly clock: Pick<Clock, "monotonicMs">;
  readonly log: Log;
  readonly conflicts: ControlConflicts;
}

/** The values that the gateway holds on one device. Each is on disk before it is first written. */
export class DeviceLeases {
  readonly #options: DeviceLeasesOptions;
  readonly #leases = new Map<ControlPoint, Lease>();
  readonly #terms: LeaseTerms;

  /** Takes up what the store holds for the device. */
  constructor(options: DeviceLeasesOptions, terms: LeaseTerms) {
    this.#options = options;
    this.#terms = terms;
    for (const record of options.store.all("lease")) {
      const isOwn = record.deviceId === options.deviceId && !isOfEnergy(record);
      if (isOwn) this.#leases.set(record.point, newLease(record));
    }
  }

  /** What somebody else took, newest last; nothing here is fought over. */
  get takenOver(): readonly TakenOver[] {
    return this.#options.conflicts.list;
  }

  /** The first point on which a value is held; `null` if none is. */
  get leasedPoint(): ControlPoint | null {
    return [...this.#leases.keys()].find((point) => this.recordAt(point) !== null) ?? null;
  }

  /** A new connection: the first reading tells what is left of each value. */
  connected(controls: readonly Control[]): void {
    this.#terms.connected(controls);
    for (const lease of this.#leases.values()) {
      lease.isResuming = true;
      lease.mismatches = 0;
      lease.writeAtMs = Number.POSITIVE_INFINITY;
    }
  }

  offered(controls: readonly Control[]): void {
    this.#terms.connected(controls);
  }

  /** Returns true if another value than this one is leased, or may still be on the device. */
  hasOtherLease(point: ControlPoint, value: PointValue): boolean {
    const record = this.#leases.get(point)?.record;
    return record !== undefined && !isSameControlValue(record.value, value);
  }

  /** What must be on disk before the value is first written; empty when it already is. */
  toTake({ point, value, origin }: LeasedSetting, values: Readonly<PointValues>): readonly Write[] {
    const before = this.#leases.get(point)?.record;
    if (before !== undefined && isLeaseOf(before, { point, value, origin })) return [];
    const revertTo = before === undefined ? this.#terms.safeValue(point, values) : before.revertTo;
    const owner = origin === "client" ? {} : { origin };
    return [putLease({ deviceId: this.#options.deviceId, point, value, revertTo, state: "held", ...owner })];
  }

  /** What the record becomes when the action that wrote the value ends; for the commit that ends it. */
  whenEnded({ point, value }: ControlValue, event: ActionEvent, values: Readonly<PointValues>): readonly Write[] {
    const record = this.#leases.get(point)?.record;
    if (record === undefined || !isSameControlValue(record.value, value) || stateOf(record) !== "held") return [];
    if (event.type === "taken-over" && event.points.includes(point)) return this.#letGo(record, values);
    if (event.type !== "shown") return [putLease({ ...record, state: "released" })];
    return isAtRest(value, record.revertTo) ? [removeLease(record)] : [];
  }

  /** True when the device's timer for the value must have run out since it was last written. */
  hasLapsed(point: ControlPoint): boolean {
    const lease = this.#leases.get(point);
    return lease !== undefined && this.#isTimerOver(lease);
  }

  /** Half of the device's own timer, ms: by then a value is written again. Infinite where it has none. */
  renewByMs(point: ControlPoint): number {
    return this.#terms.renewByMs(point);
  }

  /** Follows a commit: of the writes only those of leases, and of what was taken over, matter here. */
  apply(writes: readonly Write[]): void {
    this.#options.conflicts.apply(writes);
    for (const write of writes) {
      if (write.table !== "lease") continue;
      if ("put" in write) {
        if (!isOfEnergy(write.put)) this.#applyPut(write.put);
      } else
        for (const [point, { record }] of this.#leases) if (keyOf(record) === write.key) this.#leases.delete(point);
    }
  }

  #applyPut(record: LeaseRecord): void {
    const lease = this.#leases.get(record.point);
    if (lease === undefined || !isSameControlValue(lease.record.value, record.value)) {
      this.#leases.set(record.point, { ...newLease(record), isResuming: false });
      return;
    }
    lease.record = record;
    if (stateOf(record) !== "held") lease.writeAtMs = Number.POSITIVE_INFINITY;
  }

  /** A value was sent. */
  written(point: ControlPoint): void {
    const lease = this.#leases.get(point);
    if (lease === undefined) return;
    lease.writtenAtMs = this.#options.clock.monotonicMs();
    lease.mismatches = 0;
    lease.writeAtMs = lease.writtenAtMs + this.#terms.renewMs(point);
  }

  notWritten(point: ControlPoint): void {
    const lease = this.#leases.get(point);
    if (lease !== undefined) lease.writeAtMs = this.#options.clock.monotonicMs() + RENEW_RETRY_MS;
  }

  /** Looks at the readings of a turn. `busy` are the points that an action writes: it judges them itself. */
  observed(fresh: ReadonlySet<PointName>, values: Readonly<PointValues>, busy: ReadonlySet<ControlPoint>): void {
    for (const [point, lease] of this.#leases) {
      const reading = values[point] ?? null;
      if (!fresh.has(point) || busy.has(point) || lease.isStoring) continue;
      if (reading === null) this.#followBlindly(lease, values);
      else this.#follow(lease, judgeLease(this.#view(lease), reading), values);
    }
    this.#options.conflicts.observe(fresh, values, (point) => this.valueAt(point));
  }

  /** The values to write now, beside those that actions write. */
  due(busy: ReadonlySet<ControlPoint>): readonly LeaseRecord[] {
    const nowMs = this.#options.clock.monotonicMs();
    return this.#idle(busy)
      .filter((lease) => lease.writeAtMs <= nowMs)
      .map(({ record }) => record);
  }

  /** Monotonic ms of the next write; infinite when none is wanted. */
  nextWriteAtMs(busy: ReadonlySet<ControlPoint>): number {
    return this.#idle(busy).reduce((next, lease) => Math.min(next, lease.writeAtMs), Number.POSITIVE_INFINITY);
  }

  /** The safe values that an orderly stop owes the device. */
  owed(): readonly { readonly point: ControlPoint; readonly value: PointValue }[] {
    return [...this.#leases.values()].flatMap(({ record }) =>
      record.revertTo === null || stateOf(record) === "reverted"
        ? []
        : [{ point: record.point, value: record.revertTo }],
    );
  }

  /** Stores that safe values were written. A setting that is held is taken up again by the next start. */
  async reverted(points: readonly ControlPoint[], others: readonly Write[] = []): Promise<void> {
    const own = points.flatMap((point): Write[] => {
      const record = this.#leases.get(point)?.record;
      if (record === undefined) return [];
      return [stateOf(record) === "held" ? putLease({ ...record, state: "reverted" }) : removeLease(record)];
    });
    const writes = [...own, ...others];
    if (writes.length > 0) await this.#options.store.commit(writes, []);
    this.apply(writes);
  }

  /** The record of the value that is held on the point; `null` if none is. */
  recordAt(point: ControlPoint): LeaseRecord | null {
    const record = this.#leases.get(point)?.record;
    return record === undefined || stateOf(record) !== "held" ? null : record;
  }

  #idle(busy: ReadonlySet<ControlPoint>): readonly Lease[] {
    if (this.#leases.size === 0) return [];
    return [...this.#leases.values()].filter(({ record, isStoring }) => !isStoring && !busy.has(record.point));
  }

  #view(lease: Lease): Parameters<typeof judgeLease>[0] {
    const { record, isResuming, hasMatched, mismatches } = lease;
    return {
      state: stateOf(record),
      value: record.value,
      revertTo: record.revertTo,
      isReasserted: isReasserted(originOf(record)),
      isResuming,
      hasMatched,
      mismatches,
      hasTimer: this.#terms.holdMs(record.point) !== null,
      fallback: this.#terms.fallback(record.point),
      isTimerOver: this.#isTimerOver(lease),
    };
  }

  #isTimerOver({ record, writtenAtMs }: Lease): boolean {
    const holdMs = this.#terms.holdMs(record.point);
    return holdMs !== null && writtenAtMs !== null && this.#options.clock.monotonicMs() - writtenAtMs > holdMs;
  }

  /** The energy manager no longer regulates the point, and has written this value or left it to somebody else. */
  handedBack(point: ControlPoint): void {
    const lease = this.#leases.get(point);
    if (lease !== undefined) Object.assign(lease, { isResuming: false, hasMatched: true, mismatches: 0 });
    this.written(point);
  }

  /** Somebody else set the point while the energy manager regulated it: what is held there ends, unless it is the same. */
  changed(point: ControlPoint, values: Readonly<PointValues>): void {
    const lease = this.#leases.get(point);
    if (lease === undefined || lease.isStoring || stateOf(lease.record) !== "held") return;
    if (!isSameControlValue(lease.record.value, values[point] ?? null)) this.#follow(lease, "taken-over", values);
  }

  /** The value that is held on the point; `null` if none is. */
  valueAt(point: ControlPoint): PointValue | null {
    return this.recordAt(point)?.value ?? null;
  }

  #follow(lease: Lease, verdict: LeaseVerdict, values: Readonly<PointValues>): void {
    const { log, clock } = this.#options;
    const { point, value } = lease.record;
    const reading = values[point] ?? null;
    switch (verdict) {
      case "holds":
        this.#keep(lease);
        return;
      case "differs":
        lease.mismatches += 1;
        lease.writeAtMs = Number.POSITIVE_INFINITY;
        return;
      case "lapsed":
        Object.assign(lease, { isResuming: false, mismatches: 0 });
        // A write that failed is tried again in a moment.
        if (lease.writeAtMs <= clock.monotonicMs() + RENEW_RETRY_MS) return;
        log.info({ point, value, reading }, "held value had lapsed, writing it again");
        lease.writeAtMs = clock.monotonicMs();
        return;
      case "taken-over":
        log.warn({ point, value, reading }, "held value was changed at the device, letting go");
        void this.#store(lease, this.#letGo(lease.record, values));
        return;
      case "settled":
        void this.#store(lease, [removeLease(lease.record)]);
        return;
      default:
        verdict satisfies never;
    }
  }

  /**
   * The device cannot show what it holds. After a start or a new connection a setting that its timer ends is taken up again
   * all the same, or it would end with every restart; one that the device keeps is left alone.
   */
  #followBlindly(lease: Lease, values: Readonly<PointValues>): void {
    const { record, isResuming } = lease;
    if (!isResuming || stateOf(record) === "released" || this.#terms.holdMs(record.point) === null) return;
    lease.mismatches += 1;
    if (lease.mismatches < BLIND_AFTER_READINGS) return;
    this.#follow(lease, isReasserted(originOf(record)) ? "settled" : "lapsed", values);
  }

  /** Returns the writes that forget a value which somebody else changed, with the finding about it. */
  #letGo(record: LeaseRecord, values: Readonly<PointValues>): readonly Write[] {
    const found = values[record.point] ?? null;
    const { conflicts } = this.#options;
    const findings =
      found === null ? [] : conflicts.findingOf(record, found, values, this.#terms.fallback(record.point));
    return [removeLease(record), ...findings];
  }

  /** The device shows the value: what is left of its timer is known only when we wrote it on this connection. */
  #keep(lease: Lease): void {
    const renewMs = this.#terms.renewMs(lease.record.point);
    const renewAtMs = lease.isResuming ? 0 : (lease.writtenAtMs ?? 0) + renewMs;
    lease.hasMatched = true;
    lease.mismatches = 0;
    lease.isResuming = false;
    if (lease.writeAtMs === Number.POSITIVE_INFINITY && renewMs !== Number.POSITIVE_INFINITY)
      lease.writeAtMs = renewAtMs;
    if (stateOf(lease.record) === "reverted") void this.#store(lease, [putLease({ ...lease.record, state: "held" })]);
  }

  async #store(lease: Lease, writes: readonly Write[]): Promise<void> {
    lease.isStoring = true;
    try {
      await this.#options.store.commit(writes, []);
      this.apply(writes);
    } catch (err) {
      this.#options.log.warn({ err, point: lease.record.point }, "lease not stored, judging it again");
    } finally {
      lease.isStoring = false;
    }
  }
}

function newLease(record: LeaseRecord): Lease {
  return {
    record,
    isResuming: true,
    hasMatched: false,
    mismatches: 0,
    writtenAtMs: null,
    writeAtMs: Number.POSITIVE_INFINITY,
    isStoring: false,
  };
}
