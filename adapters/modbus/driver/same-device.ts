import { OtherDeviceError } from "hemgate/sdk";
import type { SerialRead } from "./device-map.ts";
import type { ModbusUnit } from "./register-point.ts";

/**
 * Sees to it that the device that a driver was made for is still the one at its address: on each new connection its serial
 * number is read before anything else. Routers reassign addresses, and inverters are exchanged.
 */
export class SameDevice {
  readonly #unit: ModbusUnit;
  readonly #serial: SerialRead | undefined;
  readonly #expected: string | null;
  /** The connection on which the device was recognized last. */
  #count: number | undefined;
  #other: OtherDeviceError | null = null;

  constructor(unit: ModbusUnit, expected: string | null, serial: SerialRead | undefined) {
    this.#unit = unit;
    this.#expected = expected;
    this.#serial = serial;
    this.#count = unit.link?.count;
  }

  /** True when what was just read came, at least in part, over a connection on which nobody looked yet. */
  get isInDoubt(): boolean {
    const { link } = this.#unit;
    return link?.isOpen === true && link.count !== this.#count;
  }

  /**
   * Looks who is there if the next request would go over another connection. Rejects with an `OtherDeviceError`, from then
   * on for good, or as a read does.
   */
  async check(signal: AbortSignal): Promise<void> {
    if (this.#other !== null) throw this.#other;
    const { link } = this.#unit;
    if (this.#serial === undefined || this.#expected === null || link === undefined) return;
    if (link.isOpen && link.count === this.#count) return;
    const found = await this.#serial.read(this.#unit, signal);
    // A device that does not tell it now is asked again at the next look.
    if (found === null) return;
    if (found === this.#expected) {
      this.#count = this.#unit.link?.count;
      return;
    }
    this.#other = new OtherDeviceError(this.#expected, found, "its address");
    throw this.#other;
  }
}
