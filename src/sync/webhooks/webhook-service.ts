import { comparePositions } from "../../domain/page.ts";
import { problem } from "../../domain/problem.ts";
import type {
  FirehoseTarget,
  Webhook,
  WebhookCreate,
  WebhookTest,
  WebhookUpdate,
} from "../../domain/webhooks/webhook.ts";
import type { WebhookEntry, WebhookOverview, WebhookProgress, Webhooks } from "../../engine/contracts/webhooks.ts";
import { BusyError, KeyedMutex } from "../../platform/keyed-mutex.ts";
import type { Clock, Http, Log, Random } from "../../platform/ports/ports.ts";
import type { WebhookRecord } from "../../store/records/webhooks.ts";
import type { Store } from "../../store/store.ts";
import type { BacklogLimits } from "./backlog.ts";
import { DeliveryWorker, testEvent, type WorkerParts } from "./delivery-worker.ts";
import type { PayloadMapper } from "./event-text.ts";
import { normal } from "./normal-url.ts";
import type { Outcome } from "./post.ts";
import { openTargetClients, type TargetClients } from "./target-policy.ts";
import { checkInput, DUPLICATE_TITLE, type InputRules } from "./webhook-input.ts";
import { WebhookState } from "./webhook-state.ts";

/**
 * Key of the mutex for changes: they run one after the other, so that two of them cannot both take the last free place.
 */
const CHANGES = "changes";
const MAX_ANSWER_HEADERS = 50;

export interface WebhookOptions {
  readonly store: Store;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly http: Http;
  readonly rules: InputRules & { readonly maxWebhooks: number };
  /** Converts an event's payload to an API version. */
  readonly mapped: PayloadMapper;
  /** The API version of clients without a pinned version. */
  readonly newestVersion: string;
  /** Returns true if no events of the user may be sent. */
  isDeauthorized(userId: string): boolean;
  /** Limits of the backlog of a webhook; tests set smaller ones. */
  readonly limits?: BacklogLimits;
}

interface Kept {
  readonly state: WebhookState;
  readonly worker: DeliveryWorker;
}

/** Manages the webhooks of all clients, each with a worker. */
export class WebhookService implements Webhooks, AsyncDisposable {
  readonly #options: WebhookOptions;
  readonly #clients: TargetClients;
  readonly #kept = new Map<string, Kept>();
  readonly #workerParts: WorkerParts;
  readonly #mutex = new KeyedMutex();
  readonly #stop = new AbortController();
  readonly #watch: Disposable;

  /** Resumes the stored webhooks. */
  constructor(options: WebhookOptions) {
    this.#options = { ...options, log: options.log.child({ part: "webhooks" }) };
    const { store, clock, random, http, rules, mapped, newestVersion, limits } = options;
    this.#clients = openTargetClients(http, rules);
    this.#workerParts = {
      store,
      clock,
      random,
      mapped,
      log: this.#options.log,
      post: { clients: this.#clients, clock, namePrefix: rules.namePrefix },
      urlMutex: new KeyedMutex(),
      isDeauthorized: (userId) => options.isDeauthorized(userId),
      versionOf: ({ record }) => record.apiVersion ?? store.get("client", record.clientId)?.apiVersion ?? newestVersion,
      ...(limits !== undefined && { limits }),
    };
    for (const record of store.all("webhook")) this.#keep(new WebhookState(store, record));
    this.#watch = store.watchJournal(() => {
      for (const { worker } of this.#kept.values()) worker.wake();
    });
  }

  get(clientId: string, id: string): Webhook | null {
    return this.#find(clientId, id)?.state.webhook ?? null;
  }

  list(clientId: string): readonly WebhookEntry[] {
    const own = this.#ofClient(clientId).map(({ state }) => ({
      webhook: state.webhook,
      createdAtMs: state.record.createdAtMs,
    }));
    return own.sort((a, b) => comparePositions(positionOf(a), positionOf(b)));
  }

  progress(): readonly WebhookProgress[] {
    return [...this.#kept.values()].map(({ state: { record } }) => ({
      id: record.id,
      isActive: record.isActive,
      position: record.position,
      failures: record.failures,
    }));
  }

  overview(): readonly WebhookOverview[] {
    const newestFirst = [...this.#kept.values()].sort(
      (a, b) => b.state.record.createdAtMs - a.state.record.createdAtMs,
    );
    return newestFirst.map(({ state: { webhook, record }, worker }) => {
      const { clientId, failures, retryAtMs } = record;
      return { webhook, clientId, failures, retryAtMs, deliveries: worker.deliveries };
    });
  }

  async create(clientId: string, input: WebhookCreate): Promise<Webhook> {
    return await this.#mutex.run(CHANGES, () => this.#create(clientId, input, false));
  }

  async update(clientId: string, id: string, changes: WebhookUpdate): Promise<Webhook | null> {
    return await this.#mutex.run(CHANGES, async () => {
      const kept = this.#find(clientId, id);
      return kept === null ? null : await this.#change(kept, changes);
    });
  }

  async remove(clientId: string, id: string): Promise<boolean> {
    return await this.#mutex.run(CHANGES, async () => {
      const kept = this.#find(clientId, id);
      if (kept === null) return false;
      await kept.state.remove();
      this.#kept.delete(id);
      await kept.worker.stop();
      return true;
    });
  }

  async test(clientId: string, id: string): Promise<WebhookTest | null> {
    const kept = this.#find(clientId, id);
    return kept === null ? null : await this.#test(kept, false);
  }

  async setFirehose(clientId: string, { url, secret }: FirehoseTarget): Promise<void> {
    await this.#mutex.run(CHANGES, async () => {
      const kept = this.#firehose(clientId) ?? this.#sameTarget(clientId, url, null, null);
      if (kept === null) {
        const rest = { events: ["*"], apiVersion: null, authentication: null };
        await this.#create(clientId, { url, secret, ...rest }, true);
      } else await this.#change(kept, { url, secret }, true);
    });
  }

  async removeFirehose(clientId: string, url: string): Promise<boolean> {
    const record = this.#firehose(clientId)?.state.record;
    if (record === undefined || normal(record.url) !== normal(url)) return false;
    return await this.remove(clientId, record.id);
  }

  async testFirehose(clientId: string): Promise<WebhookTest | null> {
    const kept = this.#firehose(clientId);
    return kept === null ? null : await this.#test(kept, true);
  }

  /** Stops all deliveries at once. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#watch[Symbol.dispose]();
    this.#stop.abort(new Error("the gateway stops"));
    await Promise.all([...this.#kept.values()].map(({ worker }) => worker.stop()));
    this.#clients[Symbol.dispose]();
  }

  #keep(state: WebhookState): Kept {
    const kept = { state, worker: new DeliveryWorker(state, this.#workerParts) };
    this.#kept.set(state.record.id, kept);
    kept.worker.start();
    return kept;
  }

  #find(clientId: string, id: string): Kept | null {
    const kept = this.#kept.get(id);
    return kept?.state.record.clientId === clientId ? kept : null;
  }

  #ofClient(clientId: string): Kept[] {
    return [...this.#kept.values()].filter(({ state }) => state.record.clientId === clientId);
  }

  #firehose(clientId: string): Kept | null {
    return this.#ofClient(clientId).find(({ state }) => state.record.isFirehose) ?? null;
  }

  /** Returns another webhook of the client with the same URL and version; `null` if there is none. */
  #sameTarget(clientId: string, url: string, apiVersion: string | null, ownId: string | null): Kept | null {
    const target = normal(url);
    return (
      this.#ofClient(clientId).find(({ state: { record } }) => {
        return record.id !== ownId && normal(record.url) === target && record.apiVersion === apiVersion;
      }) ?? null
    );
  }

  #refuseDuplicate(clientId: string, url: string, apiVersion: string | null, ownId: string | null): void {
    if (this.#sameTarget(clientId, url, apiVersion, ownId) === null) return;
    const detail = "There is a webhook with this URL and API version already.";
    throw problem("bad-request", detail, { title: DUPLICATE_TITLE });
  }

  async #create(clientId: string, input: WebhookCreate, isFirehose: boolean): Promise<Webhook> {
    const { store, clock, random, rules } = this.#options;
    checkInput(input, rules);
    this.#refuseDuplicate(clientId, input.url, input.apiVersion, null);
    if (this.#kept.size >= rules.maxWebhooks) {
      const detail = `There are ${rules.maxWebhooks} webhooks, as many as the configuration allows.`;
      throw problem("forbidden", detail, { title: "Webhooks limit reached." });
    }
    const createdAtMs = clock.nowMs();
    const record: WebhookRecord = {
      ...input,
      id: random.uuid(),
      clientId,
      isFirehose,
      createdAtMs,
      lastSuccessMs: createdAtMs,
      isActive: true,
      position: store.journalEnd,
      failures: 0,
      retryAtMs: null,
      batch: null,
      droppedEvents: 0,
    };
    const state = new WebhookState(store, record);
    await state.store({});
    return this.#keep(state).state.webhook;
  }

  async #change({ state, worker }: Kept, changes: WebhookUpdate, isFirehose = false): Promise<Webhook> {
    const { record } = state;
    checkInput(changes, this.#options.rules);
    const {
      url = record.url,
      apiVersion = record.apiVersion,
      events = record.events,
      secret = record.secret,
    } = changes;
    const { authentication = record.authentication } = changes;
    this.#refuseDuplicate(record.clientId, url, apiVersion, record.id);
    await state.store({
      url,
      apiVersion,
      events,
      secret,
      authentication,
      isFirehose: record.isFirehose || isFirehose,
      ...this.#healthy(state),
    });
    worker.heal();
    return state.webhook;
  }

  /**
   * Returns the fields that make a webhook active. The backlog of an inactive one was deleted, so it starts at the end
   * of the journal.
   */
  #healthy({ record }: WebhookState): Partial<WebhookRecord> {
    const fresh = { position: this.#options.store.journalEnd, batch: null, droppedEvents: 0 };
    return { isActive: true, failures: 0, retryAtMs: null, ...(!record.isActive && fresh) };
  }

  async #test({ state, worker }: Kept, isFirehose: boolean): Promise<WebhookTest> {
    const { rules, clock } = this.#options;
    const event = testEvent(rules.namePrefix, isFirehose);
    const outcome = await worker.deliverNow(event, this.#stop.signal).catch((error: unknown) => {
      if (error instanceof BusyError || this.#stop.signal.aborted) {
        throw problem("service-unavailable", "The test could not be delivered now.", { cause: error });
      }
      throw error;
    });
    if (outcome.isSuccess) {
      const progress = { failures: 0, retryAtMs: null, lastSuccessMs: clock.nowMs() };
      if (state.record.isActive) state.note(progress);
      else await state.store({ ...this.#healthy(state), ...progress });
      worker.heal();
    }
    return testResult(outcome);
  }
}

function testResult({ isSuccess, description, answer }: Outcome): WebhookTest {
  return {
    status: isSuccess ? "SUCCESS" : "FAILURE",
    description,
    response:
      answer === null
        ? null
        : {
            code: answer.status,
            body: Buffer.from(answer.body).toString("utf8"),
            headers: answer.headers.slice(0, MAX_ANSWER_HEADERS).map(([name, value]) => `${name}: ${value}`),
          },
  };
}

function positionOf({ webhook, createdAtMs }: WebhookEntry) {
  return { createdAtMs, id: webhook.id };
}
