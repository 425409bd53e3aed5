/** What a session makes of messages that a link hands over, without a broker. */
import { TestLog, VirtualClock } from "hemgate/testing";
import type { BridgeDevice, BridgeMessage, BridgeOptions } from "../../firmware-bridges/kit/bridge.ts";
import { DeviceSession } from "../../firmware-bridges/kit/device-session.ts";
import { topicMatches } from "../../src/platform/mqtt/topic-filter.ts";
import type { BrokerMessage, MqttLink } from "../../src/platform/ports/ports.ts";
import type { PointName, PointValue } from "../../src/points/points.ts";

export function bridgeOptions(given: Partial<BridgeOptions> & { readonly topic: string }): BridgeOptions {
  return {
    prefix: null,
    role: null,
    isInverted: false,
    channel: null,
    points: new Map(),
    settings: {},
    intervalMs: null,
    replyTopic: "hemgate-test",
    ...given,
  };
}

/** The values after all messages, by point. */
export function readInto(
  device: BridgeDevice,
  messages: readonly BridgeMessage[],
): Partial<Record<PointName, PointValue | null>> {
  const listeners = new Set<{ readonly filter: string; readonly listener: (message: BrokerMessage) => void }>();
  const link: MqttLink = {
    isConnected: true,
    failure: null,
    subscribe: (filter, listener) => {
      const entry = { filter, listener };
      listeners.add(entry);
      return { [Symbol.dispose]: () => void listeners.delete(entry) };
    },
    publish: () => Promise.resolve(),
    observe: () => ({ [Symbol.dispose]: () => undefined }),
    [Symbol.dispose]: () => undefined,
  };
  using session = new DeviceSession({ clock: new VirtualClock(), log: new TestLog(), link, device });
  for (const { topic, text, isRetained } of messages) {
    const payload = new TextEncoder().encode(text);
    const heard = [...listeners].find(({ filter }) => topicMatches(filter, topic));
    heard?.listener({ topic, payload, isRetained });
  }
  const readings = session.points.readings("all", 0, () => Number.NEGATIVE_INFINITY);
  return Object.fromEntries(readings.map(({ point, value }) => [point, value]));
}
