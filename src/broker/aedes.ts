/** The broker port over aedes, listening on TCP. MQTT 3.1.1; clients sign in and read, nothing else. */
import { createServer, type Server } from "node:net";
import { Aedes, type AedesPublishPacket, type AuthenticateError } from "aedes";
import type { Broker, BrokerAccess, BrokerMessage, BrokerSettings, Log } from "../platform/ports.ts";
import { isTopicFilter, topicMatches } from "../platform/topic-filter.ts";

const MAX_CONNECTIONS = 64;
/** A client that is connected and says nothing. */
const CONNECT_TIMEOUT_MS = 5_000;
/** A client that stops reading is cut off: aedes shares one delivery window between all of them. */
const DRAIN_TIMEOUT_MS = 5_000;
/** The longest silence a client may ask for; 0 would let a dead one stay for ever. */
const KEEPALIVE_LIMIT_S = 120;
const MAX_TOPIC_LEVELS = 8;
const BAD_USERNAME_OR_PASSWORD = 4;
const PUBLIC_PREFIX = "hemgate/";

export async function openAedesBroker(
  settings: BrokerSettings,
  access: BrokerAccess,
  log: Pick<Log, "info" | "warn">,
): Promise<Broker> {
  const aedes = await Aedes.createBroker({
    connectTimeout: CONNECT_TIMEOUT_MS,
    drainTimeout: DRAIN_TIMEOUT_MS,
    keepaliveLimit: KEEPALIVE_LIMIT_S,
    maxTopicLevels: MAX_TOPIC_LEVELS,
    authenticate: (_client, username, password, done) => {
      access.authenticate(username ?? "", password?.toString("utf8") ?? "").then(
        (isKnown) => (isKnown ? done(null, true) : done(refusal(), false)),
        () => done(refusal(), false),
      );
    },
    authorizePublish: (_client, packet, done) => done(new Error(`clients do not publish here: ${packet.topic}`)),
    authorizeSubscribe: (_client, subscription, done) => {
      const isPublic = subscription.topic === "#" || subscription.topic.startsWith(PUBLIC_PREFIX);
      done(null, isPublic ? subscription : null);
    },
  });
  aedes.on("clientError", (client, error) =>
    log.warn({ reason: error.message, mqttClient: client.id }, "MQTT client cut off"),
  );
  const server = createServer((socket) => void aedes.handle(socket));
  server.maxConnections = MAX_CONNECTIONS;
  try {
    await listening(server, settings);
  } catch (cause) {
    await closed(aedes, server);
    throw new Error(`the MQTT broker cannot listen on ${settings.host}:${settings.port}`, { cause });
  }
  const kept = new Map<string, BrokerMessage>();
  const bound = server.address();
  const port = typeof bound === "object" && bound !== null ? bound.port : settings.port;
  log.info({ host: settings.host, port }, "MQTT broker listens");
  return {
    address: { host: settings.host, port },
    publish: (message) => {
      // Nobody else publishes, so what the gateway retained is all that is kept.
      if (message.isRetained && message.payload.length === 0) kept.delete(message.topic);
      else if (message.isRetained) kept.set(message.topic, message);
      return published(aedes, message);
    },
    subscribe: (filter, listener) => subscribed(aedes, kept, filter, listener),
    [Symbol.asyncDispose]: () => closed(aedes, server),
  };
}

/** aedes answers a bad sign-in with the code that the error carries. */
function refusal(): AuthenticateError {
  return Object.assign(new Error("unknown client or wrong secret"), { returnCode: BAD_USERNAME_OR_PASSWORD });
}

function listening(server: Server, { host, port }: BrokerSettings): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, () => {
      server.off("error", reject);
      resolve();
    });
  });
}

function published(aedes: Aedes, message: BrokerMessage): Promise<void> {
  return new Promise((resolve, reject) => {
    aedes.publish(
      {
        cmd: "publish",
        topic: message.topic,
        payload: Buffer.from(message.payload),
        qos: 0,
        dup: false,
        retain: message.isRetained,
      },
      (err) => (err ? reject(err) : resolve()),
    );
  });
}

/** What is kept comes after the subscription stands, so that nothing is missed in between. */
function subscribed(
  aedes: Aedes,
  kept: ReadonlyMap<string, BrokerMessage>,
  filter: string,
  listener: (message: BrokerMessage) => void,
): Disposable {
  if (!isTopicFilter(filter)) throw new RangeError(`not a topic filter: ${filter}`);
  let isListening = true;
  const hear = (packet: AedesPublishPacket, done: () => void): void => {
    if (isListening && topicMatches(filter, packet.topic)) listener(messageOf(packet));
    done();
  };
  aedes.subscribe(filter, hear, () => {
    for (const message of kept.values()) {
      if (isListening && topicMatches(filter, message.topic)) listener(message);
    }
  });
  return {
    [Symbol.dispose]: () => {
      if (!isListening) return;
      isListening = false;
      aedes.unsubscribe(filter, hear, () => undefined);
    },
  };
}

function messageOf({ topic, payload }: AedesPublishPacket): BrokerMessage {
  return { topic, payload: new Uint8Array(Buffer.from(payload)), isRetained: false };
}

function closed(aedes: Aedes, server: Server): Promise<void> {
  return new Promise((resolve) => {
    if (aedes.closed) return resolve();
    server.close();
    aedes.close(() => resolve());
  });
}
