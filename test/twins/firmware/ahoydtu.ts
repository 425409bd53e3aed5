import type { Firmware, FirmwareMessage, Say } from "./board.ts";

const EVERY_MS = 15_000;

/** AhoyDTU with one inverter: telemetry by name, commands by number, an acknowledgement for each limit. */
export class AhoyDtuTwin implements Firmware {
  readonly will: FirmwareMessage;
  readonly filters: readonly string[];
  readonly ticks = [{ everyMs: EVERY_MS, run: (say: Say): void => this.#publish(say) }];
  powerW = 287.5;
  energyKwh = 812.34;
  /** 0 off, 1 available, 2 producing, 3 was producing, 4 was available. */
  available = 2;
  limitPercent = 100;
  /** What it says to a limit; null: nothing, as when the radio hears no answer. */
  answer: boolean | null = true;
  readonly #name: string;
  readonly #index: number;

  constructor(name: string, index: number) {
    this.#name = name;
    this.#index = index;
    this.will = { topic: "inverter/mqtt", text: "not connected", isRetained: true };
    this.filters = ["inverter/ctrl/#"];
  }

  connected(say: Say): void {
    say({ topic: "inverter/mqtt", text: "connected", isRetained: true });
    this.#publish(say);
  }

  heard({ topic, text, isRetained }: { topic: string; text: string; isRetained: boolean }, say: Say): void {
    if (isRetained || topic !== `inverter/ctrl/limit/${this.#index}` || this.answer === null) return;
    const [, percent] = /^(\d+(?:\.\d+)?)%?$/.exec(text) ?? [];
    if (this.answer && percent !== undefined) this.limitPercent = Number(percent);
    say({ topic: `inverter/${this.#name}/ack_pwr_limit`, text: String(this.answer && percent !== undefined) });
  }

  #publish(say: Say): void {
    const tell = (key: string, text: string): void =>
      say({ topic: `inverter/${this.#name}/${key}`, text, isRetained: true });
    tell("available", String(this.available));
    if (this.available !== 1 && this.available !== 2) return;
    tell("ch0/P_AC", this.powerW.toFixed(1));
    tell("ch0/YieldTotal", this.energyKwh.toFixed(3));
    tell("ch0/PowerLimit", this.limitPercent.toFixed(1));
    tell("ch0/YieldDay", "1203");
    tell("ch0/FWVersion", "10012.000");
  }
}
