import { crc32 } from "node:zlib";
import type {
  Clock,
  Net,
  NetInterface,
  StreamEvents,
  TcpAddress,
  TcpListener,
  TcpStream,
} from "../../platform/ports/ports.ts";
import { DeviceError } from "../../points/device-error.ts";
import { FaultPlan } from "../fault-plan.ts";
import type { SeededRandom } from "../seeded-random.ts";
import { latencyMs, SimEnd, type SimParts } from "./sim-connection.ts";

/** How long a kernel goes on asking a host that does not answer. */
const CONNECT_GIVES_UP_MS = 127_000;
const FIRST_FREE_PORT = 49_152;

interface Listening {
  readonly address: TcpAddress;
  readonly host: SimHost;
  readonly accept: (stream: TcpStream) => StreamEvents;
}

/**
 * A LAN in memory. Every byte travels through the virtual clock, with a seeded latency and the faults of its plan.
 * Addresses are one name space: a listener on `host:port` is found there from every process.
 */
export class SimNet {
  readonly faults: FaultPlan;
  /** The networks that every process of the world is in; none at first. */
  interfaces: readonly NetInterface[] = [];
  /** What the machine of every process of the world calls itself. */
  hostName = "hemgate";
  /** Addresses of names. Streams to a name that is not here go to the listener on the name itself. */
  readonly names = new Map<string, string>();
  readonly #parts: SimParts;
  readonly #listening = new Map<string, Listening>();
  #nextPort = FIRST_FREE_PORT;
  #deliveries = 0;
  #trafficChecksum = 0;

  constructor(clock: Clock, random: SeededRandom) {
    this.faults = new FaultPlan(clock, random.fork("faults"));
    this.#parts = {
      clock,
      random: random.fork("latency"),
      faults: this.faults,
      onTraffic: (bytes) => {
        this.#deliveries += 1;
        this.#trafficChecksum = crc32(bytes, this.#trafficChecksum);
      },
    };
  }

  /** Chunks that arrived so far, anywhere. */
  get deliveries(): number {
    return this.#deliveries;
  }

  /** CRC-32 over all bytes that arrived, in order. */
  get trafficChecksum(): number {
    return this.#trafficChecksum;
  }

  /** The net as one process sees it; `address` is where servers see that its connections come from. */
  host(address = "client"): SimHost {
    return new SimHost(this, this.#parts, address);
  }

  listening(address: TcpAddress): Listening | undefined {
    return this.#listening.get(key({ ...address, host: this.names.get(address.host) ?? address.host }));
  }

  addListener(address: TcpAddress, listener: Omit<Listening, "address">): TcpAddress {
    const bound = { host: address.host, port: address.port === 0 ? this.#nextPort++ : address.port };
    if (this.#listening.has(key(bound))) {
      throw new Error(`cannot listen on ${bound.host}:${bound.port}: the port is taken by another program`);
    }
    this.#listening.set(key(bound), { ...listener, address: bound });
    return bound;
  }

  removeListener(address: TcpAddress, host: SimHost): void {
    if (this.#listening.get(key(address))?.host === host) this.#listening.delete(key(address));
  }
}

function key({ host, port }: TcpAddress): string {
  return `${host}:${port}`;
}

/** The net of one process: what it opened dies with it. */
export class SimHost implements Net {
  readonly #net: SimNet;
  readonly #parts: SimParts;
  readonly #address: string;
  readonly #ends = new Set<SimEnd>();
  readonly #listeners = new Set<TcpAddress>();
  #isDead = false;

  constructor(net: SimNet, parts: SimParts, address: string) {
    this.#net = net;
    this.#parts = parts;
    this.#address = address;
  }

  /** Streams that this process has open. */
  get openStreams(): number {
    return this.#ends.size;
  }

  interfaces(): readonly NetInterface[] {
    return this.#net.interfaces;
  }

  hostName(): string {
    return this.#net.hostName;
  }

  async resolve(host: string): Promise<readonly string[]> {
    return [this.#net.names.get(host) ?? host].filter((address) => /^[\d.]+$/.test(address));
  }

  get openListeners(): number {
    return this.#listeners.size;
  }

  /** Ends the process as SIGKILL does: it gets no more events, its streams are reset, its ports are free. */
  kill(): void {
    this.#isDead = true;
    for (const address of this.#listeners) this.#net.removeListener(address, this);
    this.#listeners.clear();
    for (const end of this.#ends) end.kill();
    this.#ends.clear();
  }

  async connect(address: TcpAddress, events: StreamEvents, signal: AbortSignal): Promise<TcpStream> {
    signal.throwIfAborted();
    const { promise, resolve, reject } = Promise.withResolvers<SimEnd>();
    const asked = `connect ${address.host}:${address.port}`;
    const { clock, faults, random } = this.#parts;
    // A dead process never hears an answer; neither does one whose packets vanish.
    if (!this.#isDead) {
      const isSwallowed = faults.strikes("unreachable", address.host);
      const waitMs = isSwallowed ? CONNECT_GIVES_UP_MS : latencyMs(random) + latencyMs(random);
      const answer = clock.timer(waitMs, () => {
        signal.removeEventListener("abort", abort);
        if (this.#isDead) return;
        const listening = isSwallowed ? undefined : this.#net.listening(address);
        if (listening === undefined || faults.strikes("refused", address.host)) {
          const reason = isSwallowed ? "no-such-host" : "connection-refused";
          const code = isSwallowed ? "ETIMEDOUT" : "ECONNREFUSED";
          reject(new DeviceError("unreachable", `${asked}: ${code}`, { reason }));
        } else resolve(this.#establish(address, events, listening));
      });
      const abort = (): void => {
        answer[Symbol.dispose]();
        reject(signal.reason);
      };
      signal.addEventListener("abort", abort, { once: true });
    }
    const stream = await promise;
    if (!signal.aborted) return stream;
    stream.kill();
    throw signal.reason;
  }

  async listen(address: TcpAddress, accept: (stream: TcpStream) => StreamEvents): Promise<TcpListener> {
    if (this.#isDead) return await new Promise(() => undefined);
    const bound = this.#net.addListener(address, { host: this, accept });
    this.#listeners.add(bound);
    const accepted = (): readonly SimEnd[] => [...this.#ends].filter((end) => end.listener === bound);
    return {
      address: bound,
      [Symbol.asyncDispose]: async () => {
        this.#listeners.delete(bound);
        this.#net.removeListener(bound, this);
        for (const end of accepted()) end[Symbol.dispose]();
      },
    };
  }

  /** Makes both ends; the server gets its event first, because its kernel answered. */
  #establish(address: TcpAddress, events: StreamEvents, listening: Listening): SimEnd {
    const client = this.#newEnd(address, address.host, null);
    const server = listening.host.#newEnd({ host: this.#address, port: 0 }, address.host, listening.address);
    SimEnd.join(client, server);
    client.own(events);
    server.own(listening.accept(server));
    return client;
  }

  #newEnd(remote: TcpAddress, serverHost: string, listener: TcpAddress | null): SimEnd {
    const end = new SimEnd(this.#parts, {
      remote,
      serverHost,
      listener,
      onClose: (closed) => this.#ends.delete(closed),
    });
    this.#ends.add(end);
    return end;
  }
}
