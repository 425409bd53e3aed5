/** The broker port over aedes: MQTT 3.1.1 over TCP and TLS, every use of memory and time limited. */
import type { EventEmitter } from "node:events";
import { readFile } from "node:fs/promises";
import { createServer, type Server, type Socket } from "node:net";
import { createServer as createTlsServer } from "node:tls";
import { Aedes, type AedesPublishPacket } from "aedes";
import { isTopicFilter, isTopicName, topicMatches } from "../../platform/mqtt/topic-filter.ts";
import { ConnectionGate } from "../../platform/network/connection-gate.ts";
import type {
  Broker,
  BrokerAccess,
  BrokerMessage,
  BrokerSettings,
  Clock,
  Log,
  LogFields,
  RetainedMemory,
  TcpAddress,
} from "../../platform/ports/ports.ts";
import { isOwnTopic } from "../reserved-topics.ts";
import { AccessControl } from "./access-control.ts";
import { clientFaultText } from "./client-fault.ts";
import { GuardedSocket } from "./guarded-socket.ts";
import { BoundedPersistence, type Waiting } from "./persistence.ts";
import { QuietLog } from "./quiet-log.ts";
import { Sessions } from "./sessions.ts";

/** CONNACK code for a version of MQTT that is not spoken (MQTT 3.1.1, table 3.1). */
const UNACCEPTABLE_VERSION = 1;
const OLDER_VERSION =
  "this broker speaks MQTT 3.1.1: set the client to version 3.1.1, or configure a broker elsewhere that speaks MQTT 5 (docs/mqtt.md)";
/** A client that is connected and says nothing. */
const CONNECT_TIMEOUT_MS = 5_000;
/** Deliveries under way in the whole broker. None of them waits for a client, so it is no limit that anybody meets. */
const CONCURRENCY = 100;

export interface BrokerParts {
  readonly clock: Pick<Clock, "monotonicMs" | "timer">;
  readonly log: Pick<Log, "info" | "warn">;
  readonly access: BrokerAccess;
  readonly retained: RetainedMemory;
}

/** Opens the broker. Rejects, with nothing left open, when an address is taken or a TLS file is not usable. */
export async function openAedesBroker(settings: BrokerSettings, parts: BrokerParts): Promise<Broker> {
  const { clock, log, retained } = parts;
  const { limits, tls } = settings;
  const quiet = new QuietLog(clock, log);
  const { aedes, accessControl } = await createAedes(settings, parts, quiet);
  await using opened = new AsyncDisposableStack();
  opened.defer(() => closed(aedes));
  const gate = new ConnectionGate({ limits, clock, log: quiet, name: "MQTT" });
  const raws = new Map<string, Socket>();
  const guarded = new WeakMap<object, Socket>();
  aedes.on("client", ({ conn }) => {
    const raw = guarded.get(conn);
    if (raw !== undefined) gate.serve(raw);
  });
  /** Before any TLS handshake: one that goes on for ever takes a place as well. */
  const admit = (socket: Socket): void => {
    if (!gate.admit(socket)) return;
    const peer = peerOf(socket);
    raws.set(peer, socket);
    socket.once("close", () => raws.delete(peer));
  };
  const accept = (socket: Socket): void => {
    if (socket.destroyed) return;
    const conn = new GuardedSocket(socket, clock, limits);
    guarded.set(conn, raws.get(peerOf(socket)) ?? socket);
    aedes.handle(conn);
  };
  const server = createServer({ noDelay: true, keepAlive: true }, accept);
  server.prependListener("connection", admit);
  const address = await listening(opened, server, settings);
  let tlsPort: number | null = null;
  if (tls !== null) {
    const secure = await tlsServer(tls, accept);
    secure.prependListener("connection", admit);
    tlsPort = (await listening(opened, secure, { host: settings.host, port: tls.port })).port;
  }
  log.info({ ...address, tlsPort }, "MQTT broker listens");
  const open = opened.move();
  return {
    address,
    tlsPort,
    publish: (message) => published(aedes, retained, message),
    subscribe: (filter, listener) => subscribed({ aedes, retained, accessControl }, filter, listener),
    [Symbol.asyncDispose]: () => open.disposeAsync(),
  };
}

/** Names a connection; the sockets below and above TLS have the same name. */
function peerOf({ remoteAddress, remotePort, localPort }: Socket): string {
  return `${remoteAddress} ${remotePort} ${localPort}`;
}

async function createAedes(
  { limits }: BrokerSettings,
  { clock, access, retained }: BrokerParts,
  log: QuietLog,
): Promise<{ readonly aedes: Aedes; readonly accessControl: AccessControl }> {
  const sessions = new Sessions<Waiting>(clock, limits);
  const accessControl = new AccessControl({
    access,
    limits,
    log,
    sessionOwner: (clientId) => sessions.ownerOf(clientId),
    keep: (clientId, username, filter) => sessions.subscribe(clientId, username, filter),
  });
  const persistence = new BoundedPersistence({
    sessions,
    retained,
    usernameOf: (clientId) => accessControl.usernameOf(clientId),
    noRoom: (topic) => log.warn({ topic }, "retained MQTT message not kept: the limit is reached"),
  });
  const aedes = await Aedes.createBroker({
    connectTimeout: CONNECT_TIMEOUT_MS,
    concurrency: CONCURRENCY,
    maxTopicLevels: limits.topicLevels,
    maxInflightInbound: limits.inflight,
    persistence,
    ...accessControl.hooks,
  });
  accessControl.watch(aedes);
  aedes.on("clientError", (client, error) =>
    log.warn({ reason: clientFaultText(error), mqttClient: client.id }, "MQTT client disconnected by the broker"),
  );
  aedes.on("connectionError", ({ conn }, error) => log.warn(refused(conn, error), "MQTT connection refused"));
  // What aedes cannot give to any client; without a listener it would end the process.
  const emitter: EventEmitter = aedes;
  emitter.on("error", (err) => log.warn({ err }, "MQTT broker failed"));
  return { aedes, accessControl };
}

/** Why a client did not get in, for the log, and what helps where that can be said. */
function refused(conn: object, error: Error): LogFields {
  const address = "remoteAddress" in conn ? conn.remoteAddress : undefined;
  const isTooNew = "errorCode" in error && error.errorCode === UNACCEPTABLE_VERSION;
  return { reason: clientFaultText(error), address, ...(isTooNew ? { remedy: OLDER_VERSION } : {}) };
}

async function tlsServer(
  { certFile, keyFile }: NonNullable<BrokerSettings["tls"]>,
  accept: (socket: Socket) => void,
): Promise<Server> {
  try {
    const [cert, key] = await Promise.all([readFile(certFile), readFile(keyFile)]);
    const server = createTlsServer({ cert, key, minVersion: "TLSv1.2", handshakeTimeout: CONNECT_TIMEOUT_MS }, accept);
    // A handshake that fails is the client's.
    server.on("tlsClientError", (_error, socket) => socket.destroy());
    return server;
  } catch (cause) {
    throw new Error(`the MQTT broker cannot use the certificate ${certFile} with the key ${keyFile}`, { cause });
  }
}

/** Listens, and is closed with the stack: the port first, then those who came through it. */
async function listening(
  opened: AsyncDisposableStack,
  server: Server,
  { host, port }: TcpAddress,
): Promise<TcpAddress> {
  const sockets = new Set<Socket>();
  server.on("connection", (socket) => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
    // Also one that has no owner yet, in a TLS handshake, may fail.
    socket.on("error", () => socket.destroy());
  });
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  server.once("error", reject);
  server.listen(port, host, resolve);
  try {
    await promise;
  } catch (cause) {
    throw new Error(`the MQTT broker cannot listen on ${host}:${port}`, { cause });
  }
  server.removeListener("error", reject);
  // Failing to take one connection (out of descriptors) must not end those that stand.
  server.on("error", () => undefined);
  opened.defer(async () => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  const bound = server.address();
  return { host, port: bound !== null && typeof bound === "object" ? bound.port : port };
}

function published(aedes: Aedes, retained: RetainedMemory, message: BrokerMessage): Promise<void> {
  const { topic, isRetained } = message;
  if (!isTopicName(topic)) return Promise.reject(new RangeError(`not a topic: ${topic}`));
  // Copied: it is kept, and the caller may go on with its own.
  const payload = Buffer.from(message.payload);
  if (isRetained) retained.put({ topic, payload, qos: 0 }, true);
  return new Promise((resolve, reject) => {
    // Kept above, as the gateway's own message; present subscribers get it without the retain flag anyway (3.3.1.3).
    const packet = { cmd: "publish", topic, payload, qos: 0, dup: false, retain: false } as const;
    aedes.publish(packet, (error) => (error ? reject(error) : resolve()));
  });
}

/** What is kept comes after the subscription stands, so that nothing is missed in between. */
function subscribed(
  {
    aedes,
    retained,
    accessControl,
  }: { readonly aedes: Aedes; readonly retained: RetainedMemory; readonly accessControl: AccessControl },
  filter: string,
  listener: (message: BrokerMessage) => void,
): Disposable {
  if (!isTopicFilter(filter)) throw new RangeError(`not a topic filter: ${filter}`);
  let isListening = true;
  const hear = (packet: AedesPublishPacket & { readonly clientId?: string }, done: () => void): void => {
    const { topic, payload, retain, clientId } = packet;
    // The router takes wildcards for the broker's own topics, too.
    if (isListening && topicMatches(filter, topic)) {
      // A command with the retain flag is marked as retained, so that it is refused.
      const isRetained = retain && isOwnTopic(topic);
      const mayUse = clientId === undefined ? undefined : accessControl.useOf(accessControl.usernameOf(clientId));
      listener({ topic, payload: Uint8Array.from(Buffer.from(payload)), isRetained, mayUse });
    }
    done();
  };
  aedes.subscribe(filter, hear, () => {
    for (const { topic, payload, username } of retained.under(filter)) {
      if (isListening) listener({ topic, payload, isRetained: true, mayUse: accessControl.useOf(username ?? "") });
    }
  });
  return {
    [Symbol.dispose]: () => {
      if (!isListening) return;
      isListening = false;
      if (!aedes.closed) aedes.unsubscribe(filter, hear, () => undefined);
    },
  };
}

function closed(aedes: Aedes): Promise<void> {
  return new Promise((resolve) => {
    if (aedes.closed) return resolve();
    aedes.close(() => resolve());
  });
}
