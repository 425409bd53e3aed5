/** Whose turn it is: how things are first, then what waited, which leaves room for what happens now. */
import type { Batch } from "../protocol/batch.ts";
import type { Lane } from "./lane.ts";

/** How the bytes that were sent were shared between what waited and what happened since. */
export class Share {
  readonly #backlogPercent: number;
  #backlog = 0;
  #live = 0;

  constructor(backlogPercent: number) {
    this.#backlogPercent = backlogPercent;
  }

  get isBacklogsTurn(): boolean {
    return this.#backlog * (100 - this.#backlogPercent) <= this.#live * this.#backlogPercent;
  }

  sent({ historical }: Batch, bytes: number): void {
    if (historical) this.#backlog += bytes;
    else this.#live += bytes;
  }
}

/** The lanes come in the order of their rank: of what waited, the first goes before the second. Null: nothing to send. */
export function choose(lanes: readonly Lane[], share: Share): Lane | null {
  const ready = lanes.filter((lane) => lane.hasMore);
  const snapshot = ready.find((lane) => lane.stream === "state" && lane.isHistorical);
  if (snapshot !== undefined) return snapshot;
  const backlog = ready.find((lane) => lane.isHistorical) ?? null;
  const live = ready.find((lane) => !lane.isHistorical) ?? null;
  if (backlog === null || live === null) return backlog ?? live;
  return share.isBacklogsTurn ? backlog : live;
}
