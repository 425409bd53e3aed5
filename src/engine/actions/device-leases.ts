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
  isHeldFor,
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

interface Hold {
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
  readonly #holds = new Map<ControlPoint, Hold>();
  readonly #terms: LeaseTerms;

  /** Takes up what the store holds for the device. */
  constructor(options: DeviceLeasesOptions, terms: LeaseTerms) {
    this.#options = options;
    this.#terms = terms;
    for (const record of options.store.all("lease")) {
      const isOwn = record.deviceId === options.deviceId && !isOfEnergy(record);
      if (isOwn) this.#holds.set(record.point, newHold(record));
    }
  }

  /** What somebody else took, newest last; nothing here is fought over. */
  get takenOver(): readonly TakenOver[] {
    return this.#options.conflicts.list;
  }

  /** A new connection: the first reading tells what is left of each value. */
  connected(controls: readonly Control[]): void {
    this.#terms.connected(controls);
    for (const hold of this.#holds.values()) {
      hold.isResuming = true;
      hold.mismatches = 0;
      hold.writeAtMs = Number.POSITIVE_INFINITY;
    }
  }

  offered(controls: readonly Control[]): void {
    this.#terms.connected(controls);
  }

  /** True when another value than this one is held, or may still be on the device. */
  isOtherHeld(point: ControlPoint, value: PointValue): boolean {
    const record = this.#holds.get(point)?.record;
    return record !== undefined && !isSameControlValue(record.value, value);
  }

  /** What must be on disk before the value is first written; empty when it already is. */
  toTake({ point, value, origin }: LeasedSetting, values: Readonly<PointValues>): readonly Write[] {
    const before = this.#holds.get(point)?.record;
    if (before !== undefined && isHeldFor(before, { point, value, origin })) return [];
    const revertTo = before === undefined ? this.#terms.safeValue(point, values) : before.revertTo;
    const owner = origin === "client" ? {} : { origin };
    return [putLease({ deviceId: this.#options.deviceId, point, value, revertTo, state: "held", ...owner })];
  }

  /** What the record becomes when the action that wrote the value ends; for the commit that ends it. */
  whenEnded({ point, value }: ControlValue, event: ActionEvent, values: Readonly<PointValues>): readonly Write[] {
    const record = this.#holds.get(point)?.record;
    if (record === undefined || !isSameControlValue(record.value, value) || stateOf(record) !== "held") return [];
    if (event.type === "taken-over" && event.points.includes(point)) return this.#letGo(record, values);
    if (event.type !== "shown") return [putLease({ ...record, state: "released" })];
    return isAtRest(value, record.revertTo) ? [removeLease(record)] : [];
  }

  /** True when the device's timer for the value must have run out since it was last written. */
  hasLapsed(point: ControlPoint): boolean {
    const hold = this.#holds.get(point);
    return hold !== undefined && this.#isTimerOver(hold);
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
      } else for (const [point, { record }] of this.#holds) if (keyOf(record) === write.key) this.#holds.delete(point);
    }
  }

  #applyPut(record: LeaseRecord): void {
    const hold = this.#holds.get(record.point);
    if (hold === undefined || !isSameControlValue(hold.record.value, record.value)) {
      this.#holds.set(record.point, { ...newHold(record), isResuming: false });
      return;
    }
    hold.record = record;
    if (stateOf(record) !== "held") hold.writeAtMs = Number.POSITIVE_INFINITY;
  }

  /** A value was sent. */
  written(point: ControlPoint): void {
    const hold = this.#holds.get(point);
    if (hold === undefined) return;
    hold.writtenAtMs = this.#options.clock.monotonicMs();
    hold.mismatches = 0;
    hold.writeAtMs = hold.writtenAtMs + this.#terms.renewMs(point);
  }

  notWritten(point: ControlPoint): void {
    const hold = this.#holds.get(point);
    if (hold !== undefined) hold.writeAtMs = this.#options.clock.monotonicMs() + RENEW_RETRY_MS;
  }

  /** Looks at the readings of a turn. `busy` are the points that an action writes: it judges them itself. */
  observed(fresh: ReadonlySet<PointName>, values: Readonly<PointValues>, busy: ReadonlySet<ControlPoint>): void {
    for (const [point, hold] of this.#holds) {
      const reading = values[point] ?? null;
      if (!fresh.has(point) || busy.has(point) || hold.isStoring) continue;
      if (reading === null) this.#followBlindly(hold, values);
      else this.#follow(hold, judgeLease(this.#view(hold), reading), values);
    }
    this.#options.conflicts.observe(fresh, values, (point) => this.heldAt(point));
  }

  /** The values to write now, beside those that actions write. */
  due(busy: ReadonlySet<ControlPoint>): readonly LeaseRecord[] {
    const nowMs = this.#options.clock.monotonicMs();
    return this.#wanted(busy)
      .filter((hold) => hold.writeAtMs <= nowMs)
      .map(({ record }) => record);
  }

  /** Monotonic ms of the next write; infinite when none is wanted. */
  nextWriteAtMs(busy: ReadonlySet<ControlPoint>): number {
    return this.#wanted(busy).reduce((next, hold) => Math.min(next, hold.writeAtMs), Number.POSITIVE_INFINITY);
  }

  /** The safe values that an orderly stop owes the device. */
  owed(): readonly { readonly point: ControlPoint; readonly value: PointValue }[] {
    return [...this.#holds.values()].flatMap(({ record }) =>
      record.revertTo === null || stateOf(record) === "reverted"
        ? []
        : [{ point: record.point, value: record.revertTo }],
    );
  }

  /** Stores that safe values were written. A setting that is held is taken up again by the next start. */
  async reverted(points: readonly ControlPoint[], others: readonly Write[] = []): Promise<void> {
    const own = points.flatMap((point): Write[] => {
      const record = this.#holds.get(point)?.record;
      if (record === undefined) return [];
      return [stateOf(record) === "held" ? putLease({ ...record, state: "reverted" }) : removeLease(record)];
    });
    const writes = [...own, ...others];
    if (writes.length > 0) await this.#options.store.commit(writes, []);
    this.apply(writes);
  }

  /** The record of the value that is held on the point; `null` if none is. */
  recordAt(point: ControlPoint): LeaseRecord | null {
    const record = this.#holds.get(point)?.record;
    return record === undefined || stateOf(record) !== "held" ? null : record;
  }

  #wanted(busy: ReadonlySet<ControlPoint>): readonly Hold[] {
    return [...this.#holds.values()].filter(({ record, isStoring }) => !isStoring && !busy.has(record.point));
  }

  #view(hold: Hold): Parameters<typeof judgeLease>[0] {
    const { record, isResuming, hasMatched, mismatches } = hold;
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
      isTimerOver: this.#isTimerOver(hold),
    };
  }

  #isTimerOver({ record, writtenAtMs }: Hold): boolean {
    const holdMs = this.#terms.holdMs(record.point);
    return holdMs !== null && writtenAtMs !== null && this.#options.clock.monotonicMs() - writtenAtMs > holdMs;
  }

  /** The energy manager no longer regulates the point, and has written this value or left it to somebody else. */
  handedBack(point: ControlPoint): void {
    const hold = this.#holds.get(point);
    if (hold !== undefined) Object.assign(hold, { isResuming: false, hasMatched: true, mismatches: 0 });
    this.written(point);
  }

  /** The value that is held on the point; `null` if none is. */
  heldAt(point: ControlPoint): PointValue | null {
    return this.recordAt(point)?.value ?? null;
  }

  #follow(hold: Hold, verdict: LeaseVerdict, values: Readonly<PointValues>): void {
    const { log, clock } = this.#options;
    const { point, value } = hold.record;
    const reading = values[point] ?? null;
    switch (verdict) {
      case "holds":
        this.#keep(hold);
        return;
      case "differs":
        hold.mismatches += 1;
        hold.writeAtMs = Number.POSITIVE_INFINITY;
        return;
      case "lapsed":
        log.info({ point, value, reading }, "held value had lapsed, writing it again");
        Object.assign(hold, { isResuming: false, mismatches: 0, writeAtMs: clock.monotonicMs() });
        return;
      case "taken-over":
        log.warn({ point, value, reading }, "held value was changed at the device, letting go");
        void this.#store(hold, this.#letGo(hold.record, values));
        return;
      case "settled":
        void this.#store(hold, [removeLease(hold.record)]);
        return;
      default:
        verdict satisfies never;
    }
  }

  /**
   * The device cannot show what it holds. After a start or a new connection a setting that its timer ends is taken up again
   * all the same, or it would end with every restart; one that the device keeps is left alone.
   */
  #followBlindly(hold: Hold, values: Readonly<PointValues>): void {
    const { record, isResuming } = hold;
    if (!isResuming || stateOf(record) === "released" || this.#terms.holdMs(record.point) === null) return;
    hold.mismatches += 1;
    if (hold.mismatches < BLIND_AFTER_READINGS) return;
    this.#follow(hold, isReasserted(originOf(record)) ? "settled" : "lapsed", values);
  }

  /** What forgets a value that somebody else changed, and tells of it. */
  #letGo(record: LeaseRecord, values: Readonly<PointValues>): readonly Write[] {
    const found = values[record.point] ?? null;
    const { conflicts } = this.#options;
    const told = found === null ? [] : conflicts.findingOf(record, found, values, this.#terms.fallback(record.point));
    return [removeLease(record), ...told];
  }

  /** The device shows the value: what is left of its timer is known only when we wrote it on this connection. */
  #keep(hold: Hold): void {
    const renewMs = this.#terms.renewMs(hold.record.point);
    const renewAtMs = hold.isResuming ? 0 : (hold.writtenAtMs ?? 0) + renewMs;
    hold.hasMatched = true;
    hold.mismatches = 0;
    hold.isResuming = false;
    if (hold.writeAtMs === Number.POSITIVE_INFINITY && renewMs !== Number.POSITIVE_INFINITY) hold.writeAtMs = renewAtMs;
    if (stateOf(hold.record) === "reverted") void this.#store(hold, [putLease({ ...hold.record, state: "held" })]);
  }

  async #store(hold: Hold, writes: readonly Write[]): Promise<void> {
    hold.isStoring = true;
    try {
      await this.#options.store.commit(writes, []);
      this.apply(writes);
    } catch (err) {
      this.#options.log.warn({ err, point: hold.record.point }, "lease not stored, judging it again");
    } finally {
      hold.isStoring = false;
    }
  }
}

function newHold(record: LeaseRecord): Hold {
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
