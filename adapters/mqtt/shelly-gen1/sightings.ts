import type { Announcements, BridgeMessage, Sighting } from "../bridge.ts";
import { type Json, jsonOf, PayloadError, textAt } from "../payload.ts";
import type { Role } from "../role.ts";

export const ANNOUNCEMENTS: Announcements = {
  filters: ["shellies/announce", "shellies/+/announce"],
  ask: [{ topic: "shellies/command", text: "announce" }],
  sightings,
};

/** Meters of circuits with clamps; the others measure at their relays. */
export function measuresCircuits(id: string): boolean {
  return /^shellyem/i.test(id);
}

export function isThreePhase(id: string): boolean {
  return /^shellyem3/i.test(id);
}

function sightings(heard: readonly BridgeMessage[]): readonly Sighting[] {
  const found = new Map<string, Sighting>();
  for (const { topic, text } of heard) {
    const [first, second, third] = topic.split("/");
    if (first !== "shellies" || (second !== "announce" && third !== "announce")) continue;
    const announced = parsed(text);
    const id = textAt(announced, "id");
    const mac = textAt(announced, "mac");
    if (id === null || mac === null || /[+#/]/.test(id)) continue;
    const roles: readonly Role[] = measuresCircuits(id)
      ? ["meter", "inverter", "charger", "hvac"]
      : ["charger", "inverter", "hvac", "meter"];
    found.set(mac, {
      key: `shelly:${mac.toLowerCase()}`,
      manufacturer: "Shelly",
      model: textAt(announced, "model"),
      serial: mac,
      firmware: textAt(announced, "fw_ver"),
      name: null,
      roles,
      options: { bridge: "shelly-gen1", topic: id },
      confidence: isThreePhase(id) ? 0.8 : 0.5,
    });
  }
  return [...found.values()];
}

function parsed(text: string): Json | undefined {
  try {
    return jsonOf(text);
  } catch (error) {
    if (error instanceof PayloadError) return undefined;
    throw error;
  }
}
