import type { World } from "../../src/testing/world.ts";
import { Agenda } from "./agenda.ts";

/** What a run came to. */
export interface RunReport {
  /** What broke, each with the true time; empty if nothing did. */
  readonly breaches: readonly string[];
  /** The events before it broke; empty if nothing did. */
  readonly lastEvents: readonly string[];
  /** SHA-256 of the event log: the same seed gives the same. */
  readonly hash: string;
  readonly events: number;
}

interface LongRunOptions {
  /** The run ends after so many; default 1. */
  readonly maxBreaches?: number;
  /** Called with each breach when it is found. */
  onBreach?(breach: string): void;
}

interface Repetition {
  /** How long until the first time; default a period. */
  readonly afterMs?: number;
  readonly times?: number;
  /** True: at whole periods of the world's time; else a period after the check has ended. */
  readonly isAligned?: boolean;
}

type Check = (turn: number) => Promise<readonly string[]> | readonly string[];

/** A long time in a simulated world: events and checks at their times, until it is over or a check found a breach. */
export class LongRun {
  readonly world: World;
  readonly #agenda = new Agenda();
  readonly #breaches: string[] = [];
  readonly #maxBreaches: number;
  readonly #onBreach: (breach: string) => void;
  /** True wall-clock time at the start of the world. */
  readonly #startMs: number;

  /** Begins with a world whose clock is right. */
  constructor(world: World, { maxBreaches = 1, onBreach = () => undefined }: LongRunOptions = {}) {
    this.world = world;
    this.#maxBreaches = maxBreaches;
    this.#onBreach = onBreach;
    this.#startMs = world.clock.nowMs() - world.clock.monotonicMs();
  }

  get isOver(): boolean {
    return this.#breaches.length >= this.#maxBreaches;
  }

  /** The true wall-clock time, whatever the gateway's clock shows. */
  get trueMs(): number {
    return Math.floor(this.#startMs + this.world.clock.monotonicMs());
  }

  /** Runs something at a monotonic time, or as soon as what comes before it has ended. */
  at(atMs: number, run: () => Promise<void>): void {
    this.#agenda.at(atMs, run);
  }

  /** Runs something after a time. */
  in(delayMs: number, run: () => Promise<void>): void {
    this.at(this.world.clock.monotonicMs() + delayMs, run);
  }

  /** Checks something each period; a period after the last time the run ends, if nothing else is planned. */
  every(
    periodMs: number,
    check: Check,
    { afterMs = periodMs, times = Infinity, isAligned = false }: Repetition = {},
  ): void {
    const plan = (turn: number, delayMs: number): void =>
      this.in(delayMs, async () => {
        if (turn >= times) return;
        this.broke(await check(turn));
        plan(turn + 1, periodMs - (isAligned ? this.world.clock.monotonicMs() % periodMs : 0));
      });
    plan(0, afterMs);
  }

  /** Notes breaches. */
  broke(texts: readonly string[]): void {
    for (const text of texts) {
      const breach = `${new Date(this.trueMs).toISOString()}: ${text}`;
      this.#breaches.push(breach);
      this.#onBreach(breach);
    }
  }

  /** Lets time pass until `endMs` (monotonic), or until nothing is planned any more. */
  async live(endMs = Infinity): Promise<void> {
    const { clock } = this.world;
    for (let nextMs = this.#agenda.nextMs(); !this.isOver; nextMs = this.#agenda.nextMs()) {
      const untilMs = Math.min(nextMs ?? endMs, endMs);
      if (untilMs === Infinity) return;
      await clock.advance(Math.max(0, untilMs - clock.monotonicMs()));
      if (untilMs >= endMs) return;
      await this.#agenda.runNext();
    }
  }

  report(): RunReport {
    const { events } = this.world;
    const breaches = [...this.#breaches];
    const lastEvents = breaches.length === 0 ? [] : events.recent;
    return { breaches, lastEvents, hash: events.digest(), events: events.count };
  }
}

/** What broke in a run, the events before it, and the command that runs its seed again; for people. */
export function breachText(
  { breaches, lastEvents }: Pick<RunReport, "breaches" | "lastEvents">,
  again: string,
): string {
  const lines = [...lastEvents.map((event) => `  ${event}`), "", ...breaches.map((breach) => `BROKEN at ${breach}`)];
  return ["", ...lines, `run it again: ${again}`].join("\n");
}
