import type { Announcements, BridgeMessage, Sighting } from "../kit/bridge.ts";
import { jsonOf, PayloadError, textAt } from "../kit/payload.ts";

export const ANNOUNCEMENTS: Announcements = {
  filters: ["esphome/discover/+"],
  ask: [{ topic: "esphome/discover", text: "hemgate" }],
  sightings,
};

function sightings(messages: readonly BridgeMessage[]): readonly Sighting[] {
  return messages.flatMap((message) => sightingIn(message));
}

function sightingIn({ topic, text }: BridgeMessage): readonly Sighting[] {
  const [, node] = /^esphome\/discover\/([^/+#]+)$/.exec(topic) ?? [];
  if (node === undefined || text === "") return [];
  try {
    const info = jsonOf(text);
    const mac = textAt(info, "mac");
    if (mac === null) return [];
    return [
      {
        key: `esphome:${mac.toLowerCase()}`,
        manufacturer: "ESPHome",
        model: textAt(info, "board"),
        serial: mac,
        firmware: textAt(info, "version"),
        name: textAt(info, "friendly_name") ?? textAt(info, "name"),
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
