/** Brings what depends on a change up to date. Never rejects. */
export type Follower = (id: string) => Promise<void>;

/** Those that follow a change before it is answered, so that a client that reads at once reads what the change made. */
export class Followers {
  readonly #all = new Set<Follower>();

  add(follower: Follower): Disposable {
    const own: Follower = (id) => follower(id);
    this.#all.add(own);
    return { [Symbol.dispose]: () => void this.#all.delete(own) };
  }

  /** Resolves when all have followed the change of `id`. The caller holds no lock meanwhile. */
  async run(id: string): Promise<void> {
    await Promise.all([...this.#all].map((follower) => follower(id)));
  }
}
