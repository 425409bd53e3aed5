/** A command of the cloud service. It is on disk before the command runs, so that it never runs twice. */
export interface CloudCommandRecord {
  readonly id: string;
  /** The gateway's wall-clock ms. */
  readonly takenAtMs: number;
  /** Nobody vouched for the clock then: housekeeping dates it anew when somebody does. */
  readonly isDateUnsure?: true;
  /** Wall-clock ms; the cloud service sends it no more afterwards. */
  readonly expiresAtMs: number;
  /** What to run, while it is not answered; null afterwards. */
  readonly running: CloudRequest | null;
}

/** A request of the gateway's API. */
export interface CloudRequest {
  /** Version of the API. */
  readonly version: string;
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** Path and query. */
  readonly path: string;
  /** JSON; absent: none. */
  readonly body?: unknown;
  /** The user whom it is for; absent: none. */
  readonly userId?: string | undefined;
}
