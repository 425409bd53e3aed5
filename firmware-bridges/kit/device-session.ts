import {
  type BrokerMessage,
  type Clock,
  DeviceError,
  type DeviceIdentity,
  HOUR_MS,
  type Log,
  type MqttLink,
  type PointName,
  type PointValue,
} from "hemgate/sdk";
import type { BridgeDevice, BridgeMessage, Intake, Outgoing } from "./bridge.ts";
import { numberOf, PayloadError, textOf } from "./payload.ts";
import { PointMemory } from "./point-memory.ts";
import { ProblemLog } from "./problem-log.ts";

/** A device that publishes on change only is taken at its word, its last will, for this long without a live message. */
const SILENCE_MS = HOUR_MS;
const LATE_FACTOR = 3;
const LEAST_LIMIT_MS = 10_000;
/** What comes sooner after a last will was under way before it, ms. */
const AFTER_WILL_MS = 2_000;
const WILL = "its last will says that it is offline";
/** Topics that one device may want to hear; announcements can name any number. */
const MAX_FILTERS = 100;
/** Texts of an identity are cut here: they are a stranger's. */
const MAX_NAME = 120;

export interface SessionParts {
  readonly clock: Pick<Clock, "monotonicMs" | "timer">;
  readonly log: Log;
  readonly link: MqttLink;
  readonly device: BridgeDevice;
}

type Listener = (message: BridgeMessage | null) => void;

/** Listens to one device: its values, when it first answered, and whether it counts as there. The caller disposes it. */
export class DeviceSession implements Disposable {
  readonly points: PointMemory;
  readonly #parts: SessionParts;
  readonly #problems: ProblemLog;
  readonly #resources = new DisposableStack();
  readonly #filters = new Set<string>();
  readonly #listeners = new Set<Listener>();
  readonly #startedAtMs: number;
  #identity: Partial<DeviceIdentity> = {};
  #absence: string | null = null;
  /** Monotonic ms of a last will that says it is gone. */
  #willAtMs: number | null = null;
  #isPresent = false;
  /** Monotonic ms of the last live message. */
  #lifeAtMs: number | null = null;
  /** The broker remembered something of it. */
  #hasOld = false;

  constructor(parts: SessionParts) {
    const { clock, log, link, device } = parts;
    this.#parts = parts;
    this.points = new PointMemory(device.timing);
    this.#problems = new ProblemLog(log, clock);
    this.#startedAtMs = clock.monotonicMs();
    try {
      this.#listen();
      this.#resources.use(link.observe((isConnected) => this.#linkChanged(isConnected)));
    } catch (cause) {
      this.#resources[Symbol.dispose]();
      throw cause instanceof RangeError ? new DeviceError("rejected", cause.message, { cause }) : cause;
    }
  }

  get identity(): DeviceIdentity {
    return { manufacturer: null, model: null, serial: null, version: null, ...this.#identity };
  }

  get lifeAtMs(): number | null {
    return this.#lifeAtMs;
  }

  /** Why the device counts as not reachable now, in words; null when it is. */
  absence(): string | null {
    const { link, clock, device } = this.#parts;
    if (!link.isConnected)
      return `no connection to the broker${link.failure === null ? "" : `: ${link.failure.message}`}`;
    if (this.#absence !== null) return this.#absence;
    if (this.#willAtMs !== null) return WILL;
    const { everyMs } = device.timing;
    const nowMs = clock.monotonicMs();
    if (everyMs === null) {
      const silentMs = nowMs - (this.#lifeAtMs ?? this.#startedAtMs);
      if (!this.#isPresent && this.#lifeAtMs === null) return this.#nothing();
      return silentMs > SILENCE_MS ? `nothing came for ${seconds(silentMs)}` : null;
    }
    if (this.#lifeAtMs === null) return this.#nothing();
    const silentMs = nowMs - this.#lifeAtMs;
    const limitMs = Math.max(LEAST_LIMIT_MS, everyMs * LATE_FACTOR);
    return silentMs > limitMs ? `nothing came for ${seconds(silentMs)}, it is due every ${seconds(everyMs)}` : null;
  }

  /** Publishes; rejects as the link does. */
  async publish(messages: readonly Outgoing[], signal: AbortSignal): Promise<void> {
    for (const { topic, text } of messages) {
      signal.throwIfAborted();
      await this.#parts.link.publish({ topic, payload: new TextEncoder().encode(text), isRetained: false });
    }
  }

  /** Asks the device for all it has, when it can be asked. What cannot be sent now shows in `absence`. */
  async ask(messages: readonly Outgoing[], signal: AbortSignal): Promise<void> {
    try {
      await this.publish(messages, signal);
    } catch (error) {
      if (!(error instanceof DeviceError)) throw error;
    }
  }

  /** Waits until the condition holds, which is tried after each message; answers whether it came to hold in time. */
  until(isDone: () => boolean, limitMs: number, signal: AbortSignal): Promise<boolean> {
    return this.waitFor(() => (isDone() ? true : null), limitMs, signal).then((found) => found === true);
  }

  /** Waits for an answer that the function finds in a message, or (null) in what is known; null when none comes in time. */
  waitFor<T>(
    find: (message: BridgeMessage | null) => T | null,
    limitMs: number,
    signal: AbortSignal,
  ): Promise<T | null> {
    signal.throwIfAborted();
    const now = find(null);
    if (now !== null) return Promise.resolve(now);
    return new Promise((resolve, reject) => {
      const stop = (): void => {
        timer[Symbol.dispose]();
        this.#listeners.delete(listener);
        signal.removeEventListener("abort", abort);
      };
      const listener: Listener = (message) => {
        const found = find(message);
        if (found === null) return;
        stop();
        resolve(found);
      };
      const abort = (): void => {
        stop();
        reject(signal.reason);
      };
      const timer = this.#parts.clock.timer(limitMs, () => {
        stop();
        resolve(null);
      });
      this.#listeners.add(listener);
      signal.addEventListener("abort", abort, { once: true });
    });
  }

  [Symbol.dispose](): void {
    this.#resources[Symbol.dispose]();
    this.#listeners.clear();
  }

  #nothing(): string {
    const { filters } = this.#parts.device;
    const where = filters.slice(0, 2).join(", ");
    return this.#hasOld ? `only old values from the broker on ${where}` : `nothing came on ${where}`;
  }

  #linkChanged(isConnected: boolean): void {
    const { device } = this.#parts;
    if (isConnected) {
      this.points.reconnected();
      const asked = [...(device.hello ?? []), ...(device.query?.messages() ?? [])];
      if (asked.length > 0) void this.ask(asked, new AbortController().signal);
    }
    this.#tell(null);
  }

  /** Subscribes to what the device wants to hear by now. */
  #listen(): void {
    const { device, link } = this.#parts;
    for (const filter of device.filters) {
      if (this.#filters.has(filter)) continue;
      if (this.#filters.size >= MAX_FILTERS) {
        this.#problems.tell(filter, `more than ${MAX_FILTERS} topics`);
        return;
      }
      this.#filters.add(filter);
      this.#resources.use(link.subscribe(filter, (message) => this.#receive(message)));
    }
  }

  #receive({ topic, payload, isRetained, mayUse }: BrokerMessage): void {
    try {
      const atMs = this.#parts.clock.monotonicMs();
      const message: BridgeMessage = { topic, text: textOf(payload), isRetained, atMs, mayUse };
      this.#parts.device.receive(message, this.#intake(message));
      this.#listen();
      this.#tell(message);
    } catch (error) {
      // What a message says of its device is the device's fault, and no matter of the link's other listeners.
      if (!(error instanceof PayloadError || error instanceof DeviceError)) throw error;
      this.#problems.tell(topic, error.message);
    }
  }

  #tell(message: BridgeMessage | null): void {
    for (const listener of [...this.#listeners]) listener(message);
  }

  #intake({ topic, isRetained }: BridgeMessage): Intake {
    const nowMs = this.#parts.clock.monotonicMs();
    const alive = (): void => {
      if (isRetained) this.#hasOld = true;
      else this.#live(nowMs);
    };
    const problem = (what: string): void => this.#problems.tell(topic, what);
    const value = (point: PointName, value_: PointValue | null): void => {
      if (value_ !== null) alive();
      const result = this.points.tell(point, value_, { isRetained, nowMs });
      if (result === "frozen") problem(`${point} stays the same while the device's other values move`);
    };
    const number = (point: PointName, raw: unknown, convert?: (value_: number) => number): void => {
      if (raw === undefined) return;
      const isNumber = typeof raw === "number" && Number.isFinite(raw);
      if (!isNumber && raw !== null) problem(`${point} is no number`);
      const converted = isNumber ? (convert?.(raw) ?? raw) : null;
      value(point, converted !== null && Number.isFinite(converted) ? converted : null);
    };
    return {
      alive,
      value,
      problem,
      number,
      numeral: (point, text, convert) => number(point, numeral(text, problem), convert),
      present: (isPresent, why) => {
        this.#hasOld ||= isRetained;
        this.#isPresent = isPresent;
        this.#absence = isPresent ? null : why;
      },
      lastWill: (isPresent) => {
        this.#hasOld ||= isRetained;
        this.#isPresent = isPresent;
        this.#willAtMs = isPresent ? null : nowMs;
      },
      identity: (part) => this.#identify(part),
    };
  }

  #live(nowMs: number): void {
    this.#lifeAtMs = nowMs;
    if (this.#willAtMs === null || nowMs - this.#willAtMs < AFTER_WILL_MS) return;
    this.#willAtMs = null;
    this.#isPresent = true;
  }

  #identify(part: Partial<DeviceIdentity>): void {
    const result = Object.entries(part)
      .filter(([, text]) => text !== null && text !== undefined)
      .map(([key, text]) => [key, typeof text === "string" ? text.slice(0, MAX_NAME) : text]);
    this.#identity = { ...this.#identity, ...Object.fromEntries(result) };
  }
}

/** The number, or null and a word on why. */
function numeral(text: string, problem: (what: string) => void): number | null {
  try {
    return numberOf(text);
  } catch (error) {
    if (!(error instanceof PayloadError)) throw error;
    problem(error.message);
    return null;
  }
}

function seconds(ms: number): string {
  return `${Math.round(ms / 1_000)} s`;
}
