import {
  type ConfirmedControls,
  type Control,
  type ControlPoint,
  DeviceError,
  type DeviceIdentity,
  type Driver,
  isConfirmed,
  MINUTE_MS,
  type PointName,
  type PointValue,
  type Reading,
  TimeoutError,
  withholdWithoutFailsafe,
} from "hemgate/sdk";
import type { CloudControl, CloudDevice, CloudReading } from "../connector.ts";
import { CloudError } from "../session/cloud-error.ts";
import type { ReadTimes } from "../session/read-times.ts";
import type { StreamShare } from "../stream/account-stream.ts";
import type { CommandTries } from "./command-tries.ts";
import { asDeviceError } from "./device-failure.ts";
import type { LastReadings } from "./last-readings.ts";
import { soundControls, soundReadings } from "./sound.ts";

/** How often the engine fetches what a stream sent, ms. */
const FETCH_MS = 1_000;
/** How often it is looked whether a device has a reason to be read before its time, ms. */
const REASONS_MS = 10_000;
/** How often it is looked whether what was planned for a time that is far off is to be sooner, ms. */
const PLANS_MS = 60_000;
/** What was read longer ago is not current, ms (rule I8). */
const CURRENT_MS = 10 * MINUTE_MS;

/** What the owner of a device answers for. */
export interface DriverChoices {
  /** Which controls are on although they are not verified. */
  readonly confirmUnverified: ConfirmedControls;
  /** True: what only the gateway would end may be started. */
  readonly confirmNoFailsafe: boolean;
}

export interface CloudDriverParts extends DriverChoices {
  readonly vendors: readonly string[];
  readonly device: CloudDevice;
  /** When another reading is worth its requests. */
  readonly times: ReadTimes;
  /** The last readings over any of its connections. */
  readonly last: Pick<LastReadings, keyof LastReadings>;
  /** The commands sent since it was read. */
  readonly tries: Pick<CommandTries, keyof CommandTries>;
  /** Its part in the account's stream; null: it is only read. */
  readonly stream: Pick<StreamShare, "isLive" | "missed"> | null;
  /** The share of the account. */
  readonly resources: AsyncDisposable;
}

/** Runs any device behind a cloud: reads no more often than the budget bears, and sends what its owner allows. */
export class CloudDriver implements Driver {
  readonly vendors: readonly string[];
  readonly #parts: CloudDriverParts;
  /** False: this connection has returned no readings yet. */
  #hasReported = false;
  #isAsleep = false;

  constructor(parts: CloudDriverParts) {
    this.#parts = parts;
    this.vendors = parts.vendors;
  }

  get identity(): DeviceIdentity {
    return this.#parts.device.identity;
  }

  get isEnergyManager(): boolean {
    return this.#parts.device.isEnergyManager ?? false;
  }

  get points(): readonly PointName[] {
    return this.#parts.device.points;
  }

  get controls(): readonly Control[] {
    return this.#offered().controls;
  }

  get unconfirmed(): readonly ControlPoint[] {
    const waiting = this.#parts.device.controls.filter((control) => this.#isWaiting(control));
    return [...new Set([...waiting.map(({ point }) => point), ...this.#offered().withheld])];
  }

  get pollMs(): number {
    const { stream, device, times } = this.#parts;
    if (stream !== null) return FETCH_MS;
    if (device.wantsRead !== undefined) return Math.min(REASONS_MS, this.tellsEveryMs);
    return times.isFarOff ? PLANS_MS : this.tellsEveryMs;
  }

  get tellsEveryMs(): number {
    return this.#parts.times.periodMs;
  }

  get isAsleep(): boolean {
    return this.#isAsleep;
  }

  get notReadBecause(): DeviceError | null {
    const { last, times, stream } = this.#parts;
    if (stream?.isLive === true) return null;
    if (last.fault !== null || times.ageMs <= CURRENT_MS) return last.fault;
    const message = `it is read every ${Math.ceil(this.tellsEveryMs / MINUTE_MS)} minutes`;
    return new DeviceError("unreachable", message, { reason: this.#isDozing() ? "asleep" : "rate-limited" });
  }

  async read(scope: "due" | "all", signal: AbortSignal): Promise<readonly Reading[]> {
    signal.throwIfAborted();
    const { device, times, tries, stream, last } = this.#parts;
    // A stream that lives tells what became of a command before a read could.
    const isAwaited = scope === "all" && tries.isOpen && stream?.isLive !== true;
    const isRequested = (device.wantsRead?.() ?? false) || isAwaited;
    const isNew = !this.#hasReported;
    this.#hasReported = true;
    this.#isAsleep = false;
    if (!times.isDue(this.#isDozing() ? "due" : scope, isRequested))
      return isNew ? await last.known(signal) : this.#streamed();
    times.began();
    let hasAnswered = false;
    try {
      const readings = await last.from(this.#readNow(signal));
      hasAnswered = true;
      last.fault = this.#isAsleep ? new DeviceError("unreachable", "it sleeps", { reason: "asleep" }) : null;
      return readings;
    } catch (error) {
      last.fault = faultOf(error, signal) ?? last.fault;
      // What was read last stands, with its age, until the budget has something left.
      if (error instanceof CloudError && error.kind === "no-budget") return this.#streamed();
      // Whose time was up did not answer either; one that is being closed may have.
      if (!signal.aborted || signal.reason instanceof TimeoutError) last.forget();
      throw asDeviceError(error);
    } finally {
      times.ended(hasAnswered);
    }
  }

  async write(point: ControlPoint, value: PointValue, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    const control = this.controls.find((each) => each.point === point);
    if (control === undefined) throw new DeviceError("rejected", `${point} of this device cannot be written`);
    const { device, times, tries } = this.#parts;
    if (!accepts(control, value) && device.takesBack?.(point, value) !== true)
      throw new DeviceError("rejected", `${point} does not take ${value}`);
    const hindrance = tries.hindrance(point, value);
    if (hindrance !== null) throw new DeviceError("unreachable", `${point} is not sent: ${hindrance}`);
    tries.telling(point, value);
    try {
      await device.write(point, value, signal);
      tries.took();
    } catch (error) {
      if (error instanceof CloudError) tries.failed(point, error.kind);
      throw asDeviceError(error);
    } finally {
      times.wrote();
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#parts.resources[Symbol.asyncDispose]();
  }

  /** True for a vehicle that falls asleep if it is left alone: nobody's wish to know more keeps it awake. */
  #isDozing(): boolean {
    const { device } = this.#parts;
    return device.isAsleep !== undefined && device.tempo() === "idle";
  }

  async #readNow(signal: AbortSignal): Promise<readonly Reading[]> {
    const { device, tries, stream } = this.#parts;
    const readings = await device.read(signal);
    tries.looked();
    this.#isAsleep = device.isAsleep ?? false;
    if (device.hasMissed?.() === true) stream?.missed();
    return soundReadings(readings, device.points).map(asReading);
  }

  #streamed(): readonly Reading[] {
    const { device, last } = this.#parts;
    return last.keep(soundReadings(device.streamed?.() ?? [], device.points).map(asReading));
  }

  #offered() {
    const { device, confirmNoFailsafe } = this.#parts;
    const trusted = soundControls(device.controls).filter((control) => !this.#isWaiting(control));
    return withholdWithoutFailsafe(trusted, confirmNoFailsafe);
  }

  #isWaiting({ confidence, point }: CloudControl): boolean {
    return confidence === "unverified" && !isConfirmed(this.#parts.confirmUnverified, point);
  }
}

/** Null: the read was given up because the driver is closed. */
function faultOf(error: unknown, signal: AbortSignal): DeviceError | null {
  if (signal.reason instanceof TimeoutError) {
    return new DeviceError("unreachable", "it did not answer in time", { cause: error, reason: "timeout" });
  }
  const failure = asDeviceError(error);
  if (failure instanceof DeviceError) return failure;
  return signal.aborted ? null : new DeviceError("malformed", "it could not be read", { cause: error });
}

function accepts({ values, range }: Control, value: PointValue): boolean {
  if (values?.includes(value) === true) return true;
  return typeof value === "number" && range !== undefined && value >= range.min && value <= range.max;
}

/** The connector guarantees that a point's value is of the point's type; the engine drops other values. */
function asReading(reading: CloudReading): Reading {
  return reading as Reading;
}
