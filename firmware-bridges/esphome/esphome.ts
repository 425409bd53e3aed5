import type { Entity } from "../homeassistant/entity.ts";
import { EntityDevice } from "../homeassistant/entity-device.ts";
import { PLAIN } from "../homeassistant/template.ts";
import type { Bridge, BridgeMessage, BridgeOptions, Intake } from "../kit/bridge.ts";
import { namedPoints } from "../kit/named-points.ts";
import { jsonOf, textAt } from "../kit/payload.ts";
import { ANNOUNCEMENTS } from "./sightings.ts";

const DISCOVERY_PREFIX = "homeassistant";
/** Sensors tell once a minute, unless their `update_interval` was changed. */
const EVERY_MS = 60_000;
const PING_EVERY_MS = 30_000;
/** Limits of numbers that the configuration names: their own limits stand in the discovery message only. */
const LIMIT_PERCENT = { min: 0, max: 100 };

/** ESPHome nodes that speak MQTT; topics in topics.md. */
export const esphome: Bridge = {
  name: "esphome",
  announcements: ANNOUNCEMENTS,
  open: (options) => {
    const { topic, intervalMs } = options;
    const prefix = options.prefix ?? DISCOVERY_PREFIX;
    const reply = `esphome/discover/${topic}`;
    const status = `${topic}/status`;
    return new EntityDevice(options, {
      bridge: "esphome",
      prefix,
      announcements: [`${prefix}/+/${topic}/+/config`],
      extra: [status, reply],
      isOwn: () => true,
      unannounced: unannounced(options),
      takeFurther: (message, intake) => takeFurther(message, intake, { status, reply }),
      everyMs: EVERY_MS,
      hello: [{ topic: `esphome/ping/${topic}`, text: "" }],
      query: { everyMs: Math.min(PING_EVERY_MS, intervalMs ?? PING_EVERY_MS), messages: () => [ping(topic)] },
    });
  },
};

function ping(node: string): { readonly topic: string; readonly text: string } {
  return { topic: `esphome/ping/${node}`, text: "hemgate" };
}

function takeFurther(
  { topic, text }: BridgeMessage,
  intake: Intake,
  { status, reply }: { readonly status: string; readonly reply: string },
): boolean {
  if (topic === status) {
    intake.present(text !== "offline", "its last will says that it is offline");
    // Entities name this topic for their availability, too.
    return false;
  }
  if (topic !== reply) return false;
  const node = jsonOf(text);
  intake.alive();
  intake.identity({
    manufacturer: "ESPHome",
    model: textAt(node, "board"),
    serial: textAt(node, "mac"),
    version: textAt(node, "version"),
    name: textAt(node, "friendly_name") ?? textAt(node, "name"),
  });
  return true;
}

/** Entities that `points` names by their topic, as `sensor/power_import kW`: their node may run with discovery off. */
function unannounced({ topic, points }: BridgeOptions): readonly Entity[] {
  return namedPoints(points, "esphome").flatMap(({ point, name, unit }): readonly Entity[] => {
    const [, component, objectId] = /^([a-z_]+)\/([a-z0-9_-]+)$/i.exec(name) ?? [];
    if (component === undefined || objectId === undefined) return [];
    const isSettable = component === "switch" || component === "number";
    return [
      {
        id: name,
        objectId,
        name: null,
        component,
        deviceClass: null,
        unit: unit ?? (point === "inverter.powerLimit" ? "%" : null),
        stateTopic: `${topic}/${name}/state`,
        template: PLAIN,
        commandTopic: isSettable ? `${topic}/${name}/command` : null,
        range: point === "inverter.powerLimit" ? LIMIT_PERCENT : null,
        on: { command: "ON", state: "ON" },
        off: { command: "OFF", state: "OFF" },
        refused: [],
        availability: { mode: "latest", topics: [] },
        expiresMs: null,
        device: { identifiers: [], name: null, manufacturer: null, model: null, version: null, serial: null },
      },
    ];
  });
}
