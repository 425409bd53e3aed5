import type { DeliveryCode } from "../../domain/notifications/delivery.ts";
import type {
  FirehoseTarget,
  Webhook,
  WebhookCreate,
  WebhookTest,
  WebhookUpdate,
} from "../../domain/webhooks/webhook.ts";

/** A webhook with its time of creation. */
export interface WebhookEntry {
  readonly webhook: Webhook;
  readonly createdAtMs: number;
}

/** The delivery state of a webhook for metrics, without its URL and its events. */
export interface WebhookProgress {
  readonly id: string;
  readonly isActive: boolean;
  /** The place in the journal up to which all events of this webhook were acknowledged. */
  readonly position: { readonly epoch: number; readonly seq: number };
  /** Failed attempts in a row. */
  readonly failures: number;
}

/** An attempt to deliver to a webhook, in this run of the gateway. */
export interface WebhookDelivery {
  /** Wall-clock ms. */
  readonly atMs: number;
  readonly isSuccess: boolean;
  /** HTTP status; `null` if there was no response. */
  readonly status: number | null;
  readonly code: DeliveryCode;
  /** What happened, in English. */
  readonly description: string;
}

/** A webhook of any client, for who looks after the gateway. */
export interface WebhookOverview {
  readonly webhook: Webhook;
  /** The client or account that created it. */
  readonly clientId: string;
  /** Failed attempts in a row. */
  readonly failures: number;
  /** Wall-clock ms of the next attempt after a failure; `null` if none failed. */
  readonly retryAtMs: number | null;
  /** The latest attempts, newest first. */
  readonly deliveries: readonly WebhookDelivery[];
}

/** The webhooks of clients (rule S1). Only the client that created a webhook can see it. */
export interface Webhooks {
  get(clientId: string, id: string): Webhook | null;
  /** Returns the client's webhooks; newest created first, then by id. */
  list(clientId: string): readonly WebhookEntry[];
  /**
   * Stores a webhook that gets all events from now on. Throws `bad-request` for a URL that is not allowed or already has a
   * webhook of the same version, and `forbidden` if there are too many.
   */
  create(clientId: string, input: WebhookCreate): Promise<Webhook>;
  /**
   * Changes a webhook and makes it healthy; an inactive one gets events from now on. Returns `null` if it is unknown. Throws
   * as `create`.
   */
  update(clientId: string, id: string, changes: WebhookUpdate): Promise<Webhook | null>;
  /** Deletes a webhook; returns false if it is unknown. */
  remove(clientId: string, id: string): Promise<boolean>;
  /** Sends a test event now; success makes the webhook healthy. Returns `null` if it is unknown. */
  test(clientId: string, id: string): Promise<WebhookTest | null>;

  /** Returns the delivery state of all clients' webhooks. */
  progress(): readonly WebhookProgress[];
  /** Returns all clients' webhooks, newest first. */
  overview(): readonly WebhookOverview[];

  /** Creates the single webhook of older versions, or changes its URL and secret. Throws as `create`. */
  setFirehose(clientId: string, target: FirehoseTarget): Promise<void>;
  /** Deletes the client's single webhook; returns false if its URL differs. */
  removeFirehose(clientId: string, url: string): Promise<boolean>;
  /** As `test`, with the event of older versions. */
  testFirehose(clientId: string): Promise<WebhookTest | null>;
}
