import { DAY_MS, MINUTE_MS } from "../../domain/duration.ts";
import { isSubscribed, serviceEvent } from "../../domain/webhooks/webhook.ts";
import type { WebhookDelivery } from "../../engine/contracts/webhooks.ts";
import { BusyError, type KeyedMutex } from "../../platform/keyed-mutex.ts";
import type { Clock, Log, Random } from "../../platform/ports/ports.ts";
import { sleep } from "../../platform/sleep.ts";
import { WakeSignal } from "../../platform/wake-signal.ts";
import type { JournalEntry } from "../../store/records.ts";
import type { Store } from "../../store/store.ts";
import { deliveryCode } from "../delivery-code.ts";
import {
  BACKLOG_LIMITS,
  type BacklogLimits,
  type BacklogSource,
  type Batch,
  nextBatch,
  WaitingEvents,
} from "./backlog.ts";
import { entryText, eventText, type PayloadMapper, userOf } from "./event-text.ts";
import { normal } from "./normal-url.ts";
import { type Delivery, type Outcome, type PostParts, postDelivery } from "./post.ts";
import { longestPauseMs, retryPauseMs } from "./retry-ladder.ts";
import type { WebhookState } from "./webhook-state.ts";

const HEARTBEAT_EVENT = "system:heartbeat";
const HEARTBEAT_EVERY_MS = 5 * MINUTE_MS;
/** Delay before an unreadable journal is read again. */
const STORE_RETRY_MS = 5_000;
/** How often an unset clock is checked. */
const CLOCK_RETRY_MS = 5_000;
/** Attempts that are remembered for people. */
const MAX_DELIVERIES = 10;
/** Maximum wait of an idle worker; its wake signal ends it earlier. */
const IDLE_MS = DAY_MS;

export interface WorkerParts {
  readonly store: Store;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly post: PostParts;
  /** Allows one delivery at a time per URL. */
  readonly urlMutex: KeyedMutex;
  readonly mapped: PayloadMapper;
  readonly limits?: BacklogLimits;
  /** Returns the API version of a webhook's payloads. */
  versionOf(state: WebhookState): string;
  isDeauthorized(userId: string): boolean;
}

/**
 * Delivers the journal to one webhook: in order, at least once, one delivery at a time. An acknowledgement moves the
 * position; a failed batch is sent again as the same delivery, until the retries end.
 */
export class DeliveryWorker {
  readonly #state: WebhookState;
  readonly #parts: WorkerParts;
  readonly #wake: WakeSignal;
  readonly #stop = new AbortController();
  readonly #source: BacklogSource;
  readonly #waiting: WaitingEvents;
  /** Users of the events that were looked at. */
  readonly #users = new Set<string>();
  /** Monotonic ms of the next retry; `null` if nothing failed. */
  #retryAtMs: number | null;
  #heartbeatAtMs: number;
  #running: Promise<void> = Promise.resolve();
  #isStoreFailing = false;
  #deliveries: readonly WebhookDelivery[] = [];

  constructor(state: WebhookState, parts: WorkerParts) {
    this.#state = state;
    this.#parts = parts;
    this.#wake = new WakeSignal(parts.clock);
    this.#source = {
      store: parts.store,
      isIncluded: (entry) => this.#isForWebhook(entry),
      filter: () => JSON.stringify([state.record.events, [...this.#users].filter(parts.isDeauthorized)]),
    };
    this.#waiting = new WaitingEvents(this.#source);
    const nowMs = parts.clock.monotonicMs();
    this.#heartbeatAtMs = nowMs + HEARTBEAT_EVERY_MS;
    const { retryAtMs, failures } = state.record;
    // The wall clock may have jumped meanwhile, so the wait is at most the longest pause.
    const leftMs = retryAtMs === null ? 0 : Math.min(retryAtMs - parts.clock.nowMs(), longestPauseMs(failures));
    this.#retryAtMs = leftMs > 0 ? nowMs + leftMs : null;
  }

  /** The latest attempts in this run, newest first. */
  get deliveries(): readonly WebhookDelivery[] {
    return this.#deliveries;
  }

  start(): void {
    this.#running = this.#run(this.#stop.signal);
  }

  /** Wakes the worker after a new journal entry or a change of the webhook. */
  wake(): void {
    this.#wake.notify();
  }

  /** Ends the retry delay: waiting events are sent at once. */
  heal(): void {
    this.#retryAtMs = null;
    this.#wake.notify();
  }

  /** Delivers one event now, out of order, even if the webhook is inactive. */
  async deliverNow(event: string, signal: AbortSignal): Promise<Outcome> {
    const { clock, random } = this.#parts;
    const version = this.#parts.versionOf(this.#state);
    const text = eventText({ createdAtMs: clock.nowMs(), version, event }, {});
    return await this.#post({ id: random.uuid(), json: `[${text}]` }, AbortSignal.any([signal, this.#stop.signal]));
  }

  /** Stops at once; a running delivery counts as not acknowledged. */
  async stop(): Promise<void> {
    this.#stop.abort(new Error("the webhook is closed"));
    await this.#running;
  }

  async #run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      try {
        await this.#step(signal);
        this.#isStoreFailing = false;
      } catch (err) {
        if (signal.aborted) return;
        await this.#recover(err, signal);
      }
    }
  }

  /** Waits after a disk error, or while too many deliveries wait for one URL. */
  async #recover(err: unknown, signal: AbortSignal): Promise<void> {
    if (!this.#isStoreFailing && !(err instanceof BusyError)) {
      this.#parts.log.warn(
        { err, webhookId: this.#state.record.id },
        "cannot read or store the state of a webhook; trying again",
      );
      this.#isStoreFailing = true;
    }
    await sleep(this.#parts.clock, STORE_RETRY_MS, signal).catch(() => undefined);
  }

  async #step(signal: AbortSignal): Promise<void> {
    const waitMs = this.#waitMs();
    if (waitMs > 0) {
      await this.#wake.wait(waitMs, signal);
      return;
    }
    const isFailing = this.#state.record.failures > 0;
    if (!isFailing && this.#heartbeatDueMs() <= 0) {
      await this.#sendHeartbeat(signal);
      return;
    }
    const batch = await this.#nextBatch();
    if (batch.texts.length > 0) await this.#sendBatch(batch, signal);
    else if (isFailing) await this.#sendHeartbeat(signal);
    else await this.#wake.wait(Math.max(1, this.#heartbeatDueMs()), signal);
  }

  /** Returns how long to wait before anything may be sent, ms. */
  #waitMs(): number {
    const { clock } = this.#parts;
    const { isActive, url } = this.#state.record;
    if (!isActive) return IDLE_MS;
    // With an unset clock every certificate looks not yet valid; plain HTTP needs no clock.
    if (clock.quality() === "unset" && url.startsWith("https:")) return CLOCK_RETRY_MS;
    return this.#retryAtMs === null ? 0 : this.#retryAtMs - clock.monotonicMs();
  }

  #heartbeatDueMs(): number {
    return this.#heartbeatAtMs - this.#parts.clock.monotonicMs();
  }

  /** Returns what to send next. A failed batch stays the same batch, as far as its events still wait. */
  async #nextBatch(): Promise<Batch> {
    const { limits = BACKLOG_LIMITS, mapped } = this.#parts;
    if (this.#state.record.failures > 0) await this.#dropOldest(limits);
    const { position, batch: unacknowledged } = this.#state.record;
    const version = this.#parts.versionOf(this.#state);
    const batch = await nextBatch(this.#source, position, unacknowledged?.end ?? null, (entry) =>
      entryText(entry, version, mapped),
    );
    if (batch.lost > 0) {
      this.#state.note({ position: { epoch: position.epoch, seq: position.seq + batch.lost } });
      this.#countDropped(batch.lost, "the journal deleted events before they were delivered to a webhook");
    }
    if (batch.texts.length === 0 && (batch.end !== position || unacknowledged !== null)) {
      this.#state.note({ position: batch.end, batch: null });
      return unacknowledged === null ? batch : await this.#nextBatch();
    }
    return batch;
  }

  #isForWebhook(entry: JournalEntry): boolean {
    if (!isSubscribed(this.#state.record.events, entry.event)) return false;
    const user = userOf(entry);
    if (user === null) return true;
    this.#users.add(user);
    return !this.#parts.isDeauthorized(user);
  }

  async #dropOldest(limits: BacklogLimits): Promise<void> {
    const { position } = this.#state.record;
    const bounded = await this.#waiting.bounded(position, limits);
    if (bounded.dropped === 0) return;
    this.#state.note({ position: bounded.position, batch: null });
    this.#countDropped(bounded.dropped, "too many events wait for a webhook; dropping the oldest");
  }

  #countDropped(dropped: number, text: string): void {
    const { id, droppedEvents } = this.#state.record;
    this.#parts.log.warn({ webhookId: id, dropped }, text);
    this.#state.note({ droppedEvents: droppedEvents + dropped });
  }

  async #sendBatch({ texts, end }: Batch, signal: AbortSignal): Promise<void> {
    const { random } = this.#parts;
    const known = this.#state.record.batch;
    const id = known !== null && known.end.epoch === end.epoch && known.end.seq === end.seq ? known.id : random.uuid();
    this.#state.note({ batch: { id, end } });
    const outcome = await this.#post({ id, json: `[${texts.join(",")}]` }, signal);
    // A change of the webhook may have moved its position to the end of the journal meanwhile.
    if (this.#state.record.batch?.id !== id) return;
    if (outcome.isSuccess) this.#succeeded({ position: end, batch: null });
    else await this.#failed(outcome);
  }

  async #sendHeartbeat(signal: AbortSignal): Promise<void> {
    const { clock, random } = this.#parts;
    const { position, droppedEvents } = this.#state.record;
    const waiting = await this.#waiting.measure(position);
    const version = this.#parts.versionOf(this.#state);
    const payload = { pendingEvents: waiting.events + droppedEvents };
    const text = eventText({ createdAtMs: clock.nowMs(), version, event: HEARTBEAT_EVENT }, payload);
    const outcome = await this.#post({ id: random.uuid(), json: `[${text}]` }, signal);
    this.#heartbeatAtMs = clock.monotonicMs() + HEARTBEAT_EVERY_MS;
    if (!outcome.isSuccess) await this.#failed(outcome);
    else this.#succeeded({ droppedEvents: Math.max(0, this.#state.record.droppedEvents - droppedEvents) });
  }

  async #post(delivery: Delivery, signal: AbortSignal): Promise<Outcome> {
    const outcome = await this.#parts.urlMutex.run(normal(this.#state.record.url), () =>
      postDelivery(this.#parts.post, this.#state.record, delivery, signal),
    );
    const { isSuccess, description, answer, failure } = outcome;
    const code = deliveryCode(answer, failure);
    const made = { atMs: this.#parts.clock.nowMs(), isSuccess, status: answer?.status ?? null, code, description };
    this.#deliveries = [made, ...this.#deliveries].slice(0, MAX_DELIVERIES);
    return outcome;
  }

  #succeeded(changes: Parameters<WebhookState["note"]>[0]): void {
    const { clock, log } = this.#parts;
    const { id, failures } = this.#state.record;
    if (failures > 0) log.info({ webhookId: id, failures }, "webhook works again");
    this.#waiting.forget();
    this.#retryAtMs = null;
    this.#state.note({ ...changes, failures: 0, retryAtMs: null, lastSuccessMs: clock.nowMs() });
  }

  async #failed({ description }: Outcome): Promise<void> {
    const { clock, random, log } = this.#parts;
    const { id, failures, isActive } = this.#state.record;
    if (!isActive) return;
    const pauseMs = retryPauseMs(failures + 1, random);
    if (pauseMs === null) {
      this.#waiting.forget();
      await this.#state.store({ isActive: false, failures: failures + 1, retryAtMs: null, batch: null });
      log.warn({ webhookId: id, reason: description }, "deactivating a webhook that failed for a day");
      return;
    }
    if (failures === 0) log.warn({ webhookId: id, reason: description }, "delivery to a webhook failed; trying again");
    this.#retryAtMs = clock.monotonicMs() + pauseMs;
    this.#state.note({ failures: failures + 1, retryAtMs: clock.nowMs() + pauseMs });
  }
}

/** Returns the name of the event that a test delivers. */
export function testEvent(namePrefix: string, isFirehose: boolean): string {
  return serviceEvent(namePrefix, isFirehose ? "firehose:test" : "webhook:test");
}
