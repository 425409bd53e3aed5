import { DeviceError, type RegisterTable } from "hemgate/sdk";
import { ModbusException } from "../../../adapters/modbus/bus/modbus-exception.ts";
import type { ModbusUnit } from "../../../adapters/modbus/driver/register-point.ts";

/** A unit whose registers a test sets; an address that was never set is refused. */
export class FakeUnit implements ModbusUnit {
  readonly reads: [RegisterTable, number, number][] = [];
  readonly writes: [number, readonly number[], 5 | 6 | 16][] = [];
  /** Instead of an answer for reads that cover the address. */
  readonly failures = new Map<number, Error>();
  readonly #registers: Readonly<Record<RegisterTable, Map<number, number>>> = {
    holding: new Map(),
    input: new Map(),
    coil: new Map(),
    discrete: new Map(),
  };

  set(table: RegisterTable, address: number, ...values: readonly number[]): this {
    values.forEach((value, index) => {
      this.#registers[table].set(address + index, value & 0xffff);
    });
    return this;
  }

  async read(table: RegisterTable, address: number, count: number, signal: AbortSignal): Promise<Uint16Array> {
    signal.throwIfAborted();
    this.reads.push([table, address, count]);
    return Uint16Array.from({ length: count }, (_, index) => {
      const failure = this.failures.get(address + index);
      if (failure !== undefined) throw failure;
      const value = this.#registers[table].get(address + index);
      if (value === undefined) throw new ModbusException(2, `reading ${count} at ${address}`);
      return value;
    });
  }

  async write(address: number, values: readonly number[], code: 5 | 6 | 16): Promise<void> {
    this.writes.push([address, values, code]);
  }
}

export const silence = new DeviceError("unreachable", "no answer");

/** The two registers of a 32-bit integer. */
export function words32(value: number): [number, number] {
  return [(value >>> 16) & 0xffff, value & 0xffff];
}

/** The two registers of a float32. */
export function floatWords(value: number): [number, number] {
  const view = new DataView(new ArrayBuffer(4));
  view.setFloat32(0, value);
  return [view.getUint16(0), view.getUint16(2)];
}
