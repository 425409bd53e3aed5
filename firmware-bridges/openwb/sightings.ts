import type { BridgeMessage, Sighting } from "../kit/bridge.ts";
import type { ComponentRole } from "./components.ts";

const TOPIC = /^([^/]+)\/(chargepoint|counter|bat|pv)\/(\d{1,5})\/get\/(power|plug_state)$/;
const ROOT = "openWB";
const ROLE: Readonly<Record<string, ComponentRole>> = {
  chargepoint: "charger",
  counter: "meter",
  bat: "battery",
  pv: "inverter",
};

export function sightings(messages: readonly BridgeMessage[]): readonly Sighting[] {
  const found = new Map<string, Sighting>();
  for (const { topic, text } of messages) {
    const [, root, kind = "", id] = TOPIC.exec(topic) ?? [];
    const role = ROLE[kind];
    if (root === undefined || role === undefined || id === undefined || text === "") continue;
    found.set(`${root}/${kind}/${id}`, {
      key: `openwb:${root}:${kind}:${id}`,
      manufacturer: "openWB",
      model: null,
      serial: null,
      firmware: null,
      name: `${kind} ${id}`,
      roles: [role],
      options: { bridge: "openwb", topic: root, channel: Number(id) },
      // Another counter than the grid's measures a part of the house.
      confidence: root !== ROOT ? 0.4 : role === "meter" ? 0.7 : 0.9,
    });
  }
  return [...found.values()];
}
