import type { Broker, BrokerMessage, BrokerSettings } from "../platform/ports.ts";

/** A broker without a network: what was published can be looked at. */
export interface MemoryBroker extends Broker {
  /** The retained payload of each topic as text. */
  readonly retained: ReadonlyMap<string, string>;
}

export function memoryBroker(settings: BrokerSettings): MemoryBroker {
  const retained = new Map<string, string>();
  return {
    address: settings,
    retained,
    publish(message: BrokerMessage): Promise<void> {
      if (message.isRetained && message.payload.length === 0) retained.delete(message.topic);
      else if (message.isRetained) retained.set(message.topic, Buffer.from(message.payload).toString("utf8"));
      return Promise.resolve();
    },
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
}
