/** Limits at fixed times, as the configuration has them. */
import { MINUTE_MS } from "../../domain/duration.ts";
import { type ScheduledLimit, scheduledLimits } from "../../domain/energy/limits/limit-schedule.ts";
import type { Clock } from "../../platform/ports/ports.ts";
import type { LimitSource } from "../contracts/energy/energy.ts";
import type { LimitBoard, LimitKey } from "./limit-board.ts";

const W_PER_KW = 1_000;

type Entry = ScheduledLimit & { readonly name?: string | undefined };

export class ScheduleSource {
  readonly #clock: Pick<Clock, "monotonicMs" | "nowMs" | "quality">;
  readonly #board: LimitBoard;
  readonly #zone: string;
  readonly #entries: readonly { readonly key: LimitKey; readonly entry: Entry }[];
  readonly #sinceMs = new Map<Entry, number>();

  constructor(needs: {
    readonly clock: Pick<Clock, "monotonicMs" | "nowMs" | "quality">;
    readonly board: LimitBoard;
    readonly zone: string;
    readonly entries: readonly Entry[];
  }) {
    this.#clock = needs.clock;
    this.#board = needs.board;
    this.#zone = needs.zone;
    this.#entries = needs.entries.map((entry, index) => {
      const { direction, scope, name = `Schedule ${index + 1}` } = entry;
      return { entry, key: { sourceId: `schedule-${index}`, sourceName: name, direction, scope } };
    });
  }

  /** Applies what the wall clock changed. */
  tick(): void {
    const current = this.#current();
    for (const { key, entry } of this.#entries) {
      const isOn = current.has(entry);
      const watts = entry.kw * W_PER_KW;
      if (isOn && !this.#sinceMs.has(entry)) this.#sinceMs.set(entry, this.#clock.nowMs());
      if (!isOn) this.#sinceMs.delete(entry);
      this.#board.set(key, isOn ? { state: "limited", watts, untilMs: null } : null, "expired");
    }
  }

  /** The next full minute, monotonic ms; `null` without entries. */
  nextMs(): number | null {
    if (this.#entries.length === 0) return null;
    const nowMs = this.#clock.nowMs();
    return this.#clock.monotonicMs() + MINUTE_MS - (nowMs % MINUTE_MS);
  }

  views(): readonly LimitSource[] {
    const current = this.#current();
    return this.#entries.map(({ key, entry }) => ({
      id: key.sourceId,
      kind: "schedule" as const,
      name: key.sourceName,
      heartbeatLostMs: null,
      directions: [
        {
          direction: entry.direction,
          scope: entry.scope,
          state: current.has(entry) ? ("limited" as const) : ("free" as const),
          sinceMs: this.#sinceMs.get(entry) ?? this.#clock.nowMs(),
          appliedW: current.has(entry) ? entry.kw * W_PER_KW : null,
          untilMs: null,
          failsafeW: null,
          failsafeMs: null,
        },
      ],
      warnings: [],
    }));
  }

  #current(): ReadonlySet<Entry> {
    const isSet = this.#clock.quality() !== "unset";
    const entries = this.#entries.map(({ entry }) => entry);
    return new Set(scheduledLimits(entries, this.#zone, isSet ? this.#clock.nowMs() : null));
  }
}
