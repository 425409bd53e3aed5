import { instant } from "../../domain/fields.ts";
import { WEBHOOK_VERSIONS, type Webhook } from "../../domain/webhooks/webhook.ts";
import type { WebhookProgress, WebhookProgressRecord, WebhookRecord } from "../../store/records/webhooks.ts";
import type { Write } from "../../store/records.ts";
import type { Store } from "../../store/store.ts";

type Tables = Pick<Store, "commit" | "commitAlong" | "get">;

/** The state of a webhook. Its settings are stored at once, its progress together with the next commit. */
export class WebhookState {
  readonly #store: Tables;
  #record: WebhookRecord;
  #webhook: Webhook | null = null;
  #isRemoved = false;

  constructor(store: Tables, record: WebhookRecord) {
    this.#store = store;
    this.#record = { ...record, ...store.get("webhook-progress", record.id) };
  }

  get record(): WebhookRecord {
    return this.#record;
  }

  /** The webhook as the API returns it; the same object until something in it changes. */
  get webhook(): Webhook {
    this.#webhook ??= webhookOf(this.#record);
    return this.#webhook;
  }

  /** Changes the progress, which may be lost in a crash. */
  note(changes: Partial<WebhookProgress>): void {
    if (this.#isRemoved) return;
    this.#take(changes);
    this.#store.commitAlong([progressWrite(this.#record)]);
  }

  /** Changes settings and stores them. Rejects if the disk refuses; nothing has changed then. */
  async store(changes: Partial<WebhookRecord>): Promise<void> {
    if (this.#isRemoved) return;
    const put = { ...this.#record, ...changes };
    await this.#store.commit([{ table: "webhook", key: put.id, put }, progressWrite(put)], []);
    this.#take(changes);
  }

  async remove(): Promise<void> {
    const key = this.#record.id;
    const writes: readonly Write[] = [
      { table: "webhook", key, remove: true },
      { table: "webhook-progress", key, remove: true },
    ];
    await this.#store.commit(writes, []);
    this.#isRemoved = true;
  }

  #take(changes: Partial<WebhookRecord>): void {
    this.#record = { ...this.#record, ...changes };
    this.#webhook = null;
  }
}

function progressWrite(record: WebhookRecord): Write {
  const { id, lastSuccessMs, position, failures, retryAtMs, batch, droppedEvents } = record;
  const put: WebhookProgressRecord = { id, lastSuccessMs, position, failures, retryAtMs, batch, droppedEvents };
  return { table: "webhook-progress", key: id, put };
}

function webhookOf(record: WebhookRecord): Webhook {
  const { id, url, events, lastSuccessMs, isActive, createdAtMs, apiVersion, authentication } = record;
  return {
    id,
    url,
    events: [...events],
    lastSuccess: instant(lastSuccessMs),
    isActive,
    createdAt: instant(createdAtMs),
    apiVersion: WEBHOOK_VERSIONS.find((version) => version === apiVersion) ?? null,
    authentication: authentication === null ? null : { headerName: authentication.headerName },
  };
}
