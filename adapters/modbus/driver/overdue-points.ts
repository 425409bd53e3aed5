import type { RegisterPoint } from "hemgate/sdk";

type Point = RegisterPoint<string>;

/** As many rounds without an answer, */
const ROUNDS = 3;
/** or so long, ms, and what was read before says nothing about now. The engine judges whole devices so. */
const LONGEST_MS = 30_000;

interface Miss {
  readonly rounds: number;
  /** Monotonic ms of the first of them. */
  readonly sinceMs: number;
}

/** Points whose requests stay unanswered while others of the device are answered: their values grow old unseen. */
export class OverduePoints {
  readonly #misses = new Map<Point, Miss>();

  answered(points: readonly Point[]): void {
    if (this.#misses.size > 0) for (const point of points) this.#misses.delete(point);
  }

  /** Takes what a round missed; answers those of it whose value is not known any more. */
  missed(points: readonly Point[], nowMs: number): readonly Point[] {
    return points.filter((point) => {
      const before = this.#misses.get(point);
      const miss = { rounds: (before?.rounds ?? 0) + 1, sinceMs: before?.sinceMs ?? nowMs };
      this.#misses.set(point, miss);
      return miss.rounds >= ROUNDS || nowMs - miss.sinceMs >= LONGEST_MS;
    });
  }
}
