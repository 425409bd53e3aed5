import type { Firmware, FirmwareMessage, Say } from "./board.ts";

/** A bridge that announces a device as Home Assistant expects it, and keeps all in one JSON state. */
export class DiscoveryTwin implements Firmware {
  readonly will: FirmwareMessage;
  readonly filters: readonly string[];
  readonly ticks = [{ everyMs: 10_000, run: (say: Say): void => this.#publish(say) }];
  /** The JSON under its state topic; a test changes it at will. */
  state: Readonly<Record<string, unknown>>;
  /** True: its last state comes again and again, as some bridges do when the cable behind them is pulled. */
  isSilent = false;
  isLocked = false;
  readonly #id: string;
  readonly #components: Readonly<Record<string, object>>;
  readonly #isDeviceMessage: boolean;

  /** `components`: fields of each entity as announced, by object id; `~` is `bridge/<id>`. */
  constructor(
    id: string,
    components: Readonly<Record<string, object>>,
    given: { readonly state: Readonly<Record<string, unknown>>; readonly isDeviceMessage?: boolean },
  ) {
    this.#id = id;
    this.#components = components;
    this.#isDeviceMessage = given.isDeviceMessage ?? false;
    this.state = given.state;
    this.will = { topic: `bridge/${id}/availability`, text: "offline", isRetained: true };
    this.filters = [`bridge/${id}/set/+`];
  }

  connected(say: Say): void {
    say({ topic: `bridge/${this.#id}/availability`, text: "online", isRetained: true });
    this.announce(say);
    this.#publish(say);
  }

  heard({ topic, text }: { topic: string; text: string }, say: Say): void {
    if (this.isLocked) return;
    this.state = { ...this.state, [topic.split("/").at(-1) ?? ""]: Number.isNaN(Number(text)) ? text : Number(text) };
    this.#publish(say);
  }

  announce(say: Say): void {
    const dev = { ids: [this.#id], name: "Garage inverter", mf: "Deye", mdl: "SUN-12K", sw: "1.2" };
    const shared = { "~": `bridge/${this.#id}`, dev, avty: [{ t: "~/availability" }] };
    if (this.#isDeviceMessage) {
      const text = JSON.stringify({ ...shared, o: { name: "bridge" }, cmps: this.#components });
      say({ topic: `homeassistant/device/${this.#id}/config`, text, isRetained: true });
      return;
    }
    for (const [objectId, fields] of Object.entries(this.#components)) {
      const { p: component, ...own } = fields as { readonly p: string };
      const text = JSON.stringify({ ...shared, ...own });
      say({ topic: `homeassistant/${component}/${this.#id}/${objectId}/config`, text, isRetained: true });
    }
  }

  #publish(say: Say): void {
    if (!this.isSilent) say({ topic: `bridge/${this.#id}/state`, text: JSON.stringify(this.state), isRetained: true });
  }
}
