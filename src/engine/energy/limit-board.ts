/** The limits in force, whatever set them, and the record of each. */
import type { ActiveLimit } from "../../domain/energy/cycle/energy-snapshot.ts";
import type { LimitState } from "../../domain/energy/limits/limit-machine.ts";
import type { LimitationEnd, MeasuredPower } from "../../domain/energy/limits/limitation.ts";
import { Listeners } from "../../platform/listeners.ts";
import type { LimitationLog } from "./limitation-log.ts";

/** What a source limits, by itself. */
export interface LimitKey {
  readonly sourceId: string;
  readonly sourceName: string;
  readonly direction: "import" | "export";
  readonly scope: "connection" | "controllable";
}

/** The value of a source in force now. */
export interface AppliedLimit {
  readonly state: LimitState;
  readonly watts: number;
  /** Monotonic ms; `null` without an end. */
  readonly untilMs: number | null;
}

interface Entry extends LimitKey, AppliedLimit {
  readonly limitationId: string;
}

/** Keeps what each source limits, and of each direction and scope the lowest as active. */
export class LimitBoard {
  readonly #log: LimitationLog;
  readonly #entries = new Map<string, Entry>();
  readonly #listeners = new Listeners<[readonly ActiveLimit[]]>();
  #active: readonly ActiveLimit[] = [];

  constructor(log: LimitationLog) {
    this.#log = log;
  }

  get active(): readonly ActiveLimit[] {
    return this.#active;
  }

  observe(listener: (limits: readonly ActiveLimit[]) => void): Disposable {
    return this.#listeners.subscribe(listener);
  }

  /** Sets what a source limits; `null`: nothing. `end` is why its limitation is over, if one is. */
  set(key: LimitKey, applied: AppliedLimit | null, end: LimitationEnd): void {
    const id = idOf(key);
    const before = this.#entries.get(id);
    if (before !== undefined && applied !== null && isSame(before, applied)) {
      this.#entries.set(id, { ...before, untilMs: applied.untilMs });
    } else {
      if (before !== undefined) this.#log.end(before.limitationId, applied === null ? end : "changed");
      if (applied === null) this.#entries.delete(id);
      else this.#entries.set(id, { ...key, ...applied, limitationId: this.#log.begin(key, applied) });
    }
    this.#refresh();
  }

  /** Ends all limitations of a source in the other scope than these keys have, or of directions that it left. */
  keep(sourceId: string, keys: readonly LimitKey[], end: LimitationEnd): void {
    const kept = new Set(keys.map(idOf));
    for (const entry of [...this.#entries.values()]) {
      if (entry.sourceId === sourceId && !kept.has(idOf(entry))) this.set(entry, null, end);
    }
  }

  note(measured: MeasuredPower): void {
    this.#log.note(measured);
  }

  #refresh(): void {
    const lowest = new Map<string, Entry>();
    for (const entry of this.#entries.values()) {
      const slot = `${entry.direction} ${entry.scope}`;
      if (entry.watts < (lowest.get(slot)?.watts ?? Number.POSITIVE_INFINITY)) lowest.set(slot, entry);
    }
    const active = [...lowest.values()].map(
      ({ limitationId, sourceId, direction, scope, watts, untilMs }): ActiveLimit => ({
        id: limitationId,
        source: sourceId,
        direction,
        scope,
        watts,
        untilMs,
      }),
    );
    if (JSON.stringify(active) === JSON.stringify(this.#active)) return;
    this.#active = active;
    this.#listeners.emit(active);
  }
}

function idOf({ sourceId, direction, scope }: LimitKey): string {
  return `${direction}/${scope}/${sourceId}`;
}

function isSame(one: AppliedLimit, other: AppliedLimit): boolean {
  return one.state === other.state && one.watts === other.watts;
}
