/** The service manager that runs the gateway (systemd) and gets its state. */
export interface ServiceManager {
  /** How often the watchdog wants to be fed at least, ms; null when nobody watches this process. */
  readonly watchdogMs: number | null;
  /** Sends states such as `READY=1`. Never rejects: the gateway keeps running if the manager cannot be reached. */
  notify(...states: readonly string[]): Promise<void>;
}
