/** Whose timers they are: those of a process that is dead never fire. */
export interface TimerOwner {
  isDead: boolean;
  /** Timers that wait. */
  live: number;
}

/** A timer that waits in virtual time. Disposing it cancels it. */
export class PendingTimer implements Disposable {
  readonly dueMs: number;
  /** Order of creation; decides between timers that are due at the same instant. */
  readonly order: number;
  readonly callback: () => void;
  readonly owner: TimerOwner;
  readonly #heap: TimerHeap;
  isOver = false;

  constructor(heap: TimerHeap, timer: Pick<PendingTimer, "dueMs" | "order" | "callback" | "owner">) {
    this.#heap = heap;
    this.dueMs = timer.dueMs;
    this.order = timer.order;
    this.callback = timer.callback;
    this.owner = timer.owner;
  }

  [Symbol.dispose](): void {
    this.#heap.cancel(this);
  }
}

/** Below this many entries cancelled timers are not worth removing. */
const COMPACT_ABOVE = 64;

function isBefore(a: PendingTimer, b: PendingTimer): boolean {
  return a.dueMs < b.dueMs || (a.dueMs === b.dueMs && a.order < b.order);
}

/** A binary heap of timers, the next due one on top. Cancelled ones leave when they surface, or when they are many. */
export class TimerHeap {
  #entries: PendingTimer[] = [];
  #cancelled = 0;

  /** Timers that will still fire. */
  get size(): number {
    return this.#entries.length - this.#cancelled;
  }

  add(timer: PendingTimer): void {
    const entries = this.#entries;
    let at = entries.push(timer) - 1;
    while (at > 0) {
      const parentAt = (at - 1) >> 1;
      const parent = entries[parentAt];
      if (parent === undefined || isBefore(parent, timer)) break;
      entries[at] = parent;
      at = parentAt;
    }
    entries[at] = timer;
    timer.owner.live += 1;
  }

  cancel(timer: PendingTimer): void {
    if (timer.isOver) return;
    timer.isOver = true;
    timer.owner.live -= 1;
    this.#cancelled += 1;
    if (this.#entries.length > COMPACT_ABOVE && this.#cancelled * 2 > this.#entries.length) this.#compact();
  }

  /** The next timer that will fire, left in place. */
  peek(): PendingTimer | null {
    for (;;) {
      const top = this.#entries[0];
      if (top === undefined) return null;
      if (!top.isOver) return top;
      this.#removeTop();
      this.#cancelled -= 1;
    }
  }

  /** Takes the next timer out; it is over from then on, so that disposing it later changes nothing. */
  take(): PendingTimer | null {
    const top = this.peek();
    if (top === null) return null;
    this.#removeTop();
    top.isOver = true;
    top.owner.live -= 1;
    return top;
  }

  #removeTop(): void {
    const entries = this.#entries;
    const last = entries.pop();
    if (last === undefined || entries.length === 0) return;
    let at = 0;
    for (;;) {
      let childAt = at * 2 + 1;
      let child = entries[childAt];
      if (child === undefined) break;
      const right = entries[childAt + 1];
      if (right !== undefined && isBefore(right, child)) {
        childAt += 1;
        child = right;
      }
      if (isBefore(last, child)) break;
      entries[at] = child;
      at = childAt;
    }
    entries[at] = last;
  }

  #compact(): void {
    const waiting = this.#entries.filter((timer) => !timer.isOver);
    this.#entries = [];
    this.#cancelled = 0;
    for (const timer of waiting) {
      timer.owner.live -= 1;
      this.add(timer);
    }
  }
}
