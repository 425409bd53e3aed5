/** A device whose truth can be said point by point: what it would tell if it were asked now. */
import type { ControlPoint, PointName, PointValue } from "hemgate/sdk";
import type { SeededRandom, World } from "hemgate/testing";
import { History } from "./history.ts";
import type { Received, WeekDevice, Window } from "./week-device.ts";

export type Truth = Readonly<Partial<Record<PointName, PointValue | null>>>;

const RELATIVE = 1e-6;

export interface TruthDeviceOptions {
  readonly id: string;
  readonly config: Readonly<Record<string, unknown>>;
  readonly calmMs: number;
  readonly troubledMs: number;
  readonly paceMs: number | null;
  /** Rounding on the way, in the point's unit. */
  readonly tolerance?: number;
  truth(): Truth;
  move(random: SeededRandom, hour: number): void;
}

export class TruthDevice implements WeekDevice {
  readonly id: string;
  readonly config: WeekDevice["config"];
  readonly calmMs: number;
  readonly troubledMs: number;
  readonly paceMs: number | null;
  readonly reversion = null;
  askedAtMs = 0;
  readonly #world: World;
  readonly #options: TruthDeviceOptions;
  readonly #history = new History<Truth>();
  #writes: Received[] = [];
  #last = "";

  constructor(world: World, options: TruthDeviceOptions) {
    this.id = options.id;
    this.config = options.config;
    this.calmMs = options.calmMs;
    this.troubledMs = options.troubledMs;
    this.paceMs = options.paceMs;
    this.#world = world;
    this.#options = options;
    this.note();
  }

  live(random: SeededRandom, hour: number): void {
    this.#options.move(random, hour);
    this.note();
  }

  /** Something may have changed. */
  note(): void {
    const truth = this.#options.truth();
    const text = JSON.stringify(truth);
    if (text === this.#last) return;
    this.#last = text;
    this.#history.note(this.#world.clock.monotonicMs(), truth);
  }

  asked(): void {
    this.askedAtMs = this.#world.clock.monotonicMs();
  }

  received(what: string): void {
    this.#writes.push({ atMs: this.#world.clock.monotonicMs(), what, isWear: false });
  }

  wasSo(point: PointName, value: PointValue | null, { sinceMs, untilMs }: Window): boolean | null {
    const known = this.#history.during(sinceMs, untilMs).filter((truth) => point in truth);
    if (known.length === 0 || value === "UNKNOWN") return null;
    // What is told again and again without a change may be taken for frozen; then it is null.
    if (value === null && known.length === 1) return null;
    return known.some((truth) => this.#isSame(truth[point] ?? null, value));
  }

  told(point: PointName, { sinceMs, untilMs }: Window): string {
    return this.#history
      .during(sinceMs, untilMs)
      .map((truth) => truth[point])
      .join(", ");
  }

  wasDone(point: ControlPoint, value: PointValue, { sinceMs, untilMs }: Window): boolean | null {
    const known = this.#history.during(sinceMs, untilMs).filter((truth) => point in truth);
    return known.length === 0 ? null : known.some((truth) => this.#isSame(truth[point] ?? null, value));
  }

  did({ sinceMs, untilMs }: Window): string {
    return this.#history
      .during(sinceMs, untilMs)
      .map((truth) => JSON.stringify(truth))
      .toReversed()
      .join(", then ");
  }

  takeWrites(): readonly Received[] {
    const writes = this.#writes;
    this.#writes = [];
    return writes;
  }

  #isSame(truth: PointValue | null, value: PointValue | null): boolean {
    if (typeof truth !== "number" || typeof value !== "number") return truth === value;
    return Math.abs(truth - value) <= (this.#options.tolerance ?? 0.06) + RELATIVE * Math.abs(truth);
  }
}
