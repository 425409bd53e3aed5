import { DeviceError } from "hemgate/sdk";
import type { BusWorld } from "./bus-world.ts";
import { isSerialLine, type LineAddress, lineManner, lineName, type NetLine } from "./line-address.ts";
import { ModbusBus } from "./modbus-bus.ts";

/** A share in a bus. The last one to be disposed closes the bus. */
export interface BusShare extends Disposable {
  readonly bus: ModbusBus;
}

interface Entry {
  readonly bus: ModbusBus;
  readonly address: LineAddress;
  shares: number;
}

/** The buses in use, one a serial port or an address: most devices accept a single connection. */
export class BusRegistry implements Disposable {
  readonly #world: BusWorld;
  readonly #buses = new Map<string, Entry>();

  constructor(world: BusWorld) {
    this.#world = world;
  }

  /** The caller disposes the share. Throws when another device uses the same line in another way. */
  share(address: LineAddress): BusShare {
    const name = lineName(address);
    const key = isSerialLine(address) ? name : name.toLowerCase();
    const manner = lineManner(address);
    const known = this.#buses.get(key);
    if (known !== undefined && lineManner(known.address) !== manner) {
      throw new DeviceError(
        "rejected",
        `${name}: this device wants ${manner}, another one there ${lineManner(known.address)}; all of a line are alike`,
      );
    }
    const entry = known ?? { bus: new ModbusBus(this.#world, address), address, shares: 0 };
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

  /** What a bus in use speaks at an address in the network; null when there is none. */
  kindAt(host: string, port: number): NetLine["kind"] | null {
    const address = this.#buses.get(`${host}:${port}`.toLowerCase())?.address;
    return address === undefined || isSerialLine(address) ? null : address.kind;
  }

  [Symbol.dispose](): void {
    for (const { bus } of this.#buses.values()) bus[Symbol.dispose]();
    this.#buses.clear();
  }
}
