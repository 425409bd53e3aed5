import { DeviceError } from "hemgate/sdk";
import { ModbusException } from "../../../../adapters/modbus/bus/modbus-exception.ts";
import type { ModbusUnit } from "../../../../adapters/modbus/driver/register-point.ts";

/** A device as a register image. It refuses what it does not have, as real ones do. */
export class FakeUnit implements ModbusUnit {
  readonly registers: Map<number, number>;
  /** Every write that was taken, in order: address, then values. */
  readonly writes: number[][] = [];
  readonly reads: { address: number; count: number }[] = [];
  /** Set to answer no more. */
  isDead = false;
  /** Addresses that refuse to be written. */
  readonly refusesWriteOf = new Set<number>();
  /** Addresses that take a write and keep their value. */
  readonly keepsValueOf = new Set<number>();

  constructor(registers: ReadonlyMap<number, number>) {
    this.registers = new Map(registers);
  }

  async read(_table: string, address: number, count: number, signal: AbortSignal): Promise<Uint16Array> {
    signal.throwIfAborted();
    if (this.isDead) throw new DeviceError("unreachable", "no answer");
    this.reads.push({ address, count });
    if (count < 1 || count > 125) throw new ModbusException(3, `${count} registers`);
    return Uint16Array.from({ length: count }, (_, index) => {
      const word = this.registers.get(address + index);
      if (word === undefined) throw new ModbusException(2, `register ${address + index}`);
      return word;
    });
  }

  async write(address: number, values: readonly number[], code: 6 | 16, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    if (this.isDead) throw new DeviceError("unreachable", "no answer");
    if (code !== 16) throw new ModbusException(1, `function ${code}`);
    if (this.refusesWriteOf.has(address)) throw new ModbusException(4, `write ${address}`);
    this.writes.push([address, ...values]);
    for (const [index, value] of values.entries()) {
      if (!this.registers.has(address + index)) throw new ModbusException(2, `write ${address + index}`);
      if (!this.keepsValueOf.has(address + index)) this.registers.set(address + index, value);
    }
  }
}
