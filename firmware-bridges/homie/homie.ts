import { type Control, type ControlPoint, DeviceError, type PointName, type PointValue } from "hemgate/sdk";
import type { Verdict } from "../kit/acknowledgement.ts";
import type { Bridge, BridgeDevice, BridgeMessage, BridgeOptions, Command, Intake } from "../kit/bridge.ts";
import { type NamedPoint, namedPoints } from "../kit/named-points.ts";
import { jsonOf, unexpected } from "../kit/payload.ts";
import { Presence } from "../kit/presence.ts";
import { pointOf, type Quantity, ROLES, type Role, roleOf } from "../kit/role.ts";
import { SOCKET_CONTROL, Socket } from "../kit/socket.ts";
import { conversionTo, type ToPoint } from "../kit/units.ts";
import { descriptionOf, type HomieDescription, type HomieProperty } from "./description.ts";
import { sightings } from "./sightings.ts";

const PREFIX = "homie";
const STATES = ["init", "ready", "disconnected", "sleeping", "lost"];
/** Numbers that a device can be set to. */
const NUMBERS = new Set<PointName>(["inverter.powerLimit", "charger.maxCurrent"]);
/** What a unit measures, where it is the only property with it. */
const BY_UNIT: Readonly<Record<string, Quantity>> = {
  W: "power",
  kW: "power",
  Wh: "energyForward",
  kWh: "energyForward",
  V: "voltage.l1",
  A: "current.l1",
  Hz: "frequency",
};

interface HomiePoint {
  readonly point: PointName;
  readonly property: HomieProperty;
  readonly convert: ToPoint;
}

/** Devices of the Homie convention, version 5; topics in topics.md. */
export const homie: Bridge = {
  name: "homie",
  noVersion: "The version in a Homie 5 description is that of the description",
  announcements: { filters: ["+/5/+/$state", "+/5/+/$description"], sightings },
  open: (options) => new HomieDevice(options),
};

class HomieDevice implements BridgeDevice {
  readonly vendors = ["MQTT"];
  readonly timing: BridgeDevice["timing"];
  readonly #root: string;
  readonly #topic: string;
  readonly #role: Role | null;
  readonly #isInverted: boolean;
  readonly #named: readonly NamedPoint[];
  readonly #socket: Socket | null;
  readonly #presence = new Presence();
  readonly #reported = new Set<string>();
  #description: HomieDescription | null = null;
  #points: readonly HomiePoint[] = [];

  constructor({ topic, prefix, role, isInverted, points, intervalMs }: BridgeOptions) {
    if (!/^[a-z0-9-]+$/.test(topic)) throw new DeviceError("rejected", `homie: topic ${topic} is no device id`);
    this.#root = `${prefix ?? PREFIX}/5/`;
    this.#topic = topic;
    this.#role = points.size > 0 ? role : roleOf(role, ROLES, "homie");
    this.#isInverted = isInverted;
    this.#named = namedPoints(points, "homie");
    this.#socket = this.#role === "charger" ? new Socket() : null;
    // Values are published when they change; `intervalSeconds` says otherwise.
    this.timing = { everyMs: intervalMs };
  }

  get filters(): readonly string[] {
    const base = `${this.#root}${this.#topic}`;
    const parent = this.#description?.root ?? null;
    return [
      `${base}/$state`,
      `${base}/$description`,
      ...(parent === null ? [] : [`${this.#root}${parent}/$state`]),
      ...this.#points.map(({ property }) => `${base}/${property.path}`),
      ...this.#points
        .filter(({ property }) => property.isSettable)
        .map(({ property }) => `${base}/${property.path}/$target`),
    ];
  }

  receive({ topic, text }: BridgeMessage, intake: Intake): void {
    const own = `${this.#root}${this.#topic}/`;
    if (!topic.startsWith(own)) {
      this.#state("root", "its root device", text, intake);
      return;
    }
    const path = topic.slice(own.length);
    if (path === "$state") this.#state("own", "it", text, intake);
    else if (path === "$description") this.#describe(text, intake);
    else {
      for (const each of this.#points) if (each.property.path === path) this.#value(each, text, intake);
    }
  }

  missing(): string | null {
    if (this.#description === null) return "its description";
    const silent = this.#points.filter(({ property }) => !this.#reported.has(property.path));
    return silent.length === 0 ? null : silent.map(({ property }) => property.path).join(", ");
  }

  expected(): readonly PointName[] {
    return this.#points.map(({ point }) => point);
  }

  controls(): readonly Control[] {
    return this.#points.flatMap(({ point, property, convert }): readonly Control[] => {
      if (!property.isSettable) return [];
      if (point === "charger.enabled" && property.datatype === "boolean") return [SOCKET_CONTROL];
      const isNumber = property.datatype === "float" || property.datatype === "integer";
      if (!NUMBERS.has(point) || !isNumber || property.range === null || property.unit === "W") return [];
      // A command and its range are in the property's unit.
      if (convert(1) !== 1) return [];
      const safeDefault = point === "inverter.powerLimit" ? 100 : null;
      return [{ point: point as ControlPoint, range: property.range, holdMs: null, safeDefault }];
    });
  }

  command(point: ControlPoint, value: PointValue): Command {
    const property = this.#points.find((each) => each.point === point)?.property;
    if (property === undefined) throw new DeviceError("unreachable", `${point}: it is not described now`);
    const topic = `${this.#root}${this.#topic}/${property.path}`;
    const isTarget = (text: string): boolean => text === String(value) || Number(text) === value;
    return {
      messages: [{ topic: `${topic}/set`, text: String(value) }],
      acknowledgement: {
        // The new value, or the target that the device moves to.
        style: "republish",
        topic,
        judge: (message): Verdict => {
          const isAnswer = message.topic === topic || message.topic === `${topic}/$target`;
          return isAnswer && isTarget(message.text) ? "taken" : null;
        },
      },
    };
  }

  #state(part: string, who: string, text: string, intake: Intake): void {
    // An empty state takes the device away.
    if (text !== "" && !STATES.includes(text)) throw unexpected(`one of ${STATES.join(", ")}`, text);
    this.#presence.tell(intake, part, text === "ready", `${who} is ${text === "" ? "removed" : text}`);
    if (text === "ready") intake.alive();
  }

  #describe(text: string, intake: Intake): void {
    this.#description = text === "" ? null : descriptionOf(jsonOf(text));
    const points = this.#pointsOf(this.#description?.properties ?? [], intake);
    for (const { point } of this.#points) if (!points.some((each) => each.point === point)) intake.value(point, null);
    this.#points = points;
    intake.identity({
      name: this.#description?.name ?? null,
      model: this.#description?.type ?? null,
      serial: this.#topic,
    });
  }

  #pointsOf(properties: readonly HomieProperty[], intake: Intake): readonly HomiePoint[] {
    const found: HomiePoint[] = [];
    for (const { point, name, unit, convert } of this.#named) {
      const property = properties.find(({ path }) => path === name);
      if (property === undefined) {
        intake.problem(`points: there is no property ${name}`);
        continue;
      }
      const own = unit === null && property.unit !== null ? conversionTo(property.unit, point) : convert;
      if (own === null) intake.problem(`${name}: ${property.unit} does not measure ${point}`);
      else found.push({ point, property, convert: own });
    }
    const isNamed = new Set<PointName>(this.#named.map(({ point }) => point));
    return [...found, ...this.#guesses(properties, intake).filter(({ point }) => !isNamed.has(point))];
  }

  #guesses(properties: readonly HomieProperty[], intake: Intake): readonly HomiePoint[] {
    const role = this.#role;
    if (role === null) return [];
    const byPoint = Map.groupBy(properties, (property) => guess(property, role, this.#isInverted));
    byPoint.delete(null);
    return [...byPoint].flatMap(([point, candidates]): readonly HomiePoint[] => {
      const [only, ...others] = candidates;
      if (point === null || only === undefined) return [];
      if (others.length > 0) {
        intake.problem(`${point}: name one of ${candidates.map(({ path }) => path).join(", ")} under points`);
        return [];
      }
      const convert = only.unit === null ? (value: number) => value : conversionTo(only.unit, point);
      return convert === null ? [] : [{ point, property: only, convert }];
    });
  }

  #value({ point, property, convert }: HomiePoint, text: string, intake: Intake): void {
    this.#reported.add(property.path);
    if (property.datatype === "boolean") {
      const isOn = text === "true" ? true : text === "false" ? false : null;
      if (point !== "charger.enabled") intake.problem(`${property.path} is no number`);
      else if (this.#socket === null) intake.value(point, isOn);
      else this.#socket.switched(intake, isOn);
      return;
    }
    const sign = this.#isInverted && /\.power(\.l[123])?$/.test(point) ? -1 : 1;
    let powerW: number | null = null;
    intake.numeral(point, text, (value) => {
      powerW = convert(value) * sign;
      return powerW;
    });
    if (point === "charger.power") this.#socket?.measured(intake, powerW);
  }
}

/** The point that a property seems to be; null for none. */
function guess(property: HomieProperty, role: Role, isInverted: boolean): PointName | null {
  const { unit, datatype, isSettable } = property;
  if (datatype === "boolean") return role === "charger" && isSettable ? "charger.enabled" : null;
  if (isSettable || unit === null || (datatype !== "float" && datatype !== "integer")) return null;
  const quantity = BY_UNIT[unit];
  return quantity === undefined ? null : pointOf(role, quantity, isInverted);
}
