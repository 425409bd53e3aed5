/**
 * What the gateway asks of the world: time, chance, network, serial ports, HTTP, disk, broker, log. Everything else in
 * the code base takes these ports, so that a whole home also runs in a simulated world.
 */
import type { BackupFiles } from "./backup-files-port.ts";
import type { Cron } from "./cron-port.ts";
import type { Disk } from "./disk-port.ts";
import type { Files } from "./files-port.ts";
import type { Http } from "./http-port.ts";
import type { HttpStreams } from "./http-stream-port.ts";
import type { Mailer } from "./mail-port.ts";
import type { Mdns } from "./mdns-port.ts";
import type { Mqtt5 } from "./mqtt5-port.ts";
import type { Optimizer } from "./optimizer-port.ts";
import type { PageFiles } from "./page-files-port.ts";
import type { RecentLog } from "./recent-log-port.ts";
import type { Udp } from "./udp-port.ts";
import type { UpdateRequests } from "./update-requests-port.ts";
import type { WebSockets } from "./websocket-port.ts";

export type { Cron, CronTime } from "./cron-port.ts";
export type { CopyFile, Database, DatabaseName, Disk, RebuildParts, Salvage } from "./disk-port.ts";
export type { Http, HttpAnswer, HttpClient, HttpPolicy, HttpRequest, PinnedCertificate } from "./http-port.ts";
export type { Mdns, MdnsAnnouncement, MdnsEvents, MdnsService } from "./mdns-port.ts";
export type { Udp, UdpEvents, UdpSettings, UdpSocket } from "./udp-port.ts";
export type { WebSocketConnection, WebSocketEvents, WebSocketRequest, WebSockets } from "./websocket-port.ts";

/** How far the wall clock can be trusted: `unset` since boot, `restored` from disk, `synced` by a time source. */
export type ClockQuality = "unset" | "restored" | "synced";

export interface Clock {
  /** Milliseconds since an arbitrary start; never steps, never goes back. Durations, leases and token lives use it. */
  monotonicMs(): number;
  /** Milliseconds since 1970-01-01T00:00Z by the wall clock; may step. */
  nowMs(): number;
  quality(): ClockQuality;
  /** Resolves when `delayMs` of monotonic time have passed; rejects with the signal's reason when it aborts first. */
  sleep(delayMs: number, signal: AbortSignal): Promise<void>;
  /** Calls back once after `delayMs`. Disposing it first cancels the call. Delays of any length are allowed. */
  timer(delayMs: number, callback: () => void): Disposable;
}

export interface Random {
  /** A number in [0, 1). Not for secrets. */
  next(): number;
  /** Bytes that nobody can guess; in a simulated world they come from the seed. */
  secretBytes(count: number): Uint8Array;
  /** A version 4 UUID. */
  uuid(): string;
  /** Derives a key from a secret with scrypt (N = 2^15, r = 8, p = 1, 32 bytes) without blocking the event loop. */
  scrypt(secret: string, salt: Uint8Array): Promise<Uint8Array>;
}

export interface TcpAddress {
  readonly host: string;
  readonly port: number;
}

/** The events of a stream. Calls arrive in order; nothing follows `closed`. */
export interface StreamEvents {
  /**
   * Where a stream that we open may put what it receives: `data` then gets a part of it, which is valid until `data` returns.
   * Saves an allocation of 64 kB for each segment. Absent: the bytes are the receiver's own.
   */
  readonly buffer?: Uint8Array;
  data(bytes: Uint8Array): void;
  /** Once: after our dispose, after the peer left (no error), or after a failure (with it). */
  closed(error: Error | null): void;
}

/** A stream of bytes in both directions. Its owner disposes it; disposing ends it at once. */
export interface ByteStream extends Disposable {
  /** Queues bytes for sending. After close it does nothing. */
  write(bytes: Uint8Array): void;
  /** Bytes queued and not yet taken by the operating system. */
  readonly bufferedBytes: number;
}

/** An open TCP stream. Disposing destroys the socket. */
export interface TcpStream extends ByteStream {
  readonly remote: TcpAddress;
}

export interface TcpListener extends AsyncDisposable {
  readonly address: TcpAddress;
}

/** An address of this machine in a network that it is a part of, other than loopback. */
export interface NetInterface {
  /** IPv4. */
  readonly address: string;
  /** Bits of the address that all of the network have in common. */
  readonly prefixLength: number;
  /** Such as `02:00:5e:10:00:01`. */
  readonly mac: string;
}

export interface Net {
  /** The networks that the machine is in now. */
  interfaces(): readonly NetInterface[];
  /** What the machine calls itself, with or without a domain. */
  hostName(): string;
  /** The IPv4 addresses of a name, an address as it is; none when nobody knows the name. */
  resolve(host: string): Promise<readonly string[]>;
  /**
   * Opens a TCP stream with Nagle's delay off. Rejects with a `DeviceError("unreachable")` that names the address, or
   * with the signal's reason; in both cases no socket is left behind.
   */
  connect(address: TcpAddress, events: StreamEvents, signal: AbortSignal): Promise<TcpStream>;
  /** Listens; each new stream is handed to `accept`, which returns the handler of its events. Port 0: any. */
  listen(address: TcpAddress, accept: (stream: TcpStream) => StreamEvents): Promise<TcpListener>;
}

/** How a serial port is set. All ends of a line have to be set alike. */
export interface SerialSettings {
  /** The device file, such as `/dev/ttyUSB0` or, better, a name under `/dev/serial/by-id` that stays. */
  readonly path: string;
  /** Bits a second. */
  readonly baudRate: number;
  readonly dataBits: 7 | 8;
  readonly parity: "none" | "even" | "odd";
  readonly stopBits: 1 | 2;
}

export interface Serial {
  /**
   * Opens a serial port for itself alone. Rejects with a `DeviceError("unreachable")` that names the port and says what
   * is wrong with it, or with the signal's reason; in both cases the port is left closed.
   */
  open(settings: SerialSettings, events: StreamEvents, signal: AbortSignal): Promise<ByteStream>;
}

export interface BrokerMessage {
  readonly topic: string;
  readonly payload: Uint8Array;
  readonly isRetained: boolean;
  /**
   * Whether the client that published it may itself publish or read at a topic: what a message asks the gateway to do
   * there must be its sender's to do. Absent: a broker elsewhere does not say who published it.
   */
  readonly mayUse?: ((topic: string) => boolean) | undefined;
}

/** What clients of the embedded broker may use up. */
export interface BrokerLimits {
  readonly connections: number;
  /** Of one address, before they have signed in. */
  readonly connectionsPerAddress: number;
  /** Of one packet, after its fixed header. */
  readonly packetBytes: number;
  /** Packets of one client; one that sends more is read more slowly. */
  readonly packetsPerSecond: number;
  readonly subscriptionsPerClient: number;
  readonly topicLevels: number;
  /** Messages of one client at QoS 2 whose handshake is not over. */
  readonly inflight: number;
  /** Sessions that are kept after their connection ended. */
  readonly sessions: number;
  /** Messages at QoS 1 and 2 that wait for the client of one session; the oldest goes first. */
  readonly queuedMessages: number;
  readonly sessionHours: number;
  /** The longest silence that a client may ask for. */
  readonly keepaliveSeconds: number;
  /** How long a client may leave unread what was sent to it. */
  readonly drainSeconds: number;
}

/** Where the embedded broker listens, and its limits; port 0 takes any free one. */
export interface BrokerSettings extends TcpAddress {
  /** Null: plain TCP only. */
  readonly tls: { readonly port: number; readonly certFile: string; readonly keyFile: string } | null;
  readonly limits: BrokerLimits;
}

/** What a client may do; topic filters. */
export interface BrokerRights {
  readonly username: string;
  readonly publish: readonly string[];
  readonly subscribe: readonly string[];
}

export interface SignIn {
  readonly username: string;
  readonly password: string;
  /** IP address that it comes from. */
  readonly address: string;
}

/** Who may connect to the broker. */
export interface BrokerAccess {
  /** Null: not with these credentials, or not now after so many wrong ones from that address. */
  signIn(attempt: SignIn): Promise<BrokerRights | null>;
  /** Returns what a user of the configuration may do now; `null` for an unknown name. */
  rightsOf(username: string): BrokerRights | null;
}

/** A retained message. */
export interface KeptMessage {
  readonly topic: string;
  readonly payload: Uint8Array;
  readonly qos: 0 | 1 | 2;
  /** Who published it; undefined for the gateway itself. */
  readonly username?: string | undefined;
}

/** What a broker keeps for later subscribers. */
export interface RetainedMemory {
  /** Keeps a message; an empty one takes the kept one away. False: there is no room, and nothing is kept there now. */
  put(message: KeptMessage, isOwn: boolean): boolean;
  under(filter: string): Iterable<KeptMessage>;
}

/** The gateway's own broker, in this process. */
export interface Broker extends AsyncDisposable {
  readonly address: TcpAddress;
  /** Port that it speaks TLS at; null without TLS. */
  readonly tlsPort: number | null;
  /** Publishes; a retained message is kept for later subscribers, an empty retained one takes the kept one away. */
  publish(message: BrokerMessage): Promise<void>;
  /**
   * Hands over what the broker keeps under the filter, marked retained, and then every message that is published there.
   * Throws a `RangeError` when the filter is invalid.
   */
  subscribe(filter: string, listener: (message: BrokerMessage) => void): Disposable;
}

/** An MQTT server elsewhere, and how to sign in there. */
export interface MqttServer {
  /** `mqtt://host` (port 1883 where it names none) or `mqtts://host` (8883); no user, path or query in it. */
  readonly url: string;
  readonly username?: string | undefined;
  readonly password?: string | undefined;
  /** Default: one that no other client has. */
  readonly clientId?: string | undefined;
  /** PEM file of the authorities that a `mqtts` server is checked against, instead of the public ones. */
  readonly caFile?: string | undefined;
  /** What the server publishes in our place when the connection ends without a goodbye. */
  readonly will?: BrokerMessage | undefined;
}

/**
 * A client of one MQTT server. It connects by itself, and again after each loss, after pauses that grow and that chance
 * shortens. Nothing is queued while it is not connected, and nothing is sent again afterwards: a command that comes late
 * is a wrong one. Disposing it says goodbye; no listener is called after that.
 */
export interface MqttLink extends Disposable {
  readonly isConnected: boolean;
  /** Why the last connection ended or did not come about; null while connected and before the first attempt ended. */
  readonly failure: Error | null;
  /**
   * Listens, now and after each reconnect. What the server keeps comes first, with `isRetained`; it comes again after
   * each reconnect, and may come again when somebody else begins to listen. Any message may come twice. Throws a
   * `RangeError` when the filter is invalid. A listener that throws is logged and keeps getting messages.
   */
  subscribe(filter: string, listener: (message: BrokerMessage) => void): Disposable;
  /**
   * Publishes at QoS 1. Rejects with a `DeviceError("unreachable")` when there is no connection, when too many others wait,
   * or when the server did not acknowledge within 5 s: the message may have arrived even so.
   */
  publish(message: BrokerMessage): Promise<void>;
  /** Calls the listener at each change of `isConnected`, not with its present value. */
  observe(listener: (isConnected: boolean) => void): Disposable;
}

export interface Mqtt {
  /**
   * Opens a link to a server, which the caller disposes. Throws a `DeviceError("rejected")` when the URL is invalid; a
   * server that cannot be reached shows in the link.
   */
  connect(server: MqttServer): MqttLink;
}

/** Links as the gateway's parts ask for them. */
export interface MqttLinks {
  /**
   * Opens a link to a server, or (null) to the broker that the configuration names: the embedded one, reached without
   * TCP, or another. Links to the same server with the same credentials share one connection. Throws a
   * `DeviceError("rejected")` when the URL is invalid or no broker is configured. The caller disposes the link.
   */
  link(server: MqttServer | null): MqttLink;
}

export type LogFields = Readonly<Record<string, unknown>>;

/** Structured log: fields first, a short fixed text second. An error stands under `err`. */
export interface Log {
  error(fields: LogFields, text: string): void;
  warn(fields: LogFields, text: string): void;
  info(fields: LogFields, text: string): void;
  debug(fields: LogFields, text: string): void;
  child(fields: LogFields): Log;
}

export interface Platform {
  readonly clock: Clock;
  readonly cron: Cron;
  readonly random: Random;
  readonly net: Net;
  readonly serial: Serial;
  readonly udp: Udp;
  readonly mdns: Mdns;
  readonly http: Http;
  readonly httpStreams: HttpStreams;
  readonly webSockets: WebSockets;
  readonly mqtt: Mqtt;
  readonly mqtt5: Mqtt5;
  readonly disk: Disk;
  readonly files: Files;
  readonly optimizer: Optimizer;
  /** Without it the gateway sends no e-mail. */
  readonly mailer?: Mailer | undefined;
  /** Without it nobody can read the last lines of the log but at the machine. */
  readonly recentLog?: RecentLog | undefined;
  /** Without it the gateway makes no backups. */
  readonly backups?: BackupFiles | undefined;
  /** Without it the gateway asks for no updates. */
  readonly updates?: UpdateRequests | undefined;
  /** Without it the gateway has no home page. */
  readonly page?: PageFiles | undefined;
  /** The API's descriptions as the build prepared them; without them they are made when they are asked for. */
  readonly descriptions?: PageFiles | undefined;
  readonly log: Log;
  /** Opens the broker. Rejects with a clear error when the port is taken. The caller disposes it. */
  openBroker(settings: BrokerSettings, access: BrokerAccess, retained: RetainedMemory): Promise<Broker>;
}
