import { errorText } from "../../platform/error-text.ts";
import { mqttAddress } from "../../platform/mqtt/mqtt-address.ts";
import {
  type Mqtt5,
  type Mqtt5Connection,
  type Mqtt5Credentials,
  Mqtt5Error,
  type Mqtt5Request,
  type MqttVersion,
} from "../../platform/ports/mqtt5-port.ts";
import type { Clock } from "../../platform/ports/ports.ts";
import { within } from "../../platform/within.ts";
import { DeviceError } from "../../points/device-error.ts";
import { MAX_MESSAGE_BYTES } from "../protocol/limits.ts";
import { MqttConnection } from "./mqtt-connection.ts";
import {
  kindOfReason,
  RETAIN_NOT_SUPPORTED,
  SERVER_MOVED,
  UNSUPPORTED_VERSION,
  USE_ANOTHER_SERVER,
} from "./mqtt-reasons.ts";
import { MqttTopics } from "./mqtt-topics.ts";
import { type Uplink, type UplinkConnection, type UplinkEnd, UplinkError, type UplinkEvents } from "./uplink.ts";

/** From the sign-in to the server's answers to the subscription and the presence. */
const BEGIN_MS = 20_000;
const KEEPALIVE_S = 60;
/** A gateway that comes back so soon was never gone. */
const WILL_DELAY_S = 30;
/** Of a packet beside the message in it. */
const PACKET_HEAD_BYTES = 16_384;

export interface MqttUplinkOptions {
  readonly mqtt5: Mqtt5;
  readonly clock: Clock;
  /** Name of the gateway; it is the client id, too. */
  readonly gateway: string;
  /** URLs of the servers of one cluster, tried in turn; one at least. */
  readonly servers: readonly string[];
  /** Before the gateway's name in each topic; no slash at its end. */
  readonly topicPrefix: string;
  /** How long the server keeps what is sent down while the gateway is away; 0: not at all. */
  readonly sessionExpirySeconds: number;
  /** What the servers speak; undefined: 5, or 3.1.1 where that is all. */
  readonly version?: MqttVersion | undefined;
  /** How long nothing may be heard of the server before it is asked whether it is there, s; 60 where it is not said. */
  readonly keepaliveSeconds?: number | undefined;
  /** Asked before each connection, so that a token can be renewed. An `UplinkError` from it is passed on. */
  credentials(signal: AbortSignal): Promise<Mqtt5Credentials>;
}

/** MQTT at any broker or cluster: QoS 1 both ways, docs/cloud-uplinks.md has the topics. */
export class MqttUplink implements Uplink {
  readonly #options: MqttUplinkOptions;
  readonly #topics: MqttTopics;
  #server = 0;
  /** Whether the server's session is ours to go on with: no message of this run waits for its acknowledgement there. */
  #mayResume = false;
  #isPresenceKept = true;
  #version: MqttVersion;

  constructor(options: MqttUplinkOptions) {
    this.#options = options;
    this.#topics = new MqttTopics(options.topicPrefix, options.gateway);
    this.#version = options.version ?? "5";
  }

  async connect(events: UplinkEvents, signal: AbortSignal): Promise<UplinkConnection> {
    const { clock } = this.#options;
    const credentials = await this.#credentials(signal);
    const connection = new MqttConnection({
      events,
      clock,
      topics: this.#topics,
      onEnd: (...how) => this.#ended(...how),
    });
    const server = this.#server;
    try {
      const link = await this.#open(credentials, connection, signal);
      const untilEnd = AbortSignal.any([signal, connection.ended]);
      await within(clock, BEGIN_MS, untilEnd, () => connection.begin(link, this.#isPresenceKept));
    } catch (error) {
      connection[Symbol.dispose]();
      signal.throwIfAborted();
      const failure = this.#failure(error);
      if (failure.end.kind === "lost" && this.#server === server) this.#server += 1;
      throw failure;
    }
    connection.handOver();
    return connection;
  }

  async #credentials(signal: AbortSignal): Promise<Mqtt5Credentials> {
    try {
      return await this.#options.credentials(signal);
    } catch (cause) {
      signal.throwIfAborted();
      if (cause instanceof UplinkError) throw cause;
      const reason = "no credentials for the MQTT server could be had";
      throw new UplinkError({ kind: "lost", reason, retryAfterMs: null }, { cause });
    }
  }

  /** A server that does not speak the version that was good last is asked for the other one. */
  async #open(
    credentials: Mqtt5Credentials,
    { portEvents }: MqttConnection,
    signal: AbortSignal,
  ): Promise<Mqtt5Connection> {
    const { mqtt5, version } = this.#options;
    const open = (spoken: MqttVersion) => mqtt5.open(this.#request(credentials, spoken), portEvents, signal);
    try {
      return await open(this.#version);
    } catch (error) {
      if (version !== undefined || !isPerhapsOfVersion(error)) throw error;
      const other = this.#version === "5" ? "3.1.1" : "5";
      const link = await open(other).catch((second: unknown) => {
        throw isPerhapsOfVersion(second) ? error : second;
      });
      this.#version = other;
      return link;
    }
  }

  #request(credentials: Mqtt5Credentials, version: MqttVersion): Mqtt5Request {
    const { gateway, sessionExpirySeconds, keepaliveSeconds = KEEPALIVE_S } = this.#options;
    return {
      version,
      url: this.#url,
      credentials,
      clientId: gateway,
      isCleanStart: !this.#mayResume,
      sessionExpirySeconds,
      keepaliveSeconds,
      maxPacketBytes: MAX_MESSAGE_BYTES + PACKET_HEAD_BYTES,
      will: {
        topic: this.#topics.presence,
        payload: new TextEncoder().encode("offline"),
        isRetained: this.#isPresenceKept,
        delaySeconds: WILL_DELAY_S,
      },
    };
  }

  get #url(): string {
    const { servers } = this.#options;
    return servers[this.#server % servers.length] ?? "";
  }

  /** A connection that did not come about, in the words of the port. */
  #failure(error: unknown): UplinkError {
    if (error instanceof UplinkError) return error;
    if (error instanceof Mqtt5Error) {
      const end = { kind: kindOfReason(error.reasonCode), reason: error.message, retryAfterMs: null } as const;
      return new UplinkError(this.#heed(error, end), { cause: error });
    }
    const kind = error instanceof DeviceError && error.kind === "rejected" ? "refused" : "lost";
    const reason = errorText(error);
    return new UplinkError({ kind, reason, retryAfterMs: null }, { cause: error });
  }

  #ended(end: UplinkEnd, error: Mqtt5Error | null, isSettled: boolean): UplinkEnd {
    // Sending again what the server did not acknowledge is the session's, so a client that leaves some has lost its own
    // part of the state and has to begin anew (4.4). Who took our place has the state now.
    this.#mayResume = this.#options.sessionExpirySeconds > 0 && isSettled && end.kind !== "taken-over";
    return error === null ? end : this.#heed(error, end);
  }

  /** What the server said of where to go and what it can. Answers how it ended, now that this is known. */
  #heed({ reasonCode, serverReference, message }: Mqtt5Error, end: UplinkEnd): UplinkEnd {
    if (reasonCode === RETAIN_NOT_SUPPORTED) this.#isPresenceKept = false;
    if (reasonCode !== USE_ANOTHER_SERVER && reasonCode !== SERVER_MOVED) return end;
    const { servers } = this.#options;
    const named = (serverReference ?? "").split(" ").map((reference) => this.#indexOf(reference));
    const known = named.find((index) => index >= 0);
    // A password is sent only where the configuration says, whatever a server names.
    this.#server = known ?? this.#server + 1;
    if (known !== undefined || servers.length > 1 || reasonCode === USE_ANOTHER_SERVER) return end;
    const reason = `${message}; the configuration has to name the new server (${serverReference ?? "it is not told"})`;
    return { ...end, kind: "refused", reason };
  }

  /** -1: none of the servers that the configuration names. */
  #indexOf(reference: string): number {
    const { servers } = this.#options;
    return servers.findIndex((url) => {
      const { host, port } = mqttAddress({ url });
      const shown = host.includes(":") ? `[${host}]` : host;
      return reference === shown || reference === `${shown}:${port}`;
    });
  }
}

/** Whether a server said that it does not know the version, or nothing at all, as some do then. */
function isPerhapsOfVersion(error: unknown): boolean {
  return error instanceof Mqtt5Error && (error.reasonCode === UNSUPPORTED_VERSION || error.isWordless);
}
