import assert from "node:assert/strict";
import { DeviceError } from "hemgate/sdk";
import { encodeNumber } from "../driver/encode.ts";
import type { ModbusUnit } from "../driver/register-point.ts";
import { numberIn } from "./connect-values.ts";
import type { InstancePoint, ModelInstance } from "./model-instance.ts";
import { wireOf } from "./point-registers.ts";
import { readRegisters } from "./read-registers.ts";

/** SunSpec devices must know function 16; function 6 is optional. */
const WRITE_MULTIPLE = 16;
/** Percentages stand in int16 and uint16 registers; this fits both and is nobody's "not implemented". */
const MAX_PERCENT_RAW = 0x7fff;

/** A model that is about to be written: read fresh, so that nothing is decided from an older state of the device. */
export class ControlRegisters {
  readonly #unit: ModbusUnit;
  readonly #instance: ModelInstance;
  readonly #image: Uint16Array;
  readonly #signal: AbortSignal;

  private constructor(unit: ModbusUnit, instance: ModelInstance, image: Uint16Array, signal: AbortSignal) {
    this.#unit = unit;
    this.#instance = instance;
    this.#image = image;
    this.#signal = signal;
  }

  static async read(unit: ModbusUnit, instance: ModelInstance, signal: AbortSignal): Promise<ControlRegisters> {
    const image = await readRegisters(unit, instance.address, instance.image.length, signal);
    return new ControlRegisters(unit, instance, image, signal);
  }

  /** The point as it was read; null when the device does not implement it. */
  value(path: string): number | null {
    return numberIn(this.#instance, path, this.#image);
  }

  /**
   * A percentage as the device's register holds it. Throws when the device has no scale factor to say it with, or the
   * value does not fit; nothing is written yet then. A limit between two steps becomes the stricter one.
   */
  percent(path: string, pct: number): number {
    const scale = this.#instance.points.get(path)?.definition.sf;
    const exponent = scale === undefined ? null : this.value(scale);
    if (exponent === null) throw this.#refusal(`${path} cannot be written: its scale factor is not implemented`);
    // Fifteen digits undo what binary fractions add: 0.29 at -2 is 28.999999999999996.
    const raw = Math.trunc(Number((pct / 10 ** exponent).toPrecision(15)));
    if (Math.abs(raw) > MAX_PERCENT_RAW || (raw === 0 && pct !== 0)) {
      throw this.#refusal(`${path} cannot hold ${pct} % with a scale factor of ${exponent}`);
    }
    return raw;
  }

  /** Writes a point, and the points right behind it, with one request: either all of them change or none. */
  async write(path: string, ...raw: readonly number[]): Promise<void> {
    const { address, definition } = this.#pointAt(path);
    const { type } = wireOf(definition.type);
    assert(type !== "string", `${path} is text`);
    await this.#unit.write(
      address,
      raw.flatMap((value) => encodeNumber({ type }, value)),
      WRITE_MULTIPLE,
      this.#signal,
    );
  }

  /** Reads a point again, as the device holds it. */
  async reread(path: string): Promise<number> {
    const { address, definition } = this.#pointAt(path);
    const words = await readRegisters(this.#unit, address, definition.words, this.#signal);
    return words.reduce((sum, word) => sum * 0x1_0000 + word, 0);
  }

  /**
   * Sets the device's own reversion timer and reads it back. A device that keeps 0 (never) or another's longer time
   * would hold our value after we are gone, so nothing else is written to it.
   */
  async startLease(path: string, seconds: number): Promise<void> {
    if (this.value(path) === null) throw this.#refusal(`${path} is not implemented`);
    await this.write(path, seconds);
    const kept = await this.reread(path);
    if (kept === 0 || kept > seconds) throw this.#refusal(`${path} was set to ${seconds} s and reads ${kept} s`);
  }

  /** Writes a point and throws when the device does not keep it. */
  async writeAndCheck(path: string, raw: number): Promise<void> {
    await this.write(path, raw);
    const kept = await this.reread(path);
    if (kept !== raw) throw this.#refusal(`${path} was set to ${raw} and reads ${kept}`);
  }

  #pointAt(path: string): InstancePoint {
    const point = this.#instance.points.get(path);
    assert(point !== undefined, `model ${this.#instance.id} has no ${path}`);
    return point;
  }

  #refusal(why: string): DeviceError {
    return new DeviceError("rejected", `SunSpec model ${this.#instance.id} at ${this.#instance.address}: ${why}`);
  }
}
