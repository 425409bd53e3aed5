import type { BridgeMessage, Sighting } from "../kit/bridge.ts";

const TOPIC = /^([^/]+)\/(?:site\/homePower|loadpoints\/(\d{1,3})\/mode)$/;

/** The house, and each loadpoint. */
export function sightings(messages: readonly BridgeMessage[]): readonly Sighting[] {
  const found = new Map<string, Sighting>();
  for (const { topic, text } of messages) {
    const [, root, loadpoint] = TOPIC.exec(topic) ?? [];
    if (root === undefined || text === "") continue;
    const isHouse = loadpoint === undefined;
    const key = isHouse ? `evcc:${root}` : `evcc:${root}:${loadpoint}`;
    found.set(key, {
      key,
      manufacturer: "evcc",
      model: null,
      serial: null,
      firmware: null,
      name: isHouse ? "evcc" : `evcc loadpoint ${loadpoint}`,
      roles: [isHouse ? "meter" : "charger"],
      options: { bridge: "evcc", topic: root, ...(isHouse ? {} : { channel: Number(loadpoint) }) },
      confidence: root === "evcc" ? 0.9 : 0.5,
    });
  }
  return [...found.values()];
}
