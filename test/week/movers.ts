/** Devices that the router gives another address now and then. The gateway has to find them again by serial number. */
import type { SeededRandom, World } from "hemgate/testing";
import type { GatewayBox } from "../long-run/gateway-box.ts";
import type { Calm } from "./calm.ts";
import type { Trouble } from "./week-device.ts";

/** The gateway and its devices are in this network, so a search asks its 62 addresses. */
const HOME_NET = { address: "10.0.0.2", prefixLength: 26, mac: "02:00:5e:10:00:01" } as const;
/** Addresses that the router hands out. */
const FREE = Array.from({ length: 16 }, (_unused, index) => `10.0.0.${45 + index}`);
/**
 * A device counts as lost after five minutes, and is looked for at once and then every half hour; the first search may
 * come before the device is at its new address, and a gateway that was away begins anew.
 */
const FOUND_WITHIN_MS = 45 * 60_000;
const NOTICED_MS = 5 * 60_000;

/** Something at an address. */
export interface Mover {
  readonly id: string;
  readonly host: string;
  /** Leaves the address that it has, and takes another. */
  moveTo(host: string): Promise<void>;
}

export class Movers {
  readonly #world: World;
  readonly #movers: readonly Mover[];
  readonly #random: SeededRandom;
  readonly #homes: ReadonlyMap<string, string>;
  /** Those that were not found yet, and monotonic ms of their move. */
  readonly #lost = new Map<string, number>();
  /** How often one was found again. */
  found = 0;

  constructor(world: World, movers: readonly Mover[]) {
    this.#world = world;
    this.#movers = movers;
    this.#random = world.random.fork("router");
    this.#homes = new Map(movers.map(({ id, host }) => [id, host]));
    world.net.interfaces = [HOME_NET];
  }

  get troubles(): readonly Trouble[] {
    return this.#movers.map((mover) => ({
      name: "address changed",
      devices: [mover.id],
      isDeath: false,
      lastsMs: FOUND_WITHIN_MS,
      begin: () => {
        this.#lost.set(mover.id, this.#world.clock.monotonicMs());
        void mover.moveTo(this.#another(mover));
        return { [Symbol.dispose]: () => undefined };
      },
    }));
  }

  /** Notes who was found again; a gateway that begins has as much time for the others as after a move. */
  afterMinute({ running }: Pick<GatewayBox, "running">, calm: Calm): void {
    const { clock } = this.#world;
    for (const [id, movedAtMs] of this.#lost) {
      const isShown =
        running?.gateway.engine.devices().some((device) => device.id === id && device.isReachable) ?? false;
      // Right after a move the device is still shown as it was.
      if (isShown && clock.monotonicMs() - movedAtMs > NOTICED_MS) {
        this.#lost.delete(id);
        this.found += 1;
      } else if (running === null) calm.disturb(id, FOUND_WITHIN_MS);
    }
  }

  /** A free address, or the one that it is configured with. */
  #another({ id, host }: Mover): string {
    const taken = new Set(this.#movers.map((each) => each.host));
    const home = this.#homes.get(id) ?? host;
    const [first = home, ...others] = [home, ...FREE].filter((each) => !taken.has(each));
    return this.#random.pick([first, ...others]);
  }
}
