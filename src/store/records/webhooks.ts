/** A place in the journal. */
export interface JournalPlace {
  readonly epoch: number;
  readonly seq: number;
}

/** A batch that was sent and is not acknowledged yet: it is sent again as the same delivery. */
export interface WebhookBatch {
  /** Id of the delivery, as in its header. */
  readonly id: string;
  /** The last journal entry in it. */
  readonly end: JournalPlace;
}

/** The progress of a webhook. It changes with each delivery, so it is stored apart from the settings. */
export interface WebhookProgress {
  /** Wall-clock ms; `createdAtMs` before the first delivery. */
  readonly lastSuccessMs: number;
  /** Everything up to here was acknowledged, or was not for this webhook. */
  readonly position: JournalPlace;
  /** Consecutive failed attempts. */
  readonly failures: number;
  /** Wall-clock ms of the next attempt after a failure; `null` if none is due. */
  readonly retryAtMs: number | null;
  readonly batch: WebhookBatch | null;
  /** Events that were dropped since a heartbeat reported their number. */
  readonly droppedEvents: number;
}

/** The progress as stored; the key is the webhook's id. */
export interface WebhookProgressRecord extends WebhookProgress {
  readonly id: string;
}

/** A webhook of a client, and its progress at the last write of this record. */
export interface WebhookRecord extends WebhookProgress {
  readonly id: string;
  readonly clientId: string;
  readonly url: string;
  readonly events: readonly string[];
  /** `null` for the version that the client is pinned to. */
  readonly apiVersion: string | null;
  /** In clear text, because each delivery is signed with it. It is in no answer and no log line. */
  readonly secret: string;
  readonly authentication: { readonly headerName: string; readonly headerValue: string } | null;
  /** True for the client's single webhook of older versions. */
  readonly isFirehose: boolean;
  readonly createdAtMs: number;
  readonly isActive: boolean;
}
