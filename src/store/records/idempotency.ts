/** What a request with an Idempotency-Key was answered, so that the same request is answered the same again. */
export interface IdempotencyRecord {
  /** Hash of client and key; the record's place. */
  readonly id: string;
  readonly clientId: string;
  /** Hash of what was asked. */
  readonly asked: string;
  readonly status: number;
  readonly contentType: string;
  /** In the newest version's words. */
  readonly body: string;
  /** Wall-clock ms. */
  readonly createdAtMs: number;
  /** Nobody vouched for the clock then: housekeeping dates it anew when somebody does. */
  readonly isDateUnsure?: true;
}
