/** Updates what depends on a change. Never rejects. */
export type Follower = (id: string) => Promise<void>;

/** Functions that run after a change and before it is answered, so that a client that reads next sees all effects. */
export class Followers {
  readonly #all = new Set<Follower>();

  add(follower: Follower): Disposable {
    const own: Follower = (id) => follower(id);
    this.#all.add(own);
    return { [Symbol.dispose]: () => void this.#all.delete(own) };
  }

  /** Runs all followers and resolves when they are done. The caller must not hold a lock. */
  async run(id: string): Promise<void> {
    await Promise.all([...this.#all].map((follower) => follower(id)));
  }
}
