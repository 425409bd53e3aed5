import type { Firmware, FirmwareMessage, Say } from "./board.ts";

const EVERY_MS = 5_000;
/** The radio brings a limit to the inverter with its next round. */
const LIMIT_AFTER_TICKS = 2;

/** OpenDTU with one inverter: retained values, a will of the DTU, limits that ignore retained commands. */
export class OpenDtuTwin implements Firmware {
  readonly will: FirmwareMessage;
  readonly filters: readonly string[];
  readonly ticks = [{ everyMs: EVERY_MS, run: (say: Say): void => this.#publish(say) }];
  powerW = 412.3;
  energyKwh = 1_234.567;
  /** Whether the sun is up: no light, no radio. */
  isReachable = true;
  limitPercent = 100;
  /** Flash writes that it was asked for. */
  persistentWrites = 0;
  /** True: it takes limits and never tells of them. */
  isDeaf = false;
  readonly #serial: string;
  readonly #prefix: string;
  #pending: { percent: number; ticks: number } | null = null;

  constructor(serial: string, prefix = "solar") {
    this.#serial = serial;
    this.#prefix = prefix;
    this.will = { topic: `${prefix}/dtu/status`, text: "offline", isRetained: true };
    this.filters = [`${prefix}/${serial}/cmd/#`];
  }

  connected(say: Say): void {
    say({ topic: `${this.#prefix}/dtu/status`, text: "online", isRetained: true });
    this.#say(say, "name", "Roof south");
    this.#say(say, "device/fwbuildversion", "10008");
    this.#publish(say);
  }

  heard({ topic, text, isRetained }: { topic: string; text: string; isRetained: boolean }): void {
    if (isRetained || this.isDeaf) return;
    const command = topic.split("/").at(-1) ?? "";
    if (command.startsWith("limit_persistent")) this.persistentWrites += 1;
    if (command === "limit_nonpersistent_relative") this.#pending = { percent: Number(text), ticks: LIMIT_AFTER_TICKS };
  }

  #publish(say: Say): void {
    this.#say(say, "status/reachable", this.isReachable ? "1" : "0");
    if (!this.isReachable) return;
    if (this.#pending !== null && --this.#pending.ticks <= 0) {
      this.limitPercent = this.#pending.percent;
      this.#pending = null;
    }
    this.#say(say, "status/producing", this.powerW > 0 ? "1" : "0");
    this.#say(say, "status/limit_relative", this.limitPercent.toFixed(2));
    this.#say(say, "0/power", this.powerW.toFixed(1));
    this.#say(say, "0/yieldtotal", this.energyKwh.toFixed(3));
    this.#say(say, "0/yieldday", "1830");
    this.#say(say, "0/temperature", "31.5");
  }

  #say(say: Say, key: string, text: string): void {
    say({ topic: `${this.#prefix}/${this.#serial}/${key}`, text, isRetained: true });
  }
}
