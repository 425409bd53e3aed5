import { PHASES, type Phase } from "./role.ts";

/** Adds up what comes phase by phase: the sum is updated once each phase was received again. */
export class PhaseSum {
  readonly #values = new Map<Phase, number | null>();

  /** The sum of all three, null when one of them is; undefined while one is still to come. */
  add(phase: Phase, value: number | null): number | null | undefined {
    this.#values.set(phase, value);
    if (this.#values.size < PHASES.length) return undefined;
    const values = [...this.#values.values()];
    this.#values.clear();
    if (values.includes(null)) return null;
    return Number(values.reduce<number>((sum, each) => sum + (each ?? 0), 0).toPrecision(12));
  }
}
