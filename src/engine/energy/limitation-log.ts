/** The records of limitations: begun and ended with the limits, and measured meanwhile. */
import { DAY_MS, MINUTE_MS } from "../../domain/duration.ts";
import { limitationView } from "../../domain/energy/energy-views.ts";
import {
  type Limitation,
  type LimitationEnd,
  type Limited,
  type MeasuredPower,
  NO_REACTION,
  reactionAtBegin,
  withMeasurement,
} from "../../domain/energy/limits/limitation.ts";
import { comparePositions } from "../../domain/page.ts";
import { EARLIEST_NOW_MS } from "../../platform/earliest-now.ts";
import type { Clock, Random } from "../../platform/ports/ports.ts";
import type { Store } from "../../store/store.ts";
import type { AppliedLimit, LimitKey } from "./limit-board.ts";
import type { PendingWrites } from "./pending-writes.ts";

/** What the grid operator and the customer can ask for. */
const KEPT_MS = 2 * 365 * DAY_MS + DAY_MS;
/** A source that changes its limit all the time fills no disk; the oldest are removed. */
const MAX_LIMITATIONS = 20_000;
const MAX_UNSURE = 1_000;
/** How often what was measured is stored while a limitation lasts, ms. */
const STORED_EVERY_MS = 5 * MINUTE_MS;

export interface LimitationLogNeeds {
  readonly clock: Pick<Clock, "monotonicMs" | "nowMs" | "quality">;
  readonly random: Pick<Random, "uuid">;
  readonly store: Pick<Store, "all">;
  readonly writes: PendingWrites;
}

interface Open {
  readonly limited: Limited;
  record: Limitation;
}

/** A time by a clock that may be wrong, and what the wall clock was ahead of the monotonic one then. */
interface Stamp {
  readonly id: string;
  readonly name: "beganAtMs" | "endedAtMs";
  readonly offsetMs: number;
}

export class LimitationLog {
  readonly #needs: LimitationLogNeeds;
  readonly #open = new Map<string, Open>();
  /** Records by id: those on disk, and those that wait for it. */
  readonly #all: Map<string, Limitation>;
  /** Unfinished records of the run before, which a source may continue. */
  readonly #unfinished: Set<string>;
  /** Times that were noted before the clock was set. */
  #unsure: readonly Stamp[] = [];
  #list: readonly Limitation[] | null = null;
  #last: MeasuredPower | null = null;
  #storedAtMs = Number.NEGATIVE_INFINITY;

  constructor(needs: LimitationLogNeeds) {
    this.#needs = needs;
    const records = needs.store.all("limitation");
    this.#all = new Map(records.map((record) => [record.id, record]));
    this.#unfinished = new Set(records.filter(({ endedAtMs }) => endedAtMs === null).map(({ id }) => id));
  }

  /** Newest first. */
  list(): readonly Limitation[] {
    this.#list ??= [...this.#all.values()].toSorted((a, b) =>
      comparePositions({ createdAtMs: a.beganAtMs, id: a.id }, { createdAtMs: b.beganAtMs, id: b.id }),
    );
    return this.#list;
  }

  /** Begins a record, or continues the same one of the run before. Returns its id. */
  begin(key: LimitKey, { state, watts }: AppliedLimit): string {
    const { clock, random } = this.#needs;
    const nowMs = clock.nowMs();
    const { direction, scope, sourceId, sourceName } = key;
    const before = this.#continued(key, { state, watts });
    const beganAtMs = before?.beganAtMs ?? nowMs;
    // Without a clock it lasts at least as long as was measured.
    const sinceMs = Math.max(0, nowMs - beganAtMs, before?.reaction.measuredMs ?? 0);
    const limited = { direction, scope, watts, beganAtMs: clock.monotonicMs() - sinceMs };
    const record: Limitation = before ?? {
      id: random.uuid(),
      sourceId,
      sourceName,
      direction,
      scope,
      state,
      watts,
      beganAtMs,
      endedAtMs: null,
      endReason: null,
      reaction: this.#last === null ? NO_REACTION : reactionAtBegin(limited, this.#last),
    };
    this.#open.set(record.id, { limited, record });
    if (before === null) {
      this.#stamped(record.id, "beganAtMs");
      this.#put(record, true);
    }
    return record.id;
  }

  end(id: string, endReason: LimitationEnd): void {
    const open = this.#open.get(id);
    if (open === undefined) return;
    this.#open.delete(id);
    this.#stamped(id, "endedAtMs");
    const endedAtMs = this.#needs.clock.nowMs();
    this.#put({ ...open.record, beganAtMs: this.#trueBegin(open), endedAtMs, endReason }, true);
  }

  /** A clock that was ahead and is put back would have the limit end too early, or before it began. */
  #trueBegin({ limited, record: { beganAtMs } }: Open): number {
    const { clock } = this.#needs;
    const byNowMs = Math.round(clock.nowMs() - (clock.monotonicMs() - limited.beganAtMs));
    return clock.quality() === "synced" && byNowMs < beganAtMs - MINUTE_MS ? byNowMs : beganAtMs;
  }

  /** Ends what the run before left unfinished and no source continues. Called once, after all sources have begun. */
  endUnfinished(): void {
    for (const id of this.#unfinished) {
      const record = this.#all.get(id);
      if (record !== undefined) {
        this.#stamped(id, "endedAtMs");
        this.#put({ ...record, endedAtMs: this.#needs.clock.nowMs(), endReason: "restart" }, true);
      }
    }
    this.#unfinished.clear();
  }

  note(measured: MeasuredPower): void {
    const isDue = measured.atMs - this.#storedAtMs >= STORED_EVERY_MS;
    for (const open of this.#open.values()) {
      const { reaction } = open.record;
      const changed = withMeasurement(reaction, open.limited, measured, this.#last);
      if (changed === reaction) continue;
      open.record = { ...open.record, reaction: changed };
      this.#all.set(open.record.id, open.record);
      this.#list = null;
      const isReached = reaction.reachedAfterMs === null && changed.reachedAfterMs !== null;
      if (isDue || isReached || reaction.powerBeforeW === null) this.#put(open.record, false);
    }
    if (isDue) this.#storedAtMs = measured.atMs;
    this.#last = measured;
  }

  /** The wall clock was put right: what was noted before it was set is corrected. */
  clockMoved(): void {
    const offsetMs = this.#offsetMs();
    for (const stamp of this.#unsure) {
      const record = this.#all.get(stamp.id);
      const atMs = record?.[stamp.name] ?? null;
      if (record === undefined || atMs === null) continue;
      const moved = { ...record, [stamp.name]: Math.round(atMs + offsetMs - stamp.offsetMs) };
      const open = this.#open.get(stamp.id);
      if (open !== undefined) open.record = moved;
      this.#put(moved, true);
    }
    const isSure = this.#needs.clock.quality() === "synced";
    this.#unsure = isSure ? [] : this.#unsure.map((stamp) => ({ ...stamp, offsetMs }));
  }

  /** Stores what was measured of the limitations that last. */
  storeOpen(): void {
    for (const { record } of this.#open.values()) this.#put(record, false);
  }

  /** Removes records that are too old, or too many. A clock that is not set removes none by age. */
  prune(): void {
    const { clock, writes } = this.#needs;
    const oldestMs = clock.quality() === "synced" ? clock.nowMs() - KEPT_MS : Number.NEGATIVE_INFINITY;
    // A date before that is of a clock that was not set: nobody knows how old the record is.
    const isOld = (endedAtMs: number): boolean => endedAtMs >= EARLIEST_NOW_MS && endedAtMs < oldestMs;
    const over = this.list().filter(
      ({ id, endedAtMs }, index) =>
        !this.#open.has(id) && endedAtMs !== null && (isOld(endedAtMs) || index >= MAX_LIMITATIONS),
    );
    for (const { id } of over) {
      this.#all.delete(id);
      writes.add({ table: "limitation", key: id, remove: true });
    }
    if (over.length > 0) this.#list = null;
  }

  #stamped(id: string, name: Stamp["name"]): void {
    if (this.#needs.clock.quality() === "synced") return;
    this.#unsure = [...this.#unsure.slice(-MAX_UNSURE), { id, name, offsetMs: this.#offsetMs() }];
  }

  #offsetMs(): number {
    const { clock } = this.#needs;
    return clock.nowMs() - clock.monotonicMs();
  }

  #continued(key: LimitKey, { state, watts }: Pick<AppliedLimit, "state" | "watts">): Limitation | null {
    for (const id of this.#unfinished) {
      const record = this.#all.get(id);
      if (record === undefined || record.sourceId !== key.sourceId || record.direction !== key.direction) continue;
      if (record.scope !== key.scope || record.state !== state || record.watts !== watts) continue;
      this.#unfinished.delete(id);
      return record;
    }
    return null;
  }

  #put(record: Limitation, isEvent: boolean): void {
    const { writes } = this.#needs;
    this.#all.set(record.id, record);
    this.#list = null;
    writes.add({ table: "limitation", key: record.id, put: record });
    if (!isEvent) return;
    writes.addEvent({
      event: "local:energy:limitation-updated",
      payload: { limitation: limitationView(record) },
    });
  }
}
