import type { Firmware, FirmwareMessage, Say } from "./board.ts";

const NOTIFY_EVERY_MS = 5_000;
const MAC = "AABBCCDDEEFF";

interface Request {
  readonly id?: number;
  readonly src?: string;
  readonly method?: string;
  readonly params?: { readonly id?: number; readonly on?: boolean };
}

type Component = Readonly<Record<string, unknown>>;

/** A Shelly from the second generation on: RPC over MQTT, notifications of changes, no status topics unless asked for. */
export class ShellyGen2Twin implements Firmware {
  readonly will: FirmwareMessage;
  readonly filters: readonly string[];
  readonly ticks = [{ everyMs: NOTIFY_EVERY_MS, run: (say: Say): void => this.#notify(say) }];
  /** Components by name, as `em:0`; a test changes them at will. */
  readonly components = new Map<string, Component>();
  /** A refusal for the next switch, in the device's words. */
  refusal: string | null = null;
  /** True: it answers no request. */
  isDeaf = false;
  readonly #topic: string;
  readonly #model: string;
  #told = "";

  constructor(topic: string, model: string, components: Readonly<Record<string, Component>>) {
    this.#topic = topic;
    this.#model = model;
    for (const [name, component] of Object.entries(components)) this.components.set(name, component);
    this.will = { topic: `${topic}/online`, text: "false", isRetained: true };
    this.filters = [`${topic}/rpc`];
  }

  set(name: string, change: Component): void {
    this.components.set(name, { ...this.components.get(name), ...change });
  }

  connected(say: Say): void {
    say({ topic: `${this.#topic}/online`, text: "true", isRetained: true });
  }

  heard({ text }: { text: string }, say: Say): void {
    if (this.isDeaf) return;
    const request: Request = JSON.parse(text);
    const answer = (result: object): void => {
      const { id, src = "" } = request;
      say({ topic: `${src}/rpc`, text: JSON.stringify({ id, src: this.#topic, dst: src, ...result }) });
    };
    switch (request.method) {
      case "Shelly.GetDeviceInfo":
        answer({ result: { id: this.#topic, mac: MAC, model: this.#model, gen: 2, ver: "1.4.4", name: "Cellar" } });
        break;
      case "Shelly.GetStatus":
        answer({ result: { ...Object.fromEntries(this.components), sys: { mac: MAC, uptime: 100 } } });
        break;
      case "Switch.Set":
        this.#switch(request, answer);
        break;
      default:
        answer({ error: { code: 404, message: `No handler for ${request.method}` } });
    }
  }

  #switch({ params }: Request, answer: (result: object) => void): void {
    const name = `switch:${params?.id}`;
    const component = this.components.get(name);
    if (this.refusal !== null) {
      answer({ error: { code: -106, message: this.refusal } });
      this.refusal = null;
    } else if (component === undefined) {
      answer({ error: { code: -105, message: `Argument 'id', value ${params?.id} not found!` } });
    } else {
      this.set(name, { output: params?.on });
      answer({ result: { was_on: component["output"] } });
    }
  }

  /** Tells what changed since the last time, of each component that part only. */
  #notify(say: Say): void {
    const before = JSON.parse(this.#told === "" ? "{}" : this.#told);
    const params: Record<string, unknown> = { ts: 1_707_326_927.1 };
    for (const [name, component] of this.components) {
      const changed = Object.entries(component).filter(
        ([key, value]) => JSON.stringify(value) !== JSON.stringify(before[name]?.[key]),
      );
      if (changed.length > 0) params[name] = { id: component["id"], ...Object.fromEntries(changed) };
    }
    this.#told = JSON.stringify(Object.fromEntries(this.components));
    if (Object.keys(params).length === 1) return;
    const event = { src: this.#topic, dst: `${this.#topic}/events`, method: "NotifyStatus", params };
    say({ topic: `${this.#topic}/events/rpc`, text: JSON.stringify(event) });
  }
}
