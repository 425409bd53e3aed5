import type { Clock, Log } from "../platform/ports/ports.ts";
import type { ServiceManager } from "../platform/ports/service-manager.ts";

export interface ServiceWatchOptions {
  readonly clock: Pick<Clock, "sleep">;
  readonly log: Log;
  readonly manager: ServiceManager;
  /** The loops that have not turned in their time, by name; empty while all turn. */
  stalledLoops(): readonly string[];
}

/**
 * Feeds the service manager's watchdog while every loop turns, until the signal aborts. A gateway that answers and does
 * not work is worse than one that is started again.
 */
export async function watchService(options: ServiceWatchOptions, signal: AbortSignal): Promise<void> {
  const { clock, log, manager, stalledLoops } = options;
  if (manager.watchdogMs === null) return;
  let isFed = true;
  while (!signal.aborted) {
    const stalled = stalledLoops();
    const wasFed = isFed;
    isFed = stalled.length === 0;
    if (isFed) await manager.notify("WATCHDOG=1");
    else if (wasFed) log.error({ stalled }, "loops stand still; the watchdog is not fed");
    // systemd asks for half of the time; a third leaves room for a slow child process on a busy machine.
    await clock.sleep(manager.watchdogMs / 3, signal).catch(() => undefined);
  }
}
