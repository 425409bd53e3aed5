import type { RegisterValue, RegisterValues } from "hemgate/sdk";

/** Where a number stands among the values. */
const NUMBER = Symbol();

/**
 * The last value of each key that the device answered for at least once. Polls know the place of each key, so that they look
 * nothing up; and numbers stand in a typed array, because thousands of new objects a second would keep the garbage
 * collector busy.
 */
export class ValueTable implements RegisterValues {
  readonly #places: ReadonlyMap<string, number>;
  /** By place; undefined before the first answer. */
  readonly #values: (typeof NUMBER | string | null | undefined)[];
  readonly #numbers: Float64Array;

  constructor(keys: Iterable<string>) {
    this.#places = new Map([...new Set(keys)].map((key, place) => [key, place]));
    this.#values = Array.from({ length: this.#places.size }, () => undefined);
    this.#numbers = new Float64Array(this.#places.size);
  }

  /** The place of a key; null when the table does not have it. */
  placeOf(key: string): number | null {
    return this.#places.get(key) ?? null;
  }

  at(place: number): RegisterValue | undefined {
    const value = this.#values[place];
    return value === NUMBER ? this.#numbers[place] : value;
  }

  put(place: number, value: RegisterValue): void {
    if (typeof value === "number") {
      this.#numbers[place] = value;
      if (this.#values[place] !== NUMBER) this.#values[place] = NUMBER;
    } else this.#values[place] = value;
  }

  /** What is known of a key is null from now on; a key that was never answered stays without a value. */
  forget(key: string): void {
    const place = this.#places.get(key);
    if (place !== undefined && this.#values[place] !== undefined) this.#values[place] = null;
  }

  get(key: string): RegisterValue | undefined {
    const place = this.#places.get(key);
    return place === undefined ? undefined : this.at(place);
  }

  has(key: string): boolean {
    return this.get(key) !== undefined;
  }

  get size(): number {
    return this.#values.filter((value) => value !== undefined).length;
  }

  *entries(): MapIterator<[string, RegisterValue]> {
    for (const [key, place] of this.#places) {
      const value = this.at(place);
      if (value !== undefined) yield [key, value];
    }
  }

  *keys(): MapIterator<string> {
    for (const [key] of this.entries()) yield key;
  }

  *values(): MapIterator<RegisterValue> {
    for (const [, value] of this.entries()) yield value;
  }

  [Symbol.iterator](): MapIterator<[string, RegisterValue]> {
    return this.entries();
  }

  forEach(call: (value: RegisterValue, key: string, map: RegisterValues) => void): void {
    for (const [key, value] of this.entries()) call(value, key, this);
  }
}
