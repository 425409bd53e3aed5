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

/** Time limit from the sign-in to the answers to the subscription and the presence. */
const BEGIN_MS = 20_000;
const KEEPALIVE_S = 60;
/** A gateway that reconnects within this time is not reported as offline. */
const WILL_DELAY_S = 30;
/** Bytes of a packet without the message in it. */
const PACKET_HEAD_BYTES = 16_384;

export interface MqttUplinkOptions {
  readonly mqtt5: Mqtt5;
  readonly clock: Clock;
  /** Name of the gateway, and its client id. */
  readonly gateway: string;
  /** URLs of the servers of one cluster, tried in their order; at least one. */
  readonly servers: readonly string[];
  /** Prefix of the gateway's name in each topic, without a slash at its end. */
  readonly topicPrefix: string;
  /** How long the server stores messages for a disconnected gateway, s; 0: not at all. */
  readonly sessionExpirySeconds: number;
  /** Protocol version of the servers; undefined: 5 or, if they refuse it, 3.1.1. */
  readonly version?: MqttVersion | undefined;
  /** Time without a message after which the server is pinged, s; default 60. */
  readonly keepaliveSeconds?: number | undefined;
  /**
   * Returns the credentials; called before each connection, so that a token can be renewed. An `UplinkError` is passed
   * on.
   */
  credentials(signal: AbortSignal): Promise<Mqtt5Credentials>;
}

/** The uplink by MQTT through any broker or cluster: QoS 1 both ways; docs/cloud-uplinks.md has the topics. */
export class MqttUplink implements Uplink {
  readonly #options: MqttUplinkOptions;
  readonly #topics: MqttTopics;
  #server = 0;
  /** True if the server's session can be resumed: it has no unacknowledged message of this run. */
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
      const reason = "cannot get credentials for the MQTT server";
      throw new UplinkError({ kind: "lost", reason, retryAfterMs: null }, { cause });
    }
  }

  /**
   * Opens a connection with the version that worked last and, if the server does not support it, with the other one.
   */
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

  /** Returns the error of a failed connection. */
  #failure(error: unknown): UplinkError {
    if (error instanceof UplinkError) return error;
    if (error instanceof Mqtt5Error) {
      const end = { kind: kindOfReason(error.reasonCode), reason: error.message, retryAfterMs: null } as const;
      return new UplinkError(this.#followServer(error, end), { cause: error });
    }
    const kind = error instanceof DeviceError && error.kind === "rejected" ? "refused" : "lost";
    const reason = errorText(error);
    return new UplinkError({ kind, reason, retryAfterMs: null }, { cause: error });
  }

  #ended(end: UplinkEnd, error: Mqtt5Error | null, isSettled: boolean): UplinkEnd {
    // A session resends unacknowledged messages. A client that has discarded some has lost its part of the session
    // state and has to start a clean session (4.4). After a takeover the other client has the state.
    this.#mayResume = this.#options.sessionExpirySeconds > 0 && isSettled && end.kind !== "taken-over";
    return error === null ? end : this.#followServer(error, end);
  }

  /**
   * Applies what the server reported: another server to use, or no retained messages. Returns the end of the
   * connection, with this known.
   */
  #followServer({ reasonCode, serverReference, message }: Mqtt5Error, end: UplinkEnd): UplinkEnd {
    if (reasonCode === RETAIN_NOT_SUPPORTED) this.#isPresenceKept = false;
    if (reasonCode !== USE_ANOTHER_SERVER && reasonCode !== SERVER_MOVED) return end;
    const { servers } = this.#options;
    const named = (serverReference ?? "").split(" ").map((reference) => this.#indexOf(reference));
    const known = named.find((index) => index >= 0);
    // A password is sent only to servers in the configuration, whatever a server names.
    this.#server = known ?? this.#server + 1;
    if (known !== undefined || servers.length > 1 || reasonCode === USE_ANOTHER_SERVER) return end;
    const reason = `${message}; set the new server in the configuration (reported: ${serverReference ?? "none"})`;
    return { ...end, kind: "refused", reason };
  }

  /** Returns the index of a reported server among the configured ones; -1 if it is not one of them. */
  #indexOf(reference: string): number {
    const { servers } = this.#options;
    return servers.findIndex((url) => {
      const { host, port } = mqttAddress({ url });
      const shown = host.includes(":") ? `[${host}]` : host;
      return reference === shown || reference === `${shown}:${port}`;
    });
  }
}

/** Returns true if the server refused the version, or closed the connection without a word, as some servers do then. */
function isPerhapsOfVersion(error: unknown): boolean {
  return error instanceof Mqtt5Error && (error.reasonCode === UNSUPPORTED_VERSION || error.isWordless);
}
