import type { BridgeMessage, Sighting } from "../kit/bridge.ts";
import { PayloadError } from "../kit/payload.ts";
import { ROLES, type Role } from "../kit/role.ts";
import { announcedIn } from "./announcement.ts";
import type { Entity, EntityChange } from "./entity.ts";
import { entityPoints } from "./entity-points.ts";

/** Announced devices that one search tells of, and entities that are looked at of each. */
const MAX_DEVICES = 200;
const MAX_ENTITIES = 500;
/** Makers whose devices have their own bridge, which knows more than the announcement. */
const OTHERS = /^(tasmota|espressif|esphome)$/i;

export function announcementFilters(prefix: string): readonly string[] {
  return [`${prefix}/+/+/config`, `${prefix}/+/+/+/config`];
}

/** The announced devices of which at least one power could be read. */
export function sightings(messages: readonly BridgeMessage[], prefix: string): readonly Sighting[] {
  const devices = new Map<string, Entity[]>();
  for (const message of messages) {
    for (const { entity } of announced(message, prefix)) {
      const [identifier] = entity?.device.identifiers ?? [];
      if (entity === null || identifier === undefined || /[+#]/.test(identifier)) continue;
      const known = devices.get(identifier);
      if (known !== undefined && known.length < MAX_ENTITIES) known.push(entity);
      else if (known === undefined && devices.size < MAX_DEVICES) devices.set(identifier, [entity]);
    }
  }
  return [...devices].flatMap(([identifier, entities]) => sightingOf(identifier, entities));
}

function sightingOf(identifier: string, entities: readonly Entity[]): readonly Sighting[] {
  const device = entities[0]?.device;
  const roles = rolesOf(entities);
  if (device === undefined || roles.length === 0) return [];
  return [
    {
      key: `homeassistant:${identifier}`,
      manufacturer: device.manufacturer,
      model: device.model,
      serial: device.serial ?? identifier,
      firmware: device.version,
      name: device.name,
      roles,
      options: { bridge: "homeassistant", topic: identifier },
      confidence: OTHERS.test(device.manufacturer ?? "") ? 0.2 : 0.4,
    },
  ];
}

/** The roles in which the announcements tell something without a word from the user, the most telling first. */
function rolesOf(entities: readonly Entity[]): readonly Role[] {
  // A temperature alone makes no heating or cooling unit: weather stations, fridges and plugs tell theirs as well.
  const countOf = (role: Role): number =>
    entityPoints(entities, [], { role, isInverted: false }).points.filter(({ point }) => point !== "hvac.temperature")
      .length;
  const hasBattery = entities.some(({ deviceClass }) => deviceClass === "battery");
  const known = ROLES.filter((role) => countOf(role) > 0 && (role !== "battery" || hasBattery));
  return known.toSorted((a, b) => countOf(b) - countOf(a));
}

function announced(message: BridgeMessage, prefix: string): readonly EntityChange[] {
  try {
    return announcedIn(message, prefix);
  } catch (error) {
    if (error instanceof PayloadError) return [];
    throw error;
  }
}
