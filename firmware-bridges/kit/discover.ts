import type { BrokerMessage, Clock, MqttLink } from "hemgate/sdk";
import type { Bridge, BridgeMessage, Sighting } from "./bridge.ts";
import { BRIDGES } from "./bridges.ts";
import { PayloadError, textOf } from "./payload.ts";

/** What one listening keeps of each bridge's announcements; a broker with more is a strange one. */
const MAX_MESSAGES = 5_000;
const MAX_CHARACTERS = 4_000_000;

/** What was heard for one bridge. A later message on a topic takes the place of an earlier one. */
interface Received {
  readonly bridge: Bridge;
  readonly byTopic: Map<string, BridgeMessage>;
  characters: number;
}

/**
 * Asks for announcements, listens to them for a while, and answers the devices that made themselves known, each once,
 * the surest first. Rejects with the signal's reason. It asks again when the link comes back meanwhile.
 */
export async function discoverDevices(
  { link, clock }: { readonly link: MqttLink; readonly clock: Pick<Clock, "sleep"> },
  listenMs: number,
  signal: AbortSignal,
): Promise<readonly Sighting[]> {
  using listening = new DisposableStack();
  const received = BRIDGES.map((bridge): Received => ({ bridge, byTopic: new Map(), characters: 0 }));
  for (const each of received) {
    for (const filter of each.bridge.announcements?.filters ?? []) {
      listening.use(link.subscribe(filter, (message) => keep(each, message)));
    }
  }
  listening.use(link.observe((isConnected) => isConnected && ask(link)));
  if (link.isConnected) ask(link);
  await clock.sleep(listenMs, signal);
  return sightingsIn(received);
}

function keep(received: Received, { topic, payload, isRetained, mayUse }: BrokerMessage): void {
  const { byTopic } = received;
  if ((byTopic.size >= MAX_MESSAGES && !byTopic.has(topic)) || received.characters > MAX_CHARACTERS) return;
  try {
    const text = textOf(payload);
    received.characters += text.length;
    byTopic.set(topic, { topic, text, isRetained, mayUse });
  } catch (error) {
    // What is no text announces nothing.
    if (!(error instanceof PayloadError)) throw error;
  }
}

/** An announcement that is asked for and does not come is one device less; nobody waits for it. */
function ask(link: MqttLink): void {
  for (const { announcements } of BRIDGES) {
    for (const { topic, text } of announcements?.ask ?? []) {
      const payload = new TextEncoder().encode(text);
      link.publish({ topic, payload, isRetained: false }).catch(() => undefined);
    }
  }
}

function sightingsIn(received: readonly Received[]): readonly Sighting[] {
  const surest = new Map<string, Sighting>();
  for (const { bridge, byTopic } of received) {
    for (const sighting of bridge.announcements?.sightings([...byTopic.values()]) ?? []) {
      // One device may announce itself in several ways, as ESPHome does for Home Assistant.
      const key = identityOf(sighting);
      const known = surest.get(key);
      if (known === undefined || known.confidence < sighting.confidence) surest.set(key, sighting);
    }
  }
  return [...surest.values()].toSorted((a, b) => b.confidence - a.confidence || (a.key < b.key ? -1 : 1));
}

/** A MAC is the same device however it is announced; with a channel it is one of several devices that share the MAC. */
function identityOf({ key, serial, options }: Sighting): string {
  const mac = serial?.replaceAll(":", "").toLowerCase() ?? "";
  return /^[0-9a-f]{12}$/.test(mac) ? `${mac}#${options.channel ?? 0}` : key;
}
