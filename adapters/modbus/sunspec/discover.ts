import { DeviceError } from "hemgate/sdk";
import { isRefusal } from "../bus/modbus-exception.ts";
import type { ModbusUnit } from "../driver/register-point.ts";

/** A model as the device's chain lists it. */
export interface FoundModel {
  readonly id: number;
  /** Where the ID register is. */
  readonly address: number;
  /** Registers after ID and L. */
  readonly length: number;
}

/** Where the marker may be, the usual place first. */
const BASES = [40_000, 50_000, 0] as const;
/** "SunS" */
const MARKER = [0x5375, 0x6e53] as const;
const END_ID = 0xffff;
const LAST_ADDRESS = 0xffff;
/** Far more than a device lists: one of every model that there is would be about as many. */
const MAX_MODELS = 100;
/** Registers of all models together. */
const MAX_CHAIN_REGISTERS = 10_000;

/** Finds the marker and walks the chain of models behind it. The answer has at least one model. */
export async function discoverModels(unit: ModbusUnit, signal: AbortSignal): Promise<readonly FoundModel[]> {
  const base = await findBase(unit, signal);
  const models = await walkChain(unit, base + MARKER.length, signal);
  if (models.length === 0) {
    throw new DeviceError("malformed", `SunSpec marker at ${base}, but no model follows it`);
  }
  return models;
}

async function findBase(unit: ModbusUnit, signal: AbortSignal): Promise<number> {
  for (const base of BASES) {
    const words = await readUnlessRefused(unit, base, MARKER.length, signal).catch(unlessMalformed);
    if (words !== null && MARKER.every((word, index) => words[index] === word)) return base;
  }
  throw new DeviceError("malformed", `no SunSpec marker at register ${BASES.join(", ")}`);
}

async function walkChain(unit: ModbusUnit, start: number, signal: AbortSignal): Promise<FoundModel[]> {
  const models: FoundModel[] = [];
  let address = start;
  while (true) {
    const header = await readHeader(unit, address, signal);
    if (header === null || header.id === END_ID) return models;
    // A device that forgets the end marker and has zeros behind its last model.
    if (header.id === 0 && header.length === 0 && models.length > 0) return models;
    const next = address + 2 + header.length;
    const where = `model ${header.id} at register ${address} with length ${header.length}`;
    if (next > LAST_ADDRESS) throw new DeviceError("malformed", `SunSpec chain leaves the address space: ${where}`);
    if (next - start > MAX_CHAIN_REGISTERS) {
      throw new DeviceError("malformed", `SunSpec chain longer than ${MAX_CHAIN_REGISTERS} registers: ${where}`);
    }
    if (models.length === MAX_MODELS) {
      throw new DeviceError("malformed", `SunSpec chain repeats, more than ${MAX_MODELS} models: ${where}`);
    }
    models.push({ id: header.id, address, length: header.length });
    address = next;
  }
}

/** ID and L of the model at an address. Null: the device refuses to go on, and the chain is cut there. */
async function readHeader(
  unit: ModbusUnit,
  address: number,
  signal: AbortSignal,
): Promise<{ readonly id: number; readonly length: number } | null> {
  const words = await readUnlessRefused(unit, address, 2, signal);
  if (words !== null) return { id: words[0] ?? 0, length: words[1] ?? 0 };
  // The end marker may be the device's last register: reading L behind it is refused.
  const last = await readUnlessRefused(unit, address, 1, signal);
  return last?.[0] === END_ID ? { id: END_ID, length: 0 } : null;
}

/** Null when the device says that it has no such registers. Whatever hides a model for a moment rejects. */
async function readUnlessRefused(
  unit: ModbusUnit,
  address: number,
  count: number,
  signal: AbortSignal,
): Promise<Uint16Array | null> {
  try {
    return await unit.read("holding", address, count, signal);
  } catch (error) {
    if (isRefusal(error)) return null;
    throw error;
  }
}

/** Where nothing is, some devices answer with nonsense. */
function unlessMalformed(error: unknown): null {
  if (error instanceof DeviceError && error.kind === "malformed") return null;
  throw error;
}
