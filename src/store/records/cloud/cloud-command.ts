/** A command of the cloud service. It is stored before it runs, so that it never runs twice. */
export interface CloudCommandRecord {
  readonly id: string;
  /** Wall-clock ms of the arrival. */
  readonly takenAtMs: number;
  /** True if the clock was unreliable then: the record is dated again when the clock is set. */
  readonly isDateUnsure?: true;
  /** Wall-clock ms; the cloud service does not send it afterwards. */
  readonly expiresAtMs: number;
  /** The request while the command is not answered; `null` afterwards. */
  readonly running: CloudRequest | null;
}

/** A request to the gateway's API. */
export interface CloudRequest {
  /** API version. */
  readonly version: string;
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** Path and query. */
  readonly path: string;
  /** JSON; absent: no body. */
  readonly body?: unknown;
  /** The user of the request; absent: none. */
  readonly userId?: string | undefined;
}
