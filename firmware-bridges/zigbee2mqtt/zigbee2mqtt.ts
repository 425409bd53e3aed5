import { type Control, type ControlPoint, DeviceError, type PointName, type PointValue } from "hemgate/sdk";
import type { Verdict } from "../kit/acknowledgement.ts";
import type {
  Bridge,
  BridgeDevice,
  BridgeMessage,
  BridgeOptions,
  BridgeTiming,
  Command,
  Intake,
  Outgoing,
  Query,
} from "../kit/bridge.ts";
import { at, type Json, jsonOf, textAt } from "../kit/payload.ts";
import { PhaseSum } from "../kit/phase-sum.ts";
import { Presence } from "../kit/presence.ts";
import { Measured, PHASES, pointOf, type Quantity, ROLES, type Role } from "../kit/role.ts";
import { SOCKET_CONTROL, Socket } from "../kit/socket.ts";
import { Climate } from "./climate.ts";
import { devicesIn, type Expose, type ZigbeeDevice } from "./exposes.ts";
import { type MeterField, meterFields } from "./metering.ts";
import { sightings } from "./sightings.ts";

const PREFIX = "zigbee2mqtt";
/** Meters report when something changes, and rarely otherwise; those that can be asked are. */
const ASK_EVERY_MS = 30_000;
const NO_ROLE = `role is missing; say what it measures: ${ROLES.join(", ")}`;

/** Zigbee devices behind Zigbee2MQTT; topics in topics.md. */
export const zigbee2mqtt: Bridge = {
  name: "zigbee2mqtt",
  announcements: { filters: ["+/bridge/devices"], sightings },
  open: (options) => new Zigbee2MqttDevice(options),
};

class Zigbee2MqttDevice implements BridgeDevice {
  readonly filters: readonly string[];
  readonly vendors = ["MQTT"];
  readonly timing: BridgeTiming;
  readonly #timing: { everyMs: number | null };
  readonly #options: BridgeOptions;
  readonly #prefix: string;
  readonly #topic: string;
  readonly #presence = new Presence();
  readonly #sum = new PhaseSum();
  #device: ZigbeeDevice | null = null;
  #isListed = false;
  #role: Role | null;
  #fields: readonly MeterField[] = [];
  #switch: Expose | null = null;
  #socket: Socket | null = null;
  #climate = new Climate([]);

  constructor(options: BridgeOptions) {
    const { topic, prefix, role, intervalMs } = options;
    this.#options = options;
    this.#role = role;
    this.#prefix = prefix ?? PREFIX;
    this.#topic = `${this.#prefix}/${topic}`;
    this.filters = [
      `${this.#prefix}/bridge/state`,
      `${this.#prefix}/bridge/devices`,
      `${this.#prefix}/bridge/logging`,
      `${this.#topic}/availability`,
      this.#topic,
    ];
    // How often it tells something is known once it was asked and answered.
    this.#timing = { everyMs: intervalMs };
    this.timing = this.#timing;
  }

  get query(): Query | undefined {
    const asked = [
      ...this.#fields.filter(({ isGettable }) => isGettable).map(({ property }) => property),
      ...this.#climate.gettable,
      ...(this.#switch?.isGettable === true && this.#socket !== null ? [this.#switch.property] : []),
    ];
    if (asked.length === 0 || this.#device?.isOnBattery !== false) return undefined;
    const text = JSON.stringify(Object.fromEntries(asked.map((property) => [property, ""])));
    const messages = (): readonly Outgoing[] => [{ topic: `${this.#topic}/get`, text }];
    return { everyMs: this.#options.intervalMs ?? ASK_EVERY_MS, messages };
  }

  receive({ topic, text, isRetained }: BridgeMessage, intake: Intake): void {
    if (topic === `${this.#prefix}/bridge/state`) {
      this.#presence.tell(intake, "bridge", stateOf(text) !== "offline", "Zigbee2MQTT is offline");
    } else if (topic === `${this.#prefix}/bridge/devices`) {
      this.#known(devicesIn(jsonOf(text)), intake);
    } else if (topic === `${this.#topic}/availability`) {
      this.#presence.tell(intake, "device", stateOf(text) !== "offline", "Zigbee2MQTT says that it is offline");
    } else if (topic === this.#topic && text !== "") {
      if (this.#role === null && this.#device === null) return;
      this.#state(jsonOf(text), isRetained, intake);
    }
  }

  missing(): string | null {
    if (this.#device !== null) return this.#role === null ? NO_ROLE : null;
    return this.#isListed ? `${this.#name} is not one of Zigbee2MQTT's devices` : "Zigbee2MQTT's list of devices";
  }

  expected(): readonly PointName[] {
    const switched: readonly PointName[] = this.#socket === null ? [] : ["charger.enabled", "charger.state"];
    const fields = this.#fields.map(({ point }) => point);
    const total = this.#isSummed && this.#role !== null ? pointOf(this.#role, "power", false) : null;
    return [...new Set([...fields, ...(total === null ? [] : [total]), ...this.#climate.points, ...switched])];
  }

  controls(): readonly Control[] {
    if (this.#socket !== null && this.#switch?.isSettable === true) return [SOCKET_CONTROL];
    return this.#role === "hvac" ? this.#climate.controls() : [];
  }

  command(point: ControlPoint, value: PointValue): Command {
    const write = this.#writeOf(point, value);
    if (write === null) throw new DeviceError("rejected", `${point} ${value}: the device has nothing for it`);
    const { property } = write;
    return {
      messages: [{ topic: `${this.#topic}/set`, text: JSON.stringify({ [property]: write.value }) }],
      acknowledgement: {
        style: "republish",
        topic: this.#topic,
        judge: ({ topic, text }): Verdict => {
          if (topic === `${this.#prefix}/bridge/logging`) return this.#refusal(text, property);
          if (topic !== this.#topic || text === "") return null;
          return at(jsonOf(text), property) === write.value ? "taken" : null;
        },
      },
    };
  }

  #writeOf(point: ControlPoint, value: PointValue): { readonly property: string; readonly value: Json } | null {
    if (point !== "charger.enabled") return this.#climate.write(point, value);
    if (this.#switch === null) return null;
    return { property: this.#switch.property, value: value === true ? this.#switch.on : this.#switch.off };
  }

  /** An error line about a command to this device; nothing else tells that the radio did not get through. */
  #refusal(text: string, property: string): Verdict {
    const line = jsonOf(text);
    const message = textAt(line, "message") ?? "";
    const isOurs =
      message.includes("'set'") && message.includes(`'${property}'`) && message.includes(`'${this.#name}'`);
    return textAt(line, "level") === "error" && isOurs ? { refusal: message.slice(0, 200) } : null;
  }

  get #name(): string {
    return this.#options.topic;
  }

  get #isSummed(): boolean {
    const has = (quantity: Quantity): boolean => this.#fields.some((field) => field.quantity === quantity);
    return !has("power") && PHASES.every((phase) => has(`power.${phase}`));
  }

  #known(devices: readonly ZigbeeDevice[], intake: Intake): void {
    const device = devices.find(({ name, ieee }) => name === this.#name || ieee === this.#name) ?? null;
    this.#isListed = true;
    this.#presence.tell(intake, "list", device !== null, `Zigbee2MQTT has no device ${this.#name}`);
    if (device === null) return;
    this.#presence.tell(intake, "disabled", !device.isDisabled, "it is disabled in Zigbee2MQTT");
    this.#device = device;
    const { exposes, vendor, model, ieee, version, name } = device;
    const isClimate = exposes.some(({ group }) => group === "climate");
    this.#role = this.#options.role ?? (isClimate ? "hvac" : null);
    this.#presence.tell(intake, "role", this.#role !== null, NO_ROLE);
    if (this.#role === null) return;
    const { isInverted, channel } = this.#options;
    this.#fields = meterFields(exposes, { role: this.#role, isInverted, channel });
    const state = channel === null ? "state" : `state_l${channel + 1}`;
    this.#switch = exposes.find(({ group, property }) => group === "switch" && property === state) ?? null;
    this.#socket = this.#role === "charger" && this.#switch !== null ? (this.#socket ?? new Socket()) : null;
    this.#climate = new Climate(this.#role === "hvac" ? exposes : []);
    intake.identity({ manufacturer: vendor, model, serial: ieee, version, name });
    if (isClimate) intake.identity({ category: this.#climate.category });
  }

  #state(state: Json, isRetained: boolean, intake: Intake): void {
    intake.alive();
    if (!isRetained && this.query !== undefined) this.#timing.everyMs = this.query.everyMs;
    const measured = new Measured(this.#role ?? "meter", this.#options.isInverted);
    for (const { property, quantity, convert } of this.#fields) {
      const raw = at(state, property);
      if (raw === undefined) continue;
      measured.tell(intake, quantity, raw, convert);
      if (quantity === "power") this.#socket?.measured(intake, typeof raw === "number" ? convert(raw) : null);
    }
    this.#total(state, measured, intake);
    const on = this.#switch === null ? undefined : at(state, this.#switch.property);
    if (on !== undefined) this.#socket?.switched(intake, on === this.#switch?.on);
    this.#climate.tell(state, intake);
  }

  /** The sum of the phases, where the meter tells none. */
  #total(state: Json, measured: Measured, intake: Intake): void {
    if (!this.#isSummed) return;
    for (const phase of PHASES) {
      const field = this.#fields.find(({ quantity }) => quantity === `power.${phase}`);
      const raw = field === undefined ? undefined : at(state, field.property);
      if (field === undefined || raw === undefined) return;
      const sum = this.#sum.add(phase, typeof raw === "number" ? field.convert(raw) : null);
      if (sum !== undefined) measured.tell(intake, "power", sum);
    }
  }
}

/** `{"state":"online"}`, or plain text from before version 1.0. */
function stateOf(text: string): string {
  return text.startsWith("{") ? (textAt(jsonOf(text), "state") ?? "") : text;
}
