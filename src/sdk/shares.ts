/** A reference to a shared thing. Disposing it twice releases it once. */
export interface Share<Thing> extends Disposable {
  readonly thing: Thing;
}

interface Entry<Thing> {
  readonly thing: Thing;
  shares: number;
}

/** Things that several devices share, such as a connection, by key. A thing is closed when its last reference is released. */
export class Shares<Thing extends Disposable> implements Disposable {
  readonly #entries = new Map<string, Entry<Thing>>();

  /** Returns the thing in use with a key; `null` if there is none. */
  get(key: string): Thing | null {
    return this.#entries.get(key)?.thing ?? null;
  }

  /**
   * Returns a reference to the thing with the key, which is created if there is none. The caller disposes the reference;
   * then `released` is called.
   */
  take(key: string, make: () => Thing, released: (thing: Thing) => void = () => undefined): Share<Thing> {
    const entry = this.#entries.get(key) ?? { thing: make(), shares: 0 };
    this.#entries.set(key, entry);
    entry.shares += 1;
    let isInUse = true;
    return {
      thing: entry.thing,
      [Symbol.dispose]: () => {
        if (!isInUse) return;
        isInUse = false;
        released(entry.thing);
        entry.shares -= 1;
        if (entry.shares > 0) return;
        // After all things were closed at once, another one may be in use with the key.
        if (this.#entries.get(key) === entry) this.#entries.delete(key);
        entry.thing[Symbol.dispose]();
      },
    };
  }

  /** Closes all things, even those with references. */
  [Symbol.dispose](): void {
    for (const { thing } of this.#entries.values()) thing[Symbol.dispose]();
    this.#entries.clear();
  }
}
