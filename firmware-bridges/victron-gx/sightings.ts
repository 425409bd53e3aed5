import type { BridgeMessage, Sighting } from "../kit/bridge.ts";

/** The portal id is the MAC address of the GX. */
const TOPIC = /^N\/([0-9a-f]{12})\/(system\/0\/Serial|heartbeat)$/;

export function sightings(messages: readonly BridgeMessage[]): readonly Sighting[] {
  const portals = new Set(messages.flatMap(({ topic, text }) => (text === "" ? [] : (TOPIC.exec(topic)?.[1] ?? []))));
  return [...portals].map((portal) => ({
    key: `victron-gx:${portal}`,
    manufacturer: "Victron Energy",
    model: null,
    serial: portal,
    firmware: null,
    name: null,
    roles: ["battery", "inverter", "meter"],
    options: { bridge: "victron-gx", topic: portal },
    confidence: 0.95,
  }));
}
