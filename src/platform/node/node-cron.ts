import assert from "node:assert/strict";
import { createTask } from "node-cron";
import { parseCron, runAtTimes } from "../cron.ts";
import type { Cron } from "../ports/cron-port.ts";
import type { Clock } from "../ports/ports.ts";

/**
 * Cron times as node-cron computes them. Its own timers are not started: they give up a time that the event loop reaches
 * more than a second late, and fire nothing after the wall clock was set back until it has caught up.
 */
export function nodeCron(clock: Clock): Cron {
  return {
    schedule({ expression, timeZone }, run) {
      parseCron(expression);
      // A task of an unknown time zone could not be destroyed. Throws the RangeError.
      new Intl.DateTimeFormat("en", { timeZone });
      using stack = new DisposableStack();
      const task = createTask(expression, () => undefined, { timezone: timeZone });
      // node-cron keeps each task in a list until it is destroyed.
      stack.defer(() => void task.destroy());
      const next = (): number => {
        const [date] = task.getNextRuns(1);
        assert(date !== undefined, "node-cron finds a next time or throws");
        return date.getTime();
      };
      stack.use(runAtTimes(clock, next, run));
      return stack.move();
    },
  };
}
