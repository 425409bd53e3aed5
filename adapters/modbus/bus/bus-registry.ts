import { DeviceError, Shares } from "hemgate/sdk";
import type { BusWorld } from "./bus-world.ts";
import { isSerialLine, type LineAddress, lineManner, lineName, type NetLine } from "./line-address.ts";
import { ModbusBus } from "./modbus-bus.ts";

/** A share in a bus. The last one to be disposed closes the bus. */
export interface BusShare extends Disposable {
  readonly bus: ModbusBus;
}

interface UsedBus extends Disposable {
  readonly bus: ModbusBus;
  readonly address: LineAddress;
}

/** The buses in use, one a serial port or an address: most devices accept a single connection. */
export class BusRegistry implements Disposable {
  readonly #world: BusWorld;
  readonly #buses = new Shares<UsedBus>();

  constructor(world: BusWorld) {
    this.#world = world;
  }

  /** The caller disposes the share. Throws when another device uses the same line in another way. */
  share(address: LineAddress): BusShare {
    const name = lineName(address);
    const key = isSerialLine(address) ? name : name.toLowerCase();
    const manner = lineManner(address);
    const known = this.#buses.get(key);
    if (known !== null && lineManner(known.address) !== manner) {
      throw new DeviceError(
        "rejected",
        `${name}: this device wants ${manner}, another one there ${lineManner(known.address)}; all of a line are alike`,
      );
    }
    const share = this.#buses.take(key, () => {
      const bus = new ModbusBus(this.#world, address);
      return { bus, address, [Symbol.dispose]: () => bus[Symbol.dispose]() };
    });
    return { bus: share.thing.bus, [Symbol.dispose]: () => share[Symbol.dispose]() };
  }

  /** What a bus in use speaks at an address in the network; null when there is none. */
  kindAt(host: string, port: number): NetLine["kind"] | null {
    const address = this.#buses.get(`${host}:${port}`.toLowerCase())?.address;
    return address === undefined || isSerialLine(address) ? null : address.kind;
  }

  [Symbol.dispose](): void {
    this.#buses[Symbol.dispose]();
  }
}
