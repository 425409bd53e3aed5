import type { PointName } from "hemgate/sdk";
import type { NamedPoint } from "../kit/named-points.ts";
import { pointOf, type Quantity, type Role } from "../kit/role.ts";
import { conversionTo, type ToPoint } from "../kit/units.ts";
import type { Entity } from "./entity.ts";

/** An entity that tells a point. */
export interface EntityPoint {
  readonly point: PointName;
  readonly entity: Entity;
  readonly convert: ToPoint;
}

export interface EntityPoints {
  readonly points: readonly EntityPoint[];
  /** What was ambiguous or not understood, for the log. */
  readonly problems: readonly string[];
}

/** Candidates that a line of the log names. */
const SHOWN = 20;
const PHASE =
  /(?:^|[^a-z0-9])(?:l|phase[ _-]?)([123])(?:[^0-9]|$)|(?:^|[^a-z0-9])phase[ _-]?([abc])(?:[^a-z]|$)|_([abc])$/i;
const REVERSE = /export|return|feed|sold|to[ _-]grid|discharg/i;

/** Joins points with entities: those that the configuration names, the others by class, unit and name. */
export function entityPoints(
  entities: readonly Entity[],
  named: readonly NamedPoint[],
  parsed: { readonly role: Role | null; readonly isInverted: boolean },
): EntityPoints {
  const problems: string[] = [];
  const points: EntityPoint[] = [];
  for (const { point, name, unit, convert } of named) {
    const entity = entities.find((each) => each.id === name || each.objectId === name || each.name === name);
    if (entity === undefined) continue;
    // The device's own unit counts unless the configuration has another one.
    const own = unit === null && entity.unit !== null ? conversionTo(entity.unit, point) : convert;
    if (own === null) problems.push(`${entity.id}: ${entity.unit} does not measure ${point}`);
    else points.push({ point, entity, convert: own });
  }
  const isNamed = new Set(points.map(({ point }) => point));
  for (const [point, candidates] of guesses(entities, parsed)) {
    if (isNamed.has(point) || named.some((each) => each.point === point)) continue;
    const [only, ...others] = candidates;
    if (only === undefined) continue;
    if (others.length === 0) points.push(only);
    else {
      const ids = candidates.map(({ entity }) => entity.id).toSorted();
      const more = ids.length > SHOWN ? ` and ${ids.length - SHOWN} more` : "";
      problems.push(`${point}: name one of ${ids.slice(0, SHOWN).join(", ")}${more} under points`);
    }
  }
  return { points, problems };
}

function guesses(
  entities: readonly Entity[],
  { role, isInverted }: { readonly role: Role | null; readonly isInverted: boolean },
): ReadonlyMap<PointName, readonly EntityPoint[]> {
  const found = new Map<PointName, EntityPoint[]>();
  if (role === null) return found;
  for (const entity of entities) {
    const point = guess(entity, role, isInverted);
    if (point === null) continue;
    const convert = entity.unit === null ? (value: number) => value : conversionTo(entity.unit, point);
    if (convert === null) continue;
    const candidates = found.get(point);
    if (candidates === undefined) found.set(point, [{ point, entity, convert }]);
    else candidates.push({ point, entity, convert });
  }
  return found;
}

/** The point that an entity seems to tell; null for none. Only what has a unit is guessed as a measurement. */
function guess(entity: Entity, role: Role, isInverted: boolean): PointName | null {
  const { component, deviceClass, unit, stateTopic, commandTopic } = entity;
  if (component === "switch") return role === "charger" && commandTopic !== null ? "charger.enabled" : null;
  if (component !== "sensor" || stateTopic === null || unit === null) return null;
  if (deviceClass === "battery") return role === "battery" ? "battery.soc" : null;
  if (deviceClass === "temperature") return role === "hvac" ? "hvac.temperature" : null;
  const quantity = quantityOf(entity);
  return quantity === null ? null : pointOf(role, quantity, isInverted);
}

function quantityOf({ deviceClass, id, name }: Entity): Quantity | null {
  const words = `${id} ${name ?? ""}`;
  const [, digit, worded, letter] = PHASE.exec(id) ?? PHASE.exec(name ?? "") ?? [];
  const number = digit ?? { a: "1", b: "2", c: "3" }[(worded ?? letter ?? "").toLowerCase()];
  const phase = number === "1" ? "l1" : number === "2" ? "l2" : number === "3" ? "l3" : null;
  switch (deviceClass) {
    case "power":
      return phase === null ? "power" : `power.${phase}`;
    case "voltage":
      return `voltage.${phase ?? "l1"}`;
    case "current":
      return `current.${phase ?? "l1"}`;
    case "frequency":
      return "frequency";
    case "energy":
      // Counters of single phases have no point.
      return phase !== null ? null : REVERSE.test(words) ? "energyReverse" : "energyForward";
    default:
      return null;
  }
}
