import type { Aedes, AedesOptions, AedesPublishPacket, AuthenticateError, Client, ConnectPacket } from "aedes";
import { errorText } from "../../platform/error-text.ts";
import { filterCovers, isTopicFilter, isTopicName, topicMatches } from "../../platform/mqtt/topic-filter.ts";
import type { BrokerAccess, BrokerLimits, BrokerRights, Log } from "../../platform/ports/ports.ts";
import { COMMAND_FILTER, isOwnTopic } from "../reserved-topics.ts";
import { userShare } from "../user-share.ts";
import { ClientFault } from "./client-fault.ts";

/** CONNACK return codes (MQTT 3.1.1, table 3.1). */
const IDENTIFIER_REJECTED = 2;
const SERVER_UNAVAILABLE = 3;
const BAD_USERNAME_OR_PASSWORD = 4;
/** Sign-ins that are checked at a time: each costs a core some time, on purpose. */
const MAX_SIGN_INS = 8;
const MAX_CLIENT_ID_CHARACTERS = 128;
/** Where a publish goes that its client has no right to: nobody can subscribe there. */
const NOWHERE = "$nowhere";

type Qos = 0 | 1 | 2;

interface SignedIn {
  readonly rights: BrokerRights;
  readonly granted: Map<string, Qos>;
  /** Whether the log says already that something it publishes is dropped. */
  hasWarned: boolean;
}

interface AccessControlParts {
  readonly access: BrokerAccess;
  readonly limits: Pick<BrokerLimits, "connections" | "keepaliveSeconds" | "subscriptionsPerClient">;
  readonly log: Pick<Log, "warn">;
  /** Whose session a client id has; null when it has none. */
  readonly sessionOwner: (clientId: string) => string | null;
  /** Keeps a granted filter in the session of a client that has one to keep. */
  readonly keep: (clientId: string, username: string, filter: { readonly topic: string; readonly qos: Qos }) => void;
}

type Hooks = Required<
  Pick<AedesOptions, "preConnect" | "authenticate" | "authorizePublish" | "authorizeSubscribe" | "authorizeForward">
>;

/** Decides who may connect, and what each client may publish and receive. */
export class AccessControl {
  readonly hooks: Hooks;
  readonly #parts: AccessControlParts;
  readonly #asked = new WeakMap<Client, ConnectPacket>();
  readonly #signedIn = new WeakMap<Client, SignedIn>();
  readonly #usernames = new Map<string, string>();
  /** The connected clients with their users. */
  readonly #connected = new Map<Client, string>();
  #signIns = 0;

  constructor(parts: AccessControlParts) {
    this.#parts = parts;
    this.hooks = {
      preConnect: (client, packet, done) => {
        this.#asked.set(client, packet);
        done(null, true);
      },
      authenticate: (client, username, password, done) => {
        this.#admit(client, username ?? "", password?.toString("utf8") ?? "").then(
          () => done(null, true),
          (error: unknown) => done(isRefusal(error) ? error : refusal(SERVER_UNAVAILABLE, errorText(error)), false),
        );
      },
      authorizePublish: (client, packet, done) => done(this.#judgePublish(client, packet)),
      authorizeSubscribe: (client, subscription, done) => {
        const qos = asQos(subscription.qos);
        const isGranted = this.#grant(client, subscription.topic, qos);
        // As if at QoS 2: aedes goes by the first of several filters that fit, and `authorizeForward` knows better.
        done(null, isGranted ? { ...subscription, qos: 2 } : null);
      },
      authorizeForward: (client, packet) => this.#forward(client, packet),
    };
  }

  /** Learns from aedes who left and who unsubscribed. */
  watch(aedes: Aedes): void {
    aedes.on("client", (client) => {
      const signedIn = this.#signedIn.get(client);
      if (signedIn !== undefined) this.#connected.set(client, signedIn.rights.username);
    });
    aedes.on("clientDisconnect", (client) => {
      this.#usernames.delete(client.id);
      this.#connected.delete(client);
    });
    aedes.on("unsubscribe", (filters, client) => {
      for (const filter of filters) this.#signedIn.get(client)?.granted.delete(filter);
    });
  }

  usernameOf(clientId: string): string {
    return this.#usernames.get(clientId) ?? "";
  }

  /** Whether a user may publish or read at a topic; nobody of that name may use any. */
  useOf(username: string): (topic: string) => boolean {
    return (topic) => {
      const { publish = [], subscribe = [] } = this.#parts.access.rightsOf(username) ?? {};
      return [...publish, ...subscribe].some((filter) => topicMatches(filter, topic));
    };
  }

  async #admit(client: Client, username: string, password: string): Promise<void> {
    const asked = this.#asked.get(client);
    this.#asked.delete(client);
    const fault = asked === undefined ? "no CONNECT" : connectFault(asked, this.#parts.limits.keepaliveSeconds);
    if (fault !== null) throw refusal(IDENTIFIER_REJECTED, fault);
    if (this.#signIns >= MAX_SIGN_INS) throw refusal(SERVER_UNAVAILABLE, "too many sign in at the same time");
    this.#signIns += 1;
    try {
      const address = addressOf(client);
      const rights = await this.#parts.access.signIn({ username, password, address });
      if (rights === null) throw refusal(BAD_USERNAME_OR_PASSWORD, `${address}: unknown user or wrong password`);
      const owner = this.#usernames.get(client.id) ?? this.#parts.sessionOwner(client.id);
      if (owner !== null && owner !== rights.username) {
        throw refusal(IDENTIFIER_REJECTED, `the client id ${client.id} belongs to another user`);
      }
      const others = this.#connectionsOf(rights.username, client.id);
      if (others >= userShare(this.#parts.limits.connections)) {
        throw refusal(
          SERVER_UNAVAILABLE,
          `${rights.username} has ${others} connections; raise mqtt.limits.connections`,
        );
      }
      this.#usernames.set(client.id, rights.username);
      this.#signedIn.set(client, { rights, granted: new Map(), hasWarned: false });
    } finally {
      this.#signIns -= 1;
    }
  }

  /** The connections of a user, without the one that a client id takes over. */
  #connectionsOf(username: string, clientId: string): number {
    return [...this.#connected].filter(([{ id }, owner]) => owner === username && id !== clientId).length;
  }

  /** An error ends the connection; a publish without the right to it is acknowledged and goes nowhere (3.3.5). */
  #judgePublish(client: Client | null, packet: { topic: string; retain: boolean; clientId?: string }): Error | null {
    const signedIn = client === null ? undefined : this.#signedIn.get(client);
    const { topic } = packet;
    if (signedIn === undefined) return new ClientFault("it is not signed in");
    const { rights } = signedIn;
    if (rights.publish.length === 0)
      return new ClientFault(`${rights.username} may only read, and published to ${topic}`);
    if (topic.startsWith("$") || !isTopicName(topic)) return new ClientFault(`no client may publish to ${topic}`);
    // aedes says whose message it is only after it was retained.
    if (client !== null) packet.clientId = client.id;
    const isReserved = isOwnTopic(topic) && !topicMatches(COMMAND_FILTER, topic);
    if (!isReserved && rights.publish.some((filter) => topicMatches(filter, topic))) return null;
    if (!signedIn.hasWarned) {
      this.#parts.log.warn({ username: rights.username, topic }, "MQTT message without the right to its topic dropped");
    }
    signedIn.hasWarned = true;
    packet.topic = NOWHERE;
    packet.retain = false;
    return null;
  }

  #grant(client: Client, filter: string, qos: Qos): boolean {
    const signedIn = this.#signedIn.get(client);
    if (signedIn === undefined) return false;
    const { rights, granted } = signedIn;
    // Looked at first: thousands of filters in one packet cost no more than the reading of it.
    if (granted.size >= this.#parts.limits.subscriptionsPerClient && !granted.has(filter)) return false;
    if (!isTopicFilter(filter)) return false;
    // `#` is taken from anybody: what comes of it is judged message by message.
    if (filter !== "#" && !rights.subscribe.some((wide) => filterCovers(wide, filter))) return false;
    granted.set(filter, qos);
    if (client.clean !== true) this.#parts.keep(client.id, rights.username, { topic: filter, qos });
    return true;
  }

  /** Lowers the QoS to the highest of the fitting subscriptions (MQTT 3.1.1, 3.3.5 and 3.8.4); `null`: not to be sent. */
  #forward(client: Client, packet: AedesPublishPacket): AedesPublishPacket | null {
    const signedIn = this.#signedIn.get(client);
    if (signedIn?.rights.subscribe.some((wide) => topicMatches(wide, packet.topic)) !== true) return null;
    const fitting = [...signedIn.granted].filter(([filter]) => topicMatches(filter, packet.topic));
    if (fitting.length === 0) return null;
    packet.qos = asQos(Math.min(packet.qos, Math.max(...fitting.map(([, qos]) => qos))));
    return packet;
  }
}

function connectFault({ keepalive = 0, clientId, clean }: ConnectPacket, limitS: number): string | null {
  if (keepalive === 0 || keepalive > limitS) return `a keepalive of ${keepalive} s; 1 to ${limitS} s are taken`;
  if (clientId === "" && clean !== true) return "a session to keep needs a client id";
  return clientId.length > MAX_CLIENT_ID_CHARACTERS ? "the client id is too long" : null;
}

function addressOf({ conn }: Client): string {
  return "remoteAddress" in conn && typeof conn.remoteAddress === "string" ? conn.remoteAddress : "unknown";
}

/** aedes answers a CONNECT with the code that the error carries. */
function refusal(returnCode: 2 | 3 | 4, reason: string): AuthenticateError {
  return Object.assign(new ClientFault(reason), { returnCode });
}

function isRefusal(error: unknown): error is AuthenticateError {
  return error instanceof Error && "returnCode" in error;
}

function asQos(qos: number): Qos {
  if (qos === 0) return 0;
  return qos === 1 ? 1 : 2;
}
