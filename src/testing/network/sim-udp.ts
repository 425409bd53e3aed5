import type { Clock, TcpAddress, Udp, UdpEvents, UdpSettings, UdpSocket } from "../../platform/ports/ports.ts";
import type { FaultPlan } from "../fault-plan.ts";
import type { SeededRandom } from "../seeded-random.ts";

const FIRST_FREE_PORT = 49_152;
/** One-way latency on the simulated LAN, ms. */
const LATENCY_MS = { min: 0.2, max: 1.5 } as const;
/** How late a late answer is, ms. */
const LATE_MS = { min: 5_000, max: 30_000 } as const;
const BROADCAST = "255.255.255.255";

interface Bound extends UdpSettings {
  readonly host: string;
  readonly port: number;
  readonly events: UdpEvents;
}

/**
 * Datagrams on a LAN in memory: to an address and port, to a multicast group, or to 255.255.255.255. Of the faults of a
 * host these strike what it sends: `lost-answer`, `late-answer`, `garbage`; and what is sent to it: `unreachable`.
 */
export class SimUdp {
  readonly #clock: Clock;
  readonly #random: SeededRandom;
  readonly #faults: FaultPlan;
  readonly #bound = new Set<Bound>();
  #nextPort = FIRST_FREE_PORT;

  constructor(clock: Clock, random: SeededRandom, faults: FaultPlan) {
    this.#clock = clock;
    this.#random = random;
    this.#faults = faults;
  }

  /** UDP as one machine has it; an address may belong to several processes. */
  host(address: string): SimUdpHost {
    return new SimUdpHost(this, address);
  }

  bind(host: string, settings: UdpSettings, events: UdpEvents): Bound {
    const { port = 0, groups = [] } = settings;
    const isShared = (other: Bound) => groups.length > 0 && (other.groups ?? []).length > 0;
    const isTaken = [...this.#bound].some(
      (other) => port !== 0 && other.host === host && other.port === port && !isShared(other),
    );
    if (isTaken) throw new Error(`cannot open UDP port ${port}: it is taken by another program`);
    const bound = { ...settings, host, port: port === 0 ? this.#nextPort++ : port, events };
    this.#bound.add(bound);
    return bound;
  }

  free(bound: Bound): void {
    this.#bound.delete(bound);
  }

  send(from: Bound, bytes: Uint8Array, to: TcpAddress): void {
    const faults = this.#faults;
    if (faults.strikes("unreachable", to.host) || faults.strikes("lost-answer", from.host)) return;
    const { min, max } = faults.strikes("late-answer", from.host) ? LATE_MS : LATENCY_MS;
    const content = faults.strikes("garbage", from.host) ? this.#random.secretBytes(bytes.length) : bytes.slice();
    this.#clock.timer(this.#random.between(min, max), () => {
      for (const socket of [...this.#bound]) {
        if (!isFor(socket, to)) continue;
        socket.events.datagram(content.slice(), { host: from.host, port: from.port });
      }
    });
  }

  later(callback: () => void): void {
    this.#clock.timer(0, callback);
  }
}

function isFor({ host, port, groups = [] }: Bound, to: TcpAddress): boolean {
  return port === to.port && (host === to.host || to.host === BROADCAST || groups.includes(to.host));
}

/** The UDP of one process: its sockets die with it. */
export class SimUdpHost implements Udp {
  readonly #udp: SimUdp;
  readonly #address: string;
  readonly #bound = new Set<Bound>();
  #isDead = false;

  constructor(udp: SimUdp, address: string) {
    this.#udp = udp;
    this.#address = address;
  }

  get openSockets(): number {
    return this.#bound.size;
  }

  /** Ends the process as SIGKILL does: its sockets are gone, and it hears nothing more. */
  kill(): void {
    this.#isDead = true;
    for (const bound of this.#bound) this.#udp.free(bound);
    this.#bound.clear();
  }

  async open(settings: UdpSettings, events: UdpEvents): Promise<UdpSocket> {
    if (this.#isDead) await new Promise(() => undefined);
    const bound = this.#udp.bind(this.#address, settings, events);
    this.#bound.add(bound);
    return {
      address: { host: bound.host, port: bound.port },
      send: (bytes, to) => {
        if (this.#bound.has(bound)) this.#udp.send(bound, bytes, to);
      },
      [Symbol.dispose]: () => {
        if (!this.#bound.delete(bound)) return;
        this.#udp.free(bound);
        this.#udp.later(() => {
          if (!this.#isDead) events.closed(null);
        });
      },
    };
  }
}
