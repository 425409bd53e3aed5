import { MINUTE_MS } from "../../domain/duration.ts";

/** Learns the time from a command to its effect on the measured current, for each device. */

/** Assumed before the first command was followed. */
const DEFAULT_MS = 10_000;
/** A later effect is that of something else. */
const LONGEST_MS = 2 * MINUTE_MS;
/** An older and slower effect counts for this share beside a new one. */
const KEPT_SHARE = 0.7;
/** A current this close to the one that was commanded shows its effect, A. */
const REACHED_A = 1;
/** A smaller change has no effect that could be distinguished from others, A. */
const LEAST_CHANGE_A = 2;

interface Command {
  readonly atMs: number;
  readonly targetA: number;
}

export class Latencies {
  readonly #pending = new Map<string, Command>();
  readonly #learned = new Map<string, number>();

  of(id: string): number {
    return this.#learned.get(id) ?? DEFAULT_MS;
  }

  /** A current was commanded, A; 0 for off. Monotonic ms. */
  commanded(id: string, targetA: number, drawnA: number | null, atMs: number): void {
    if (drawnA === null || Math.abs(drawnA - targetA) < LEAST_CHANGE_A) this.#pending.delete(id);
    else this.#pending.set(id, { atMs, targetA });
  }

  /** A current was measured, A. */
  measured(id: string, drawnA: number, measuredAtMs: number): void {
    const command = this.#pending.get(id);
    if (command === undefined || measuredAtMs < command.atMs) return;
    const tookMs = measuredAtMs - command.atMs;
    if (tookMs > LONGEST_MS) this.#pending.delete(id);
    if (tookMs > LONGEST_MS || Math.abs(drawnA - command.targetA) > REACHED_A) return;
    this.#pending.delete(id);
    const before = this.#learned.get(id);
    this.#learned.set(
      id,
      before === undefined ? tookMs : Math.max(tookMs, KEPT_SHARE * before + (1 - KEPT_SHARE) * tookMs),
    );
  }
}
