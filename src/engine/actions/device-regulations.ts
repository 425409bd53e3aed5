import { isSameControlValue } from "../../domain/actions/desired-setting.ts";
import {
  type Firmness,
  judgeRegulation,
  pauseAfterWriteMs,
  type RegulationVerdict,
} from "../../domain/actions/regulation.ts";
import type { PointValues } from "../../domain/assets/snapshot.ts";
import { MINUTE_MS } from "../../domain/duration.ts";
import type { ControlPoint, PointName, PointValue } from "../../points/points.ts";
import type { Write } from "../../store/records.ts";
import type { Send } from "../devices/device-loop.ts";
import { isLeftWithMode, MODE, valueBack, waitsForOtherPoint } from "./battery-power-order.ts";
import type { DeviceLeases, DeviceLeasesOptions } from "./device-leases.ts";
import { ENERGY, isOfEnergy, keyOf, putLease, removeLease } from "./lease-records.ts";
import type { LeaseTerms } from "./lease-terms.ts";
import { isChargerAtRest, PHASES_POINT, startLast } from "./phase-rest.ts";
import { asJudged, isStuck, LEFT_ALONE_MS, newRegulation, noteChange, type Regulation } from "./regulated-value.ts";

/** A write or a commit that failed is tried again after this long, ms. */
const RETRY_MS = 5_000;
/** After a start the energy manager has this long to take up what it regulated before; then the value is given back, ms. */
const TAKE_UP_MS = MINUTE_MS;
/** The control cycle sees within this time what is about to be given back, ms. */
const NARROWED_WITHIN_MS = 6_000;
/** A point may be unknown for a moment; after so many readings in a row it is one that cannot be read. */
const BLIND_AFTER_READINGS = 3;
/** A device that stays at what was set before is written to this often, until it follows, ms. */
const STUCK_RETRY_MS = 5 * MINUTE_MS;
const NO_POINTS: ReadonlySet<ControlPoint> = new Set();

/** Who has a point: the energy manager, or somebody else who changed it; of one that is stuck the device takes up nothing. */
export type RegulationFate = "ours" | "lost" | "uncontrolled" | "stuck";

export interface DeviceRegulationsOptions extends DeviceLeasesOptions {
  readonly terms: LeaseTerms;
  /** The latest value of each point. */
  readonly values: Readonly<PointValues>;
  /** What a client or another feature holds on the same points. */
  readonly leases: Pick<DeviceLeases, "valueAt" | "handedBack" | "changed">;
}

/** What the energy manager regulates on one device: the record of what is given back is on disk before the first write. */
export class DeviceRegulations {
  readonly #options: DeviceRegulationsOptions;
  readonly #all = new Map<ControlPoint, Regulation>();
  /** Points that somebody else has, with the monotonic ms until which they are left alone. */
  readonly #others = new Map<ControlPoint, { readonly fate: RegulationFate; readonly untilMs: number }>();
  #pollMs = 0;

  constructor(options: DeviceRegulationsOptions) {
    this.#options = options;
    for (const record of options.store.all("lease")) {
      if (record.deviceId === options.deviceId && isOfEnergy(record))
        this.#all.set(record.point, { ...newRegulation(record), phase: "left-over", isStored: true });
    }
  }

  connected(pollMs: number): void {
    this.#pollMs = pollMs;
    for (const each of this.#all.values()) {
      Object.assign(each, { isNewConnection: true, mismatches: 0, blindReadings: 0 });
    }
  }

  /** The regulated points, including those whose value is being given back, and those that wait for one. */
  points(): ReadonlySet<ControlPoint> {
    if (this.#all.size === 0) return NO_POINTS;
    return new Set([...this.#all.keys(), ...(this.#isSwitchingPhases() ? (["charger.enabled"] as const) : [])]);
  }

  has(point: ControlPoint): boolean {
    return this.#all.has(point);
  }

  /** Returns the value that the energy manager wants now; `null` if it wants none. */
  value(point: ControlPoint): PointValue | null {
    const each = this.#all.get(point);
    return each?.phase === "held" ? each.target : null;
  }

  /** Returns the value that is being given back; `null` if none is. */
  returning(point: ControlPoint): PointValue | null {
    const each = this.#all.get(point);
    return each?.phase === "returning" ? each.target : null;
  }

  fate(point: ControlPoint): RegulationFate {
    const other = this.#others.get(point);
    return other === undefined || this.#options.clock.monotonicMs() >= other.untilMs ? "ours" : other.fate;
  }

  /** Forgets that somebody else changed points of the device. */
  forgive(): void {
    this.#others.clear();
  }

  /** Returns why charging must not start now; `null` if it may. */
  startHindrance(point: ControlPoint): string | null {
    if (this.value(point) === false) return "The energy manager has no power for it now.";
    return point === "charger.enabled" && this.#isSwitchingPhases() ? "The charger is switching its phases." : null;
  }

  /** Returns the value that would be on the device without the energy manager. */
  before(point: ControlPoint): PointValue | null {
    return this.#all.get(point)?.record.revertTo ?? null;
  }

  /** Returns the values as they would be without the energy manager. */
  valuesBefore(values: Readonly<PointValues>): Readonly<PointValues> {
    if (this.#all.size === 0) return values;
    return { ...values, ...Object.fromEntries([...this.#all].map(([point, { record }]) => [point, record.revertTo])) };
  }

  /** Regulates a point from now on. Returns false if somebody else has it. */
  hold(point: ControlPoint, value: PointValue, firmness: Firmness, values: Readonly<PointValues>): boolean {
    const fate = this.fate(point);
    // What somebody else set stays for the sake of money, not for a limit.
    if (fate === "uncontrolled" || fate === "stuck" || (fate === "lost" && firmness === "wish")) return false;
    const known = this.#all.get(point);
    if (known?.phase === "held") {
      if (!isSameControlValue(known.target, value) && !(known.hasMatched && firmness === "wish")) known.mismatches = 0;
      Object.assign(known, { target: value, firmness });
      return true;
    }
    const { deviceId, terms } = this.#options;
    // Without a reading there would be nothing to give back but the safe value.
    const revertTo = known?.record.revertTo ?? values[point] ?? terms.safeValue(point, values);
    const record = known?.record ?? { deviceId, point, value, revertTo, origin: ENERGY };
    const each = { ...newRegulation(record), target: value, firmness, isUntouched: known === undefined };
    // A removal that is on its way to the disk takes the record along.
    const isStored = known?.isStored === true && !known.isStoring;
    this.#all.set(point, { ...each, isStored, followed: known?.followed ?? record.value });
    return true;
  }

  /** Gives the point back: to what a client or another feature holds there, or else to the value before. */
  letGo(point: ControlPoint): void {
    const each = this.#all.get(point);
    if (each === undefined || each.phase === "returning" || isLeftWithMode(each, this.#all)) return;
    if (!each.isStored && each.sent === null && !each.isStoring) {
      this.#drop(point);
      return;
    }
    Object.assign(each, { phase: "returning", hasMatched: false, mismatches: 0, rewritesAtMs: [], lateRewrites: 0 });
    this.#retarget(each);
    if (each.target === null) void this.#forget(each);
  }

  /** What the record becomes when an action set the point to a value: that value is given back. For the commit that ends it. */
  whenShown(point: ControlPoint, value: PointValue): readonly Write[] {
    const each = this.#all.get(point);
    // A record that is being removed must not come back with this commit.
    const isRemoved = each?.isStored === true && each.isStoring;
    if (each === undefined || isRemoved || isSameControlValue(each.record.revertTo, value)) return [];
    return [putLease({ ...each.record, revertTo: value })];
  }

  /** Follows a commit of leases. */
  apply(writes: readonly Write[]): void {
    for (const write of writes) {
      if (write.table !== "lease") continue;
      if ("put" in write) {
        const each = isOfEnergy(write.put) ? this.#all.get(write.put.point) : undefined;
        if (each !== undefined) Object.assign(each, { record: write.put, isStored: true });
      } else {
        for (const [point, { record }] of this.#all) if (keyOf(record) === write.key) this.#drop(point);
      }
    }
  }

  /** The points to write now. */
  due(): readonly ControlPoint[] {
    for (const each of this.#all.values()) this.#retarget(each);
    const due = [...this.#all].filter(([, each]) => this.#writeAtMs(each) <= this.#options.clock.monotonicMs());
    return startLast(due);
  }

  /** Monotonic ms of the next write; infinite if none is due. */
  nextWriteAtMs(): number {
    return Math.min(Number.POSITIVE_INFINITY, ...[...this.#all.values()].map((each) => this.#writeAtMs(each)));
  }

  /** Writes the value of a point now. Rejects as `send` does. Returns false if the disk refuses the record. */
  async write(point: ControlPoint, send: Send, signal: AbortSignal): Promise<boolean> {
    const each = this.#all.get(point);
    if (each === undefined) return true;
    if (!(await this.#store(each))) return false;
    const { clock } = this.#options;
    // It may have been let go while the disk wrote.
    const value = each.target;
    if (value === null || this.#all.get(point) !== each) return true;
    try {
      await send(point, value, signal);
    } catch (error) {
      each.notBeforeMs = clock.monotonicMs() + RETRY_MS;
      throw error;
    }
    const pauseMs = pauseAfterWriteMs({ from: each.sent, to: value, firmness: each.firmness }, this.#pollMs);
    if (!isSameControlValue(each.sent, value)) each.hasMatched = false;
    // A renewal of what the device has shows nothing new: what differs after it is somebody's.
    const isAwaited = !each.hasMatched || each.isAwaited || each.isRewriteDue;
    const writtenAtMs = clock.monotonicMs();
    Object.assign(each, { sent: value, isAwaited, mismatches: 0, isNewConnection: false, isRewriteDue: false });
    Object.assign(each, { writtenAtMs, notBeforeMs: writtenAtMs + pauseMs });
    return true;
  }

  /** Looks at the readings of a turn that began at `startedAtMs`. */
  observed(fresh: ReadonlySet<PointName>, values: Readonly<PointValues>, startedAtMs: number): void {
    for (const [point, each] of this.#all) {
      if (each.phase === "left-over") this.#awaitTakeUp(each);
      this.#takeNote(each, values[point] ?? null);
      this.#retarget(each);
      const isBeforeWrite = startedAtMs < (each.writtenAtMs ?? startedAtMs);
      if (isBeforeWrite || !fresh.has(point) || each.isStoring || each.isRewriteDue) continue;
      this.#follow(each, values[point] ?? null, values);
    }
  }

  /** The values that an orderly stop gives back, but for what is held by others: that has its own safe default. */
  owed(): readonly { readonly point: ControlPoint; readonly value: PointValue }[] {
    const { leases, terms, values } = this.#options;
    const isLeased = leases.valueAt(MODE) !== null;
    const mode = this.#all.get(MODE)?.record.revertTo ?? (isLeased ? terms.safeValue(MODE, values) : null);
    return [...this.#all.values()].flatMap((each) => {
      const { point } = each.record;
      const value = leases.valueAt(point) === null ? valueBack(each, mode, this.#options) : null;
      if (!each.isStored || value === null) return [];
      // What cannot be given back now stays on disk, and is given back by the next start.
      return point === PHASES_POINT && this.#mustRest(each) ? [] : [{ point, value }];
    });
  }

  /** Returns the removals of the records whose points an orderly stop wrote. */
  returned(points: readonly ControlPoint[]): readonly Write[] {
    return points.flatMap((point) => {
      const each = this.#all.get(point);
      return each?.isStored === true ? [removeLease(each.record)] : [];
    });
  }

  /** What somebody sets on a point while it is given back is what it gets. */
  #retarget(each: Regulation): void {
    if (each.phase !== "returning") return;
    const mode = this.#all.get(MODE)?.target ?? null;
    each.target = this.#options.leases.valueAt(each.record.point) ?? valueBack(each, mode, this.#options);
  }

  /** What was known when the point was taken may be older than this connection, or nothing at all after a start. */
  #takeNote(each: Regulation, reading: PointValue | null): void {
    const isFirst = each.isUntouched && !each.isStored && !each.isStoring;
    if (isFirst && reading !== null) each.record = { ...each.record, revertTo: reading };
  }

  #awaitTakeUp(each: Regulation): void {
    const nowMs = this.#options.clock.monotonicMs();
    if (each.giveBackAtMs === Number.POSITIVE_INFINITY) each.giveBackAtMs = nowMs + TAKE_UP_MS;
    if (nowMs < each.giveBackAtMs) return;
    this.letGo(each.record.point);
    // A limit narrows what is given back before the device gets it.
    each.notBeforeMs = nowMs + NARROWED_WITHIN_MS;
  }

  #writeAtMs(each: Regulation): number {
    if (this.#mustRest(each)) return Number.POSITIVE_INFINITY;
    if (each.isStoring || each.phase === "left-over" || each.target === null) return Number.POSITIVE_INFINITY;
    // A write now would overwrite what somebody else may just have set.
    if (each.firmness === "wish" && each.hasMatched && each.mismatches > 0) return Number.POSITIVE_INFINITY;
    if (each.sent === null || each.isRewriteDue || !isSameControlValue(each.sent, each.target)) return each.notBeforeMs;
    return Math.max(each.notBeforeMs, (each.writtenAtMs ?? 0) + this.#options.terms.renewMs(each.record.point));
  }

  /** True while the phases of a charger that is at rest are being switched: charging must not start meanwhile. */
  #isSwitchingPhases(): boolean {
    const each = this.#all.get(PHASES_POINT);
    if (each === undefined || each.phase === "left-over" || each.target === null) return false;
    return !(each.hasMatched && isSameControlValue(each.sent, each.target)) && isChargerAtRest(this.#options.values);
  }

  /** Phases are switched while no current flows only, and charging starts after that; a battery's power goes with its mode. */
  #mustRest(each: Regulation): boolean {
    const { record, target } = each;
    if (waitsForOtherPoint(each, this.#all, this.#options.values)) return true;
    if (record.point === PHASES_POINT) return !isChargerAtRest(this.#options.values);
    return record.point === "charger.enabled" && target === true && this.#isSwitchingPhases();
  }

  #follow(each: Regulation, reading: PointValue | null, values: Readonly<PointValues>): void {
    if (each.sent === null) return;
    if (reading === null) {
      each.blindReadings += 1;
      each.mismatches = 0;
      if (each.phase === "returning" && each.blindReadings >= BLIND_AFTER_READINGS) void this.#forget(each);
      return;
    }
    each.blindReadings = 0;
    const now = { nowMs: this.#options.clock.monotonicMs(), hasLapsed: this.#hasLapsed(each) };
    this.#judged(each, judgeRegulation(asJudged(each, each.sent, now), reading), values);
  }

  #judged(each: Regulation, verdict: RegulationVerdict, values: Readonly<PointValues>): void {
    const { log, clock } = this.#options;
    const { point } = each.record;
    switch (verdict) {
      case "follows":
        // A device that takes up values again can be commanded again.
        if (this.fate(point) === "stuck" && !isSameControlValue(each.sent, each.followed)) this.#others.delete(point);
        Object.assign(each, { hasMatched: true, isAwaited: false, followed: each.sent, isNewConnection: false });
        Object.assign(each, { mismatches: 0, lateRewrites: 0 });
        if (each.phase === "returning" && isSameControlValue(each.sent, each.target)) void this.#forget(each);
        return;
      case "differs":
        each.mismatches += 1;
        return;
      case "rewrite":
        // What the device's own timer or a restart of the device ended is nobody's change.
        if (!this.#hasLapsed(each)) {
          if (each.isAwaited) each.lateRewrites += 1;
          else if (noteChange(each, values[point] ?? null, clock.monotonicMs()))
            this.#options.leases.changed(point, values);
        }
        log.info({ point, value: each.sent, reading: values[point] }, "regulated value differs, writing it again");
        Object.assign(each, { mismatches: 0, isRewriteDue: true });
        return;
      case "lost":
      case "uncontrolled":
        if (isStuck(each, values[point] ?? null)) this.#insist(each);
        else this.#yield(each, verdict, values);
        return;
      default:
        verdict satisfies never;
    }
  }

  /** Nobody else has changed the point: what is forced would go on, so the value before is written until the device has it. */
  #insist(each: Regulation): void {
    const { point } = each.record;
    const nowMs = this.#options.clock.monotonicMs();
    this.#options.log.warn({ point, value: each.sent, reading: each.followed }, "device stays at an earlier value");
    if (each.phase !== "returning") this.#others.set(point, { fate: "stuck", untilMs: nowMs + LEFT_ALONE_MS });
    this.letGo(point);
    Object.assign(each, { mismatches: 0, lateRewrites: 0, isRewriteDue: true, notBeforeMs: nowMs + STUCK_RETRY_MS });
  }

  /** Somebody else has the point: nothing more is written, and nothing is given back. */
  #yield(each: Regulation, fate: "lost" | "uncontrolled", values: Readonly<PointValues>): void {
    const { log, clock, conflicts, terms } = this.#options;
    const { point } = each.record;
    const found = values[point] ?? null;
    log.warn({ point, value: each.sent, reading: found, fate }, "regulated value was changed by others, letting go");
    if (each.phase !== "returning") this.#others.set(point, { fate, untilMs: clock.monotonicMs() + LEFT_ALONE_MS });
    const lease = { ...each.record, value: each.sent ?? each.record.value };
    const findings = found === null ? [] : conflicts.findingOf(lease, found, values, terms.fallback(point));
    void this.#forget(each, findings);
  }

  #hasLapsed({ record, writtenAtMs, isNewConnection }: Regulation): boolean {
    const holdMs = this.#options.terms.holdMs(record.point);
    if (isNewConnection) return true;
    return holdMs !== null && writtenAtMs !== null && this.#options.clock.monotonicMs() - writtenAtMs > holdMs;
  }

  /** Returns true once the record is on disk. */
  async #store(each: Regulation): Promise<boolean> {
    if (each.isStored) return true;
    const { store, log, clock } = this.#options;
    each.isStoring = true;
    try {
      await store.commit([putLease(each.record)], [], "urgent");
      Object.assign(each, { isStored: true, isUntouched: false });
    } catch (err) {
      log.warn({ err, point: each.record.point }, "the disk refuses the lease; nothing is written to the device");
      each.notBeforeMs = clock.monotonicMs() + RETRY_MS;
    } finally {
      each.isStoring = false;
    }
    return each.isStored;
  }

  async #forget(each: Regulation, findings: readonly Write[] = []): Promise<void> {
    const { store, log, conflicts } = this.#options;
    each.isStoring = true;
    try {
      const writes = [removeLease(each.record), ...findings];
      await store.commit(writes, []);
      conflicts.apply(findings);
      if (this.#all.get(each.record.point) === each) this.#drop(each.record.point);
    } catch (err) {
      log.warn({ err, point: each.record.point }, "end of the lease not stored, trying again");
    } finally {
      each.isStoring = false;
    }
  }

  #drop(point: ControlPoint): void {
    this.#all.delete(point);
    this.#options.leases.handedBack(point);
  }
}
