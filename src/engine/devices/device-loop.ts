/**
 * The loop of one device: connect, then one call at a time, reads aligned on the period, writes first. All failures of
 * the device end here; no other device notices.
 */

import { HOUR_MS, MINUTE_MS } from "../../domain/duration.ts";
import { backoffMs } from "../../platform/backoff.ts";
import { errorText } from "../../platform/error-text.ts";
import type { Clock, Log, Random } from "../../platform/ports/ports.ts";
import { WakeSignal } from "../../platform/wake-signal.ts";
import { TimeoutError, within } from "../../platform/within.ts";
import { DeviceError, OtherDeviceError } from "../../points/device-error.ts";
import type { ControlPoint, PointValue, Reading } from "../../points/points.ts";
import type { Driver } from "../../sdk/driver.ts";
import { AskedRead, type ReadOutcome } from "./asked-read.ts";

/** Deadlines of one call, ms. Adapters have tighter ones; these end calls that hang. */
const CONNECT_DEADLINE_MS = 30_000;
const READ_DEADLINE_MS = 30_000;
const WRITE_DEADLINE_MS = 10_000;
/** After this many failed reads in a row the connection is given up for a new one. */
const RECONNECT_AFTER_FAILURES = 3;
/** How long a device that failed is left alone. */
const BACKOFF = { floorMs: 1_000, ceilingMs: 60_000 } as const;
/** How long one that refuses the credentials is left alone: asking again does not make them valid, and may lock an account. */
const REFUSED_BACKOFF = { floorMs: 5 * MINUTE_MS, ceilingMs: 6 * HOUR_MS } as const;
/** Hints closer together than this are one (rule S9.4). */
const HINT_EVERY_MS = 30_000;
/** Time for the safe defaults when the gateway stops, and for a driver to close, ms. */
const PARTING_MS = 1_400;
const DRIVER_CLOSE_MS = 300;
/** The shortest wait between two rounds without a wake-up, ms. */
const MIN_WAIT_MS = 10;
/** Faster than that no device is read, whatever its adapter asks for, ms. */
const MIN_POLL_MS = 50;
/** Slower ones save no wake-ups by being read with others, and a period that changes would be half as long again, ms. */
const ALIGNED_MS = 60_000;

/** Sends one value to the device. Rejects as the driver does, or with a `TimeoutError`. */
export type Send = (point: ControlPoint, value: PointValue, signal: AbortSignal) => Promise<void>;

/** What the loop works for. None of these reject, but `writeDue` with the signal's reason. */
export interface DeviceWork {
  connect(signal: AbortSignal): Promise<Driver>;
  connected(driver: Driver, signal: AbortSignal): Promise<void>;
  answered(readings: readonly Reading[], startedAtMs: number): Promise<void>;
  failed(error: unknown, attempt: string): void;
  /** Writes all that is due now. */
  writeDue(send: Send, signal: AbortSignal): Promise<void>;
  /** Writes what an orderly stop leaves behind. */
  part(send: Send, signal: AbortSignal): Promise<void>;
  /** Monotonic ms at which `writeDue` has something to do; infinite when nothing waits. */
  nextWriteAtMs(): number;
  /** Monotonic ms at which all points are to be read, beside the usual polls; infinite when not. */
  nextFullReadAtMs(): number;
}

export interface DeviceLoopOptions {
  readonly work: DeviceWork;
  readonly clock: Clock;
  readonly random: Pick<Random, "next">;
  readonly log: Log;
  /** How long after the full periods the device is polled, ms; default 0. */
  readonly offsetMs?: number;
}

export class DeviceLoop {
  readonly #work: DeviceWork;
  readonly #clock: Clock;
  readonly #random: Pick<Random, "next">;
  readonly #log: Log;
  readonly #offsetMs: number;
  readonly #wake: WakeSignal;
  readonly #asked: AskedRead;
  /** Failed turns in a row, over all connections. */
  #failures = 0;
  /** Those of this connection. */
  #sessionFailures = 0;
  /** Monotonic ms of the next usual poll. */
  #nextReadAtMs = 0;
  #isHinted = false;
  #lastHintMs = Number.NEGATIVE_INFINITY;
  /** Turns in a row that ended because the credentials are not accepted. */
  #refusals = 0;
  /** Why the device does not let us in; null once a connection came about. */
  #refusal: DeviceError | null = null;
  /** A call hung, or the driver speaks to another device: it cannot be trusted with another call. */
  #isHung = false;
  /** The adapter's own mistake that was logged last; null once a turn went well. */
  #fault: string | null = null;
  /** Resolves when the last call to the driver has ended. */
  #underWay: Promise<void> = Promise.resolve();
  #expectedByMs: number;

  constructor({ work, clock, random, log, offsetMs = 0 }: DeviceLoopOptions) {
    this.#offsetMs = offsetMs;
    this.#work = work;
    this.#clock = clock;
    this.#random = random;
    this.#log = log;
    this.#wake = new WakeSignal(clock);
    this.#asked = new AskedRead(clock, HINT_EVERY_MS);
    this.#expectedByMs = clock.monotonicMs();
  }

  /** Asks for an early read. */
  hint(): void {
    this.#isHinted = true;
    this.#wake.notify();
  }

  /**
   * Asks the device for all points soon, and resolves with what became of it, in bounded time. A device that refuses the
   * credentials is not asked. Never rejects.
   */
  ask(): Promise<ReadOutcome> {
    if (this.#refusal !== null) return Promise.resolve({ error: this.#refusal });
    return this.#asked.next(() => this.hint());
  }

  /** There may be something to write. */
  wake(): void {
    this.#wake.notify();
  }

  /** How late the loop is, ms; negative while it is in time. */
  latenessMs(): number {
    return this.#clock.monotonicMs() - this.#expectedByMs;
  }

  /** Runs until the signal aborts, then writes the safe defaults and closes the driver. Never rejects. */
  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      try {
        await this.#session(signal);
      } catch (error) {
        if (!signal.aborted) this.#note(error, "connect");
      }
      await this.#pause(signal);
    }
    this.#asked.over({
      error: new DeviceError("unreachable", "the device is disconnected", { reason: "unavailable" }),
    });
  }

  async #session(signal: AbortSignal): Promise<void> {
    this.#expect(CONNECT_DEADLINE_MS);
    const driver = await this.#connect(signal);
    let hasRead = false;
    this.#isHung = false;
    this.#refusal = null;
    this.#sessionFailures = 0;
    try {
      await this.#work.connected(driver, signal);
      while (!this.#isSpent()) {
        // A device is read before it is written to: the first turn of a connection is a full read.
        if (hasRead) await this.#work.writeDue(this.#sender(driver), signal);
        if (!this.#isSpent() && (await this.#readWhenDue(driver, hasRead, signal))) hasRead = true;
        if (!this.#isSpent()) await this.#waitUntilDue(driver, signal);
      }
    } finally {
      await this.#close(driver, hasRead && signal.aborted);
    }
  }

  /** A driver that arrives after its deadline is closed again. */
  #connect(signal: AbortSignal): Promise<Driver> {
    return within(this.#clock, CONNECT_DEADLINE_MS, signal, async (limited) => {
      const driver = await this.#work.connect(limited);
      if (limited.aborted) void this.#close(driver, false);
      return driver;
    });
  }

  #isSpent(): boolean {
    return this.#isHung || this.#refusal !== null || this.#sessionFailures >= RECONNECT_AFTER_FAILURES;
  }

  /** Answers true when the device answered. */
  async #readWhenDue(driver: Driver, hasRead: boolean, signal: AbortSignal): Promise<boolean> {
    const nowMs = this.#clock.monotonicMs();
    const isHinted = this.#takeHint(nowMs);
    const isFull = isHinted || !hasRead || nowMs >= this.#work.nextFullReadAtMs();
    if (!isFull && nowMs < this.#nextReadAtMs) return false;
    this.#expect(READ_DEADLINE_MS);
    try {
      const scope = isFull ? "all" : "due";
      const readings = await this.#call(READ_DEADLINE_MS, signal, (limited) => driver.read(scope, limited));
      // An empty poll (nothing due) counts neither as an answer nor as recovery.
      if (readings.length > 0 || driver.isAsleep === true)
        [this.#failures, this.#sessionFailures, this.#refusals] = [0, 0, 0];
      this.#nextReadAtMs = nextPollMs(this.#clock.monotonicMs(), driver.pollMs, this.#offsetMs);
      await this.#work.answered(readings, nowMs);
      if (isFull) this.#asked.over(outcomeOf(driver));
      else if (readings.length > 0) this.#asked.answered();
      return true;
    } catch (error) {
      signal.throwIfAborted();
      this.#note(error, "read");
      const pauseMs = backoffMs(this.#failures, BACKOFF, this.#random);
      this.#nextReadAtMs = nextPollMs(this.#clock.monotonicMs() + pauseMs, driver.pollMs, this.#offsetMs);
      return false;
    }
  }

  #takeHint(nowMs: number): boolean {
    if (!this.#isHinted || nowMs < this.#lastHintMs + HINT_EVERY_MS) return false;
    this.#isHinted = false;
    this.#lastHintMs = nowMs;
    return true;
  }

  #note(error: unknown, attempt: string): void {
    this.#failures += 1;
    this.#sessionFailures += 1;
    if (error instanceof TimeoutError || error instanceof OtherDeviceError) this.#isHung = true;
    if (isRefusal(error)) {
      this.#refusal = error;
      this.#refusals += 1;
    }
    if (!(error instanceof DeviceError || error instanceof TimeoutError)) {
      const fault = `${attempt}: ${errorText(error)}`;
      // The same fault of an adapter is logged once; each try would log its stack again.
      if (fault !== this.#fault) this.#log.error({ err: error, attempt }, "adapter failed unexpectedly");
      this.#fault = fault;
    }
    this.#work.failed(error, attempt);
    this.#asked.over({ error });
  }

  #sender(driver: Driver): Send {
    return async (point, value, signal) => {
      this.#expect(WRITE_DEADLINE_MS);
      try {
        await this.#call(WRITE_DEADLINE_MS, signal, (limited) => driver.write(point, value, limited));
      } catch (error) {
        if (error instanceof TimeoutError) this.#isHung = true;
        if (isRefusal(error) || error instanceof OtherDeviceError) this.#note(error, "write");
        throw error;
      }
    };
  }

  /** Calls the driver. The call may go on after its deadline if the driver ignores the signal. */
  #call<T>(limitMs: number, signal: AbortSignal, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    return within(this.#clock, limitMs, signal, async (limited) => {
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#underWay = promise;
      try {
        return await work(limited);
      } finally {
        resolve();
      }
    });
  }

  #waitUntilDue(driver: Driver, signal: AbortSignal): Promise<void> {
    const nowMs = this.#clock.monotonicMs();
    const hintAtMs = this.#isHinted ? this.#lastHintMs + HINT_EVERY_MS : Number.POSITIVE_INFINITY;
    const dueAtMs = Math.min(
      hintAtMs,
      this.#failures > 0 ? this.#nextReadAtMs : this.#work.nextWriteAtMs(),
      this.#failures > 0 ? this.#nextReadAtMs : this.#work.nextFullReadAtMs(),
      this.#nextReadAtMs,
    );
    const waitMs = Math.min(Math.max(MIN_WAIT_MS, dueAtMs - nowMs), Math.max(driver.pollMs, BACKOFF.ceilingMs));
    this.#expect(waitMs);
    return this.#wake.wait(waitMs, signal);
  }

  /** After a session: a command or a hint shortens the pause, but never below the floor. */
  async #pause(signal: AbortSignal): Promise<void> {
    if (signal.aborted) return;
    if (this.#refusal !== null) return await this.#pauseRefused(signal);
    const pauseMs = backoffMs(this.#failures, BACKOFF, this.#random);
    this.#expect(pauseMs);
    try {
      await this.#clock.sleep(Math.min(BACKOFF.floorMs, pauseMs), signal);
      if (pauseMs > BACKOFF.floorMs) await this.#wake.wait(pauseMs - BACKOFF.floorMs, signal);
    } catch (error) {
      if (!signal.aborted) throw error;
    }
  }

  /** No hint and no command shortens this pause. */
  async #pauseRefused(signal: AbortSignal): Promise<void> {
    const pauseMs = backoffMs(this.#refusals, REFUSED_BACKOFF, this.#random);
    this.#expect(pauseMs);
    try {
      await this.#clock.sleep(pauseMs, signal);
    } catch (error) {
      if (!signal.aborted) throw error;
    }
  }

  async #close(driver: Driver, isParting: boolean): Promise<void> {
    const unhurried = new AbortController().signal;
    try {
      if (isParting && !this.#isHung) {
        await within(this.#clock, PARTING_MS, unhurried, async (limited) => {
          // The stop cut a call short; the driver is asked again only when it is done with that one.
          await this.#underWay;
          limited.throwIfAborted();
          await this.#work.part(this.#sender(driver), limited);
        });
      }
    } catch (err) {
      this.#log.warn({ err }, "safe default not written");
    }
    try {
      await within(this.#clock, DRIVER_CLOSE_MS, unhurried, async () => await driver[Symbol.asyncDispose]());
    } catch (err) {
      this.#log.debug({ err }, "driver did not close");
    }
  }

  #expect(withinMs: number): void {
    this.#expectedByMs = this.#clock.monotonicMs() + withinMs;
  }
}

/** What a full read that did not fail brought. */
function outcomeOf({ notReadBecause = null, isAsleep = false }: Driver): ReadOutcome {
  if (notReadBecause !== null) return { error: notReadBecause };
  return isAsleep ? { error: new DeviceError("unreachable", "the device sleeps", { reason: "asleep" }) } : null;
}

function isRefusal(error: unknown): error is DeviceError {
  return error instanceof DeviceError && error.kind === "unauthorized";
}

/**
 * Returns the next multiple of the period, and the offset: devices with one period and offset are read at the same moments.
 * A period that is not a number is 1 s.
 */
function nextPollMs(afterMs: number, askedMs: number, offsetMs: number): number {
  const periodMs = Number.isFinite(askedMs) ? Math.max(MIN_POLL_MS, askedMs) : 1_000;
  if (periodMs > ALIGNED_MS) return afterMs + periodMs;
  const ownMs = offsetMs % periodMs;
  return (Math.floor((afterMs - ownMs) / periodMs) + 1) * periodMs + ownMs;
}
