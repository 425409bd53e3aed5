import type { BridgeMessage, Sighting } from "../kit/bridge.ts";
import { type Json, jsonOf, PayloadError, textAt } from "../kit/payload.ts";

export interface OpenEvseAnnouncement {
  readonly state: string | null;
  readonly id: string | null;
  readonly name: string | null;
  /** Its base topic. */
  readonly topic: string;
}

/** What a charger says of itself; null for what is no announcement. */
export function announcementOf(text: string): OpenEvseAnnouncement | null {
  let json: Json;
  try {
    json = jsonOf(text);
  } catch (error) {
    if (error instanceof PayloadError) return null;
    throw error;
  }
  const topic = textAt(json, "mqtt");
  if (topic === null) return null;
  return { topic, state: textAt(json, "state"), id: textAt(json, "id"), name: textAt(json, "name") };
}

export function sightings(messages: readonly BridgeMessage[]): readonly Sighting[] {
  return messages.flatMap(({ text }): readonly Sighting[] => {
    const announced = announcementOf(text);
    if (announced === null || announced.state !== "connected" || /[+#\0]|^\$/.test(announced.topic)) return [];
    const { id, name, topic } = announced;
    return [
      {
        key: `openevse:${id ?? topic}`,
        manufacturer: "OpenEVSE",
        model: null,
        serial: id,
        firmware: null,
        name,
        roles: ["charger"],
        options: { bridge: "openevse", topic },
        confidence: 0.95,
      },
    ];
  });
}
