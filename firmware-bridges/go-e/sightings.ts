import type { BridgeMessage, Sighting } from "../kit/bridge.ts";

/** `go-eCharger/<serial>/sse`; old firmware begins with a slash. */
const TOPIC = /^(\/?[^/]+)\/(\d{6,10})\/(var|sse)$/;
const PREFIX = "go-eCharger";

export function sightings(messages: readonly BridgeMessage[]): readonly Sighting[] {
  const found = new Map<string, Sighting>();
  for (const { topic, text } of messages) {
    const [, prefix, serial, key] = TOPIC.exec(topic) ?? [];
    if (prefix === undefined || serial === undefined) continue;
    // Under other prefixes many things have a number: the charger repeats its own.
    const isSure = key === "sse" && text === JSON.stringify(serial);
    if (!isSure && !prefix.endsWith(PREFIX)) continue;
    found.set(serial, {
      key: `go-e:${serial}`,
      manufacturer: "go-e",
      model: null,
      serial,
      firmware: null,
      name: null,
      roles: ["charger"],
      options: { bridge: "go-e", topic: serial, ...(prefix !== PREFIX && { prefix }) },
      confidence: 0.95,
    });
  }
  return [...found.values()];
}
