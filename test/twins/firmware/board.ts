import type { BrokerMessage, MqttLink } from "../../../src/platform/ports/ports.ts";
import { MemoryDisk } from "../../../src/testing/memory-disk.ts";
import type { SimProcess, World } from "../../../src/testing/world.ts";

/** A message of a firmware's twin; not retained unless it says so. */
export interface FirmwareMessage {
  readonly topic: string;
  readonly text: string;
  readonly isRetained?: boolean;
}

/** What a twin of a firmware is: how it speaks on its own, and what it answers. */
export interface Firmware {
  /** Left with the broker for the day on which the device goes without a goodbye. */
  readonly will?: FirmwareMessage | undefined;
  readonly filters: readonly string[];
  /** What it does again and again while it is connected. */
  readonly ticks: readonly { readonly everyMs: number; run(say: Say): void }[];
  /** After each connect. */
  connected(say: Say): void;
  /** A message under one of its filters. */
  heard(message: { readonly topic: string; readonly text: string; readonly isRetained: boolean }, say: Say): void;
}

/** Publishes; what cannot be sent is lost, as on a small board. */
export type Say = (message: FirmwareMessage) => void;

/** The board that a firmware runs on: power, Wi-Fi and an MQTT client in a simulated world. */
export class Board {
  readonly #world: World;
  readonly #url: string;
  readonly #firmware: Firmware;
  #process: SimProcess | null = null;
  #link: MqttLink | null = null;

  /** `url`: the broker that it was told to use. */
  constructor(world: World, url: string, firmware: Firmware) {
    this.#world = world;
    this.#url = url;
    this.#firmware = firmware;
  }

  get isOn(): boolean {
    return this.#process !== null;
  }

  /** Publishes what the firmware would not by itself. */
  readonly say: Say = ({ topic, text, isRetained = false }) => {
    this.#link?.publish(bytes({ topic, text, isRetained })).catch(() => undefined);
  };

  /** Gives it power. */
  start(): void {
    if (this.#process !== null) return;
    const { will, filters, ticks } = this.#firmware;
    this.#process = this.#world.boot(`board at ${this.#url}`, new MemoryDisk());
    const { mqtt, clock } = this.#process.platform;
    const link = mqtt.connect({ url: this.#url, ...(will !== undefined && { will: bytes(will) }) });
    this.#link = link;
    for (const filter of filters) {
      link.subscribe(filter, ({ topic, payload, isRetained }) =>
        this.#firmware.heard({ topic, text: Buffer.from(payload).toString("utf8"), isRetained }, this.say),
      );
    }
    link.observe((isConnected) => {
      if (isConnected) this.#firmware.connected(this.say);
    });
    const tick = (everyMs: number, run: (say: Say) => void): void => {
      clock.timer(everyMs, () => {
        if (link.isConnected) run(this.say);
        tick(everyMs, run);
      });
    };
    for (const { everyMs, run } of ticks) tick(everyMs, (say) => run(say));
  }

  /** Takes the power away: the broker publishes the will. */
  pull(): void {
    this.#process?.kill();
    this.#process = null;
    this.#link = null;
  }
}

function bytes({ topic, text, isRetained = false }: FirmwareMessage): BrokerMessage {
  return { topic, payload: new TextEncoder().encode(text), isRetained };
}
