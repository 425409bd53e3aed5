import type { Announcements, BridgeMessage, Sighting } from "../kit/bridge.ts";
import { eachChannel } from "../kit/channels.ts";
import { type Json, jsonOf, PayloadError, textAt } from "../kit/payload.ts";
import type { Role } from "../kit/role.ts";

export const ANNOUNCEMENTS: Announcements = {
  filters: ["shellies/announce", "shellies/+/announce", "shellies/+/relay/+", "shellies/+/emeter/+/power"],
  ask: [{ topic: "shellies/command", text: "announce" }],
  sightings,
};

/** Models with several relays or circuits, as they announce themselves; others have one. */
const CHANNELS: Readonly<Record<string, number>> = { "SHSW-21": 2, "SHSW-25": 2, "SHSW-44": 4, SHEM: 2 };

/** Meters of circuits with clamps; the others measure at their relays. */
export function measuresCircuits(id: string): boolean {
  return /^shellyem/i.test(id);
}

export function isThreePhase(id: string): boolean {
  return /^shellyem3/i.test(id);
}

function sightings(messages: readonly BridgeMessage[]): readonly Sighting[] {
  const found = new Map<string, Sighting>();
  for (const { topic, text } of messages) {
    const [first, second, third] = topic.split("/");
    if (first !== "shellies" || (second !== "announce" && third !== "announce")) continue;
    const announced = parsed(text);
    const id = textAt(announced, "id");
    const mac = textAt(announced, "mac");
    if (id === null || mac === null || /[+#/]/.test(id)) continue;
    const roles: readonly Role[] = measuresCircuits(id)
      ? ["meter", "inverter", "charger", "hvac"]
      : ["charger", "inverter", "hvac", "meter"];
    const device: Sighting = {
      key: `shelly:${mac.toLowerCase()}`,
      manufacturer: "Shelly",
      model: textAt(announced, "model"),
      serial: mac,
      firmware: textAt(announced, "fw_ver"),
      name: null,
      roles,
      options: { bridge: "shelly-gen1", topic: id },
      confidence: isThreePhase(id) ? 0.8 : 0.5,
    };
    const channels = isThreePhase(id)
      ? []
      : [...channelsOf(id, messages), ...Array(CHANNELS[device.model ?? ""] ?? 1).keys()];
    for (const each of eachChannel(device, channels)) found.set(each.key, each);
  }
  return [...found.values()];
}

/** The relays or circuits that a device was heard to tell of; of a meter of circuits the relay is not one more. */
function channelsOf(id: string, messages: readonly BridgeMessage[]): readonly number[] {
  const kind = measuresCircuits(id) ? "emeter" : "relay";
  return messages.flatMap(({ topic }) => {
    const [, own, part, channel] = topic.split("/");
    return own === id && part === kind && /^\d{1,3}$/.test(channel ?? "") ? [Number(channel)] : [];
  });
}

function parsed(text: string): Json | undefined {
  try {
    return jsonOf(text);
  } catch (error) {
    if (error instanceof PayloadError) return undefined;
    throw error;
  }
}
