import type { Clock, Log, LogFields } from "../../platform/ports/ports.ts";

const WINDOW_MS = 60_000;
/** Lines per minute of an adapter with all its devices; more would hide other lines and wear out the disk. */
const MAX_LINES = 120;

interface Budget {
  sinceMs: number;
  used: number;
  dropped: number;
}

/** Returns a log that drops lines above the limit, and logs how many it dropped. `debug` has no limit. */
export function limitedLog(log: Log, clock: Pick<Clock, "monotonicMs">): Log {
  return limited(log, clock, { sinceMs: clock.monotonicMs(), used: 0, dropped: 0 });
}

function limited(log: Log, clock: Pick<Clock, "monotonicMs">, budget: Budget): Log {
  const through = (write: (fields: LogFields, text: string) => void) => (fields: LogFields, text: string) => {
    const nowMs = clock.monotonicMs();
    if (nowMs - budget.sinceMs >= WINDOW_MS) {
      if (budget.dropped > 0) log.warn({ lines: budget.dropped }, "adapter logs too much; lines were dropped");
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
