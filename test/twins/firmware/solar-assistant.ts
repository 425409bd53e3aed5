import type { Firmware, Say } from "./board.ts";

const EVERY_MS = 5_000;

/** A SolarAssistant unit: retained plain values again and again, whether or not the inverters still answer it. */
export class SolarAssistantTwin implements Firmware {
  readonly filters = [];
  readonly ticks = [{ everyMs: EVERY_MS, run: (say: Say): void => this.#publish(say) }];
  /** Values by topic under `solar_assistant/`, without `/state`. */
  readonly values = new Map<string, number | string>([
    ["total/battery_power", -850],
    ["total/battery_state_of_charge", 64],
    ["total/battery_energy_in", 3.2],
    ["inverter_1/pv_power", 1_500],
    ["inverter_2/pv_power", 1_450],
    ["inverter_1/grid_power", 120],
    ["inverter_2/grid_power", 0],
    ["inverter_1/load_power", 2_000],
    ["inverter_2/load_power", 1_920],
    ["inverter_1/grid_voltage", 231.4],
    ["inverter_1/grid_frequency", 50.01],
    ["inverter_1/device_mode", "Solar/Battery"],
  ]);
  /** False: the cable to the inverters is pulled. */
  isCableIn = true;
  /** How much powers move from round to round, W. */
  wobbleW = 0;
  #rounds = 0;

  connected(say: Say): void {
    this.#publish(say);
  }

  heard(): void {}

  #measure(): void {
    const step = this.#rounds % 7;
    this.values.set("inverter_1/grid_voltage", 231 + step / 10);
    for (const [name, value] of this.values) {
      if (name.endsWith("_power") && typeof value === "number")
        this.values.set(name, value + (step - 3) * this.wobbleW);
    }
  }

  #publish(say: Say): void {
    this.#rounds += 1;
    if (this.isCableIn) this.#measure();
    for (const [name, value] of this.values) {
      say({ topic: `solar_assistant/${name}/state`, text: String(value), isRetained: true });
    }
  }
}
