/** The answer to a request with an Idempotency-Key, so that a repeated request gets the same answer. */
export interface IdempotencyRecord {
  /** Hash of client and key; it is the record's key. */
  readonly id: string;
  readonly clientId: string;
  /** Hash of the request. */
  readonly asked: string;
  readonly status: number;
  readonly contentType: string;
  /** In the newest API version. */
  readonly body: string;
  /** Wall-clock ms. */
  readonly createdAtMs: number;
  /** True if the clock was unreliable then: the record is dated again when the clock is set. */
  readonly isDateUnsure?: true;
}
