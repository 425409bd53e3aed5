import { LOOK_BACK_MS } from "../../domain/checks/check-house.ts";
import type { Finding } from "../../domain/checks/finding.ts";
import type { Source } from "../../domain/checks/house-history.ts";
import { MINUTE_MS } from "../../domain/duration.ts";
import { problem } from "../../domain/problem.ts";
import { type Line, type LoadStep, loadStep, loadStepFinding } from "../../domain/setup/load-step.ts";
import type { Clock, Log } from "../../platform/ports/ports.ts";
import type { LoadCheckRecord, SetupActor } from "../../store/records/setup.ts";
import type { Corrections } from "../checks/corrections.ts";
import type { LoadChecks, RunningLoadCheck } from "../contracts/setup.ts";
import type { SetupBook } from "./setup-book.ts";

/** A check without a step ends after this time, ms: long enough to walk to the kitchen. */
const LASTS_MS = 2 * MINUTE_MS;
const LOOK_EVERY_MS = 1_000;
/** A meter that was not read for so long is silent, ms. */
const SILENT_MS = 30_000;
/** Results that are kept: one of each phase and one without, of a few meters. */
const MAX_RESULTS = 20;

export interface LoadCheckParts {
  readonly clock: Clock;
  readonly log: Log;
  readonly corrections: Pick<Corrections, "history">;
  readonly book: SetupBook;
  /** The device whose meter is at the grid; `null` if there is none. */
  readonly meterId: () => string | null;
  /** The inverters, batteries and chargers of the house. */
  readonly others: () => readonly { readonly deviceId: string; readonly kind: "inverter" | "battery" | "charger" }[];
  /** Opens a finding; resolves with its id. */
  readonly report: (finding: Finding) => Promise<string>;
}

interface Running extends Omit<RunningLoadCheck, "step"> {
  readonly startMs: number;
  readonly ended: AbortController;
  step: LoadStep;
}

/** Watches the grid meter while a person switches a load on. */
export class LoadCheck {
  readonly #parts: LoadCheckParts;
  #running: Running | null = null;

  constructor(parts: LoadCheckParts) {
    this.#parts = parts;
  }

  get isRunning(): boolean {
    return this.#running !== null;
  }

  view(): LoadChecks {
    const results = this.#parts.book.record.loadChecks.toReversed();
    if (this.#running === null) return { running: null, results };
    const { startMs: _, ended: __, ...running } = this.#running;
    return { running, results };
  }

  /** Begins to watch, until a step is judged, the time is over or the signal aborts. */
  start(line: Line | null, by: SetupActor, signal: AbortSignal): LoadChecks {
    const { clock, log } = this.#parts;
    if (this.#running !== null) throw problem("conflict", "A check is under way; wait for its end, or end it.");
    const deviceId = this.#parts.meterId();
    if (deviceId === null) throw problem("conflict", "The house has no grid meter yet; add it, then check it.");
    const startMs = clock.monotonicMs();
    if (this.#source(deviceId, "meter", SILENT_MS) === null) {
      throw problem("conflict", `The grid meter "${deviceId}" does not answer now; look at its connection first.`);
    }
    const startedAtMs = clock.nowMs();
    const times = { startMs, startedAtMs, endsAtMs: startedAtMs + LASTS_MS };
    const running: Running = {
      deviceId,
      line,
      by,
      ...times,
      ended: new AbortController(),
      step: { kind: "waiting", changeW: 0 },
    };
    this.#running = running;
    void this.#watch(running, AbortSignal.any([signal, running.ended.signal])).catch((err: unknown) => {
      log.warn({ err }, "the check with a load ended without a result");
    });
    return this.view();
  }

  stop(): LoadChecks {
    this.#running?.ended.abort();
    this.#running = null;
    return this.view();
  }

  async #watch(running: Running, signal: AbortSignal): Promise<void> {
    const { clock } = this.#parts;
    try {
      while (clock.monotonicMs() < running.startMs + LASTS_MS) {
        await clock.sleep(LOOK_EVERY_MS, signal).catch(() => undefined);
        if (signal.aborted) return;
        running.step = this.#look(running);
        if (running.step.kind !== "waiting" && running.step.kind !== "no-baseline") break;
      }
      await this.#keep(running);
    } finally {
      if (this.#running === running) this.#running = null;
    }
  }

  #look({ deviceId, startMs, line }: Running): LoadStep {
    const nowMs = this.#parts.clock.monotonicMs();
    const meter = this.#source(deviceId, "meter", LOOK_BACK_MS);
    if (meter === null) return { kind: "waiting", changeW: 0 };
    const others = this.#parts.others().flatMap((each) => this.#source(each.deviceId, each.kind, LOOK_BACK_MS) ?? []);
    return loadStep({ meter, others, startMs, nowMs, line });
  }

  #source(deviceId: string, kind: Source["kind"], withinMs: number): Source | null {
    const nowMs = this.#parts.clock.monotonicMs();
    return this.#parts.corrections.history.source(deviceId, kind, nowMs - withinMs, nowMs);
  }

  async #keep({ deviceId, line, by, step }: Running): Promise<void> {
    const { book, log, clock, report } = this.#parts;
    const finding = loadStepFinding(deviceId, step, line);
    const findingId = finding === null ? null : await report(finding);
    const common = { deviceId, line, by, atMs: clock.nowMs(), findingId };
    const result: LoadCheckRecord =
      step.kind === "waiting" || step.kind === "no-baseline"
        ? { ...common, verdict: "nothing", loadW: null, meterW: null, lines: [] }
        : { ...common, verdict: step.kind, loadW: step.loadW, meterW: step.meterW, lines: step.lines };
    await book.change((before) => ({ ...before, loadChecks: withResult(before.loadChecks, result) }));
    log.info({ ...result, by: by.name }, "check of the grid meter with a load ended");
  }
}

function withResult(before: readonly LoadCheckRecord[], result: LoadCheckRecord): readonly LoadCheckRecord[] {
  const isSame = (other: LoadCheckRecord): boolean =>
    other.deviceId === result.deviceId && placeOf(other) === placeOf(result);
  return [...before.filter((other) => !isSame(other)), result].slice(-MAX_RESULTS);
}

/** What a result is about: the phases that moved, else the phase that was asked for. */
function placeOf({ lines, line }: LoadCheckRecord): string {
  return lines.length > 0 ? lines.join() : String(line ?? "");
}
