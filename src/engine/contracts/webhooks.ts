import type {
  FirehoseTarget,
  Webhook,
  WebhookCreate,
  WebhookTest,
  WebhookUpdate,
} from "../../domain/webhooks/webhook.ts";

export interface WebhookEntry {
  readonly webhook: Webhook;
  readonly createdAtMs: number;
}

/** How far a webhook was told, for whoever watches the gateway; nothing of where or of what. */
export interface WebhookProgress {
  readonly id: string;
  readonly isActive: boolean;
  /** Everything up to this place of the journal was acknowledged or was not for this webhook. */
  readonly position: { readonly epoch: number; readonly seq: number };
  /** Failed attempts in a row. */
  readonly failures: number;
}

/** Where clients are told of events (rule S1). A webhook belongs to the client that made it; others see none. */
export interface Webhooks {
  get(clientId: string, id: string): Webhook | null;
  /** Newest created first, then by id. */
  list(clientId: string): readonly WebhookEntry[];
  /**
   * Stores a webhook that is told of events from now on. Throws `bad-request` for a URL that is not allowed or that has
   * a webhook in the same version already, `forbidden` when there are too many.
   */
  create(clientId: string, input: WebhookCreate): Promise<Webhook>;
  /**
   * Changes a webhook and makes it healthy: an inactive one is told of events from now on. Null when there is none.
   * Throws as `create`.
   */
  update(clientId: string, id: string, changes: WebhookUpdate): Promise<Webhook | null>;
  /** False when there is none. */
  remove(clientId: string, id: string): Promise<boolean>;
  /** Delivers a test event now; success makes the webhook healthy. Null when there is none. */
  test(clientId: string, id: string): Promise<WebhookTest | null>;

  /** Of the webhooks of all clients. */
  progress(): readonly WebhookProgress[];

  /** The single webhook of older versions: made, or given a new URL and secret. Throws as `create`. */
  setFirehose(clientId: string, target: FirehoseTarget): Promise<void>;
  /** False when the client's single webhook is not at the URL. */
  removeFirehose(clientId: string, url: string): Promise<boolean>;
  /** As `test`, with the event of older versions. */
  testFirehose(clientId: string): Promise<WebhookTest | null>;
}
