import type { Announcements, BridgeMessage, Sighting } from "../bridge.ts";
import { at, jsonOf, PayloadError, textAt } from "../payload.ts";
import type { Role } from "../role.ts";

/** Default topics are the device id: model, dash, MAC. */
const DEVICE_ID = /^(shelly[a-z0-9]+)-([0-9a-f]{12})$/i;

export const ANNOUNCEMENTS: Announcements = { filters: ["+/online", "+/events/rpc"], sightings };

function sightings(heard: readonly BridgeMessage[]): readonly Sighting[] {
  const found = new Map<string, Sighting>();
  for (const message of heard) {
    const [topic = "", ...rest] = message.topic.split("/");
    const id = rest.join("/") === "online" ? topic : rest.join("/") === "events/rpc" ? sourceOf(message.text) : null;
    const [, model, mac] = DEVICE_ID.exec(id ?? "") ?? [];
    if (model === undefined || mac === undefined) continue;
    const isMeter = /em/.test(model.toLowerCase());
    const roles: readonly Role[] = isMeter
      ? ["meter", "inverter", "charger", "hvac"]
      : ["charger", "inverter", "hvac", "meter"];
    found.set(mac, {
      key: `shelly:${mac.toLowerCase()}`,
      manufacturer: "Shelly",
      model,
      serial: mac.toUpperCase(),
      firmware: null,
      name: null,
      roles,
      options: { bridge: "shelly-gen2", topic },
      confidence: /3em/i.test(model) ? 0.8 : 0.5,
    });
  }
  return [...found.values()];
}

function sourceOf(text: string): string | null {
  try {
    const event = jsonOf(text);
    return at(event, "method") === undefined ? null : textAt(event, "src");
  } catch (error) {
    if (error instanceof PayloadError) return null;
    throw error;
  }
}
