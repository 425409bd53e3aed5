import type { ActionEvent } from "../../domain/actions/action-machine.ts";
import {
  isSameSetting,
  isShown,
  missingPlug,
  type Target,
  unmetPrecondition,
  type WishControl,
} from "../../domain/actions/action-wish.ts";
import type { PointValues } from "../../domain/assets/snapshot.ts";
import { errorText } from "../../platform/error-text.ts";
import type { Clock, Log } from "../../platform/ports/ports.ts";
import { DeviceError } from "../../points/device-error.ts";
import type { ControlPoint, PointName } from "../../points/points.ts";
import type { LeaseRecord, Write } from "../../store/records.ts";
import type { Store } from "../../store/store.ts";
import type { Send } from "../devices/device-loop.ts";
import type { DeviceLeases } from "./device-leases.ts";
import { type Drive, noteReading, takenOver, undonePoints } from "./drive.ts";

/** While a command is not followed yet all points are read this often, ms; slower devices at their own pace. */
const VERIFY_EVERY_MS = 2_000;
/** A command that did not reach the device is tried again after this long, ms. */
const RETRY_MS = 5_000;

export interface DeviceControlOptions {
  readonly clock: Pick<Clock, "monotonicMs">;
  readonly log: Log;
  readonly store: Pick<Store, "commit">;
  readonly leases: DeviceLeases;
  /** The latest value of each point. */
  readonly values: Readonly<PointValues>;
  /** The target as it is now; null when it is gone. */
  target(drive: Pick<Drive, "action">): Target | null;
  /**
   * Puts on disk, and into the leases, that the action is about to be sent. Answers false when it is no longer pending;
   * rejects when the disk refuses.
   */
  beforeSend(actionId: string, writes: readonly Write[]): Promise<boolean>;
  /** Ends the action. Answers false when the disk refused: it is still pending. */
  settle(actionId: string, event: ActionEvent): Promise<boolean>;
}

/** Drives the pending actions of one device and keeps the values that it holds. */
export class DeviceControl {
  readonly #options: DeviceControlOptions;
  readonly #drives = new Map<string, Drive>();
  #verifyAtMs = Number.POSITIVE_INFINITY;

  constructor(options: DeviceControlOptions) {
    this.#options = options;
  }

  begin(drive: Drive): void {
    this.#drives.set(drive.action.id, drive);
  }

  end(actionId: string): void {
    this.#drives.delete(actionId);
    if (this.#drives.size === 0) this.#verifyAtMs = Number.POSITIVE_INFINITY;
  }

  drive(actionId: string): Drive | null {
    return this.#drives.get(actionId) ?? null;
  }

  /** Why the command came to nothing although it was delivered, in words: it was unplugged. Null: it was not. */
  unplugged({ wish, action }: Drive): string | null {
    const target = this.#options.target({ action });
    return target === null ? null : missingPlug(wish, target);
  }

  /** Sends what is due: commands first, then what is held. Rejects with the signal's reason only. */
  async writeDue(send: Send, signal: AbortSignal): Promise<void> {
    for (const drive of [...this.#drives.values()]) {
      if (this.#isReady(drive)) await this.#command(drive, send, signal);
    }
    for (const held of this.#options.leases.due(this.#busyPoints())) {
      await this.#renew(held, send, signal);
    }
  }

  nextWriteAtMs(): number {
    let nextMs = this.#options.leases.nextWriteAtMs(this.#busyPoints());
    for (const drive of this.#drives.values()) {
      if (!drive.isEnding && this.#hindrance(drive) === null) nextMs = Math.min(nextMs, drive.sendAtMs);
    }
    return nextMs;
  }

  nextFullReadAtMs(): number {
    return this.#verifyAtMs;
  }

  /** Looks at what a turn read, for the drives and for what is held. */
  observed(fresh: ReadonlySet<PointName>, startedAtMs: number): void {
    const { leases, values, clock } = this.#options;
    for (const drive of this.#drives.values()) {
      if (drive.controls.every(({ evidence }) => fresh.has(evidence))) this.#judge(drive, startedAtMs, fresh);
    }
    leases.observed(fresh, values, this.#busyPoints());
    const nowMs = clock.monotonicMs();
    if (nowMs >= this.#verifyAtMs) this.#verifyAtMs = nowMs + VERIFY_EVERY_MS;
  }

  /** Writes the safe values that are owed. */
  async part(send: Send, signal: AbortSignal): Promise<void> {
    const { leases, log } = this.#options;
    const done: ControlPoint[] = [];
    for (const { point, value } of leases.owed()) {
      try {
        await send(point, value, signal);
        done.push(point);
      } catch (err) {
        log.warn({ err, point, value }, "safe default not written");
      }
    }
    await leases.reverted(done);
  }

  #isReady(drive: Drive): boolean {
    const isDue = this.#options.clock.monotonicMs() >= drive.sendAtMs;
    if (drive.isEnding || !isDue || !this.#drives.has(drive.action.id)) return false;
    drive.obstacle = this.#hindrance(drive) ?? drive.obstacle;
    if (this.#hindrance(drive) !== null) return false;
    if (!this.#seemsDone(drive)) return true;
    // What was read before the action began may be old: a fresh reading decides whether there is anything to do.
    this.#verifyAtMs = Math.min(this.#verifyAtMs, drive.sendAtMs);
    drive.sendAtMs = this.#options.clock.monotonicMs() + VERIFY_EVERY_MS;
    return false;
  }

  #hindrance(drive: Drive): string | null {
    const target = this.#options.target(drive);
    return target === null ? "The device does not have it any more." : unmetPrecondition(drive.wish, target);
  }

  /** True when the target shows the wish although nobody sent it, and nothing else of ours is on its way. */
  #seemsDone(drive: Drive): boolean {
    const { leases } = this.#options;
    if (drive.mayBeSent || drive.controls.some(({ point, value }) => leases.isOtherHeld(point, value))) return false;
    const target = this.#options.target(drive);
    return target !== null && this.#shows(drive, target);
  }

  /** True when the target shows the wish, and no control of it reads otherwise: a full vehicle looks as a stopped one. */
  #shows({ wish, controls }: Drive, target: Target): boolean {
    const { values } = this.#options;
    return isShown(wish, target) && !controls.some((control) => isContradicted(control, values));
  }

  #judge(drive: Drive, startedAtMs: number, fresh: ReadonlySet<PointName>): void {
    const { values } = this.#options;
    const target = this.#options.target(drive);
    if (drive.isEnding || target === null || startedAtMs < drive.startedAtMs) return;
    const isAfterTry = drive.triedAtMs !== null && startedAtMs >= drive.triedAtMs;
    const wasSent = isAfterTry || (drive.triedAtMs === null && drive.mayBeSent);
    const isDone = (isAfterTry && drive.wasTaken) || (wasSent && this.#holdsByItself(drive));
    if (isDone && this.#shows(drive, target)) void this.#settle(drive, { type: "shown" });
    else if (this.#seemsDone(drive)) void this.#settle(drive, { type: "already-so" });
    else if (isAfterTry && this.#isUndone(drive, fresh)) void this.#settle(drive, takenOver(drive, values));
    else if (!drive.mayBeSent) drive.sendAtMs = Math.min(drive.sendAtMs, this.#options.clock.monotonicMs());
  }

  /** True when each part is as it was meant, and no timer takes it back: whether the last try was answered is no matter. */
  #holdsByItself({ controls }: Drive): boolean {
    const { values, leases } = this.#options;
    if (controls.some(({ point }) => Number.isFinite(leases.renewByMs(point)))) return false;
    return controls.length === 1 || controls.every(({ point, value }) => isSameSetting(values[point] ?? null, value));
  }

  /** Looks at what became of what the device took. True when somebody else sets it otherwise again and again. */
  #isUndone(drive: Drive, fresh: ReadonlySet<PointName>): boolean {
    const { values, leases } = this.#options;
    if (this.#hindrance(drive) !== null) return false;
    for (const control of drive.controls) {
      const isNews = fresh.has(control.point) && !leases.hasLapsed(control.point);
      if (isNews) noteReading(drive, control, values[control.point] ?? null);
    }
    return undonePoints(drive).length > 0;
  }

  async #settle(drive: Drive, event: ActionEvent): Promise<void> {
    drive.isEnding = true;
    drive.isEnding = await this.#options.settle(drive.action.id, event);
  }

  async #command(drive: Drive, send: Send, signal: AbortSignal): Promise<void> {
    const { clock, leases, values, log, beforeSend } = this.#options;
    try {
      const writes = drive.controls.flatMap(({ point, value }) =>
        leases.toTake({ point, value, origin: drive.origin }, values),
      );
      if (!drive.mayBeSent || writes.length > 0) {
        if (!(await beforeSend(drive.action.id, writes))) return;
        drive.mayBeSent = true;
      }
    } catch (err) {
      log.warn({ err, actionId: drive.action.id }, "command not sent: the disk refuses");
      drive.sendAtMs = clock.monotonicMs() + RETRY_MS;
      return;
    }
    // It may have ended while the disk wrote.
    if (drive.isEnding || !this.#drives.has(drive.action.id)) return;
    const isTaken = await this.#sendAll(drive, send, signal);
    drive.wasTaken = isTaken && drive.obstacle === null;
    drive.triedAtMs = clock.monotonicMs();
    drive.sendAtMs = drive.triedAtMs + (isTaken ? this.#resendMs(drive) : RETRY_MS);
    this.#verifyAtMs = drive.triedAtMs;
  }

  /** Answers true when the device took all or refused one: sending it again soon changes nothing. */
  async #sendAll(drive: Drive, send: Send, signal: AbortSignal): Promise<boolean> {
    for (const control of drive.controls) {
      if (!(await this.#send(drive, control, send, signal))) return false;
      if (drive.obstacle !== null) return true;
    }
    return true;
  }

  async #send(drive: Drive, { point, value }: WishControl, send: Send, signal: AbortSignal): Promise<boolean> {
    const { leases, log } = this.#options;
    try {
      await send(point, value, signal);
      log.debug({ point, value, actionId: drive.action.id }, "command sent");
      leases.written(point);
      drive.obstacle = null;
      drive.wasDelivered = true;
    } catch (error) {
      signal.throwIfAborted();
      const reason = errorText(error);
      log.debug({ err: error, point, value, actionId: drive.action.id }, "command failed");
      drive.obstacle = `The last command failed: ${reason}`;
      if (!(error instanceof DeviceError) || error.kind === "unreachable") return false;
      drive.wasDelivered = true;
    }
    return true;
  }

  async #renew(held: LeaseRecord, send: Send, signal: AbortSignal): Promise<void> {
    const { point, value, origin = "client" } = held;
    const { leases, log, values, store } = this.#options;
    try {
      const writes = leases.toTake({ point, value, origin }, values);
      if (writes.length > 0) await store.commit(writes, []);
      leases.apply(writes);
      await send(point, value, signal);
      leases.written(point);
    } catch (err) {
      signal.throwIfAborted();
      log.debug({ err, point, value }, "held value not renewed, trying again");
      leases.notWritten(point);
    }
  }

  /** Also while a command is not followed yet the device's own timer must not run out. */
  #resendMs({ controls, timing }: Drive): number {
    return Math.min(timing.resendMs, ...controls.map(({ point }) => this.#options.leases.renewByMs(point)));
  }

  #busyPoints(): ReadonlySet<ControlPoint> {
    const driven = [...this.#drives.values()].filter(({ isEnding }) => !isEnding);
    return new Set(driven.flatMap(({ controls }) => controls.map(({ point }) => point)));
  }
}

function isContradicted({ point, value, evidence }: WishControl, values: Readonly<PointValues>): boolean {
  const reading = values[point] ?? null;
  return evidence !== point && reading !== null && !isSameSetting(reading, value);
}
