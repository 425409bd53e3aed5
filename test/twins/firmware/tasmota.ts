import type { Firmware, FirmwareMessage, Say } from "./board.ts";

const TELE_EVERY_MS = 300_000;

interface Heard {
  readonly topic: string;
  readonly text: string;
}

/** A Tasmota plug: tells by itself every five minutes, answers questions, echoes commands. */
export class TasmotaTwin implements Firmware {
  readonly will: FirmwareMessage;
  readonly filters: readonly string[];
  readonly ticks = [{ everyMs: TELE_EVERY_MS, run: (say: Say): void => this.#tele(say) }];
  isOn = true;
  /** What the socket's load draws while the relay is on. */
  loadW = 1_840.5;
  voltage = 231;
  totalKwh = 12.345;
  /** SetOption4: answers come under the command's name. */
  answersByName = false;
  /** True: it does nothing that it is told. */
  isLocked = false;
  /** True: it hears and says nothing, though it is connected. */
  isSilent = false;
  /** A meter script's object in place of the chip's measurement. */
  script: Readonly<Record<string, number | string>> | null = null;
  /** What ON is called, for people who changed it. */
  readonly onText: string;
  readonly #topic: string;
  readonly #mac: string;

  constructor(topic: string, { mac = "A4CF12345678", onText = "ON" } = {}) {
    this.#topic = topic;
    this.#mac = mac;
    this.onText = onText;
    this.will = { topic: `tele/${topic}/LWT`, text: "Offline", isRetained: true };
    this.filters = [`cmnd/${topic}/+`];
  }

  connected(say: Say): void {
    say({ topic: `tele/${this.#topic}/LWT`, text: "Online", isRetained: true });
    const config = {
      ip: "10.0.0.31",
      dn: "Garage plug",
      fn: ["Garage"],
      hn: this.#topic,
      mac: this.#mac,
      md: "NOUS A1T",
      sw: "13.1.0",
      t: this.#topic,
      ft: "%prefix%/%topic%/",
      tp: ["cmnd", "stat", "tele"],
      ofln: "Offline",
      onln: "Online",
      state: ["OFF", this.onText, "TOGGLE", "HOLD"],
      rl: this.script === null ? [1, 0, 0, 0] : [0, 0, 0, 0],
      ver: 1,
    };
    say({ topic: `tasmota/discovery/${this.#mac}/config`, text: JSON.stringify(config), isRetained: true });
  }

  heard({ topic, text }: Heard, say: Say): void {
    if (this.isSilent) return;
    const command = topic.split("/").at(-1)?.toUpperCase() ?? "";
    if (command === "STATUS") this.#status(text, say);
    else if (command === "POWER" || command === "POWER1") this.#switch(text, say);
    else this.#stat("RESULT", { Command: "Unknown" }, say);
  }

  #switch(text: string, say: Say): void {
    if (text === "ON" || text === "1") this.isOn = !this.isLocked;
    else if (text === "OFF" || text === "0") this.isOn = this.isLocked;
    this.#stat(this.answersByName ? "POWER" : "RESULT", { POWER: this.#state() }, say);
    say({ topic: `stat/${this.#topic}/POWER`, text: this.#state() });
  }

  #status(text: string, say: Say): void {
    const wants = (number: number): boolean => text === "0" || text === String(number);
    if (wants(2)) this.#stat("STATUS2", { StatusFWR: { Version: "13.1.0(tasmota)" } }, say);
    if (wants(5)) {
      const mac = this.#mac.match(/../g)?.join(":") ?? "";
      this.#stat("STATUS5", { StatusNET: { Hostname: this.#topic, Mac: mac } }, say);
    }
    if (wants(10)) this.#stat("STATUS10", { StatusSNS: this.#sensors() }, say);
    if (wants(11)) this.#stat("STATUS11", { StatusSTS: { POWER: this.#state() } }, say);
  }

  #tele(say: Say): void {
    if (this.isSilent) return;
    say({ topic: `tele/${this.#topic}/STATE`, text: JSON.stringify({ Uptime: "0T10:00:00", POWER: this.#state() }) });
    say({ topic: `tele/${this.#topic}/SENSOR`, text: JSON.stringify(this.#sensors()) });
  }

  #state(): string {
    return this.isOn ? this.onText : "OFF";
  }

  #sensors(): object {
    if (this.script !== null) return { Time: "2026-06-21T10:00:00", SML: this.script };
    const powerW = this.isOn ? this.loadW : 0;
    return {
      Time: "2026-06-21T10:00:00",
      ENERGY: {
        Total: this.totalKwh,
        Today: 0.2,
        Power: powerW,
        ApparentPower: powerW,
        Factor: 1,
        Voltage: this.voltage,
        Current: Number((powerW / this.voltage).toFixed(3)),
      },
    };
  }

  #stat(name: string, answer: object, say: Say): void {
    say({ topic: `stat/${this.#topic}/${name}`, text: JSON.stringify(answer) });
  }
}
