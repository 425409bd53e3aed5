const MAX_REMEMBERED = 1_000;

/** What was acknowledged is there after every crash. */
export class Acknowledged {
  readonly #ids: string[] = [];
  readonly #most: number;

  /** `most`: how many writes are remembered; the oldest are forgotten first. */
  constructor(most: number = MAX_REMEMBERED) {
    this.#most = most;
  }

  /** A write whose caller was told that it is stored. */
  remember(id: string): void {
    this.#ids.push(id);
    if (this.#ids.length > this.#most) this.#ids.shift();
  }

  get count(): number {
    return this.#ids.length;
  }

  breaches(isStored: (id: string) => boolean): readonly string[] {
    return this.#ids.filter((id) => !isStored(id)).map((id) => `acknowledged write ${id} is lost`);
  }
}
