import type { Clock, Mdns, MdnsEvents, MdnsService } from "../../platform/ports/ports.ts";

/** How long an announcement travels on the simulated LAN, ms. */
const LATENCY_MS = 1;

interface Listening {
  readonly type: string;
  readonly events: MdnsEvents;
}

/** Multicast DNS on a LAN in memory: what is announced is heard by everybody who browses for its type. */
export class SimMdns {
  readonly #clock: Clock;
  readonly #listening = new Set<Listening>();
  readonly #services = new Map<string, MdnsService>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** The services that are announced now. */
  get services(): readonly MdnsService[] {
    return [...this.#services.values()];
  }

  /** A device announces itself, or changed: one of the same type and name is replaced. */
  announce(service: MdnsService): void {
    this.#services.set(keyOf(service), service);
    this.#tell(service, "up");
  }

  /** A device says goodbye. */
  withdraw(service: Pick<MdnsService, "type" | "name">): void {
    const known = this.#services.get(keyOf(service));
    if (known === undefined) return;
    this.#services.delete(keyOf(service));
    this.#tell(known, "down");
  }

  /** mDNS as one machine has it. */
  host(address: string): SimMdnsHost {
    return new SimMdnsHost(this, address);
  }

  listen(listening: Listening): void {
    this.#listening.add(listening);
    for (const service of this.#services.values()) this.#later(listening, service, "up");
  }

  leave(listening: Listening): void {
    this.#listening.delete(listening);
  }

  #tell(service: MdnsService, event: "up" | "down"): void {
    for (const listening of this.#listening) this.#later(listening, service, event);
  }

  #later(listening: Listening, service: MdnsService, event: "up" | "down"): void {
    if (listening.type !== service.type) return;
    this.#clock.timer(LATENCY_MS, () => {
      if (this.#listening.has(listening)) listening.events[event](service);
    });
  }
}

/** The mDNS of one process: what it announced is heard no more when it ends, and it says no goodbye when it is killed. */
export class SimMdnsHost implements Mdns {
  readonly #mdns: SimMdns;
  readonly #address: string;
  readonly #browsing = new Set<Listening>();

  constructor(mdns: SimMdns, address: string) {
    this.#mdns = mdns;
    this.#address = address;
  }

  get browsing(): number {
    return this.#browsing.size;
  }

  kill(): void {
    for (const listening of this.#browsing) this.#mdns.leave(listening);
    this.#browsing.clear();
  }

  browse(type: string, events: MdnsEvents): Disposable {
    const listening = { type, events };
    this.#browsing.add(listening);
    this.#mdns.listen(listening);
    return {
      [Symbol.dispose]: () => {
        this.#browsing.delete(listening);
        this.#mdns.leave(listening);
      },
    };
  }

  async announce(announcement: Parameters<Mdns["announce"]>[0]): Promise<AsyncDisposable> {
    const service = { ...announcement, host: "gateway.local", addresses: [this.#address] };
    this.#mdns.announce(service);
    return { [Symbol.asyncDispose]: async () => this.#mdns.withdraw(service) };
  }
}

function keyOf({ type, name }: Pick<MdnsService, "type" | "name">): string {
  return `${type} ${name}`;
}
