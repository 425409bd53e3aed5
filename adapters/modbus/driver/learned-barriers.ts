import { MINUTE_MS, type RegisterPoint, type RegisterTable } from "hemgate/sdk";
import type { Barriers } from "./block-plan.ts";

/** A refused register is asked for again after this long: an inverter wakes up, an option is fitted. */
const REFUSED_RETRY_MS = 10 * MINUTE_MS;

/** Remembers which registers of a device answer with an exception, so that no request covers them again. */
export class LearnedBarriers implements Barriers {
  readonly #retryAtMs = new Map<RegisterPoint<string>, number>();
  readonly #cuts = new Set<string>();
  #refused: readonly RegisterPoint<string>[] = [];
  #version = 0;

  get refused(): readonly RegisterPoint<string>[] {
    return this.#refused;
  }

  /** Grows with each change; a plan made for an older version is stale. */
  get version(): number {
    return this.#version;
  }

  isCut(table: RegisterTable, address: number): boolean {
    return this.#cuts.has(`${table} ${address}`);
  }

  /** True when a refused point should not be read yet. */
  isPaused(point: RegisterPoint<string>, nowMs: number): boolean {
    const retryAtMs = this.#retryAtMs.get(point);
    return retryAtMs !== undefined && nowMs < retryAtMs;
  }

  refuse(points: readonly RegisterPoint<string>[], nowMs: number, retryMs = REFUSED_RETRY_MS): void {
    for (const point of points) this.#retryAtMs.set(point, nowMs + retryMs);
    this.#changed();
  }

  /** The registers of a point that was refused before answered. */
  accept(points: readonly RegisterPoint<string>[]): void {
    let isNew = false;
    for (const point of points) isNew = this.#retryAtMs.delete(point) || isNew;
    if (isNew) this.#changed();
  }

  /** Both sides answer alone and not together: what lies between them is refused, or the request was too long. */
  cut(table: RegisterTable, address: number): void {
    this.#cuts.add(`${table} ${address}`);
    this.#changed();
  }

  #changed(): void {
    this.#refused = [...this.#retryAtMs.keys()];
    this.#version += 1;
  }
}
