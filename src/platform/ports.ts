/**
 * What the gateway asks of the world: time, chance, network, HTTP, disk, broker, log. Everything else in the code base takes
 * these ports, so that a whole home also runs in a simulated world.
 */
import type { AbstractLevel } from "abstract-level";

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

/** What the owner of a stream is told. Calls arrive in order; nothing follows `closed`. */
export interface StreamEvents {
  data(bytes: Uint8Array): void;
  /** Once: after our dispose, after the peer left (no error), or after a failure (with it). */
  closed(error: Error | null): void;
}

/** An open TCP stream. Whoever opened it disposes it; disposing destroys the socket at once. */
export interface TcpStream extends Disposable {
  /** Queues bytes for sending. After close it does nothing. */
  write(bytes: Uint8Array): void;
  /** Bytes queued and not yet taken by the operating system. */
  readonly bufferedBytes: number;
  readonly remote: TcpAddress;
}

export interface TcpListener extends AsyncDisposable {
  readonly address: TcpAddress;
}

export interface Net {
  /**
   * Opens a TCP stream with Nagle's delay off. Rejects with a `DeviceError("unreachable")` that names the address, or
   * with the signal's reason; in both cases no socket is left behind.
   */
  connect(address: TcpAddress, events: StreamEvents, signal: AbortSignal): Promise<TcpStream>;
  /** Listens; each new stream is handed to `accept`, which answers with what it wants to be told. Port 0: any. */
  listen(address: TcpAddress, accept: (stream: TcpStream) => StreamEvents): Promise<TcpListener>;
}

/** A request to a server elsewhere. Time is limited by the signal that goes with it. */
export interface HttpRequest {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** `http:` or `https:`. A user and password in it are not sent. */
  readonly url: URL;
  /** Names in lower case. `host`, `content-length` and `connection` are the client's own. */
  readonly headers: Readonly<Record<string, string>>;
  /** Null: none. */
  readonly body: Uint8Array | null;
  /** The answer's body is cut after so many bytes, and the connection closed. */
  readonly maxBodyBytes: number;
}

export interface HttpAnswer {
  readonly status: number;
  /** Name in lower case and value, in the order received. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** As sent: content encodings are not undone. */
  readonly body: Uint8Array;
  readonly isBodyCut: boolean;
}

/** Whom a client may reach. */
export interface HttpPolicy {
  /**
   * Asked about each IP address before anything is sent there, one that stands in the URL included: why not to connect
   * to it, in words; null lets it pass.
   */
  refuse(address: string): string | null;
}

/** Requests under one policy. Disposing it closes its connections; requests under way fail. */
export interface HttpClient extends Disposable {
  /**
   * Resolves the host, connects to an address that the policy let pass and to no other, and answers what came back,
   * whatever its status: redirects are not followed. TLS certificates are verified. Rejects with an `HttpError`, or with
   * the signal's reason.
   */
  request(request: HttpRequest, signal: AbortSignal): Promise<HttpAnswer>;
}

export interface Http {
  /** A client of its own; it shares no connection with others. The caller disposes it. */
  open(policy: HttpPolicy): HttpClient;
}

/** `critical` is small and decides about control; `telemetry` is large and may be lost without harm to control. */
export type DatabaseName = "critical" | "telemetry";

/** An ordered key-value database with atomic batches. Keys are text, values are bytes. */
export type Database = AbstractLevel<string | Buffer | Uint8Array, string, Uint8Array>;

export interface Disk {
  /** Opens the database, creating it when it has never existed here. Rejects when it is damaged or locked. */
  open(name: DatabaseName): Promise<Database>;
  /** Moves the database's files away, keeps them, and answers where they are now. */
  moveAside(name: DatabaseName): Promise<string>;
}

export interface BrokerMessage {
  readonly topic: string;
  readonly payload: Uint8Array;
  readonly isRetained: boolean;
}

/** Where the broker listens; port 0 takes any free one. */
export type BrokerSettings = TcpAddress;

/** Who may connect to the broker. Clients read what the gateway publishes; they publish nothing. */
export interface BrokerAccess {
  authenticate(username: string, password: string): Promise<boolean>;
}

/** The MQTT side: the gateway publishes its states there. */
export interface Broker extends AsyncDisposable {
  readonly address: TcpAddress;
  /** Publishes; a retained message is kept for later subscribers, an empty retained one takes the kept one away. */
  publish(message: BrokerMessage): Promise<void>;
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
  readonly random: Random;
  readonly net: Net;
  readonly http: Http;
  readonly disk: Disk;
  readonly log: Log;
  /** Opens the broker. Rejects with a clear error when the port is taken. The caller disposes it. */
  openBroker(settings: BrokerSettings, access: BrokerAccess): Promise<Broker>;
}
