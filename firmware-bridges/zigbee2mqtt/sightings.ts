import type { BridgeMessage, Sighting } from "../kit/bridge.ts";
import { type Json, jsonOf, PayloadError } from "../kit/payload.ts";
import type { Role } from "../kit/role.ts";
import { devicesIn, type ZigbeeDevice } from "./exposes.ts";

const PREFIX = "zigbee2mqtt";
const TOPIC = /^(.+)\/bridge\/devices$/;

export function sightings(messages: readonly BridgeMessage[]): readonly Sighting[] {
  return messages.flatMap(({ topic, text }): readonly Sighting[] => {
    const prefix = TOPIC.exec(topic)?.[1];
    if (prefix === undefined) return [];
    return devicesIn(jsonOrNull(text)).flatMap((device) => sightingsOf(device, prefix));
  });
}

/** Devices that measure power, or heat and cool; lamps and buttons are none of ours. */
function sightingsOf(device: ZigbeeDevice, prefix: string): readonly Sighting[] {
  const { exposes, name, ieee, vendor, model, version, isDisabled } = device;
  const has = (group: string): boolean => exposes.some((each) => each.group === group);
  const hasPower = exposes.some(({ property, group }) => group === null && /^power(_|$)/.test(property));
  const roles: readonly Role[] = has("climate")
    ? ["hvac"]
    : has("switch")
      ? ["charger", "inverter", "hvac", "meter"]
      : ["meter", "inverter", "charger", "hvac"];
  if (isDisabled || !(has("climate") || hasPower) || !/^[^+#\0$][^+#\0]*$/.test(name)) return [];
  return [
    {
      key: `zigbee2mqtt:${ieee ?? `${prefix}/${name}`}`,
      manufacturer: vendor,
      model,
      serial: ieee,
      firmware: version,
      name,
      roles,
      options: { bridge: "zigbee2mqtt", topic: name, ...(prefix !== PREFIX && { prefix }) },
      confidence: has("climate") ? 0.9 : 0.5,
    },
  ];
}

function jsonOrNull(text: string): Json {
  try {
    return jsonOf(text);
  } catch (error) {
    if (error instanceof PayloadError) return null;
    throw error;
  }
}
