import type { BridgeMessage, Sighting } from "../kit/bridge.ts";
import { at, entriesOf, type Json, jsonOf, PayloadError, textAt } from "../kit/payload.ts";
import type { Role } from "../kit/role.ts";

export const DISCOVERY = "tasmota/discovery/+/config";
const FULL_TOPIC = "%prefix%/%topic%/";

/** The devices that announced themselves, each in one `config` message. */
export function sightings(messages: readonly BridgeMessage[]): readonly Sighting[] {
  const found = new Map<string, Sighting>();
  for (const message of messages) {
    const sighting = sightingIn(message);
    if (sighting !== null) found.set(sighting.key, sighting);
  }
  return [...found.values()];
}

function sightingIn({ topic, text }: BridgeMessage): Sighting | null {
  if (!/^tasmota\/discovery\/[^/]+\/config$/.test(topic) || text === "") return null;
  const config = parsed(text);
  const name = textAt(config, "t");
  const mac = textAt(config, "mac");
  if (name === null || mac === null) return null;
  const fullTopic = textAt(config, "ft") ?? FULL_TOPIC;
  return {
    key: `tasmota:${mac.toLowerCase()}`,
    manufacturer: "Tasmota",
    model: textAt(config, "md"),
    serial: mac,
    firmware: textAt(config, "sw"),
    name: textAt(config, "dn"),
    roles: rolesOf(config),
    options: { bridge: "tasmota", topic: name, ...(fullTopic !== FULL_TOPIC && { prefix: fullTopic }) },
    // Who it is, is certain; what hangs on it is not.
    confidence: 0.5,
  };
}

/** Relay types: 0 none, 1 relay, 2 light, 3 shutter. Without any relay it reads a meter. */
function rolesOf(config: Json | null): readonly Role[] {
  const relays = entriesOf({ rl: at(config ?? null, "rl") ?? [] }).flatMap(([, list]) =>
    Array.isArray(list) ? list : [],
  );
  return relays.includes(1) ? ["charger", "inverter", "meter", "hvac"] : ["meter"];
}

function parsed(text: string): Json | null {
  try {
    return jsonOf(text);
  } catch (error) {
    if (error instanceof PayloadError) return null;
    throw error;
  }
}
