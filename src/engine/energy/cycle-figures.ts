import type { Decision } from "../../domain/energy/cycle/energy-decision.ts";
import type { EnergyFigures } from "../contracts/energy/energy-manager.ts";

/** Counts what the control cycle does, from the start of the engine on. */
export class CycleFigures {
  readonly #isOn = new Map<string, boolean>();
  #cycles = 0;
  #failures = 0;
  #switchings = 0;
  #totalMs = 0;
  #lastMs: number | null = null;

  read(): EnergyFigures {
    const [cycles, failures, switchings] = [this.#cycles, this.#failures, this.#switchings];
    return { cycles, failures, switchings, totalMs: this.#totalMs, lastMs: this.#lastMs };
  }

  /** A cycle took so long, ms. */
  ran(ms: number): void {
    this.#cycles += 1;
    this.#lastMs = ms;
    this.#totalMs += ms;
  }

  failed(): void {
    this.#failures += 1;
  }

  /** A decision is applied to a device that is on or off now; `null`: not known. */
  decided(decision: Decision, isOn: boolean | null): void {
    if (decision.kind !== "charger" || decision.isOn === null) return;
    const before = this.#isOn.get(decision.id) ?? isOn;
    this.#isOn.set(decision.id, decision.isOn);
    if (before !== null && before !== decision.isOn) this.#switchings += 1;
  }

  /** A device is given back: the next decision is compared with what it shows then. */
  released(id: string): void {
    this.#isOn.delete(id);
  }
}
