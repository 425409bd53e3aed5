import type { Place } from "../connect-options.ts";
import type { BusWorld } from "./bus-world.ts";
import { findFraming, type ProbeRead } from "./find-framing.ts";
import type { LineAddress, NetLine } from "./line-address.ts";

/** Hosts that are remembered; a house has a few. */
const MAX_HOSTS = 256;

type Found = Promise<NetLine["kind"]>;

/** What was found out about hosts that speak one of two framings: asked once, and again only after a failure. */
export class KnownFramings {
  readonly #world: BusWorld;
  readonly #inUse: (host: string, port: number) => NetLine["kind"] | null;
  readonly #known = new Map<string, Found>();

  /** `inUse`: what an open bus speaks there, whose one connection may be all that the host takes. */
  constructor(world: BusWorld, inUse: (host: string, port: number) => NetLine["kind"] | null) {
    this.#world = world;
    this.#inUse = inUse;
  }

  /** The line at a place, whose framing is found out when it is not said. */
  async lineAt(place: Place, read: ProbeRead, signal: AbortSignal): Promise<LineAddress> {
    if (place.kind !== "auto") return place;
    const { host, port } = place;
    return { kind: this.#inUse(host, port) ?? (await this.#find(host, port, read, signal)), host, port };
  }

  /** A device there did not answer: perhaps another one stands there now. */
  forget({ kind, ...place }: Place): void {
    if (kind === "auto" && "host" in place) this.#known.delete(keyOf(place.host, place.port));
  }

  async #find(host: string, port: number, read: ProbeRead, signal: AbortSignal): Found {
    const key = keyOf(host, port);
    const known = this.#known.get(key);
    // Who finds it out may give up, or ask a unit that is dead: then the next one tries for itself.
    if (known !== undefined) return await known.catch(() => this.#find(host, port, read, signal));
    const finding = findFraming(this.#world, { host, port }, read, signal).catch((error: unknown) => {
      this.#known.delete(key);
      throw error;
    });
    if (this.#known.size < MAX_HOSTS) this.#known.set(key, finding);
    return await finding;
  }
}

function keyOf(host: string, port: number): string {
  return `${host.toLowerCase()}:${port}`;
}
