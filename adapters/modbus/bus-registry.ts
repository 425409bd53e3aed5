import type { TcpAddress } from "hemgate/sdk";
import { type BusWorld, ModbusBus } from "./modbus-bus.ts";

/** A share in a bus. The last one to be disposed closes the bus. */
export interface BusShare extends Disposable {
  readonly bus: ModbusBus;
}

/** The buses in use, one an address: most devices accept a single connection. */
export class BusRegistry implements Disposable {
  readonly #world: BusWorld;
  readonly #buses = new Map<string, { readonly bus: ModbusBus; shares: number }>();

  constructor(world: BusWorld) {
    this.#world = world;
  }

  /** The caller disposes the share. */
  share(address: TcpAddress): BusShare {
    const key = `${address.host.toLowerCase()}:${address.port}`;
    const entry = this.#buses.get(key) ?? { bus: new ModbusBus(this.#world, address), shares: 0 };
    this.#buses.set(key, entry);
    entry.shares += 1;
    let isHeld = true;
    return {
      bus: entry.bus,
      [Symbol.dispose]: () => {
        if (!isHeld) return;
        isHeld = false;
        entry.shares -= 1;
        if (entry.shares > 0) return;
        this.#buses.delete(key);
        entry.bus[Symbol.dispose]();
      },
    };
  }

  [Symbol.dispose](): void {
    for (const { bus } of this.#buses.values()) bus[Symbol.dispose]();
    this.#buses.clear();
  }
}
