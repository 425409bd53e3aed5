/** The functions that are called when something happens, with its arguments. */
export class Listeners<Args extends readonly unknown[]> {
  readonly #all = new Set<{ readonly call: (...args: Args) => void }>();

  get size(): number {
    return this.#all.size;
  }

  /** Calls the listener from the next `emit` on, until the answer is disposed. A function added twice is called twice. */
  subscribe(listener: (...args: Args) => void): Disposable {
    const entry = { call: listener };
    this.#all.add(entry);
    return { [Symbol.dispose]: () => void this.#all.delete(entry) };
  }

  /**
   * Calls the listeners in the order they were added. One that throws does not keep the others from being called; the
   * first error is thrown when all were. A listener removed by another one before its turn is not called.
   */
  emit(...args: Args): void {
    const errors: unknown[] = [];
    for (const entry of [...this.#all]) {
      try {
        if (this.#all.has(entry)) entry.call(...args);
      } catch (error) {
        errors.push(error);
      }
    }
    if (errors.length > 0) throw errors[0];
  }

  clear(): void {
    this.#all.clear();
  }
}
