import { execFile } from "node:child_process";
import type { Log } from "../ports/ports.ts";
import type { ServiceManager } from "../ports/service-manager.ts";

/** A notification is a datagram to a local socket; a longer wait means that the manager hangs. */
const SEND_WITHIN_MS = 5_000;
const US_PER_MS = 1_000;

/**
 * systemd as it shows itself in the environment; without it nothing is sent. Node has no datagrams over Unix sockets, so
 * the program `systemd-notify` sends them, which asks for `NotifyAccess=all` in the unit.
 */
export function serviceManager(
  environment: Readonly<Record<string, string | undefined>>,
  pid: number,
  log: Log,
): ServiceManager {
  if (!environment["NOTIFY_SOCKET"]) return { watchdogMs: null, notify: async () => undefined };
  const { WATCHDOG_USEC, WATCHDOG_PID } = environment;
  const isWatched = WATCHDOG_PID === undefined || WATCHDOG_PID === String(pid);
  const watchdogUs = isWatched ? Number(WATCHDOG_USEC ?? Number.NaN) : Number.NaN;
  return {
    watchdogMs: watchdogUs > 0 ? watchdogUs / US_PER_MS : null,
    notify: (...states) => send(states, log),
  };
}

function send(states: readonly string[], log: Log): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  execFile("systemd-notify", states, { timeout: SEND_WITHIN_MS }, (error) => {
    if (error !== null) log.error({ err: error, states }, "systemd-notify failed; systemd did not get these states");
    resolve();
  });
  return promise;
}
