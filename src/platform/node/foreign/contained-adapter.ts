/** Adapters of third parties in this process: an error that one of them lets happen anywhere ends it, and nothing else. */

import { AsyncLocalStorage } from "node:async_hooks";
import { HOUR_MS } from "../../../domain/duration.ts";
import { DeviceError } from "../../../points/device-error.ts";
import type { Adapter, AdapterContext, Driver, RunningAdapter } from "../../../sdk/driver.ts";
import { backoffMs } from "../../backoff.ts";
import { errorText } from "../../error-text.ts";

type Options = Readonly<Record<string, unknown>>;
type Running = RunningAdapter<Options>;
type AnyFunction = (this: unknown, ...args: unknown[]) => unknown;

/** Pauses before an adapter that failed is started again. */
const RESTART = { floorMs: 10_000, ceilingMs: HOUR_MS } as const;
/** An adapter that ran this long without a failure begins with the shortest pause again. */
const SOUND_MS = HOUR_MS;

/**
 * Whose code runs now. Timers, sockets and promises that an adapter makes keep it, so an error that nobody handles is
 * known to be the adapter's wherever its stack begins.
 */
const running = new AsyncLocalStorage<Containment>();

/** The adapter, run so that `endFailedAdapter` can name and end it. */
export function contained(adapter: Adapter): Adapter {
  const start: Adapter["start"] = (context) => new Containment(adapter, context).start();
  return Object.assign(Object.create(adapter) as Adapter, { start });
}

/**
 * Ends the contained adapter whose code let the error happen: its devices are not reachable until it is started again,
 * after 10 s, later ever longer. Returns which, and whether it ran until now: what is left of a stopped one may fail
 * again and again. Null when the error is no adapter's. Called by the handler of `uncaughtException`.
 */
export function endFailedAdapter(error: unknown): { readonly adapter: string; readonly wasRunning: boolean } | null {
  return running.getStore()?.fail(error) ?? null;
}

class Containment {
  readonly #adapter: Adapter;
  readonly #context: AdapterContext;
  #running: Running | null = null;
  #failure: string | null = null;
  #failures = 0;
  /** Monotonic ms of the last start, and of the earliest next one. */
  #startedAtMs = 0;
  #restartAtMs = 0;

  constructor(adapter: Adapter, context: AdapterContext) {
    this.#adapter = adapter;
    this.#context = context;
  }

  start(): Running {
    const first = this.#begin();
    const part = (key: "linking" | "discovery" | "simulation"): object | undefined => {
      const value = first[key];
      return value === undefined ? undefined : this.#entered(value, () => this.#current()[key] ?? value);
    };
    const { linking, discovery, simulation } = {
      linking: part("linking"),
      discovery: part("discovery"),
      simulation: part("simulation"),
    };
    return {
      connect: async (deviceId, options, signal) => {
        const inner = this.#current();
        const driver = await this.#enter(() => inner.connect(deviceId, options, signal));
        return this.#driver(driver, inner);
      },
      ...(linking === undefined ? {} : { linking: linking as NonNullable<Running["linking"]> }),
      ...(discovery === undefined ? {} : { discovery: discovery as NonNullable<Running["discovery"]> }),
      ...(simulation === undefined ? {} : { simulation: simulation as NonNullable<Running["simulation"]> }),
      accounts: () => this.#enter(() => this.#running?.accounts?.() ?? []),
      wellKnown: async (path) => await this.#enter(async () => (await this.#running?.wellKnown?.(path)) ?? null),
      [Symbol.asyncDispose]: () => this.#dispose(),
    };
  }

  fail(error: unknown): { readonly adapter: string; readonly wasRunning: boolean } {
    const { name } = this.#adapter;
    if (this.#running === null) return { adapter: name, wasRunning: false };
    const nowMs = this.#context.clock.monotonicMs();
    this.#failures = nowMs - this.#startedAtMs >= SOUND_MS ? 1 : this.#failures + 1;
    const pauseMs = backoffMs(this.#failures, RESTART, null);
    this.#restartAtMs = nowMs + pauseMs;
    this.#failure = errorText(error);
    void this.#dispose();
    return { adapter: name, wasRunning: true };
  }

  #begin(): Running {
    this.#startedAtMs = this.#context.clock.monotonicMs();
    this.#running = this.#enter(() => this.#adapter.start(this.#outside()));
    this.#failure = null;
    return this.#running;
  }

  /** The adapter at work, started again when its pause is over. Throws while it is not. */
  #current(): Running {
    if (this.#running !== null) return this.#running;
    const restMs = this.#restartAtMs - this.#context.clock.monotonicMs();
    if (restMs > 0) throw this.#stopped(`it starts again in ${Math.ceil(restMs / 1_000)} s`);
    this.#context.log.info({}, "the adapter starts again");
    return this.#begin();
  }

  #driver(driver: Driver, inner: Running): Driver {
    return this.#entered(driver, () => {
      if (this.#running !== inner) throw this.#stopped("the device is connected again when it runs");
      return driver;
    });
  }

  #stopped(what: string): DeviceError {
    return new DeviceError("unreachable", `the adapter ${this.#adapter.name} failed (${this.#failure}); ${what}`);
  }

  async #dispose(): Promise<void> {
    const inner = this.#running;
    this.#running = null;
    try {
      await this.#enter(async () => await inner?.[Symbol.asyncDispose]());
    } catch (err) {
      this.#context.log.warn({ err }, "the adapter did not close");
    }
  }

  #enter<Result>(work: () => Result): Result {
    return running.run(this, work);
  }

  /** An object of the adapter's, for the engine: its methods run as the adapter's code, what they call back does not. */
  #entered<Part extends object>(part: Part, current: () => Part): Part {
    // Not a proxy of the part itself: a frozen one would have to answer with its own methods.
    return new Proxy({} as Part, {
      has: (_target, key) => Reflect.has(part, key),
      get: (_target, key) => {
        const value: unknown = this.#enter(() => Reflect.get(part, key));
        if (typeof value !== "function") return value;
        return (...args: unknown[]) => {
          try {
            // What is stopped is still let go of.
            const target = key === Symbol.asyncDispose ? part : current();
            const method = Reflect.get(target, key) as AnyFunction;
            return this.#enter(() => method.apply(target, args.map(leaving)));
          } catch (error) {
            return Promise.reject(error);
          }
        };
      },
    });
  }

  /** What the adapter has of the engine: code of ours behind it is not the adapter's, its listeners are. */
  #outside(): AdapterContext {
    const { notes, accounts, log, mqtt, ...ports } = this.#context;
    return {
      ...ports,
      notes: this.#left(notes),
      accounts: this.#left(accounts),
      log: this.#left(log),
      mqtt: { link: (server) => this.#left(running.exit(() => mqtt.link(server))) },
    };
  }

  #left<Part extends object>(part: Part): Part {
    return new Proxy({} as Part, {
      has: (_target, key) => Reflect.has(part, key),
      get: (_target, key) => {
        const value: unknown = Reflect.get(part, key);
        if (typeof value !== "function") return value;
        return (...args: unknown[]) =>
          running.exit(() =>
            (value as AnyFunction).apply(
              part,
              args.map((each) => this.#coming(each)),
            ),
          );
      },
    });
  }

  /** A listener of the adapter's runs as its code, wherever it is called from. */
  #coming(value: unknown): unknown {
    if (typeof value !== "function") return value;
    return (...args: unknown[]) => this.#enter(() => (value as AnyFunction)(...args));
  }
}

/** A callback of the engine's does not run as the adapter's code. */
function leaving(value: unknown): unknown {
  if (typeof value !== "function") return value;
  return (...args: unknown[]) => running.exit(() => (value as AnyFunction)(...args));
}
