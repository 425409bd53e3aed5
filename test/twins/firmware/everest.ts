import type { Firmware, Say } from "./board.ts";

const EVERY_MS = 1_000;
/** Rounds until the energy manager has distributed a new limit. */
const ROUNDS_TO_APPLY = 2;

/** The API module of EVerest with one connector: everything each second, nothing retained, no answers. */
export class EverestTwin implements Firmware {
  readonly filters: readonly string[];
  readonly ticks = [{ everyMs: EVERY_MS, run: (say: Say): void => this.#publish(say) }];
  state = "Charging";
  /** The limit from here, A. */
  externalA = 32;
  /** What the house's fuse allows, A. */
  fuseA = 32;
  powerW = 10_807.6;
  /** False: the configuration has no sink for external limits. */
  hasSink = true;
  /** False: the board has no meter. */
  hasMeter = true;
  /** True: the API module hangs. */
  isSilent = false;
  readonly #connector: string;
  #pending: { ampere: number; rounds: number } | null = null;

  constructor(connector: string) {
    this.#connector = connector;
    this.filters = [`everest_api/${connector}/cmd/+`];
  }

  connected(say: Say): void {
    this.#publish(say);
  }

  heard({ topic, text }: { topic: string; text: string }): void {
    if (!topic.endsWith("/set_limit_amps") || !this.hasSink) return;
    // The same limit again does not hold up what is on its way.
    if (this.#pending?.ampere !== Number(text)) this.#pending = { ampere: Number(text), rounds: ROUNDS_TO_APPLY };
  }

  #publish(say: Say): void {
    if (this.isSilent) return;
    if (this.#pending !== null && --this.#pending.rounds <= 0) {
      this.externalA = this.#pending.ampere;
      this.#pending = null;
    }
    const limitA = Math.min(this.externalA, this.fuseA);
    say({ topic: "everest_api/connectors", text: JSON.stringify([this.#connector]) });
    this.#say(say, "datetime", "2026-06-21T10:00:00.000Z");
    this.#say(say, "hardware_capabilities", {
      max_current_A_export: 16,
      max_current_A_import: 32,
      max_phase_count_import: 3,
      min_current_A_import: 6,
    });
    this.#say(say, "session_info", {
      charged_energy_wh: 1_234.5,
      charging_duration_s: 84,
      latest_total_w: this.powerW,
      state: limitA === 0 && this.state === "Charging" ? "ChargingPausedEVSE" : this.state,
      permanent_fault: false,
    });
    this.#say(say, "limits", { max_current: limitA, nr_of_phases_available: 3, uuid: this.#connector });
    if (this.hasMeter) this.#meter(say);
  }

  #meter(say: Say): void {
    const byPhase = (value: number): object => ({ L1: value, L2: value + 1, L3: value + 2 });
    this.#say(say, "powermeter", {
      current_A: byPhase(16.1),
      energy_Wh_import: { ...byPhase(1_537), total: 4_611.95 },
      frequency_Hz: byPhase(50.03),
      power_W: { ...byPhase(3_602), total: this.powerW },
      voltage_V: byPhase(223.5),
      meter_id: "YETI_POWERMETER",
    });
  }

  #say(say: Say, name: string, value: object | string): void {
    const text = typeof value === "string" ? value : JSON.stringify(value);
    say({ topic: `everest_api/${this.#connector}/var/${name}`, text });
  }
}
