import type { BridgeMessage, Sighting } from "../kit/bridge.ts";
import { jsonOf, PayloadError } from "../kit/payload.ts";
import { descriptionOf, type HomieDescription } from "./description.ts";

/** The devices that say a state, with what their description tells. */
export function sightings(messages: readonly BridgeMessage[]): readonly Sighting[] {
  const described = new Map<string, HomieDescription>();
  const alive = new Map<string, { readonly prefix: string; readonly id: string }>();
  for (const { topic, text } of messages) {
    const [, prefix, id, key] = /^([^/]+)\/5\/([a-z0-9-]+)\/\$(state|description)$/.exec(topic) ?? [];
    if (prefix === undefined || id === undefined || text === "") continue;
    if (key === "state") alive.set(`${prefix}/${id}`, { prefix, id });
    else {
      const description = parsed(text);
      if (description !== null) described.set(`${prefix}/${id}`, description);
    }
  }
  return [...alive].flatMap(([name, { prefix, id }]): readonly Sighting[] => {
    const description = described.get(name);
    // Without a power there is nothing that this gateway could do with it.
    if (description?.properties.some(({ unit }) => unit === "W" || unit === "kW") !== true) return [];
    return [
      {
        key: `homie:${name}`,
        manufacturer: null,
        model: description.type,
        serial: id,
        firmware: null,
        name: description.name,
        roles: ["meter", "inverter", "charger", "battery", "hvac"],
        options: { bridge: "homie", topic: id, ...(prefix !== "homie" && { prefix }) },
        confidence: 0.4,
      },
    ];
  });
}

function parsed(text: string): HomieDescription | null {
  try {
    return descriptionOf(jsonOf(text));
  } catch (error) {
    if (error instanceof PayloadError) return null;
    throw error;
  }
}
