/** The port for one connection to a server that speaks MQTT 5, or 3.1.1. It stands with the others in `ports.ts`. */
import type { BrokerMessage } from "./ports.ts";

/** What MQTT 5 carries beside a payload (3.3.2.3). */
export interface Mqtt5Message extends BrokerMessage {
  readonly contentType?: string | undefined;
  /** Names and values, each name once. */
  readonly userProperties?: Readonly<Record<string, string>> | undefined;
}

/** Published in our place when the connection ends in any way, our own goodbye included. */
export interface Mqtt5Will extends Mqtt5Message {
  /** How long the server waits for us to come back before it publishes. */
  readonly delaySeconds: number;
}

/** How a client proves who it is: by a certificate, by a name and a password or token, or by both. */
export interface Mqtt5Credentials {
  readonly username?: string | undefined;
  readonly password?: string | undefined;
  readonly certificate?: { readonly pem: string; readonly keyPem: string } | undefined;
  /** PEM of the authorities that a `mqtts` server is checked against before it gets them, instead of the public ones. */
  readonly authoritiesPem?: string | undefined;
}

/**
 * The protocol version: 5.0, or 3.1.1 for servers that have no other. With 3.1.1 no properties are sent, the will is
 * published without a delay, and no session is kept, whatever is asked for, because 3.1.1 has no session expiry.
 */
export type MqttVersion = "5" | "3.1.1";

export interface Mqtt5Request {
  /** 5 where it is not said. */
  readonly version?: MqttVersion | undefined;
  /** `mqtts://host` (port 8883 where it names none) or `mqtt://host` (1883); no user, path or query in it. */
  readonly url: string;
  readonly credentials: Mqtt5Credentials;
  readonly clientId: string;
  /** True: what the server keeps for this client is thrown away. */
  readonly isCleanStart: boolean;
  /** How long the server keeps subscriptions, and what was sent to us, after the connection; 0: not at all. */
  readonly sessionExpirySeconds: number;
  readonly keepaliveSeconds: number;
  /** Largest packet that we take, bytes. */
  readonly maxPacketBytes: number;
  readonly will: Mqtt5Will | null;
}

/** The events of a connection. Calls arrive in order; nothing follows `closed`. */
export interface Mqtt5Events {
  /** It may come twice, also after a reconnect. */
  message(message: Mqtt5Message): void;
  /** Once: after our dispose (null), or when the server or the network ended the connection. */
  closed(error: Mqtt5Error | null): void;
}

/** An open connection. Its owner disposes it: that ends it at once, and the server publishes the will. */
export interface Mqtt5Connection extends Disposable {
  /** Whether the server remembers this client's last connection. */
  readonly isSessionPresent: boolean;
  /** Messages at QoS 1 that may be sent before the server has acknowledged the first; 1 … 65,535. The caller keeps to it. */
  readonly receiveMaximum: number;
  /** Largest packet that the server takes, bytes. */
  readonly maxPacketBytes: number;
  /**
   * Publishes at QoS 1 and calls back with the reason code of the acknowledgement (3.4.2.1): below 128 the server has
   * the message. There is no call after the end of the connection.
   */
  publish(message: Mqtt5Message, acknowledged: (reasonCode: number) => void): void;
  /** Resolves when the server grants QoS 1 for each filter. Rejects with an `Mqtt5Error`; what it keeps is not asked for. */
  subscribe(filters: readonly string[]): Promise<void>;
}

export interface Mqtt5 {
  /**
   * Connects and signs in, within 20 s. Nothing is sent before a `mqtts` server's certificate is trusted. Rejects with an
   * `Mqtt5Error`, with a `DeviceError("rejected")` when the URL is invalid, or with the signal's
   * reason; in each case no socket is left behind. It never comes back by itself.
   */
  open(request: Mqtt5Request, events: Mqtt5Events, signal: AbortSignal): Promise<Mqtt5Connection>;
}

/** A connection that did not come about, or ended. */
export class Mqtt5Error extends Error {
  override readonly name = "Mqtt5Error";
  /** From the server's CONNACK, DISCONNECT or SUBACK (2.4); null when the network failed, or the other end is no MQTT 5. */
  readonly reasonCode: number | null;
  /** Another server that it names for codes 0x9C and 0x9D; null when it names none. */
  readonly serverReference: string | null;
  /**
   * The server took the connection, and ended it before it said anything: among others, servers do so that do not know the
   * version.
   */
  readonly isWordless: boolean;

  constructor(
    message: string,
    said: {
      readonly reasonCode: number | null;
      readonly serverReference?: string | null;
      readonly isWordless?: boolean;
    },
    options?: ErrorOptions,
  ) {
    super(message, options);
    this.reasonCode = said.reasonCode;
    this.serverReference = said.serverReference ?? null;
    this.isWordless = said.isWordless ?? false;
  }
}
