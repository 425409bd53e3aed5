import type { IClientOptions, IConnackPacket, IDisconnectPacket, IPublishPacket, MqttClient, Packet } from "mqtt";
import { codeOf as systemCode } from "../../error-text.ts";
import { mqttAddress } from "../../mqtt/mqtt-address.ts";
import {
  type Mqtt5,
  type Mqtt5Connection,
  Mqtt5Error,
  type Mqtt5Events,
  type Mqtt5Message,
  type Mqtt5Request,
} from "../../ports/mqtt5-port.ts";
import type { Clock } from "../../ports/ports.ts";
import { limitPackets, mqttFault, mqttReason, sendAtOnce } from "./mqtt-client.ts";

const CONNECT_MS = 20_000;
/** Messages at QoS 1 that the server may have on the way to us. */
const RECEIVE_MAXIMUM = 32;
/** How long the goodbye may take to leave. */
const GOODBYE_MS = 1_000;
/** Of what a server says by itself. */
const MAX_REASON_CHARACTERS = 160;
/** DISCONNECT with reason 0x04, "with will message". */
const GOODBYE = Uint8Array.of(0xe0, 0x01, 0x04);
/** What a server takes that names no limit (3.2.2.3.6): what the length of a packet can say. */
const MAX_PACKET_BYTES = 268_435_455;
const RECEIVE_UNLIMITED = 65_535;
const UNSPECIFIED = 0x80;
/** What 3.1.1 answers to a CONNECT (3.2.2.3), and the codes of 5.0 that mean the same. */
const OLD_CODES: Readonly<Record<number, number>> = { 1: 0x84, 2: 0x85, 3: 0x88, 4: 0x86, 5: 0x87 };
/** 3.1.1 has no word for how much a server takes at once. */
const OLD_RECEIVE_MAXIMUM = 8;

/** MQTT 5 or 3.1.1 over TCP or TLS, by the library's client: one a connection, which never comes back by itself. */
export function nodeMqtt5({ clock }: { readonly clock: Clock }): Mqtt5 {
  return {
    async open(request, events, signal) {
      const { host, port, isSecure } = mqttAddress(request);
      // Loaded on demand: most homes run without MQTT.
      const { connect } = await import("mqtt");
      signal.throwIfAborted();
      const where = { protocol: isSecure ? "mqtts" : "mqtt", host, port } as const;
      const client = attempt(request.url, () => connect({ ...where, ...options(request) }));
      const connection = new NodeMqtt5Connection(client, { events, clock, request });
      await connection.signedIn(signal);
      return connection;
    },
  };
}

/** Connects; turns what the library throws at once, for an invalid certificate or key, into an `Mqtt5Error`. */
function attempt(url: string, connect: () => MqttClient): MqttClient {
  try {
    return connect();
  } catch (cause) {
    const fault = `the certificates or the key of this connection cannot be used (${systemCode(cause) ?? "no code"})`;
    throw new Mqtt5Error(`${url}: ${fault}`, { reasonCode: null }, { cause });
  }
}

function options({ credentials, will, ...request }: Mqtt5Request): IClientOptions {
  const { username, password, certificate, authoritiesPem } = credentials;
  const isOld = request.version === "3.1.1";
  return {
    protocolVersion: isOld ? 4 : 5,
    clientId: request.clientId,
    clean: isOld || request.isCleanStart,
    keepalive: request.keepaliveSeconds,
    properties: {
      sessionExpiryInterval: request.sessionExpirySeconds,
      maximumPacketSize: request.maxPacketBytes,
      receiveMaximum: RECEIVE_MAXIMUM,
    },
    ...(username !== undefined && { username }),
    ...(password !== undefined && { password }),
    ...(authoritiesPem !== undefined && { ca: authoritiesPem }),
    ...(certificate !== undefined && { cert: certificate.pem, key: certificate.keyPem }),
    ...(will !== null && {
      will: {
        topic: will.topic,
        payload: Buffer.from(will.payload),
        retain: will.isRetained,
        qos: 1,
        properties: { ...propertiesOf(will), willDelayInterval: will.delaySeconds },
      },
    }),
    connectTimeout: CONNECT_MS,
    reconnectPeriod: 0,
    resubscribe: false,
    queueQoSZero: false,
  };
}

interface Parts {
  readonly events: Mqtt5Events;
  readonly clock: Clock;
  readonly request: Mqtt5Request;
}

class NodeMqtt5Connection implements Mqtt5Connection {
  isSessionPresent = false;
  receiveMaximum = RECEIVE_UNLIMITED;
  maxPacketBytes = MAX_PACKET_BYTES;
  readonly #client: MqttClient;
  readonly #parts: Parts;
  readonly #signIn = Promise.withResolvers<void>();
  #isSignedIn = false;
  #isOver = false;
  /** The library keeps the reason code of a SUBACK to itself. */
  #refusedFilter: number | null = null;
  #failure: Mqtt5Error | null = null;

  constructor(client: MqttClient, parts: Parts) {
    this.#client = client;
    this.#parts = parts;
    sendAtOnce(client);
    limitPackets(client, parts.request.maxPacketBytes, (error) => this.#fail(error));
    client.on("packetreceive", (packet) => this.#heed(packet));
    client.on("connect", () => {
      this.#isSignedIn = true;
      this.#signIn.resolve();
    });
    client.on("error", (error) => this.#fail(error));
    client.on("message", (_topic, payload, packet) => {
      if (!this.#isOver) parts.events.message(messageOf(payload, packet));
    });
    client.once("close", () => this.#closed());
  }

  /** Waits for the server's CONNACK. The owner gets no event before it. */
  async signedIn(signal: AbortSignal): Promise<void> {
    const abort = (): void => {
      this.#signIn.reject(signal.reason);
      this.#client.end(true);
    };
    signal.addEventListener("abort", abort, { once: true });
    try {
      await this.#signIn.promise;
    } finally {
      signal.removeEventListener("abort", abort);
    }
  }

  publish(message: Mqtt5Message, acknowledged: (reasonCode: number) => void): void {
    if (this.#isOver) return;
    const { topic, payload, isRetained } = message;
    const how = { qos: 1, retain: isRetained, properties: propertiesOf(message) } as const;
    this.#client.publish(topic, Buffer.from(payload), how, (error) => {
      if (!this.#isOver) acknowledged(error == null ? 0 : reasonCodeOf(error));
    });
  }

  async subscribe(filters: readonly string[]): Promise<void> {
    try {
      // Retain handling 2: nothing that is kept.
      const granted = await this.#client.subscribeAsync([...filters], { qos: 1, rh: 2 } as { qos: 1 });
      const less = granted.find(({ qos }) => qos !== 1);
      if (less !== undefined) throw new Mqtt5Error(`QoS ${less.qos} is all that is granted`, { reasonCode: null });
    } catch (cause) {
      if (this.#failure !== null) throw this.#failure;
      if (cause instanceof Mqtt5Error) throw cause;
      const reasonCode = this.#refusedFilter ?? UNSPECIFIED;
      throw new Mqtt5Error(`${this.#url}: the subscription is refused`, { reasonCode }, { cause });
    }
  }

  [Symbol.dispose](): void {
    if (this.#isOver) return;
    this.#isOver = true;
    const { stream } = this.#client;
    const limit = this.#parts.clock.timer(GOODBYE_MS, () => stream.destroy());
    stream.once("close", () => limit[Symbol.dispose]());
    // A DISCONNECT of 3.1.1 is one without the will.
    if (this.#isOld) stream.end();
    else stream.end(GOODBYE);
    this.#parts.events.closed(null);
  }

  get #url(): string {
    return this.#parts.request.url;
  }

  get #isOld(): boolean {
    return this.#parts.request.version === "3.1.1";
  }

  #heed(packet: Packet): void {
    if (packet.cmd === "connack" && codeOf(packet) === 0) {
      const { receiveMaximum, maximumPacketSize, maximumQoS } = packet.properties ?? {};
      this.isSessionPresent = packet.sessionPresent;
      this.receiveMaximum = receiveMaximum ?? (this.#isOld ? OLD_RECEIVE_MAXIMUM : RECEIVE_UNLIMITED);
      this.maxPacketBytes = maximumPacketSize ?? MAX_PACKET_BYTES;
      if (maximumQoS === 0) this.#fail(new Mqtt5Error(`${this.#url}: it takes QoS 0 only`, { reasonCode: 0x9b }));
    } else if (packet.cmd === "suback") {
      this.#refusedFilter = packet.granted.map(Number).find((code) => code >= UNSPECIFIED) ?? null;
    } else if (packet.cmd === "connack" || packet.cmd === "disconnect") {
      const code = codeOf(packet);
      const { reasonString, serverReference } = packet.properties ?? {};
      const text = `the server ${packet.cmd === "connack" ? "refused" : "ended"} the connection: ${mqttReason(code)}`;
      const said = {
        reasonCode: packet.cmd === "connack" ? (OLD_CODES[code] ?? code) : code,
        serverReference: serverReference ?? null,
      };
      this.#fail(new Mqtt5Error(`${this.#url}: ${text}${serverWords(reasonString)}`, said));
    }
  }

  #fail(error: Error): void {
    if (error instanceof Mqtt5Error) this.#failure ??= error;
    else {
      const code = "code" in error && typeof error.code === "string" ? error.code : "";
      // A server that does not read what came before it closes ends the connection so.
      const isWordless = code === "ECONNRESET" && !this.#isSignedIn;
      this.#failure ??= new Mqtt5Error(
        `${this.#url}: ${mqttFault(error)}`,
        { reasonCode: null, isWordless },
        { cause: error },
      );
    }
    // What is no MQTT, or a goodbye, does not end the connection by itself.
    this.#client.stream.destroy();
  }

  #closed(): void {
    const text = `${this.#url}: the connection ended without a word`;
    const error = this.#failure ?? new Mqtt5Error(text, { reasonCode: null, isWordless: !this.#isSignedIn });
    this.#failure = error;
    this.#signIn.reject(error);
    this.#client.end(true);
    if (this.#isOver) return;
    this.#isOver = true;
    if (this.#isSignedIn) this.#parts.events.closed(error);
  }
}

function propertiesOf({ contentType, userProperties }: Mqtt5Message) {
  return {
    ...(contentType !== undefined && { contentType }),
    ...(userProperties !== undefined && { userProperties: { ...userProperties } }),
  };
}

function messageOf(payload: Buffer, { topic, retain, properties = {} }: IPublishPacket): Mqtt5Message {
  const { contentType } = properties;
  const named = Object.entries(properties.userProperties ?? {});
  const userProperties = Object.fromEntries(named.map(([name, value]) => [name, [value].flat()[0] ?? ""]));
  return {
    topic,
    payload: new Uint8Array(payload),
    isRetained: retain,
    contentType,
    ...(named.length > 0 && { userProperties }),
  };
}

/** Of 5.0, or of 3.1.1, which calls it a return code. */
function codeOf(packet: IConnackPacket | IDisconnectPacket): number {
  return packet.reasonCode ?? (packet.cmd === "connack" ? packet.returnCode : undefined) ?? 0;
}

/** The server's own words in quotes: one line, without control characters and not long. */
function serverWords(reason: string | undefined): string {
  const words = (reason ?? "").replaceAll(/[\p{C}\s"]+/gu, " ").trim();
  if (words === "") return "";
  const shown = words.length > MAX_REASON_CHARACTERS ? `${words.slice(0, MAX_REASON_CHARACTERS)}…` : words;
  return `; the server says "${shown}"`;
}

function reasonCodeOf(error: Error): number {
  return "code" in error && typeof error.code === "number" ? error.code : UNSPECIFIED;
}
