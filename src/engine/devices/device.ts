import type { AssetKind } from "../../domain/assets/asset.ts";
import { kindsOf } from "../../domain/assets/asset-kinds.ts";
import type { KnownDevice } from "../../domain/assets/asset-seed.ts";
import { withCurrentDirections } from "../../domain/assets/current-direction.ts";
import { keepReading, type PointValues } from "../../domain/assets/snapshot.ts";
import { MINUTE_MS } from "../../domain/duration.ts";
import { vendorFor } from "../../domain/vendors/vendor.ts";
import { errorText } from "../../platform/error-text.ts";
import type { Clock, Log } from "../../platform/ports/ports.ts";
import { TimeoutError } from "../../platform/within.ts";
import { DeviceError, OtherDeviceError } from "../../points/device-error.ts";
import type { PointName, Reading } from "../../points/points.ts";
import type { Driver } from "../../sdk/driver.ts";
import type { DeviceRegisters } from "../../sdk/registers.ts";
import { serialNumber } from "../../sdk/serial-number.ts";
import type { Store } from "../../store/store.ts";
import type { DeviceCommands } from "../actions/device-commands.ts";
import type { DeviceAssets } from "../assets/device-assets.ts";
import type { Corrections } from "../checks/corrections.ts";
import type { DeviceStatus } from "../contracts/engine.ts";
import type { TellingDevice } from "../engine-part.ts";
import { type CountedPower, type HousePowerPoint, isHousePower, PowerTrack } from "../hem/power-track.ts";
import type { DeviceWork, Send } from "./device-loop.ts";
import type { DeviceSettings } from "./device-settings.ts";
import { EarlyDates } from "./early-dates.ts";
import type { ExpectedSerial } from "./expected-serial.ts";
import { MeasuredTimes, type ReadingGroup } from "./measured-times.ts";
import { answered, failed, NEVER_REACHED, type Reachability, UNREACHABLE_AFTER_FAILURES } from "./reachability.ts";
import type { ReadingTally } from "./reading-tally.ts";
import { sift } from "./sift.ts";

export interface DeviceOptions {
  readonly settings: DeviceSettings;
  readonly clock: Clock;
  readonly log: Log;
  readonly store: Pick<Store, "record">;
  readonly assets: DeviceAssets;
  readonly expected: Pick<ExpectedSerial, "of">;
  readonly commands: DeviceCommands;
  readonly readings: Pick<ReadingTally, "add">;
  readonly corrections: Pick<Corrections, "take">;
  /** The latest value of each point; written here. */
  readonly values: PointValues;
  connect(signal: AbortSignal): Promise<Driver>;
  /** Assets of parts that the device lacks are to go. It returns at once. */
  lacks(kinds: readonly AssetKind[]): void;
  /** Called when the device accepted or refused its credentials. Never rejects. */
  reportCredentials(device: Device, isAccepted: boolean): Promise<void>;
}

/**
 * A power counts for so many polls of the device since it was measured: for the first time in any case, ms, as points are
 * read in turns; for the second at most, as in the history, for a device that is read seldom says nothing of now.
 */
const POLLS_LATE = 3;
const COUNTS_MS = { least: MINUTE_MS, most: 15 * MINUTE_MS } as const;

/** How long an asset waits for the first reading that its discovery tells, ms (rule S14). */
const FIRST_READING_MS = 60_000;

/** One device: what its loop calls, turn by turn, and what is known of it between the turns. */
export class Device implements DeviceWork, TellingDevice {
  readonly settings: DeviceSettings;
  readonly assets: DeviceAssets;
  readonly commands: DeviceCommands;
  readonly #options: DeviceOptions;
  readonly #readAtMs = new Map<PointName, { readonly wallMs: number; readonly tickMs: number }>();
  readonly #powers: Partial<Record<HousePowerPoint, PowerTrack>> = {};
  readonly #measured = new MeasuredTimes();
  readonly #early: EarlyDates;
  #driver: Pick<Driver, "pollMs" | "tellsEveryMs" | "isAsleep"> = { pollMs: 0 };
  /** The driver with the points that its assets were made from; null before the first connection. */
  #adopted: { readonly driver: Driver; readonly points: readonly PointName[] } | null = null;
  #reach: Reachability = NEVER_REACHED;
  #hasDropped = false;
  /** True from a connection until its first answer: only that shows that the credentials are taken. */
  #isAnswerNews = false;

  constructor(options: DeviceOptions) {
    this.settings = options.settings;
    this.assets = options.assets;
    this.commands = options.commands;
    this.#options = options;
    this.#early = new EarlyDates(options.clock, () => [...this.#readAtMs.values()].map(({ wallMs }) => wallMs));
  }

  /** The latest value of each point; null where the device cannot tell. */
  get values(): Readonly<PointValues> {
    return this.#options.values;
  }

  get isReachable(): boolean {
    return this.#reach.isReachable;
  }

  /** The registers of the last connection; `null` before the first one, and if the device has none. */
  get registers(): DeviceRegisters | null {
    return this.#adopted?.driver.registers ?? null;
  }

  get known(): KnownDevice | null {
    return this.assets.known;
  }

  /** How often it tells new values, ms; 0 before it was connected. */
  get tellsEveryMs(): number {
    return this.#driver.tellsEveryMs ?? this.#driver.pollMs;
  }

  powerAt(point: HousePowerPoint, tickMs: number): CountedPower | null {
    if (!this.#reach.isReachable) return null;
    const countsMs = Math.min(COUNTS_MS.most, Math.max(COUNTS_MS.least, POLLS_LATE * this.tellsEveryMs));
    return this.#powers[point]?.at(tickMs, countsMs) ?? null;
  }

  /** Monotonic ms at which the latest value of a point was measured; `null` before the first reading. */
  measuredAtMs(point: PointName): number | null {
    return this.#readAtMs.get(point)?.tickMs ?? null;
  }

  carries(kind: AssetKind, id: string): boolean {
    return this.assets.ids.some((asset) => asset.kind === kind && asset.id === id);
  }

  status(): DeviceStatus {
    const { settings, values } = this.#options;
    const { known, ids, lastSeenMs } = this.assets;
    const [kind] = known === null ? [] : kindsOf(known.points);
    return {
      id: settings.id,
      name: settings.name ?? null,
      adapter: settings.adapter,
      identity: known?.identity ?? null,
      vendor: known === null || kind === undefined ? null : vendorFor(kind, known.vendors),
      isReachable: this.#reach.isReachable,
      lastError: this.#reach.isReachable ? null : this.#reach.lastError,
      mayBeInUse: !this.#reach.isReachable && this.#reach.mayBeInUse,
      lastSeenMs,
      assets: ids,
      takenOver: this.commands.takenOver,
      points: [...this.#readAtMs].map(([point, { wallMs }]) => ({ point, value: values[point] ?? null, atMs: wallMs })),
    };
  }

  connect(signal: AbortSignal): Promise<Driver> {
    return this.#options.connect(signal);
  }

  async connected(driver: Driver, signal: AbortSignal): Promise<void> {
    this.commands.connected(driver.controls, driver.pollMs);
    this.#driver = driver;
    this.#adopted = { driver, points: driver.points };
    await this.assets.adopt(this.#knownOf(driver));
    if (this.assets.isWaiting) void this.#adoptUnread(signal);
    this.#isAnswerNews = true;
  }

  /** A part of the device appeared, such as a battery that was added: it gets its asset now, and not at the next connection. */
  async #adoptAgain(read: readonly Reading[]): Promise<void> {
    const adopted = this.#adopted;
    if (adopted === null || this.assets.known === null) return;
    const { driver, points } = adopted;
    if (isSameList(driver.points, points)) return await this.assets.adopt(this.assets.known, read);
    this.#adopted = { driver, points: driver.points };
    this.commands.offered(driver.controls);
    await this.assets.adopt(this.#knownOf(driver), read);
  }

  /** An earlier version gave a device all that its family may have: assets of what the device says it lacks take leave. */
  #forgetAbsent(): void {
    const { absentParts = [] } = this.#adopted?.driver ?? {};
    if (absentParts.length === 0) return;
    const kinds = this.assets.ids.map(({ kind }) => kind).filter((kind) => absentParts.includes(kind));
    if (kinds.length > 0) this.#options.lacks(kinds);
  }

  /** A device that does not tell its serial number now is still the one that is expected. */
  #knownOf(driver: Driver): KnownDevice {
    const known = knownOf(driver);
    if (known.identity.serial !== null) return known;
    return { ...known, identity: { ...known.identity, serial: this.#options.expected.of(driver) } };
  }

  /** Shows what waits for a first reading that does not come. */
  async #adoptUnread(signal: AbortSignal): Promise<void> {
    try {
      await this.#options.clock.sleep(FIRST_READING_MS, signal);
    } catch {
      return;
    }
    if (this.assets.known !== null) await this.assets.adopt(this.assets.known, []);
  }

  async answered(readings: readonly Reading[], startedAtMs: number): Promise<void> {
    const { clock, values, log } = this.#options;
    const { valid: sound, dropped } = sift(readings);
    if (dropped > 0 && !this.#hasDropped) log.warn({ dropped }, "device gives readings that are no values");
    this.#hasDropped ||= dropped > 0;
    this.#options.readings.add(sound.length, dropped);
    // A command that waits for a reading looks again later, not at once.
    if (sound.length === 0 && this.#driver.isAsleep !== true) return this.commands.observed(new Set(), startedAtMs);
    const tookMs = clock.monotonicMs() - startedAtMs;
    const valid = this.#options.corrections.take(this.settings.id, sound, startedAtMs, tookMs);
    const nowMs = clock.nowMs();
    const groups = this.#measured.sort(valid, { nowMs, tickMs: clock.monotonicMs(), tookMs });
    if (this.#isAnswerNews) await this.#options.reportCredentials(this, true);
    this.#isAnswerNews = false;
    if (!this.#reach.isReachable) log.info({}, "device reachable");
    this.#reach = answered(clock.monotonicMs());
    await this.#adoptAgain(valid);
    this.#forgetAbsent();
    for (const group of groups) this.#take(group, nowMs);
    if (groups.length > 0) return;
    this.assets.fold({ values, fresh: new Set() }, null, nowMs);
    this.commands.observed(new Set(), startedAtMs);
  }

  /** Corrects the dates from before the clock was set, once it is synced. */
  redate(): void {
    this.assets.redate();
    if (!this.#early.isDue) return;
    for (const [point, { wallMs, tickMs }] of this.#readAtMs) {
      this.#readAtMs.set(point, { wallMs: this.#early.redated(wallMs), tickMs });
    }
    this.#early.clear();
  }

  #take(group: ReadingGroup, nowMs: number): void {
    const { atMs, reportedMs, tickMs, sinceMs } = group;
    const { store, values } = this.#options;
    const readings = withCurrentDirections(group.readings, values, this.#adopted?.driver.points ?? []);
    if (reportedMs !== atMs) this.#early.note(atMs, tickMs, reportedMs ?? undefined);
    const fresh = new Set<PointName>();
    const readAt = { wallMs: atMs, tickMs };
    for (const reading of readings) {
      keepReading(values, reading);
      this.#readAtMs.set(reading.point, readAt);
      if (isHousePower(reading)) this.#track(reading.point).note({ powerW: reading.value, tickMs });
      fresh.add(reading.point);
    }
    this.assets.fold({ values, fresh }, group, nowMs);
    store.record({ deviceId: this.settings.id, atMs, values: readings });
    this.commands.observed(fresh, sinceMs);
  }

  #track(point: HousePowerPoint): PowerTrack {
    this.#powers[point] ??= new PowerTrack();
    return this.#powers[point];
  }

  failed(error: unknown, attempt: string): void {
    const { clock, log } = this.#options;
    const isRefused = error instanceof DeviceError && error.kind === "unauthorized";
    if (isRefused) void this.#options.reportCredentials(this, false);
    const reason = describe(error, attempt);
    const before = this.#reach;
    const isOther = error instanceof OtherDeviceError;
    const mayBeInUse = error instanceof DeviceError && error.mayBeInUse;
    this.#reach = failed(before, { reason, isRefused: isRefused || isOther, mayBeInUse }, clock.monotonicMs());
    const isLost = before.isReachable && !this.#reach.isReachable;
    if (isLost || before === NEVER_REACHED) log.warn({ reason }, "device unreachable");
    else log.debug({ reason }, "device failed again");
    // A device that never answered is reported as unreachable once it had its chance.
    const isVerdict = before.lastAnswerMs === null && this.#reach.failures === UNREACHABLE_AFTER_FAILURES;
    if (isLost || isVerdict) this.assets.markUnreachable();
  }

  writeDue(send: Send, signal: AbortSignal): Promise<void> {
    return this.commands.writeDue(send, signal);
  }

  part(send: Send, signal: AbortSignal): Promise<void> {
    return this.commands.part(send, signal);
  }

  nextWriteAtMs(): number {
    return this.commands.nextWriteAtMs();
  }

  nextFullReadAtMs(): number {
    return this.commands.nextFullReadAtMs();
  }
}

function isSameList(one: readonly string[], other: readonly string[]): boolean {
  return one === other || (one.length === other.length && one.every((each, at) => each === other[at]));
}

/** Returns what stays known of a driver after it is closed. */
function knownOf({
  identity,
  vendors,
  isEnergyManager = false,
  points,
  controls,
  unconfirmed = [],
}: Driver): KnownDevice {
  return {
    identity: { ...identity, serial: serialNumber(identity.serial) },
    vendors,
    ...(isEnergyManager && { isEnergyManager }),
    points,
    ...(unconfirmed.length > 0 && { unconfirmed }),
    controls: controls.map(({ point, values, range, step }) => ({
      point,
      ...(values === undefined ? {} : { values }),
      ...(range === undefined ? {} : { range }),
      ...(step === undefined ? {} : { step }),
    })),
  };
}

/** For the installer who reads it. */
function describe(error: unknown, attempt: string): string {
  if (error instanceof DeviceError) return error.message;
  if (error instanceof TimeoutError) return `${attempt}: no answer within ${error.limitMs / 1_000} s`;
  return `${attempt}: ${errorText(error)}`;
}
