/** What runs the gateway as a service (systemd) and wants to be told how it is. */
export interface ServiceManager {
  /** How often the watchdog wants to be fed at least, ms; null when nobody watches this process. */
  readonly watchdogMs: number | null;
  /** Sends states such as `READY=1`. Never rejects: nobody stops because the manager cannot be told. */
  notify(...states: readonly string[]): Promise<void>;
}
