import { measured } from "../../domain/checks/measured-text.ts";
import type { ForecastAdjustment, ForecastMatch } from "../../domain/forecast/forecast-adjustment.ts";
import { problem } from "../../domain/problem.ts";
import type { Log } from "../../platform/ports/ports.ts";
import type { ForecastFinding } from "../contracts/energy/forecast.ts";
import type { ForecastMemory } from "./forecast-memory.ts";

/** Keeps the finding that the panels produced far more or far less than their forecast for two weeks, over restarts. */
export class ForecastMismatch {
  readonly #memory: ForecastMemory;
  readonly #log: Log;

  constructor(memory: ForecastMemory, log: Log) {
    this.#memory = memory;
    this.#log = log;
  }

  /** Opens, renews or closes the finding. `nowMs`: wall-clock ms. */
  update(match: ForecastMatch, { factor, forecastKwh, measuredKwh }: ForecastAdjustment, nowMs: number): void {
    const before = this.#memory.mismatch;
    if (match === "near" && before !== null) {
      this.#memory.setMismatch(null);
      this.#log.info({}, "finding closed: the production is close to the forecast again");
    }
    if (match !== "far" || factor === null || forecastKwh === null || measuredKwh === null) return;
    this.#memory.setMismatch({ sinceMs: nowMs, isDismissed: false, ...before, factor, forecastKwh, measuredKwh });
    const fields = { forecastKwh, measuredKwh };
    if (before === null)
      this.#log.warn(fields, "finding opened: for two weeks the production is far from the forecast");
  }

  finding(): ForecastFinding | null {
    const { mismatch } = this.#memory;
    if (mismatch === null) return null;
    const { sinceMs, isDismissed, factor, forecastKwh, measuredKwh } = mismatch;
    const key = measuredKwh < forecastKwh ? "forecastHigh" : "forecastLow";
    const { measured: text, text: words } = measured(key, {
      forecast: { amount: forecastKwh, unit: "kWh", decimals: 0 },
      measured: { amount: measuredKwh, unit: "kWh", decimals: 0 },
      factor: { amount: factor, unit: "", decimals: 2 },
    });
    return { id: "forecast-mismatch", text, words, state: isDismissed ? "DISMISSED" : "OPEN", sinceMs };
  }

  async dismiss(): Promise<ForecastFinding> {
    const { mismatch } = this.#memory;
    if (mismatch !== null) await this.#memory.commitMismatch({ ...mismatch, isDismissed: true });
    const finding = this.finding();
    if (finding === null) throw problem("not-found", 'There is no finding "forecast-mismatch".');
    return finding;
  }
}
