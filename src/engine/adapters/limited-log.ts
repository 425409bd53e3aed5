import type { Clock, Log, LogFields } from "../../platform/ports/ports.ts";

const WINDOW_MS = 60_000;
/** Lines of one adapter and all of its devices in a minute; more would drown the others', and wear the disk. */
const MAX_LINES = 120;

interface Budget {
  sinceMs: number;
  used: number;
  dropped: number;
}

/** A log that takes so many lines a minute, and then says how many it did not. */
export function limitedLog(log: Log, clock: Pick<Clock, "monotonicMs">): Log {
  return limited(log, clock, { sinceMs: clock.monotonicMs(), used: 0, dropped: 0 });
}

function limited(log: Log, clock: Pick<Clock, "monotonicMs">, budget: Budget): Log {
  const through = (write: (fields: LogFields, text: string) => void) => (fields: LogFields, text: string) => {
    const nowMs = clock.monotonicMs();
    if (nowMs - budget.sinceMs >= WINDOW_MS) {
      if (budget.dropped > 0) log.warn({ lines: budget.dropped }, "an adapter logs too much");
      Object.assign(budget, { sinceMs: nowMs, used: 0, dropped: 0 });
    }
    if (budget.used >= MAX_LINES) {
      budget.dropped += 1;
      return;
    }
    budget.used += 1;
    write(fields, text);
  };
  return {
    error: through((fields, text) => log.error(fields, text)),
    warn: through((fields, text) => log.warn(fields, text)),
    info: through((fields, text) => log.info(fields, text)),
    debug: (fields, text) => log.debug(fields, text),
    child: (fields) => limited(log.child(fields), clock, budget),
  };
}
