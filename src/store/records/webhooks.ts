/** A place in the journal. */
export interface JournalPlace {
  readonly epoch: number;
  readonly seq: number;
}

/** A batch that was sent and is not acknowledged yet: it is sent again as the same delivery. */
export interface WebhookBatch {
  /** The delivery's id, as its header names it. */
  readonly id: string;
  /** The last journal entry in it. */
  readonly end: JournalPlace;
}

/** How far a webhook was told. It changes with every delivery, so it is kept apart from what clients set. */
export interface WebhookProgress {
  /** Wall-clock ms; `createdAtMs` before the first delivery. */
  readonly lastSuccessMs: number;
  /** Everything up to here was acknowledged or was not for this webhook. */
  readonly position: JournalPlace;
  /** Failed attempts in a row. */
  readonly failures: number;
  /** Wall-clock ms of the next attempt after a failure; null while there is none. */
  readonly retryAtMs: number | null;
  readonly batch: WebhookBatch | null;
  /** Events that were dropped since a heartbeat told their number. */
  readonly droppedEvents: number;
}

/** As it is kept, under the webhook's id. */
export interface WebhookProgressRecord extends WebhookProgress {
  readonly id: string;
}

/** Where a client is told of events, and how far it had been told when this was last written. */
export interface WebhookRecord extends WebhookProgress {
  readonly id: string;
  readonly clientId: string;
  readonly url: string;
  readonly events: readonly string[];
  /** Null: the version that the client is pinned to. */
  readonly apiVersion: string | null;
  /** In clear, because every delivery is signed with it. It leaves the gateway in no answer and no log line. */
  readonly secret: string;
  readonly authentication: { readonly headerName: string; readonly headerValue: string } | null;
  /** True for the client's single webhook of older versions. */
  readonly isFirehose: boolean;
  readonly createdAtMs: number;
  readonly isActive: boolean;
}
