import type { DerivedPoint, PointName, PointValue, PollClass, RegisterPoint, RegisterValues } from "hemgate/sdk";
import type { ModelInstance } from "./model-instance.ts";
import { rawKey, registerOf } from "./point-registers.ts";

const RANK: Readonly<Record<PollClass, number>> = { fast: 0, normal: 1, slow: 2 };

/**
 * Collects what a device is polled for. A register that two points need is read once, as often as the more demanding
 * one wants it.
 */
export class PollList {
  readonly #registers = new Map<string, RegisterPoint<string>>();
  readonly #derived = new Map<PointName, DerivedPoint>();

  get registers(): readonly RegisterPoint<string>[] {
    return [...this.#registers.values()];
  }

  get derived(): readonly DerivedPoint[] {
    return [...this.#derived.values()];
  }

  /** Polls a point that others are made from. Answers its key, or null when the device does not have it. */
  raw(
    instance: ModelInstance | null,
    path: string,
    poll: PollClass,
    options: { readonly sentinels?: readonly number[] } = {},
  ): string | null {
    const point = instance?.points.get(path);
    if (instance === null || point === undefined) return null;
    if (!this.#pollScale(instance, point.definition.sf, poll)) return null;
    return this.add(registerOf(instance, point, poll, options));
  }

  /** Polls a register that is itself a point of the vocabulary; says whether the device has it. */
  point(
    name: PointName,
    instance: ModelInstance | null,
    path: string,
    poll: PollClass,
    options: { readonly sign?: 1 | -1 } = {},
  ): boolean {
    const point = instance?.points.get(path);
    if (instance === null || point === undefined) return false;
    if (!this.#pollScale(instance, point.definition.sf, poll)) return false;
    this.add(registerOf(instance, point, poll, { key: name, ...options }));
    return true;
  }

  /** Makes a point from registers that are polled. */
  derive(point: PointName, from: readonly string[], value: (registers: RegisterValues) => PointValue | null): void {
    this.#derived.set(point, { point, from, value });
  }

  add(register: RegisterPoint<string>): string {
    const present = this.#registers.get(register.key);
    if (present === undefined || RANK[register.poll] < RANK[present.poll]) this.#registers.set(register.key, register);
    return register.key;
  }

  /**
   * A scale factor is polled as often as its value, in the same round. SunSpec calls it constant, but SolarEdge changes
   * it with the load: one that was read earlier would put the value off by a power of ten.
   */
  #pollScale(instance: ModelInstance, path: string | undefined, poll: PollClass): boolean {
    if (path === undefined) return true;
    const point = instance.points.get(path);
    if (point === undefined) return false;
    this.add({ ...registerOf(instance, point, poll), key: rawKey(instance, path) });
    return true;
  }
}
