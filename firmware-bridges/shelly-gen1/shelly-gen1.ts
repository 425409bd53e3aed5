import { type Control, type ControlPoint, DeviceError, type PointValue } from "hemgate/sdk";
import { answered } from "../kit/acknowledgement.ts";
import type { Bridge, BridgeDevice, BridgeMessage, BridgeOptions, Command, Intake, Outgoing } from "../kit/bridge.ts";
import { at, jsonOf, numberOf, PayloadError, textAt, unexpected } from "../kit/payload.ts";
import { PhaseSum } from "../kit/phase-sum.ts";
import { Measured, PHASES, type Quantity, ROLES, roleOf } from "../kit/role.ts";
import { SOCKET_CONTROL, Socket } from "../kit/socket.ts";
import { ANNOUNCEMENTS, isThreePhase, measuresCircuits } from "./sightings.ts";

const PREFIX = "shellies";
/** The firmware's period of telling all again. */
const EVERY_MS = 30_000;
const WATT_MINUTES_AN_HOUR = 60;

/** What a circuit of an energy meter tells, topic by topic. */
const CIRCUIT: Readonly<Record<string, "power" | "voltage" | "current" | undefined>> = {
  power: "power",
  voltage: "voltage",
  current: "current",
};

/** Shelly devices of the first generation; topics in topics.md. */
export const shellyGen1: Bridge = {
  name: "shelly-gen1",
  announcements: ANNOUNCEMENTS,
  open: (options) => new ShellyGen1Device(options),
};

class ShellyGen1Device implements BridgeDevice {
  readonly filters: readonly string[];
  readonly timing: BridgeDevice["timing"];
  readonly vendors = ["MQTT"];
  readonly hello: readonly Outgoing[];
  readonly #base: string;
  readonly #measured: Measured;
  /** Null: all three circuits of a three-phase meter. */
  readonly #channel: number | null;
  readonly #hasCircuits: boolean;
  readonly #socket: Socket | null;
  readonly #sums = { power: new PhaseSum(), total: new PhaseSum(), total_returned: new PhaseSum() };
  #hasRelay = false;
  readonly #awaited = new Set(["its power", "who it is"]);

  constructor({ topic, prefix, role, isInverted, channel, intervalMs }: BridgeOptions) {
    if (topic.includes("/")) throw new DeviceError("rejected", `shelly-gen1: topic ${topic} is no device id`);
    const known = roleOf(role, ROLES, "shelly-gen1");
    this.#base = `${prefix ?? PREFIX}/${topic}/`;
    this.#measured = new Measured(known, isInverted);
    this.#hasCircuits = measuresCircuits(topic);
    this.#channel = channel ?? (isThreePhase(topic) ? null : 0);
    this.#socket = known === "charger" ? new Socket() : null;
    this.filters = [`${this.#base}#`];
    this.timing = { everyMs: intervalMs ?? EVERY_MS };
    const command = (text: string): Outgoing => ({ topic: `${this.#base}command`, text });
    this.hello = [command("announce"), command("update")];
  }

  receive({ topic, text }: BridgeMessage, intake: Intake): void {
    const [part = "", index = "", key = null, ...rest] = topic.slice(this.#base.length).split("/");
    if (rest.length > 0) return;
    if (part === "online") intake.lastWill(text === "true");
    else if (part === "announce") this.#announced(text, intake);
    else if (part === "emeter" && this.#hasCircuits && key !== null) this.#circuit(Number(index), key, text, intake);
    else if (part === "relay" && Number(index) === (this.#channel ?? 0)) this.#relay(key, text, intake);
  }

  missing(): string | null {
    return this.#awaited.size === 0 ? null : [...this.#awaited].join(", ");
  }

  controls(): readonly Control[] {
    return this.#socket !== null && this.#hasRelay ? [SOCKET_CONTROL] : [];
  }

  command(_point: ControlPoint, value: PointValue): Command {
    const topic = `${this.#base}relay/${this.#channel ?? 0}`;
    const target = value === true ? "on" : "off";
    return {
      messages: [{ topic: `${topic}/command`, text: target }],
      // The other state says nothing: the periodic message may come before the relay has moved.
      acknowledgement: answered("republish", topic, (text) => {
        if (text === target) return "taken";
        return text === "overpower" ? { refusal: "the relay says overpower" } : null;
      }),
    };
  }

  #relay(key: string | null, text: string, intake: Intake): void {
    if (key === null) {
      this.#hasRelay = true;
      intake.alive();
      // `overpower`: it switched itself off.
      if (!["on", "off", "overpower"].includes(text)) throw unexpected("on, off or overpower", text);
      this.#socket?.switched(intake, text === "on");
    } else if (key === "power" && !this.#hasCircuits) {
      this.#awaited.delete("its power");
      const powerW = this.#number(text, intake);
      this.#measured.tell(intake, "power", powerW);
      this.#socket?.measured(intake, powerW);
    } else if (key === "energy" && !this.#hasCircuits) {
      const wattMinutes = this.#number(text, intake);
      this.#measured.tell(intake, "energyForward", wattMinutes, (value) => value / WATT_MINUTES_AN_HOUR);
    }
  }

  #circuit(index: number, key: string, text: string, intake: Intake): void {
    const phase = PHASES[this.#channel === null ? index : 0];
    if (phase === undefined || (this.#channel !== null && index !== this.#channel)) return;
    const isSum = key === "power" || key === "total" || key === "total_returned";
    const quantity = CIRCUIT[key];
    if (!isSum && quantity === undefined) return;
    const value = this.#number(text, intake);
    // One circuit's power is the total already.
    if (quantity !== undefined && !(quantity === "power" && this.#channel !== null)) {
      this.#measured.tell(intake, `${quantity}.${phase}`, value);
    }
    if (!isSum) return;
    const total = this.#channel === null ? this.#sums[key].add(phase, value) : value;
    if (total === undefined) return;
    if (key === "power") this.#awaited.delete("its power");
    const totals: Readonly<Record<typeof key, Quantity>> = {
      power: "power",
      total: "energyForward",
      total_returned: "energyReverse",
    };
    this.#measured.tell(intake, totals[key], total);
    if (key === "power") this.#socket?.measured(intake, total);
  }

  #number(text: string, intake: Intake): number | null {
    try {
      return numberOf(text);
    } catch (error) {
      if (!(error instanceof PayloadError)) throw error;
      intake.problem(error.message);
      return null;
    }
  }

  #announced(text: string, intake: Intake): void {
    const announced = jsonOf(text);
    this.#awaited.delete("who it is");
    if (at(announced, "id") === undefined) return;
    intake.alive();
    intake.identity({
      manufacturer: "Shelly",
      model: textAt(announced, "model"),
      serial: textAt(announced, "mac"),
      version: textAt(announced, "fw_ver"),
    });
  }
}
