import type { Firmware, FirmwareMessage, Say } from "./board.ts";

const EVERY_MS = 30_000;
const MAC = "A4CF12345678";

/** One circuit of a Shelly EM. */
export interface ShellyCircuit {
  powerW: number;
  voltage: number;
  totalWh: number;
  returnedWh: number;
}

/** A Shelly of the first generation: a topic a value, all of them every 30 s, retained. */
export class ShellyGen1Twin implements Firmware {
  readonly will: FirmwareMessage;
  readonly filters: readonly string[];
  readonly ticks = [{ everyMs: EVERY_MS, run: (say: Say): void => this.#publish(say) }];
  /** Clamps; none: it measures at its relay. */
  readonly circuits: ShellyCircuit[];
  isOn = false;
  loadW = 2_012.4;
  relayWattMinutes = 6_000;
  /** True: it switched itself off and stays so. */
  isOverpowered = false;
  isDeaf = false;
  readonly #id: string;
  readonly #model: string;

  constructor(id: string, model: string, circuits: ShellyCircuit[] = []) {
    this.#id = id;
    this.#model = model;
    this.circuits = circuits;
    this.will = { topic: `shellies/${id}/online`, text: "false", isRetained: true };
    this.filters = ["shellies/command", `shellies/${id}/command`, `shellies/${id}/relay/0/command`];
  }

  connected(say: Say): void {
    this.#say(say, "online", "true");
    this.#announce(say);
    this.#publish(say);
  }

  heard({ topic, text }: { topic: string; text: string }, say: Say): void {
    if (this.isDeaf) return;
    if (topic.endsWith("/relay/0/command")) {
      if (text === "on" || text === "off") this.isOn = text === "on";
      this.#relay(say);
    } else if (text === "announce") this.#announce(say);
    else if (text === "update") this.#publish(say);
  }

  #announce(say: Say): void {
    const text = JSON.stringify({
      id: this.#id,
      model: this.#model,
      mac: MAC,
      ip: "10.0.0.32",
      new_fw: false,
      fw_ver: "20230913-114008/v1.14.0",
    });
    say({ topic: "shellies/announce", text });
    say({ topic: `shellies/${this.#id}/announce`, text });
  }

  #relay(say: Say): void {
    this.#say(say, "relay/0", this.isOverpowered ? "overpower" : this.isOn ? "on" : "off");
  }

  #publish(say: Say): void {
    this.#relay(say);
    for (const [index, { powerW, voltage, totalWh, returnedWh }] of this.circuits.entries()) {
      this.#say(say, `emeter/${index}/power`, powerW.toFixed(2));
      this.#say(say, `emeter/${index}/voltage`, voltage.toFixed(2));
      this.#say(say, `emeter/${index}/current`, Math.abs(powerW / voltage).toFixed(2));
      this.#say(say, `emeter/${index}/pf`, "0.98");
      this.#say(say, `emeter/${index}/total`, totalWh.toFixed(1));
      this.#say(say, `emeter/${index}/total_returned`, returnedWh.toFixed(1));
      this.#say(say, `emeter/${index}/energy`, "17");
    }
    if (this.circuits.length > 0) return;
    this.#say(say, "relay/0/power", (this.isOn && !this.isOverpowered ? this.loadW : 0).toFixed(2));
    this.#say(say, "relay/0/energy", String(this.relayWattMinutes));
  }

  #say(say: Say, key: string, text: string): void {
    say({ topic: `shellies/${this.#id}/${key}`, text, isRetained: true });
  }
}
