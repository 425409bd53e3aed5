import type { ModbusUnit } from "../driver/register-point.ts";

/** Most registers in one Modbus read. */
const MAX_READ = 125;

/** Reads holding registers of any number, in requests of at most 125. */
export async function readRegisters(
  unit: ModbusUnit,
  address: number,
  count: number,
  signal: AbortSignal,
): Promise<Uint16Array> {
  const image = new Uint16Array(count);
  for (let offset = 0; offset < count; offset += MAX_READ) {
    const part = Math.min(MAX_READ, count - offset);
    image.set(await unit.read("holding", address + offset, part, signal), offset);
  }
  return image;
}
