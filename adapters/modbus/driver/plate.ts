/** What a device says of itself, read once at connecting. */
import assert from "node:assert/strict";
import {
  DeviceError,
  type DeviceIdentity,
  type DeviceProfile,
  type PlateField,
  type RegisterField,
  registerWords,
  serialNumber,
} from "hemgate/sdk";
import { ModbusException } from "../bus/modbus-exception.ts";
import { decoder } from "./decode.ts";
import type { SerialRead } from "./device-map.ts";
import type { ModbusUnit } from "./register-point.ts";

/**
 * Asks a device for its plate. What it refuses is null; so is what it leaves unanswered twice, while it answers for its
 * first point: older firmware and other models lack these registers, and not all of them say so. Rejects for a device
 * that answers nothing.
 */
export async function readPlate(
  { id, brand, model, identity = {}, points: [first] }: DeviceProfile,
  unit: ModbusUnit,
  signal: AbortSignal,
): Promise<DeviceIdentity> {
  assert(first !== undefined, `${id} has no points`);
  using plate = new Plate(unit, first, signal);
  // A device that rests after a silence on its first request could not be asked for anything else.
  await plate.proveThere();
  return {
    serial: serialNumber(await plate.text(identity.serial)),
    manufacturer: (await plate.text(identity.manufacturer)) ?? brand,
    model: (await plate.text(identity.model)) ?? model,
    version: await plate.text(identity.version),
  };
}

/** How the serial number is read again; undefined for a profile that knows none. */
export function serialRead({ id, identity, points: [first] }: DeviceProfile): SerialRead | undefined {
  const field = identity?.serial;
  if (field === undefined || first === undefined) return undefined;
  const { confidence: _confidence, source: _source, ...where } = field;
  return {
    source: `${id} ${JSON.stringify(where)}`,
    read: async (unit, signal) => {
      using plate = new Plate(unit, first, signal);
      return serialNumber(await plate.now(field));
    },
  };
}

class Plate implements Disposable {
  readonly #unit: ModbusUnit;
  readonly #first: RegisterField;
  readonly #signal: AbortSignal;
  readonly #units = new DisposableStack();
  readonly #siblings = new Map<number, ModbusUnit>();
  readonly #blocks = new Map<string, Uint16Array>();
  /** It was silent where the plate should be: each further question would cost a timeout. */
  #isSilent = false;

  constructor(unit: ModbusUnit, first: RegisterField, signal: AbortSignal) {
    this.#unit = unit;
    this.#first = first;
    this.#signal = signal;
  }

  async proveThere(): Promise<void> {
    try {
      const { table, address } = this.#first;
      await this.#unit.read(table, address, registerWords(this.#first), this.#signal);
    } catch (error) {
      if (!(error instanceof ModbusException) || error.isFromGateway) throw error;
    }
  }

  /** Null when the device holds nothing there, refuses it, or stays silent. */
  async text(field: PlateField | undefined): Promise<string | null> {
    if (field === undefined || this.#isSilent) return null;
    try {
      return await this.#read(field);
    } catch (error) {
      if (isRefused(error)) return null;
      if (!(error instanceof DeviceError)) throw error;
      return await this.#afterSilence(field);
    }
  }

  /** As `text`, and rejects when the device is silent. */
  async now(field: PlateField): Promise<string | null> {
    try {
      return await this.#read(field);
    } catch (error) {
      if (error instanceof ModbusException && !error.isFromGateway) return null;
      throw error;
    }
  }

  async #afterSilence(field: PlateField): Promise<string | null> {
    await this.proveThere();
    try {
      return await this.#read(field);
    } catch (error) {
      if (isRefused(error)) return null;
      if (!(error instanceof DeviceError)) throw error;
      this.#isSilent = true;
      return null;
    }
  }

  async #read(field: PlateField): Promise<string | null> {
    const unit = field.unit === undefined ? this.#unit : this.#sibling(field.unit);
    if (unit === null) return null;
    const { address, words } = field.block ?? { address: field.address, words: registerWords(field) };
    const key = `${field.unit} ${field.table} ${address} ${words}`;
    const registers = this.#blocks.get(key) ?? (await unit.read(field.table, address, words, this.#signal));
    this.#blocks.set(key, registers);
    return printed(decoder(field)(registers, field.address - address, 0), field);
  }

  #sibling(id: number): ModbusUnit | null {
    const known = this.#siblings.get(id);
    if (known !== undefined) return known;
    const unit = this.#unit.sibling?.(id);
    if (unit === undefined) return null;
    this.#siblings.set(id, this.#units.use(unit));
    return unit;
  }

  [Symbol.dispose](): void {
    this.#units[Symbol.dispose]();
  }
}

/** The device does not have what it was asked for; one that is busy may have it. */
function isRefused(error: unknown): boolean {
  return error instanceof ModbusException && !error.isPassing;
}

/** As it stands on the device. A number without one bit, or with all, was never set. */
function printed(value: number | string | null, { type, base = 10, digits = 1 }: PlateField): string | null {
  if (typeof value !== "number") return value;
  const most = 2 ** (16 * registerWords({ type })) - 1;
  if (value === 0 || value === most) return null;
  return value.toString(base).toUpperCase().padStart(digits, "0");
}
