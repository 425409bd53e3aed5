/** A part in what several use. Disposing it twice gives it back once. */
export interface Share<Thing> extends Disposable {
  readonly thing: Thing;
}

interface Entry<Thing> {
  readonly thing: Thing;
  shares: number;
}

/** What several devices use at the same time, such as a line, one a key: the share that is given back last closes it. */
export class Shares<Thing extends Disposable> implements Disposable {
  readonly #entries = new Map<string, Entry<Thing>>();

  /** What is in use under a key; null when nothing is. */
  get(key: string): Thing | null {
    return this.#entries.get(key)?.thing ?? null;
  }

  /** A share in what is in use under the key, else in what is made now. The caller disposes the share. */
  take(key: string, make: () => Thing, givenBack: (thing: Thing) => void = () => undefined): Share<Thing> {
    const entry = this.#entries.get(key) ?? { thing: make(), shares: 0 };
    this.#entries.set(key, entry);
    entry.shares += 1;
    let isHeld = true;
    return {
      thing: entry.thing,
      [Symbol.dispose]: () => {
        if (!isHeld) return;
        isHeld = false;
        givenBack(entry.thing);
        entry.shares -= 1;
        if (entry.shares > 0) return;
        // After all were closed at once another one may be in use there.
        if (this.#entries.get(key) === entry) this.#entries.delete(key);
        entry.thing[Symbol.dispose]();
      },
    };
  }

  /** Closes all of them, whoever has a share. */
  [Symbol.dispose](): void {
    for (const { thing } of this.#entries.values()) thing[Symbol.dispose]();
    this.#entries.clear();
  }
}
