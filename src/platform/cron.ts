/** What all implementations of the cron port share: which expressions are valid, and the timer. */
import { validateDetailed } from "node-cron";
import type { Clock } from "./ports/ports.ts";

/** The values of each field at which a job runs, each list in any order. */
export interface CronFields {
  readonly minutes: readonly number[];
  readonly hours: readonly number[];
  readonly daysOfMonth: readonly number[];
  /** 1 is January. */
  readonly months: readonly number[];
  /** 0 is Sunday. */
  readonly daysOfWeek: readonly number[];
}

const FIELDS = ["minute", "hour", "day of month", "month", "day of week"] as const;
/** `*`, `5`, `mon`, `1-5`, `mon-fri`, each with or without a step. node-cron's further forms are in no crontab. */
const ITEM = /^(?:\*|(?:\d{1,2}|[a-z]{3})(?:-(?:\d{1,2}|[a-z]{3}))?)(?:\/\d{1,2})?$/i;
const HINT = `expected five fields (${FIELDS.join(", ")}), such as "17 3 * * *"`;
const DAYS_OF_MONTH = 31;
const DAYS_OF_WEEK = 7;

/** How soon a step of the wall clock is noticed: timers count monotonic time. */
const MAX_WAIT_MS = 60_000;

/** Reads a cron expression of five fields. Throws a `RangeError` that names the wrong field. */
export function parseCron(expression: string): CronFields {
  const texts = expression.trim().split(/ +/);
  if (texts.length !== FIELDS.length) throw new RangeError(`not a cron expression; ${HINT}`);
  for (const [index, text] of texts.entries()) {
    if (!text.split(",").every((item) => ITEM.test(item))) throw invalid(FIELDS[index], text);
  }
  const { fields, errors } = validateDetailed(expression);
  if (fields === undefined) {
    const [first] = errors;
    throw invalid(
      first?.field.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`),
      first?.value ?? expression,
    );
  }
  const daysOfMonth = fields.dayOfMonth.map(Number);
  const daysOfWeek = fields.dayOfWeek.map(Number);
  // crontab(5) runs such a job when either day fits, node-cron when both do.
  if (new Set(daysOfMonth).size < DAYS_OF_MONTH && new Set(daysOfWeek).size < DAYS_OF_WEEK) {
    throw new RangeError("either the day of month or the day of week has to be *");
  }
  return { minutes: fields.minute, hours: fields.hour, daysOfMonth, months: fields.month, daysOfWeek };
}

function invalid(field: string | undefined, text: string): RangeError {
  return new RangeError(`${field ?? "expression"} "${text}" is not valid; ${HINT}`);
}

/** Calls `run` when the wall clock has reached `next()`, which returns the first time after now, wall-clock ms. */
export function runAtTimes(clock: Clock, next: () => number, run: () => void): Disposable {
  let dueMs = next();
  let sinceMs = clock.nowMs();
  const wait = (): Disposable => clock.timer(Math.min(dueMs - sinceMs, MAX_WAIT_MS), wake);
  const wake = (): void => {
    const nowMs = clock.nowMs();
    const isDue = nowMs >= dueMs;
    const isSetBack = nowMs < sinceMs;
    if (isDue || isSetBack) dueMs = next();
    sinceMs = nowMs;
    timer = wait();
    if (isDue) run();
  };
  let timer = wait();
  return { [Symbol.dispose]: () => timer[Symbol.dispose]() };
}
