import type { Control, ControlPoint, PointValue } from "hemgate/sdk";
import { answered } from "../kit/acknowledgement.ts";
import type { Bridge, BridgeDevice, BridgeMessage, BridgeOptions, Command, Intake, Outgoing } from "../kit/bridge.ts";
import { at, type Json, jsonOf, textAt } from "../kit/payload.ts";
import { Measured, ROLES, roleOf } from "../kit/role.ts";
import { SOCKET_CONTROL, Socket } from "../kit/socket.ts";
import { better, componentsOf, type Kind, kindsIn, tellComponent } from "./components.ts";
import { ANNOUNCEMENTS } from "./sightings.ts";

/** Status topics are off by default and notifications tell changes only, so it is asked. */
const ASK_EVERY_MS = 10_000;
/** Counters belong to the meter beside them. */
const METER_OF: Readonly<Record<string, string>> = { emdata: "em", em1data: "em1" };

/** Shelly devices of the second generation and later; topics in topics.md. */
export const shellyGen2: Bridge = {
  name: "shelly-gen2",
  announcements: ANNOUNCEMENTS,
  open: (options) => new ShellyGen2Device(options),
};

class ShellyGen2Device implements BridgeDevice {
  readonly filters: readonly string[];
  readonly timing: BridgeDevice["timing"];
  readonly vendors = ["MQTT"];
  readonly hello: readonly Outgoing[];
  readonly query: NonNullable<BridgeDevice["query"]>;
  readonly #topic: string;
  readonly #reply: string;
  readonly #measured: Measured;
  readonly #channel: number;
  readonly #socket: Socket | null;
  /** What is read of the components that the device has; null while none is known. */
  #kind: Kind | null = null;
  #hasRelay = false;
  #requests = 0;
  readonly #awaited = new Set(["its status", "who it is"]);

  constructor({ topic, role, isInverted, channel, intervalMs, replyTopic }: BridgeOptions) {
    const known = roleOf(role, ROLES, "shelly-gen2");
    this.#topic = topic;
    this.#reply = replyTopic;
    this.#measured = new Measured(known, isInverted);
    this.#channel = channel ?? 0;
    this.#socket = known === "charger" ? new Socket() : null;
    this.filters = [`${topic}/online`, `${topic}/status/+`, `${topic}/events/rpc`, `${replyTopic}/rpc`];
    const everyMs = intervalMs ?? ASK_EVERY_MS;
    this.timing = { everyMs };
    this.hello = [this.#request("Shelly.GetDeviceInfo").message];
    this.query = { everyMs, messages: () => [this.#request("Shelly.GetStatus").message] };
  }

  receive({ topic, text }: BridgeMessage, intake: Intake): void {
    if (topic === `${this.#topic}/online`) {
      intake.lastWill(text === "true");
    } else if (topic === `${this.#topic}/events/rpc`) {
      const event = jsonOf(text);
      if (at(event, "method") === "NotifyStatus") this.#status(at(event, "params") ?? null, intake);
    } else if (topic.startsWith(`${this.#topic}/status/`)) {
      this.#status({ [topic.slice(`${this.#topic}/status/`.length)]: jsonOf(text) }, intake);
    } else if (topic === `${this.#reply}/rpc`) {
      this.#answered(jsonOf(text), intake);
    }
  }

  missing(): string | null {
    return this.#awaited.size === 0 ? null : [...this.#awaited].join(", ");
  }

  controls(): readonly Control[] {
    return this.#socket !== null && this.#hasRelay ? [SOCKET_CONTROL] : [];
  }

  command(_point: ControlPoint, value: PointValue): Command {
    const { message, id } = this.#request("Switch.Set", { id: this.#channel, on: value === true });
    return {
      messages: [message],
      acknowledgement: answered("reply", `${this.#reply}/rpc`, (text) => {
        const answer = jsonOf(text);
        if (at(answer, "id") !== id) return null;
        if (at(answer, "error") === undefined) return "taken";
        return { refusal: textAt(answer, "error", "message") ?? `error ${String(at(answer, "error", "code"))}` };
      }),
    };
  }

  #request(method: string, params?: Json): { readonly id: number; readonly message: Outgoing } {
    this.#requests += 1;
    const id = this.#requests;
    const request = { id, src: this.#reply, method, ...(params !== undefined && { params }) };
    return { id, message: { topic: `${this.#topic}/rpc`, text: JSON.stringify(request) } };
  }

  #answered(answer: Json, intake: Intake): void {
    const result = at(answer, "result");
    if (result === undefined) return;
    intake.alive();
    if (at(result, "mac") === undefined || at(result, "model") === undefined) {
      this.#status(result, intake);
      return;
    }
    this.#awaited.delete("who it is");
    intake.identity({
      manufacturer: "Shelly",
      model: textAt(result, "model"),
      serial: textAt(result, "mac"),
      version: textAt(result, "ver"),
      name: textAt(result, "name"),
    });
  }

  /** Takes a status in, of the whole device or of what changed. */
  #status(status: Json, intake: Intake): void {
    for (const kind of kindsIn(status, this.#channel)) this.#kind = better(this.#kind, kind);
    for (const { kind, index, component } of componentsOf(status)) {
      if (index !== this.#channel) continue;
      if (kind === "switch") this.#relay(component, intake);
      if ((METER_OF[kind] ?? kind) !== this.#kind) continue;
      this.#awaited.delete("its status");
      intake.alive();
      tellComponent(kind, component, this.#measured, intake);
      const power = at(component, "apower") ?? at(component, "act_power") ?? at(component, "total_act_power");
      if (power !== undefined) this.#socket?.measured(intake, typeof power === "number" ? power : null);
    }
  }

  #relay(component: Json, intake: Intake): void {
    const output = at(component, "output");
    if (typeof output !== "boolean") return;
    this.#hasRelay = true;
    intake.alive();
    this.#socket?.switched(intake, output);
  }
}
