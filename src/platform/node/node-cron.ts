import assert from "node:assert/strict";
import { createTask, type ScheduledTask } from "node-cron";
import { parseCron, runAtTimes } from "../cron.ts";
import type { Cron, CronTime } from "../ports/cron-port.ts";
import type { Clock } from "../ports/ports.ts";

/**
 * Cron times as node-cron computes them. Its own timers are not started: they give up a time that the event loop reaches
 * more than a second late, and fire nothing after the wall clock was set back until it has caught up.
 */
export function nodeCron(clock: Clock): Cron {
  return {
    schedule(time, run) {
      using stack = new DisposableStack();
      const task = taskOf(time, stack);
      const next = (): number => {
        const [date] = task.getNextRuns(1);
        assert(date !== undefined, "node-cron finds a next time or throws");
        return date.getTime();
      };
      stack.use(runAtTimes(clock, next, run));
      return stack.move();
    },
    nextRuns(time, count) {
      using stack = new DisposableStack();
      const dates = taskOf(time, stack).getNextRuns(count);
      return dates.map((date) => date.getTime());
    },
  };
}

/** Makes a task that never runs; the stack destroys it, because node-cron keeps each in a list until then. */
function taskOf({ expression, timeZone }: CronTime, stack: DisposableStack): ScheduledTask {
  parseCron(expression);
  // A task of an unknown time zone could not be destroyed. Throws the RangeError.
  new Intl.DateTimeFormat("en", { timeZone });
  const task = createTask(expression, () => undefined, { timezone: timeZone });
  stack.defer(() => void task.destroy());
  return task;
}
