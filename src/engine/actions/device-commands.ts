import type { ActionOrigin } from "../../domain/actions/action.ts";
import type { ActionEvent } from "../../domain/actions/action-machine.ts";
import {
  type ControlValue,
  isSameControlValue,
  isShown,
  missingPlug,
  type Target,
  unmetPrecondition,
} from "../../domain/actions/desired-setting.ts";
import type { Firmness } from "../../domain/actions/regulation.ts";
import type { PointValues } from "../../domain/assets/snapshot.ts";
import { errorText } from "../../platform/error-text.ts";
import { DeviceError } from "../../points/device-error.ts";
import type { ControlPoint, PointName, PointValue } from "../../points/points.ts";
import type { Control } from "../../sdk/driver.ts";
import type { LeaseRecord, Write } from "../../store/records.ts";
import type { TakenOver } from "../contracts/engine.ts";
import type { Send } from "../devices/device-loop.ts";
import type { ActionTargets } from "./actions.ts";
import { modeFirst } from "./battery-power-order.ts";
import {
  type CommandRun,
  isContradicted,
  noteReading,
  takenOver,
  timeoutDetail,
  undonePoints,
  withNarrowed,
} from "./command-run.ts";
import { DeviceLeases, type DeviceLeasesOptions } from "./device-leases.ts";
import { DeviceRegulations } from "./device-regulations.ts";
import { originOf } from "./lease-records.ts";
import { LeaseTerms } from "./lease-terms.ts";

/** While a command is not followed yet all points are read this often, ms; slower devices at their own pace. */
const VERIFY_EVERY_MS = 2_000;
/** A command that did not reach the device is tried again after this long, ms. */
const RETRY_MS = 5_000;

/** The actions on disk, as the commands of a device change them. */
export interface StoredActions {
  /**
   * Stores that the action is about to be sent, with the leases that go with it. Returns false if it is not pending any
   * more; rejects if the disk refuses.
   */
  beforeSend(commands: DeviceCommands, actionId: string, leaseWrites: readonly Write[]): Promise<boolean>;
  /** Ends the action. Returns false if the disk refused: it is still pending. */
  settle(actionId: string, event: ActionEvent): Promise<boolean>;
}

export interface DeviceCommandsOptions extends DeviceLeasesOptions {
  readonly actions: StoredActions;
  readonly targets: Pick<ActionTargets, "target">;
  /** The latest value of each point. */
  readonly values: Readonly<PointValues>;
}

/** Owns the commands of one device: runs its pending actions, and keeps the values that they leave on it. */
export class DeviceCommands {
  readonly #options: DeviceCommandsOptions;
  readonly #leases: DeviceLeases;
  readonly #regulations: DeviceRegulations;
  readonly #runs = new Map<string, CommandRun>();
  #verifyAtMs = Number.POSITIVE_INFINITY;

  constructor(options: DeviceCommandsOptions) {
    this.#options = options;
    const terms = new LeaseTerms();
    this.#leases = new DeviceLeases(options, terms);
    this.#regulations = new DeviceRegulations({ ...options, terms, leases: this.#leases });
  }

  /** Returns the values that somebody else took over, newest last; they are not fought over. */
  get takenOver(): readonly TakenOver[] {
    return this.#leases.takenOver;
  }

  /** A new connection: its first reading shows what is left of each value. */
  connected(controls: readonly Control[], pollMs = 0): void {
    this.#leases.connected(controls);
    this.#regulations.connected(pollMs);
  }

  /** The device offers other controls than before. */
  offered(controls: readonly Control[]): void {
    this.#leases.offered(controls);
  }

  /** Returns true if a lease has another value than one of these, or such a value may still be on the device. */
  hasOtherLease(controls: readonly ControlValue[]): boolean {
    return controls.some(
      ({ point, value }) => this.#leases.hasOtherLease(point, value) || this.#regulations.has(point),
    );
  }

  /** Returns what the leases become when an action with these controls ends; for the commit that ends it. */
  leaseWrites(controls: readonly ControlValue[], event: ActionEvent): readonly Write[] {
    return controls.flatMap((control) => [
      ...this.#leases.whenEnded(control, event, this.#regulations.valuesBefore(this.#options.values)),
      ...(event.type === "shown" ? this.#regulations.whenShown(control.point, control.value) : []),
    ]);
  }

  /**
   * Regulates a point from now on, above what others hold there; the device's loop has to be woken. Returns false if
   * somebody else changed the point, so that it is not written for a while.
   */
  regulate(point: ControlPoint, value: PointValue, firmness: Firmness): boolean {
    return this.#regulations.hold(point, value, firmness, this.#options.values);
  }

  /** Gives a regulated point back. */
  letGo(point: ControlPoint): void {
    this.#regulations.letGo(point);
  }

  /** Tells what is regulated, what was before and is being given back, and who has a point that was regulated. */
  get regulated(): Pick<DeviceRegulations, "value" | "before" | "has" | "returning" | "fate"> {
    return this.#regulations;
  }

  /** Lets the energy manager try again to regulate what somebody else changed. */
  forgive(): void {
    this.#regulations.forgive();
  }

  /** A point that the gateway holds, regulates or is about to command; `null` while it leaves the device alone. */
  get commanded(): ControlPoint | null {
    return this.#leases.leasedPoint ?? this.#busyPoints().values().next().value ?? null;
  }

  /** Returns what is asked for without the energy manager: by a pending action, by what is held, or by the device itself. */
  asked(point: ControlPoint): { readonly value: PointValue | null; readonly by: ActionOrigin | null } {
    for (const { controls, origin } of [...this.#runs.values()].toReversed()) {
      const control = controls.find((each) => each.point === point);
      if (control !== undefined) return { value: control.value, by: origin };
    }
    const lease = this.#leases.recordAt(point);
    if (lease !== null) return { value: lease.value, by: originOf(lease) };
    const value = this.#regulations.has(point) ? this.#regulations.before(point) : this.#options.values[point];
    return { value: value ?? null, by: null };
  }

  /** Follows a commit of leases. */
  apply(leaseWrites: readonly Write[]): void {
    this.#leases.apply(leaseWrites);
    this.#regulations.apply(leaseWrites);
  }

  begin(run: CommandRun): void {
    this.#runs.set(run.action.id, run);
  }

  end(actionId: string): void {
    this.#runs.delete(actionId);
    if (this.#runs.size === 0) this.#verifyAtMs = Number.POSITIVE_INFINITY;
  }

  /** The window of an action is over: nothing more is sent for it. Returns how it ends; `null` if it does not run here. */
  timeOut(actionId: string): ActionEvent | null {
    const run = this.#runs.get(actionId);
    if (run === undefined) return null;
    run.isEnding = true;
    const target = this.#target(run);
    const unplugged = target === null ? null : missingPlug(run.setting, target);
    const wasSent = run.wasDelivered && unplugged === null;
    return { type: "timed-out", wasSent, detail: unplugged ?? timeoutDetail(run) };
  }

  /** Sends what is due: limits first, then commands, then what is held. Rejects with the signal's reason only. */
  async writeDue(send: Send, signal: AbortSignal): Promise<void> {
    for (const point of this.#regulations.due()) await this.#regulate(point, send, signal);
    for (const run of [...this.#runs.values()]) {
      if (this.#isReady(run)) await this.#command(run, send, signal);
    }
    for (const lease of this.#leases.due(this.#busyPoints())) await this.#renew(lease, send, signal);
  }

  nextWriteAtMs(): number {
    let nextMs = Math.min(this.#leases.nextWriteAtMs(this.#busyPoints()), this.#regulations.nextWriteAtMs());
    for (const run of this.#runs.values()) {
      if (!run.isEnding && this.#hindrance(run) === null) nextMs = Math.min(nextMs, run.sendAtMs);
    }
    return nextMs;
  }

  nextFullReadAtMs(): number {
    return this.#verifyAtMs;
  }

  /** Looks at what a turn read, for the commands and for what is held. */
  observed(fresh: ReadonlySet<PointName>, startedAtMs: number): void {
    const { values, clock } = this.#options;
    for (const run of this.#runs.values()) {
      if (run.controls.every(({ evidence }) => fresh.has(evidence))) this.#judge(run, startedAtMs, fresh);
    }
    this.#leases.observed(fresh, values, this.#busyPoints());
    this.#regulations.observed(fresh, values, startedAtMs);
    const nowMs = clock.monotonicMs();
    if (nowMs >= this.#verifyAtMs) this.#verifyAtMs = nowMs + VERIFY_EVERY_MS;
  }

  /** Writes the safe values that are owed. */
  async part(send: Send, signal: AbortSignal): Promise<void> {
    const { log } = this.#options;
    const done: ControlPoint[] = [];
    for (const { point, value } of [...this.#leases.owed(), ...this.#regulations.owed()].toSorted(modeFirst)) {
      try {
        await send(point, value, signal);
        done.push(point);
      } catch (err) {
        log.warn({ err, point, value }, "safe default not written");
      }
    }
    await this.#leases.reverted(done, this.#regulations.returned(done));
  }

  #isReady(run: CommandRun): boolean {
    const isDue = this.#options.clock.monotonicMs() >= run.sendAtMs;
    if (run.isEnding || !isDue || !this.#runs.has(run.action.id)) return false;
    run.obstacle = this.#hindrance(run) ?? run.obstacle;
    if (this.#hindrance(run) !== null) return false;
    if (!this.#seemsDone(run)) return true;
    // What was read before the action began may be old: a fresh reading decides whether there is anything to do.
    this.#verifyAtMs = Math.min(this.#verifyAtMs, run.sendAtMs);
    run.sendAtMs = this.#options.clock.monotonicMs() + VERIFY_EVERY_MS;
    return false;
  }

  /** Returns the target as it is now; `null` if it is gone. */
  #target({ action }: CommandRun): Target | null {
    return this.#options.targets.target(action.targetType, action.targetId);
  }

  #hindrance(run: CommandRun): string | null {
    const target = this.#target(run);
    if (target === null) return "The device does not have it any more.";
    return unmetPrecondition(run.setting, target) ?? this.#lackOfRoom(run);
  }

  /** Charging does not start while the energy manager needs the point to be off, or switches the charger's phases. */
  #lackOfRoom({ controls }: CommandRun): string | null {
    const hindrances = controls.map(({ point, value }) => value === true && this.#regulations.startHindrance(point));
    return hindrances.find((each) => typeof each === "string") ?? null;
  }

  /** True when the target shows the setting although nobody sent it, and nothing else of ours is on its way. */
  #seemsDone(run: CommandRun): boolean {
    if (run.mayBeSent || this.hasOtherLease(run.controls)) return false;
    const target = this.#target(run);
    return target !== null && this.#shows(run, target);
  }

  /** True when the target shows the setting, and no control of it reads otherwise: a full vehicle looks as a stopped one. */
  #shows({ setting, controls }: CommandRun, target: Target): boolean {
    const { values } = this.#options;
    const narrow = withNarrowed(setting, (point) => this.#regulations.value(point));
    return isShown(narrow, target) && !controls.some((control) => isContradicted(control, values));
  }

  #judge(run: CommandRun, startedAtMs: number, fresh: ReadonlySet<PointName>): void {
    const { values } = this.#options;
    const target = this.#target(run);
    if (run.isEnding || target === null || startedAtMs < run.startedAtMs) return;
    const isAfterTry = run.triedAtMs !== null && startedAtMs >= run.triedAtMs;
    const wasSent = isAfterTry || (run.triedAtMs === null && run.mayBeSent);
    const isDone = (isAfterTry && run.wasTaken) || (wasSent && this.#holdsByItself(run));
    if (isDone && this.#shows(run, target)) void this.#settle(run, { type: "shown" });
    else if (this.#seemsDone(run)) void this.#settle(run, { type: "already-so" });
    else if (isAfterTry && this.#isUndone(run, fresh)) void this.#settle(run, takenOver(run, values));
    else if (!run.mayBeSent) run.sendAtMs = Math.min(run.sendAtMs, this.#options.clock.monotonicMs());
  }

  /** Returns true if each control has its value and no timer takes it back, whether or not the last write was answered. */
  #holdsByItself({ controls }: CommandRun): boolean {
    const { values } = this.#options;
    if (controls.some(({ point }) => Number.isFinite(this.#leases.renewByMs(point)))) return false;
    return (
      controls.length === 1 || controls.every(({ point, value }) => isSameControlValue(values[point] ?? null, value))
    );
  }

  /** Looks at what became of what the device took. True when somebody else sets it otherwise again and again. */
  #isUndone(run: CommandRun, fresh: ReadonlySet<PointName>): boolean {
    const { values } = this.#options;
    if (this.#hindrance(run) !== null) return false;
    for (const control of run.controls) {
      const isOurs = !this.#leases.hasLapsed(control.point) && !this.#regulations.has(control.point);
      const isNews = fresh.has(control.point) && isOurs;
      if (isNews) noteReading(run, control, values[control.point] ?? null);
    }
    return undonePoints(run).length > 0;
  }

  async #settle(run: CommandRun, event: ActionEvent): Promise<void> {
    run.isEnding = true;
    run.isEnding = await this.#options.actions.settle(run.action.id, event);
  }

  async #command(run: CommandRun, send: Send, signal: AbortSignal): Promise<void> {
    const { clock, values, log, actions } = this.#options;
    try {
      const writes = run.controls.flatMap(({ point, value }) =>
        this.#leases.toTake({ point, value, origin: run.origin }, this.#regulations.valuesBefore(values)),
      );
      if (!run.mayBeSent || writes.length > 0) {
        if (!(await actions.beforeSend(this, run.action.id, writes))) return;
        run.mayBeSent = true;
      }
    } catch (err) {
      log.warn({ err, actionId: run.action.id }, "command not sent: the disk refuses");
      run.sendAtMs = clock.monotonicMs() + RETRY_MS;
      return;
    }
    // It may have ended while the disk wrote.
    if (run.isEnding || !this.#runs.has(run.action.id)) return;
    const isTaken = await this.#sendAll(run, send, signal);
    run.wasTaken = isTaken && run.obstacle === null;
    run.triedAtMs = clock.monotonicMs();
    run.sendAtMs = run.triedAtMs + (isTaken ? this.#resendMs(run) : RETRY_MS);
    this.#verifyAtMs = run.triedAtMs;
  }

  /** Answers true when the device took all or refused one: sending it again soon changes nothing. */
  async #sendAll(run: CommandRun, send: Send, signal: AbortSignal): Promise<boolean> {
    for (const control of run.controls) {
      if (!(await this.#send(run, control, send, signal))) return false;
      if (run.obstacle !== null) return true;
    }
    return true;
  }

  async #send(run: CommandRun, { point, value }: ControlValue, send: Send, signal: AbortSignal): Promise<boolean> {
    const { log } = this.#options;
    try {
      // A regulated point gets what the energy manager lets it have.
      const isRegulated = this.#regulations.value(point) !== null;
      if (!isRegulated) await send(point, value, signal);
      else if (!(await this.#regulations.write(point, send, signal))) return false;
      log.debug({ point, value, actionId: run.action.id }, "command sent");
      this.#leases.written(point);
      run.obstacle = null;
      run.wasDelivered = true;
    } catch (error) {
      signal.throwIfAborted();
      const reason = errorText(error);
      log.debug({ err: error, point, value, actionId: run.action.id }, "command failed");
      run.obstacle = `The last command failed: ${reason}`;
      if (!(error instanceof DeviceError) || error.kind === "unreachable") return false;
      run.wasDelivered = true;
    }
    return true;
  }

  async #regulate(point: ControlPoint, send: Send, signal: AbortSignal): Promise<void> {
    try {
      await this.#regulations.write(point, send, signal);
    } catch (err) {
      signal.throwIfAborted();
      this.#options.log.debug({ err, point }, "regulated value not written, trying again");
    }
  }

  async #renew(lease: LeaseRecord, send: Send, signal: AbortSignal): Promise<void> {
    const { point, value, origin = "client" } = lease;
    const { log, values, store } = this.#options;
    try {
      const writes = this.#leases.toTake({ point, value, origin }, values);
      if (writes.length > 0) await store.commit(writes, []);
      this.#leases.apply(writes);
      await send(point, value, signal);
      this.#leases.written(point);
    } catch (err) {
      signal.throwIfAborted();
      log.debug({ err, point, value }, "held value not renewed, trying again");
      this.#leases.notWritten(point);
    }
  }

  /** Also while a command is not followed yet the device's own timer must not run out. */
  #resendMs({ controls, timing }: CommandRun): number {
    return Math.min(timing.resendMs, ...controls.map(({ point }) => this.#leases.renewByMs(point)));
  }

  #busyPoints(): ReadonlySet<ControlPoint> {
    const regulated = this.#regulations.points();
    if (this.#runs.size === 0) return regulated;
    const busy = new Set(regulated);
    for (const { isEnding, controls } of this.#runs.values()) {
      if (!isEnding) for (const { point } of controls) busy.add(point);
    }
    return busy;
  }
}
