import type { Clock } from "../platform/ports/ports.ts";
import type { SeededRandom } from "./seeded-random.ts";

/**
 * What can go wrong between a simulated device and its clients.
 * - `refused`: the connection is answered with a reset.
 * - `unreachable`: the connection is never answered.
 * - `lost-answer`: what the device sends never arrives.
 * - `late-answer`: it arrives long after anybody waits for it.
 * - `garbage`: noise arrives in its place.
 * - `sliced`: it arrives byte by byte.
 * - `reset`: a request is answered with a reset of the stream.
 * - `half-open`: from this request on nothing arrives in either direction, and neither side notices.
 */
export const NET_FAULTS = [
  "refused",
  "unreachable",
  "lost-answer",
  "late-answer",
  "garbage",
  "sliced",
  "reset",
  "half-open",
] as const;
export type NetFault = (typeof NET_FAULTS)[number];

/** A fault of one host. `share` of what it can strike is struck, 0 to 1. */
export interface FaultSpec {
  readonly kind: NetFault;
  readonly host: string;
  readonly share: number;
}

export interface FaultWindow extends FaultSpec {
  /** Monotonic ms of the world. */
  readonly fromMs: number;
  readonly untilMs: number;
}

/** Which faults are on, where, and how often each struck. */
export class FaultPlan {
  readonly #clock: Clock;
  readonly #random: SeededRandom;
  readonly #active = new Map<string, FaultSpec[]>();
  readonly #fired = new Map<NetFault, number>();
  readonly #lastActiveMs = new Map<string, number>();

  constructor(clock: Clock, random: SeededRandom) {
    this.#clock = clock;
    this.#random = random;
  }

  /** How often each kind struck. */
  get fired(): ReadonlyMap<NetFault, number> {
    return this.#fired;
  }

  /** Switches a fault on until the answer is disposed. */
  begin(spec: FaultSpec): Disposable {
    this.#active.set(spec.host, [...(this.#active.get(spec.host) ?? []), spec]);
    return {
      [Symbol.dispose]: () => {
        const others = (this.#active.get(spec.host) ?? []).filter((other) => other !== spec);
        this.#lastActiveMs.set(spec.host, this.#clock.monotonicMs());
        if (others.length > 0) this.#active.set(spec.host, others);
        else this.#active.delete(spec.host);
      },
    };
  }

  /** Switches a fault on and off again at given times. */
  schedule(window: FaultWindow): void {
    const now = this.#clock.monotonicMs();
    this.#clock.timer(window.fromMs - now, () => {
      const fault = this.begin(window);
      this.#clock.timer(window.untilMs - window.fromMs, () => fault[Symbol.dispose]());
    });
  }

  /** For how long a host has had no fault switched on, ms; 0 while one is. */
  quietMs(host: string): number {
    if (this.#active.has(host)) return 0;
    return this.#clock.monotonicMs() - (this.#lastActiveMs.get(host) ?? Number.NEGATIVE_INFINITY);
  }

  /** Whether a fault of this kind strikes a host now. Counts it when it does. */
  strikes(kind: NetFault, host: string): boolean {
    const active = this.#active.get(host);
    if (active === undefined) return false;
    for (const spec of active) {
      if (spec.kind !== kind || !this.#random.isChance(spec.share)) continue;
      this.#fired.set(kind, (this.#fired.get(kind) ?? 0) + 1);
      return true;
    }
    return false;
  }
}
