import type { MqttConfig } from "../config/mqtt-config.ts";
import type { BrokerAccess, BrokerMessage, Platform } from "../platform/ports/ports.ts";
import type { ConfiguredBroker } from "./mqtt-links.ts";
import { OFFLINE, STATUS_TOPIC } from "./own-status.ts";
import { RetainedKeeper, type RetainedStorage } from "./retained-keeper.ts";
import { RetainedMessages } from "./retained-messages.ts";
import { createSignIns } from "./sign-ins.ts";

interface ConfiguredParts {
  readonly platform: Pick<Platform, "clock" | "openBroker">;
  /** Undefined: MQTT is off. */
  readonly config: MqttConfig | undefined;
  readonly storage: RetainedStorage;
  readonly isClient: (id: string, secret: string) => Promise<boolean>;
}

/** Opens what the configuration names; the caller disposes it. Rejects when the embedded broker cannot be opened. */
export async function openConfigured(
  parts: ConfiguredParts,
): Promise<{ readonly broker: ConfiguredBroker } & AsyncDisposable> {
  const { config } = parts;
  if (config === undefined) return { broker: { kind: "none" }, [Symbol.asyncDispose]: async () => undefined };
  if (config.broker !== null) {
    const will: BrokerMessage = { topic: STATUS_TOPIC, payload: OFFLINE, isRetained: true };
    const server = { ...config.broker, will };
    return { broker: { kind: "elsewhere", server }, [Symbol.asyncDispose]: async () => undefined };
  }
  return await openEmbedded(parts, config);
}

async function openEmbedded({ platform, storage, isClient }: ConfiguredParts, config: MqttConfig) {
  const { clock } = platform;
  const { limits, users } = config;
  await using opened = new AsyncDisposableStack();
  const keeper = opened.use(new RetainedKeeper({ clock, storage, bytesPerDay: limits.storedBytesPerDay }));
  let isLoaded = false;
  const retained = new RetainedMessages(limits, (topic, message) => {
    if (isLoaded) keeper.changed(topic, message);
  });
  for (const message of storage.load()) {
    // There may be less room than there was when it was stored.
    if (!retained.put(message, false)) storage.write(message.topic, null);
  }
  isLoaded = true;
  const access: BrokerAccess = createSignIns({ users, isClient, clock, limit: limits.wrongSignIns });
  const broker = opened.use(await platform.openBroker(config, access, retained));
  const open = opened.move();
  return { broker: { kind: "embedded", broker } as const, [Symbol.asyncDispose]: () => open.disposeAsync() };
}
