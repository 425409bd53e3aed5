import type { LaneManners, UnitLane } from "./unit-queue.ts";

/** For each ms that a silent unit took, so many belong to the units that answer before a silent one is tried again. */
const ANSWERING_SHARE = 4;

/** What concerns the line as a whole, of all that its users know. */
interface LineManners {
  readonly connectDelayMs: number;
  readonly idleCloseMs: number;
  readonly maxClients: number | null;
}

const NOTHING_KNOWN: LineManners = { connectDelayMs: 0, idleCloseMs: Number.POSITIVE_INFINITY, maxClients: null };

/** The units of a bus and whose turn it is. */
export class LaneTurns {
  readonly #lanes: UnitLane[] = [];
  #turn = 0;
  /** No unit that stayed silent is tried before this monotonic instant, as long as others answer. */
  #silentNotBeforeMs = 0;

  #manners = NOTHING_KNOWN;

  get manners(): LineManners {
    return this.#manners;
  }

  get all(): readonly UnitLane[] {
    return this.#lanes;
  }

  get hasWaiting(): boolean {
    return this.#lanes.some((lane) => lane.hasWaiting);
  }

  /** The lane whose requests are open, or were last. */
  get current(): UnitLane | undefined {
    return this.#lanes[this.#turn];
  }

  find(unit: number): UnitLane | undefined {
    return this.#lanes.find((lane) => lane.unit === unit);
  }

  add(lane: UnitLane): UnitLane {
    this.#lanes.push(lane);
    return lane;
  }

  join(lane: UnitLane, manners: LaneManners): void {
    lane.join(manners);
    this.#agree();
  }

  leave(lane: UnitLane, manners: LaneManners): void {
    lane.leave(manners);
    this.#agree();
  }

  #agree(): void {
    const users = this.#lanes.flatMap((lane) => [...lane.users]);
    const limits = users.flatMap(({ maxClients }) => maxClients ?? []);
    this.#manners = {
      connectDelayMs: Math.max(0, ...users.flatMap((user) => user.connectDelayMs ?? [])),
      idleCloseMs: Math.min(...users.map((user) => user.idleCloseMs ?? Number.POSITIVE_INFINITY)),
      maxClients: limits.length === 0 ? null : Math.min(...limits),
    };
  }

  /** The lane with open requests may add to them unless another one waits for its turn. */
  same(): UnitLane | null {
    const lane = this.current;
    const isAnotherWaiting = this.#lanes.some((other) => other !== lane && other.hasWaiting);
    return lane === undefined || isAnotherWaiting ? null : lane;
  }

  /** The next lane in turn that may be asked, one with a write first; else how long all have to pause, ms. */
  next(nowMs: () => number): UnitLane | number | null {
    const atMs = this.#lanes.some((lane) => lane.gapUntilMs > 0) ? nowMs() : 0;
    let found: UnitLane | null = null;
    let pauseMs = Number.POSITIVE_INFINITY;
    for (let step = 1; step <= this.#lanes.length; step++) {
      const lane = this.#lanes[(this.#turn + step) % this.#lanes.length];
      if (lane === undefined || !lane.hasWaiting) continue;
      if (lane.gapUntilMs > atMs) pauseMs = Math.min(pauseMs, lane.gapUntilMs - atMs);
      else if (found === null || (lane.hasWaitingWrite && !found.hasWaitingWrite)) found = lane;
    }
    if (found !== null) this.#turn = this.#lanes.indexOf(found);
    else if (Number.isFinite(pauseMs)) return pauseMs;
    return found;
  }

  /** A unit kept the line busy for nothing. */
  wasted(nowMs: number, costMs: number): void {
    this.#silentNotBeforeMs = nowMs + ANSWERING_SHARE * costMs;
  }

  /** How long a unit has to wait because the line is kept for those that answer, ms. */
  keptMs(lane: UnitLane, nowMs: number): number {
    if (!lane.backoff.hasFailed || nowMs >= this.#silentNotBeforeMs) return 0;
    const isKept = this.#lanes.some((other) => other.users.size > 0 && !other.backoff.hasFailed);
    return isKept ? this.#silentNotBeforeMs - nowMs : 0;
  }

  rejectWaiting(error: unknown): void {
    for (const lane of this.#lanes) lane.rejectWaiting(error);
  }
}
