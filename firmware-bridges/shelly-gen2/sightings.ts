import type { Announcements, BridgeMessage, Sighting } from "../kit/bridge.ts";
import { eachChannel } from "../kit/channels.ts";
import { at, entriesOf, jsonOf, PayloadError, textAt } from "../kit/payload.ts";
import type { Role } from "../kit/role.ts";
import { channelsIn } from "./components.ts";

/** Default topics are the device id: model, dash, MAC. */
const DEVICE_ID = /^(shelly[a-z0-9]+)-([0-9a-f]{12})$/i;

/** What the names of models with several relays or meters say; others have one. */
const CHANNELS: readonly (readonly [model: RegExp, channels: number])[] = [
  [/proem/i, 2],
  [/2pm/i, 2],
  [/4pm/i, 4],
];

export const ANNOUNCEMENTS: Announcements = { filters: ["+/online", "+/events/rpc", "+/status/+"], sightings };

function sightings(messages: readonly BridgeMessage[]): readonly Sighting[] {
  const found = new Map<string, Sighting>();
  for (const message of messages) {
    const { topic, id, channels } = announced(message);
    const [, model, mac] = DEVICE_ID.exec(id ?? "") ?? [];
    if (model === undefined || mac === undefined) continue;
    const isMeter = /em/.test(model.toLowerCase());
    const roles: readonly Role[] = isMeter
      ? ["meter", "inverter", "charger", "hvac"]
      : ["charger", "inverter", "hvac", "meter"];
    const known = CHANNELS.find(([name]) => name.test(model))?.[1] ?? 1;
    const first: Sighting = {
      key: `shelly:${mac.toLowerCase()}`,
      manufacturer: "Shelly",
      model,
      serial: mac.toUpperCase(),
      firmware: null,
      name: null,
      roles,
      options: { bridge: "shelly-gen2", topic },
      confidence: /3em/i.test(model) ? 0.8 : 0.5,
    };
    for (const each of eachChannel(first, [...channels, ...Array(known).keys()])) found.set(each.key, each);
  }
  return [...found.values()];
}

/** Who speaks, and of which of its relays or meters. */
function announced({ topic, text }: BridgeMessage): {
  readonly topic: string;
  readonly id: string | null;
  readonly channels: readonly number[];
} {
  const [first = "", ...rest] = topic.split("/");
  const [kind, component = ""] = rest;
  if (kind === "online" && rest.length === 1) return { topic: first, id: first, channels: [] };
  if (kind === "status") return { topic: first, id: first, channels: channelsIn([component]) };
  try {
    const event = jsonOf(text);
    const id = at(event, "method") === undefined ? null : textAt(event, "src");
    return { topic: first, id, channels: channelsIn(entriesOf(at(event, "params")).map(([name]) => name)) };
  } catch (error) {
    if (error instanceof PayloadError) return { topic: first, id: null, channels: [] };
    throw error;
  }
}
