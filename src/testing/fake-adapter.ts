import { z } from "zod";
import type { Clock } from "../platform/ports/ports.ts";
import { DeviceError } from "../points/device-error.ts";
import type { ControlPoint, PointName, PointTypes, PointValue, Reading } from "../points/points.ts";
import { type Adapter, type Control, type DeviceIdentity, type Driver, defineAdapter } from "../sdk/driver.ts";

/** A call that a fake device got. */
export interface FakeCall {
  readonly call: "connect" | "read" | "write" | "close";
  /** Monotonic ms. */
  readonly atMs: number;
  readonly point?: ControlPoint;
  readonly value?: PointValue;
}

/** One connection to the device. */
interface Line {
  readonly clock: Clock;
  inFlight: number;
}

type Values = { -readonly [Name in PointName]?: PointTypes[Name] | null };

export interface FakeDeviceOptions {
  /** The world's clock: the device lives on when a gateway dies. */
  readonly clock: Clock;
  readonly values: Readonly<Values>;
  readonly controls?: readonly Control[];
  readonly unconfirmed?: readonly ControlPoint[];
  readonly identity?: Partial<DeviceIdentity>;
  /** As a driver's `serialSource`. */
  readonly serialSource?: string;
  readonly vendors?: readonly string[];
  readonly isEnergyManager?: boolean;
  readonly pollMs?: number;
  /** As a driver's `tellsEveryMs`. */
  readonly tellsEveryMs?: number;
  /** How long each call takes, ms. */
  readonly delayMs?: number;
}

/** Calls kept; the oldest go first. */
const MAX_CALLS = 100_000;

/**
 * A device in memory: its points show what is set, a write shows what was written and lapses with the control's timer,
 * and it can be dead, hang or refuse.
 */
export class FakeDevice {
  readonly values: Values;
  readonly controls: readonly Control[];
  readonly unconfirmed: readonly ControlPoint[];
  /** May change while nobody is connected: another device, or one that tells less of itself. */
  identity: DeviceIdentity;
  /** As a driver's `serialSource`. */
  serialSource: string | undefined;
  readonly vendors: readonly string[];
  readonly isEnergyManager: boolean;
  /** May change while it is connected. */
  pollMs: number;
  /** Every how many polls something is due; the others ask for nothing. */
  dueEvery = 1;
  #polls = 0;
  /** False: nothing answers. */
  isUp = true;
  /** True: it answers, and tells nothing. */
  isAsleep = false;
  /** Wall-clock ms at which points were measured, if not at the read. */
  readonly measuredAtMs: Partial<Record<PointName, number>> = {};
  /** False: it answers that it does not accept the credentials. */
  isAuthorized = true;
  /** A call of this kind never ends, and does not heed its signal. */
  hangsOn: FakeCall["call"] | null = null;
  /** False: a call goes on although its signal says that nobody waits for it any more. */
  heedsSignals = true;
  /** How long each call takes, ms. */
  delayMs: number;
  /** Each read ends with this. */
  failsReads: DeviceError | null = null;
  /** Writes are refused with this text. */
  refusesWrites: string | null = null;
  /** What a write does; the value that the point shows by default. */
  onWrite: (point: ControlPoint, value: PointValue) => void;
  readonly #clock: Clock;
  readonly #tellsEveryMs: number | undefined;
  readonly #calls: FakeCall[] = [];
  readonly #lapses = new Map<ControlPoint, Disposable>();
  #mostInFlight = 0;
  #openDrivers = 0;

  constructor(options: FakeDeviceOptions) {
    this.values = { ...options.values };
    this.controls = options.controls ?? [];
    this.unconfirmed = options.unconfirmed ?? [];
    this.identity = { manufacturer: null, model: null, serial: null, version: null, ...options.identity };
    this.serialSource = options.serialSource;
    this.vendors = options.vendors ?? ["SIMULATED"];
    this.isEnergyManager = options.isEnergyManager ?? false;
    this.pollMs = options.pollMs ?? 1_000;
    this.#tellsEveryMs = options.tellsEveryMs;
    this.#clock = options.clock;
    this.delayMs = options.delayMs ?? 0;
    this.onWrite = (point, value) => this.show(point, value);
  }

  get calls(): readonly FakeCall[] {
    return this.#calls;
  }

  /** What was written to a point so far. */
  written(point: ControlPoint): readonly PointValue[] {
    return this.#calls.flatMap((call) => (call.point === point && call.value !== undefined ? [call.value] : []));
  }

  /** The most calls that were under way at one time on one connection. */
  get mostInFlight(): number {
    return this.#mostInFlight;
  }

  /** Drivers that are connected and not closed. */
  get openDrivers(): number {
    return this.#openDrivers;
  }

  /** Makes a point show a value from now on. */
  show(point: PointName, value: PointValue | null): void {
    const values: Partial<Record<PointName, PointValue | null>> = this.values;
    values[point] = value;
  }

  /** Connects; the caller's clock measures how long calls take, so that a dead caller gets no answer. */
  async connect(clock: Clock, signal: AbortSignal): Promise<Driver> {
    const line = { clock, inFlight: 0 };
    await this.#call({ call: "connect" }, line, signal);
    this.#openDrivers += 1;
    let isClosed = false;
    const pollMs = (): number => this.pollMs;
    const isAsleep = (): boolean => this.isAsleep;
    const points = (): readonly PointName[] => Object.keys(this.values).filter(isPoint);
    return {
      identity: this.identity,
      serialSource: this.serialSource,
      vendors: this.vendors,
      isEnergyManager: this.isEnergyManager,
      controls: this.controls,
      unconfirmed: this.unconfirmed,
      get pollMs() {
        return pollMs();
      },
      get isAsleep() {
        return isAsleep();
      },
      ...(this.#tellsEveryMs !== undefined && { tellsEveryMs: this.#tellsEveryMs }),
      // A part that is added to a device shows its points on the same connection.
      get points() {
        return points();
      },
      read: async (scope, limit) => {
        this.#polls += 1;
        if (scope === "due" && this.#polls % this.dueEvery !== 0) return [];
        await this.#call({ call: "read" }, line, limit);
        if (this.failsReads !== null) throw this.failsReads;
        return this.isAsleep ? [] : this.#readings();
      },
      write: async (point, value, limit) => {
        await this.#call({ call: "write", point, value }, line, limit);
        if (this.refusesWrites !== null) throw new DeviceError("rejected", this.refusesWrites);
        this.onWrite(point, value);
        this.#lapseLater(point);
      },
      [Symbol.asyncDispose]: async () => {
        if (isClosed) return;
        isClosed = true;
        this.#openDrivers -= 1;
        this.#note({ call: "close" });
        if (this.hangsOn === "close") await new Promise(() => undefined);
      },
    };
  }

  #readings(): readonly Reading[] {
    return Object.entries(this.values).map(([point, value]) => {
      const measuredAtMs = this.measuredAtMs[point as PointName];
      return { point, value, ...(measuredAtMs === undefined ? {} : { measuredAtMs }) } as Reading;
    });
  }

  async #call(call: Omit<FakeCall, "atMs">, line: Line, signal: AbortSignal): Promise<void> {
    this.#note(call);
    line.inFlight += 1;
    this.#mostInFlight = Math.max(this.#mostInFlight, line.inFlight);
    try {
      if (this.hangsOn === call.call) await new Promise(() => undefined);
      await line.clock.sleep(this.delayMs, this.heedsSignals ? signal : new AbortController().signal);
      if (!this.isUp) throw new DeviceError("unreachable", `no answer to a ${call.call}`);
      if (!this.isAuthorized) throw new DeviceError("unauthorized", `credentials refused at a ${call.call}`);
    } finally {
      line.inFlight -= 1;
    }
  }

  #note(call: Omit<FakeCall, "atMs">): void {
    this.#calls.push({ ...call, atMs: this.#clock.monotonicMs() });
    if (this.#calls.length > MAX_CALLS) this.#calls.splice(0, MAX_CALLS / 2);
  }

  /** The device's own reversion timer. */
  #lapseLater(point: ControlPoint): void {
    const control = this.controls.find((candidate) => candidate.point === point);
    if (control === undefined || control.holdMs === null) return;
    const safe = control.safeDefault;
    if (safe === null || safe === "as-found") return;
    this.#lapses.get(point)?.[Symbol.dispose]();
    this.#lapses.set(
      point,
      this.#clock.timer(control.holdMs, () => this.onWrite(point, safe)),
    );
  }
}

function isPoint(name: string): name is PointName {
  return name.includes(".");
}

/** An adapter named `fake` whose devices are in memory; a device's id in the configuration finds it. */
export function fakeAdapter(devices: Readonly<Record<string, FakeDevice>>): Adapter<Record<never, never>> {
  return defineAdapter({
    name: "fake",
    options: z.strictObject({}),
    start: ({ clock }) => ({
      connect: async (deviceId, _options, signal) => {
        const device = devices[deviceId];
        if (device === undefined) throw new DeviceError("unreachable", `nothing is at ${deviceId}`);
        return await device.connect(clock, signal);
      },
      [Symbol.asyncDispose]: async () => undefined,
    }),
  });
}
