import { type Control, type ControlPoint, DeviceError, MINUTE_MS, type PointName, type PointValue } from "hemgate/sdk";
import { type Acknowledgement, NOT_ACKNOWLEDGED } from "../kit/acknowledgement.ts";
import type { BridgeDevice, BridgeMessage, BridgeOptions, Command, Intake, Outgoing, Query } from "../kit/bridge.ts";
import { type NamedPoint, namedPoints } from "../kit/named-points.ts";
import { type Json, numberOf, PayloadError } from "../kit/payload.ts";
import { ROLES, type Role, roleOf } from "../kit/role.ts";
import { SOCKET_CONTROL, Socket } from "../kit/socket.ts";
import { announcedIn } from "./announcement.ts";
import { Availabilities } from "./available.ts";
import type { Entity } from "./entity.ts";
import { type EntityPoint, entityPoints } from "./entity-points.ts";
import { applied, TemplateError } from "./template.ts";

/** A device without availability and without `expire_after` tells something this often, or counts as gone. */
const UNWATCHED_EVERY_MS = 10 * MINUTE_MS;
/** Announced entities that are kept for one device. */
const MAX_ENTITIES = 500;
/** Numbers that a device can be set to. */
const NUMBERS = new Set<PointName>(["inverter.powerLimit", "charger.maxCurrent"]);

export interface EntitySource {
  readonly bridge: string;
  /** First level of the announcements' topics. */
  readonly prefix: string;
  readonly announcements: readonly string[];
  /** Further topics that the bridge wants to see. */
  readonly extra?: readonly string[];
  /** Whether an announced entity is the device's. */
  isOwn(entity: Entity, announcedOn: string): boolean;
  /** Whether an announcement is surely another device's, so that it need not be read. */
  isAboutOther?(text: string): boolean;
  /** Entities that the configuration names and nobody announces. */
  readonly unannounced?: readonly Entity[];
  /** Takes a message on the further topics; false: not one of those. */
  takeFurther?(message: BridgeMessage, intake: Intake): boolean;
  readonly everyMs: number | null;
  readonly hello?: readonly Outgoing[];
  readonly query?: Query;
}

/** A device known by its entities, as Home Assistant's discovery announces them. */
export class EntityDevice implements BridgeDevice {
  readonly vendors = ["MQTT"];
  readonly timing: BridgeDevice["timing"];
  readonly hello: readonly Outgoing[];
  readonly query?: Query;
  readonly #source: EntitySource;
  readonly #role: Role | null;
  readonly #isInverted: boolean;
  readonly #named: readonly NamedPoint[];
  readonly #entities = new Map<string, Entity>();
  readonly #available = new Availabilities();
  readonly #socket: Socket | null;
  readonly #reported = new Set<PointName>();
  #points: readonly EntityPoint[] = [];
  #filters: readonly string[];

  constructor(options: BridgeOptions, source: EntitySource) {
    this.#source = source;
    this.#role = options.points.size > 0 ? options.role : roleOf(options.role, ROLES, source.bridge);
    this.#isInverted = options.isInverted;
    this.#named = namedPoints(options.points, source.bridge);
    this.#socket = this.#role === "charger" ? new Socket() : null;
    this.hello = source.hello ?? [];
    if (source.query !== undefined) this.query = source.query;
    for (const entity of source.unannounced ?? []) this.#entities.set(entity.id, entity);
    this.#filters = this.#fixedFilters();
    this.timing = this.#timing(options.intervalMs);
    this.#map(null);
  }

  get filters(): readonly string[] {
    return this.#filters;
  }

  receive(message: BridgeMessage, intake: Intake): void {
    if (message.topic.startsWith(`${this.#source.prefix}/`) && message.topic.endsWith("/config")) {
      this.#announced(message, intake);
      return;
    }
    if (this.#source.takeFurther?.(message, intake) === true) return;
    this.#availability(message, intake);
    for (const each of this.#points) {
      if (each.entity.stateTopic === message.topic) this.#state(each, message.text, intake);
    }
  }

  missing(): string | null {
    if (this.#points.length === 0) return "its announcement";
    const silent = this.#points.filter(({ point, entity }) => entity.stateTopic !== null && !this.#reported.has(point));
    return silent.length === 0 ? null : silent.map(({ entity }) => entity.id).join(", ");
  }

  expected(): readonly PointName[] {
    return this.#points.map(({ point }) => point);
  }

  controls(): readonly Control[] {
    return this.#points.flatMap(({ point, entity, convert }): readonly Control[] => {
      if (entity.commandTopic === null) return [];
      if (point === "charger.enabled" && entity.component === "switch") return [SOCKET_CONTROL];
      if (!NUMBERS.has(point) || entity.component !== "number" || entity.range === null) return [];
      // A command and its range are in the entity's unit.
      if (convert(1) !== 1 || (point === "inverter.powerLimit" && entity.unit !== "%")) return [];
      const safeDefault = point === "inverter.powerLimit" ? 100 : null;
      return [{ point: point as ControlPoint, range: entity.range, holdMs: null, safeDefault }];
    });
  }

  command(point: ControlPoint, value: PointValue): Command {
    const entity = this.#points.find((each) => each.point === point)?.entity;
    const topic = entity?.commandTopic ?? null;
    if (entity === undefined || topic === null)
      throw new DeviceError("unreachable", `${point}: it is not announced now`);
    const side = value === true ? entity.on : entity.off;
    return {
      messages: [{ topic, text: typeof value === "number" ? String(value) : side.command }],
      acknowledgement: acknowledgementOf(entity, typeof value === "number" ? value : side.state),
    };
  }

  #announced(message: BridgeMessage, intake: Intake): void {
    let isChanged = false;
    let device: Entity["device"] | null = null;
    const { text, topic } = message;
    if (text !== "" && !this.#entities.has(topic) && this.#source.isAboutOther?.(text) === true) return;
    for (const { key, entity } of announcedIn(message, this.#source.prefix)) {
      if (entity === null || !this.#source.isOwn(entity, topic)) {
        isChanged = this.#remove(key, topic) || isChanged;
        continue;
      }
      isChanged = true;
      device = entity.device;
      for (const what of entity.refused) intake.problem(`${entity.id}: ${what}`);
      if (this.#entities.size < MAX_ENTITIES || this.#entities.has(key)) this.#entities.set(key, entity);
    }
    if (device !== null) {
      const { manufacturer, model, version, name, serial } = device;
      intake.identity({ manufacturer, model, version, name, serial: serial ?? device.identifiers[0] ?? null });
    }
    if (isChanged) this.#map(intake);
  }

  /** Forgets an entity; with the topic for its key, all that was announced there. Answers whether there was any. */
  #remove(key: string, topic: string): boolean {
    const keys = key === topic ? [...this.#entities.keys()].filter((own) => own.startsWith(`${topic}#`)) : [];
    return [key, ...keys].map((own) => this.#entities.delete(own)).includes(true);
  }

  /** Determines again which entity reports which point. */
  #map(intake: Intake | null): void {
    const parsed = { role: this.#role, isInverted: this.#isInverted };
    const { points, problems } = entityPoints([...this.#entities.values()], this.#named, parsed);
    for (const problem of problems) intake?.problem(problem);
    for (const { point } of this.#points) {
      if (!points.some((each) => each.point === point)) intake?.value(point, null);
    }
    for (const { entity } of points) {
      if (entity.template instanceof TemplateError) intake?.problem(`${entity.id}: ${entity.template.message}`);
    }
    this.#points = points;
    const topics = points.flatMap(({ entity }) => [
      ...(entity.stateTopic === null ? [] : [entity.stateTopic]),
      ...entity.availability.topics.map(({ topic }) => topic),
    ]);
    this.#filters = [...new Set([...this.#fixedFilters(), ...topics])];
  }

  #fixedFilters(): readonly string[] {
    return [...this.#source.announcements, ...(this.#source.extra ?? [])];
  }

  #availability({ topic, text }: BridgeMessage, intake: Intake): void {
    const watched = this.#points.filter(({ entity }) =>
      entity.availability.topics.some((each) => each.topic === topic),
    );
    if (watched.length === 0) return;
    this.#available.tell(topic, text);
    for (const { point, entity } of watched) {
      if (this.#available.of(entity.availability) === false) intake.value(point, null);
    }
    const states = this.#points.map(({ entity }) => this.#available.of(entity.availability));
    if (states.includes(true)) intake.present(true, "");
    else if (states.includes(false)) intake.present(false, "it says that it is not available");
  }

  #state({ point, entity, convert }: EntityPoint, text: string, intake: Intake): void {
    if (entity.template instanceof TemplateError || this.#available.of(entity.availability) === false) return;
    const state = applied(entity.template, text, (what) => intake.problem(`${entity.id}: ${what}`));
    if (state === undefined) return;
    this.#reported.add(point);
    if (point === "charger.enabled") {
      const isOn = state === entity.on.state ? true : state === entity.off.state ? false : null;
      if (this.#socket === null) intake.value(point, isOn);
      else this.#socket.switched(intake, isOn);
      return;
    }
    const sign = this.#isInverted && /\.power(\.l[123])?$/.test(point) ? -1 : 1;
    const raw = numeric(state, (what) => intake.problem(`${entity.id}: ${what}`));
    intake.number(point, raw, (value) => convert(value) * sign);
    if (point === "charger.power") this.#socket?.measured(intake, raw === null ? null : convert(raw) * sign);
  }

  #timing(intervalMs: number | null): BridgeDevice["timing"] {
    const points = (): readonly EntityPoint[] => this.#points;
    const declaredMs = intervalMs ?? this.#source.everyMs;
    return {
      get everyMs() {
        if (declaredMs !== null) return declaredMs;
        const isWatched = points().some(
          ({ entity }) => entity.availability.topics.length > 0 || entity.expiresMs !== null,
        );
        return isWatched ? null : UNWATCHED_EVERY_MS;
      },
      get pointExpiresMs() {
        return Object.fromEntries(
          points().flatMap(({ point, entity }) => (entity.expiresMs === null ? [] : [[point, entity.expiresMs]])),
        );
      },
    };
  }
}

/** The state comes again with what was asked for; another state may be the one from before. */
function acknowledgementOf({ stateTopic, template }: Entity, target: string | number): Acknowledgement {
  if (stateTopic === null || template instanceof TemplateError) return NOT_ACKNOWLEDGED;
  const isTarget = (state: Json | undefined): boolean =>
    typeof target === "number" ? numeric(state ?? null, () => undefined) === target : state === target;
  return {
    style: "republish",
    topic: stateTopic,
    judge: ({ topic, text }) => {
      if (topic !== stateTopic) return null;
      return isTarget(applied(template, text, () => undefined)) ? "taken" : null;
    },
  };
}

/** A state is text on the wire, and a number only after a filter or in JSON. */
function numeric(state: Json, problem: (what: string) => void): number | null {
  if (typeof state === "number" || state === null) return state;
  try {
    if (typeof state === "string") return numberOf(state);
    problem("its state is no number");
  } catch (error) {
    if (!(error instanceof PayloadError)) throw error;
    problem(error.message);
  }
  return null;
}
