import type { Log, Mdns, MdnsService, Udp } from "../../platform/ports/ports.ts";
import type { SeenService } from "../../sdk/discovery.ts";
import { SsdpListener } from "./ssdp.ts";

/** Beyond it, the service that was seen longest ago is dropped. */
const MAX_SERVICES = 500;

/** Collects the services that devices announce by mDNS and SSDP, until it is disposed. */
export class SeenServices implements Disposable {
  readonly #seen = new Map<string, SeenService>();
  readonly #open = new DisposableStack();
  #ssdp: SsdpListener | null = null;

  constructor(mdns: Mdns, types: readonly string[]) {
    for (const type of new Set(types)) {
      this.#open.use(
        mdns.browse(type, {
          up: (service) => this.#add(seenBy(service)),
          down: (service) => this.#seen.delete(keyOf(seenBy(service))),
        }),
      );
    }
  }

  /** Listens for SSDP too; does nothing if the port cannot be opened. */
  async listenToSsdp(world: { readonly udp: Udp; readonly log: Log }): Promise<void> {
    const listener = await SsdpListener.open(world, (service) => this.#add(service));
    if (listener === null) return;
    if (this.#open.disposed) listener[Symbol.dispose]();
    else this.#ssdp = this.#open.use(listener);
  }

  /** Sends an SSDP search; mDNS queries by itself. */
  sendSearch(): void {
    this.#ssdp?.sendSearch();
  }

  services(): readonly SeenService[] {
    return [...this.#seen.values()];
  }

  [Symbol.dispose](): void {
    this.#open.dispose();
  }

  #add(service: SeenService): void {
    const key = keyOf(service);
    this.#seen.delete(key);
    this.#seen.set(key, service);
    const [oldest] = this.#seen.keys();
    if (this.#seen.size > MAX_SERVICES && oldest !== undefined) this.#seen.delete(oldest);
  }
}

function seenBy({ type, name, addresses, port, txt }: MdnsService): SeenService {
  return { source: "mdns", type, name, address: addresses[0] ?? "", port, txt };
}

function keyOf({ source, type, name }: SeenService): string {
  return `${source} ${type} ${name}`;
}
