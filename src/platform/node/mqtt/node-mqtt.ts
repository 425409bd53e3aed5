import type { IClientOptions, MqttClient } from "mqtt";
import { DeviceError } from "../../../points/device-error.ts";
import { type MqttAddress, mqttAddress } from "../../mqtt/mqtt-address.ts";
import { type MqttSession, ReconnectingLink, type SessionEvents } from "../../mqtt/reconnecting-link.ts";
import type { BrokerMessage, Clock, Log, Mqtt, MqttServer, Random } from "../../ports/ports.ts";
import { authorities, limitPackets, mqttFault, sendAtOnce } from "./mqtt-client.ts";

const KEEPALIVE_S = 30;
const CONNECT_MS = 10_000;
/** What a server may send in one packet: a whole Zigbee network described in one message is some hundred kB. */
const MAX_PACKET_BYTES = 4 * 1024 * 1024;
const CLIENT_ID_BYTES = 6;
/** CONNACK return codes (3.1.1, table 3.1) that say that the credentials are the reason. */
const SIGN_IN_REFUSED: readonly unknown[] = [4, 5];

/** MQTT 3.1.1 over TCP or TLS. One `MqttClient` a connection, so that nothing of a lost one is sent again. */
export function nodeMqtt({ clock, random, log }: { clock: Clock; random: Random; log: Log }): Mqtt {
  return {
    connect(server) {
      const address = mqttAddress(server);
      const clientId = server.clientId ?? `hemgate-${Buffer.from(random.secretBytes(CLIENT_ID_BYTES)).toString("hex")}`;
      const own = log.child({ mqttServer: server.url });
      return new ReconnectingLink({ clock, random, log: own }, (events, signal) =>
        dial({ ...server, clientId }, address, events, signal),
      );
    },
  };
}

async function dial(
  server: MqttServer & { readonly clientId: string },
  address: MqttAddress,
  events: SessionEvents,
  signal: AbortSignal,
): Promise<MqttSession> {
  const ca = server.caFile === undefined ? undefined : await authorities(server.caFile);
  // Loaded on demand: most homes run without MQTT.
  const { connect } = await import("mqtt");
  signal.throwIfAborted();
  const client = connect(options(server, address, ca));
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  let failure: DeviceError | null = null;
  const abort = (): void => {
    client.end(true);
    reject(signal.reason);
  };
  signal.addEventListener("abort", abort, { once: true });
  const blame = (error: Error): void => {
    failure ??= reasonOf(error, server.url);
    // What is no MQTT does not end the connection by itself: the client would wait for more of it.
    client.stream.destroy();
  };
  sendAtOnce(client);
  limitPackets(client, MAX_PACKET_BYTES, blame);
  client.on("connect", () => resolve());
  client.on("error", blame);
  client.on("message", (topic, payload, packet) =>
    events.message({ topic, payload: new Uint8Array(payload), isRetained: packet.retain }),
  );
  client.once("close", () => {
    const error = failure ?? new DeviceError("unreachable", `${server.url}: the connection ended`);
    reject(error);
    client.end(true);
    events.closed(error);
  });
  try {
    await promise;
  } finally {
    signal.removeEventListener("abort", abort);
  }
  return session(client);
}

function options(
  server: MqttServer & { readonly clientId: string },
  { host, port, isSecure }: MqttAddress,
  ca: string | undefined,
): IClientOptions {
  const { username, password, clientId, will } = server;
  return {
    protocol: isSecure ? "mqtts" : "mqtt",
    host,
    port,
    clientId,
    ...(username === undefined ? {} : { username }),
    ...(password === undefined ? {} : { password }),
    ...(ca === undefined ? {} : { ca }),
    ...(will === undefined
      ? {}
      : { will: { topic: will.topic, payload: Buffer.from(will.payload), retain: will.isRetained, qos: 1 } }),
    protocolVersion: 4,
    clean: true,
    keepalive: KEEPALIVE_S,
    connectTimeout: CONNECT_MS,
    // The link finds its way back by itself: the client's own pause is fixed and has no chance in it.
    reconnectPeriod: 0,
    resubscribe: false,
    // Its queue of QoS 0 has no end.
    queueQoSZero: false,
  };
}

function session(client: MqttClient): MqttSession {
  return {
    async publish({ topic, payload, isRetained }: BrokerMessage) {
      await worded(client.publishAsync(topic, Buffer.from(payload), { qos: 1, retain: isRetained }));
    },
    async subscribe(filter) {
      await worded(client.subscribeAsync(filter, { qos: 1 }));
    },
    unsubscribe(filter) {
      client.unsubscribe(filter, () => undefined);
    },
    [Symbol.dispose]: () => void client.end(),
  };
}

async function worded(work: Promise<unknown>): Promise<void> {
  try {
    await work;
  } catch (cause) {
    throw new Error(mqttFault(cause), { cause });
  }
}

function reasonOf(error: Error, url: string): DeviceError {
  const code: unknown = "code" in error ? error.code : null;
  const kind = SIGN_IN_REFUSED.includes(code) ? "unauthorized" : "unreachable";
  const reason = kind === "unauthorized" ? "the broker refused the sign-in" : mqttFault(error);
  return new DeviceError(kind, `${url}: ${reason}`, { cause: error });
}
