import type { Announcements, BridgeMessage, Sighting } from "../kit/bridge.ts";
import { jsonOf, PayloadError, textAt } from "../kit/payload.ts";

export const ANNOUNCEMENTS: Announcements = {
  filters: ["esphome/discover/+"],
  ask: [{ topic: "esphome/discover", text: "hemgate" }],
  sightings,
};

function sightings(heard: readonly BridgeMessage[]): readonly Sighting[] {
  return heard.flatMap((message) => sightingIn(message));
}

function sightingIn({ topic, text }: BridgeMessage): readonly Sighting[] {
  const [, node] = /^esphome\/discover\/([^/+#]+)$/.exec(topic) ?? [];
  if (node === undefined || text === "") return [];
  try {
    const told = jsonOf(text);
    const mac = textAt(told, "mac");
    if (mac === null) return [];
    return [
      {
        key: `esphome:${mac.toLowerCase()}`,
        manufacturer: "ESPHome",
        model: textAt(told, "board"),
        serial: mac,
        firmware: textAt(told, "version"),
        name: textAt(told, "friendly_name") ?? textAt(told, "name"),
        roles: ["meter", "inverter", "charger", "battery", "hvac"],
        options: { bridge: "esphome", topic: node },
        // It is an ESPHome node for sure; whether it measures anything, its announcement does not say.
        confidence: 0.3,
      },
    ];
  } catch (error) {
    if (error instanceof PayloadError) return [];
    throw error;
  }
}
