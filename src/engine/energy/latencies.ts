import { MINUTE_MS, SECOND_MS } from "../../domain/duration.ts";

/** Learns the time from a command to its effect on the measured current, for each device. */

/** Assumed before the first command was followed. */
const DEFAULT_MS = 10_000;
/** A later effect is that of something else. */
const LONGEST_MS = 2 * MINUTE_MS;
/** A start includes the time that the car takes, which says nothing about the charger: it counts for this much at most. */
const LONGEST_START_MS = 30 * SECOND_MS;
/** An older and slower effect counts for this share beside a new one. */
const KEPT_SHARE = 0.7;
/** A current this close to the one that was commanded shows its effect, A. */
const REACHED_A = 1;
/** A smaller change has no effect that could be distinguished from others, A. */
const LEAST_CHANGE_A = 2;

interface Command {
  readonly atMs: number;
  readonly targetA: number;
  /** Nothing was drawn before it. */
  readonly isStart: boolean;
}

interface Learned {
  readonly ms: number;
  readonly isFromStart: boolean;
}

export class Latencies {
  readonly #pending = new Map<string, Command>();
  readonly #learned = new Map<string, Learned>();

  of(id: string): number {
    return this.#learned.get(id)?.ms ?? DEFAULT_MS;
  }

  /** A current was commanded, A; 0 for off. Monotonic ms. */
  commanded(id: string, targetA: number, drawnA: number | null, atMs: number): void {
    if (drawnA === null || Math.abs(drawnA - targetA) < LEAST_CHANGE_A) this.#pending.delete(id);
    else this.#pending.set(id, { atMs, targetA, isStart: drawnA < REACHED_A });
  }

  /** A current was measured, A. */
  measured(id: string, drawnA: number, measuredAtMs: number): void {
    const command = this.#pending.get(id);
    if (command === undefined || measuredAtMs < command.atMs) return;
    const tookMs = measuredAtMs - command.atMs;
    if (tookMs > LONGEST_MS) this.#pending.delete(id);
    if (tookMs > LONGEST_MS || Math.abs(drawnA - command.targetA) > REACHED_A) return;
    this.#pending.delete(id);
    const learned = command.isStart
      ? afterStart(this.#learned.get(id), tookMs)
      : afterChange(this.#learned.get(id), tookMs);
    this.#learned.set(id, learned);
  }
}

/** A start counts only until a change of a running charge was seen. */
function afterStart(before: Learned | undefined, tookMs: number): Learned {
  if (before?.isFromStart === false) return before;
  return { ms: blend(before, Math.min(tookMs, LONGEST_START_MS)), isFromStart: true };
}

function afterChange(before: Learned | undefined, tookMs: number): Learned {
  return { ms: blend(before?.isFromStart === true ? undefined : before, tookMs), isFromStart: false };
}

function blend(before: Learned | undefined, tookMs: number): number {
  return before === undefined ? tookMs : Math.max(tookMs, KEPT_SHARE * before.ms + (1 - KEPT_SHARE) * tookMs);
}
