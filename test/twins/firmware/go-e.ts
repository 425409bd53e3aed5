import type { Firmware, FirmwareMessage, Say } from "./board.ts";

const TICK_MS = 1_000;

/** A go-e charger: each API key a retained topic, told when it changes; results of commands; a clock that ticks. */
export class GoETwin implements Firmware {
  readonly filters: readonly string[];
  readonly ticks = [{ everyMs: TICK_MS, run: (say: Say): void => this.#tick(say) }];
  /** API keys with their values; a test changes them at will, and they are told with the next tick. */
  readonly keys = new Map<string, unknown>([
    ["mcc", true],
    ["car", 2],
    ["err", 0],
    ["nrg", [231.2, 230.8, 229.9, 0, 15.9, 16, 15.8, 3_676, 3_693, 3_632, 0, 11_001, 100, 100, 100, 0]],
    ["eto", 1_234_567],
    ["wh", 4_321.5],
    ["amp", 16],
    ["ama", 32],
    ["alw", true],
    ["frc", 0],
    ["psm", 2],
    ["fwv", "60.4"],
    ["typ", "go-eCharger"],
    ["oem", "go-e"],
    ["fna", "Garage"],
    ["rbt", 0],
  ]);
  /** Writes of settings that it keeps in flash. */
  flashWrites = 0;
  /** True: writing over MQTT is not allowed. */
  isReadOnly = false;
  /** True: firmware before 51.5, which answers no command. */
  isOld = false;
  /** True: it does not hear commands. */
  isDeaf = false;
  /** False: old firmware that leaves no last will. */
  readonly will: FirmwareMessage | undefined;
  readonly #base: string;
  readonly #told = new Map<string, string>();

  constructor(serial: string, { prefix = "go-eCharger", hasWill = true } = {}) {
    this.#base = `${prefix}/${serial}/`;
    this.will = hasWill ? { topic: `${this.#base}mcc`, text: "false", isRetained: true } : undefined;
    this.filters = [`${this.#base}+/set`];
    this.keys.set("sse", serial);
  }

  connected(say: Say): void {
    this.#told.clear();
    this.#publish(say);
  }

  heard({ topic, text }: { topic: string; text: string }, say: Say): void {
    const key = topic.split("/").at(-2) ?? "";
    const answer = (result: string): void => {
      if (!this.isOld) say({ topic: `${this.#base}${key}/result`, text: result });
    };
    if (this.isDeaf) return;
    if (this.isReadOnly) answer("mqtt api is read-only");
    else if (!this.keys.has(key)) answer(`unknown api key ${key}`);
    else {
      this.keys.set(key, JSON.parse(text));
      this.flashWrites += 1;
      if (key === "frc") this.keys.set("car", text === "1" ? 4 : 2);
      answer("success");
    }
  }

  #tick(say: Say): void {
    this.keys.set("rbt", Number(this.keys.get("rbt")) + TICK_MS);
    this.#publish(say);
  }

  #publish(say: Say): void {
    for (const [key, value] of this.keys) {
      const text = JSON.stringify(value);
      if (this.#told.get(key) === text) continue;
      this.#told.set(key, text);
      say({ topic: `${this.#base}${key}`, text, isRetained: true });
    }
  }
}
