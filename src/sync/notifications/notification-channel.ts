import { HOUR_MS, MINUTE_MS } from "../../domain/duration.ts";
import { instant, instantOrNull } from "../../domain/fields.ts";
import {
  aboutOf,
  type ChannelProgress,
  type Decision,
  type Due,
  decide,
  delivered,
  newProgress,
  type Situation,
  sentLastDay,
} from "../../domain/notifications/channel-state.ts";
import { isUrgent, NOTIFICATION_KINDS } from "../../domain/notifications/condition.ts";
import type {
  DeliveryOutcome,
  NotificationChannel,
  NotificationDelivery,
} from "../../domain/notifications/delivery.ts";
import { composeMessage, type MessageStyle, testMessage } from "../../domain/notifications/message.ts";
import { isQuiet } from "../../domain/notifications/quiet-hours.ts";
import type { ChannelSettings } from "../../domain/notifications/settings.ts";
import { type BackoffRange, backoffMs } from "../../platform/backoff.ts";
import type { Clock, Log, Random } from "../../platform/ports/ports.ts";
import type { Store } from "../../store/store.ts";
import { hostOfChannel, type OutgoingMessage, type SenderParts, sendMessage } from "./senders.ts";

/** Pauses after failures: the first is short, and a channel that is down for long is tried a few times a day. */
const RETRIES: BackoffRange = { floorMs: 2 * MINUTE_MS, ceilingMs: 4 * HOUR_MS };
/** Attempts that are remembered for people. */
const MAX_DELIVERIES = 10;

export interface ChannelParts {
  readonly store: Pick<Store, "get" | "commit">;
  readonly clock: Pick<Clock, "nowMs">;
  readonly random: Pick<Random, "next" | "uuid">;
  readonly log: Log;
  readonly sender: SenderParts;
  /** Name of the house, and its zone. */
  readonly site: { readonly name: string; readonly timezone: string };
}

/** One channel: sends what is due, and keeps what it has reported. */
export class Channel {
  readonly origin: NotificationChannel["origin"];
  #settings: ChannelSettings;
  readonly #parts: ChannelParts;
  #isRemoved = false;
  #progress: ChannelProgress;
  #deliveries: readonly NotificationDelivery[] = [];

  constructor(settings: ChannelSettings, origin: NotificationChannel["origin"], parts: ChannelParts) {
    this.#settings = settings;
    this.origin = origin;
    this.#parts = parts;
    this.#progress = parts.store.get("notification-channel", settings.id) ?? newProgress(parts.clock.nowMs());
  }

  get settings(): ChannelSettings {
    return this.#settings;
  }

  /** Uses other settings from now on; what was reported stays reported. Rejects with a `StorageError`. */
  async change(settings: ChannelSettings): Promise<void> {
    this.#settings = settings;
    await this.retryNow();
  }

  /** Tries again at the next look, because what was wrong may be right now. Rejects with a `StorageError`. */
  async retryNow(): Promise<void> {
    if (this.#progress.retryAtMs !== null) await this.#keep({ ...this.#progress, failures: 0, retryAtMs: null });
  }

  /** Keeps nothing any more; a message that is on its way still arrives. */
  remove(): void {
    this.#isRemoved = true;
  }

  /** What was reported and is not over. */
  get announced(): ChannelProgress["announced"] {
    return this.#progress.announced;
  }

  /** Sends what is due. Rejects with the signal's reason, and with a `StorageError`: nothing is sent that cannot be noted. */
  async step(situation: Situation, signal: AbortSignal): Promise<void> {
    const { due, progress }: Decision = decide(this.#progress, this.#settings, situation);
    if (due !== null) await this.#deliver(due, progress, signal);
    else if (progress !== this.#progress) await this.#keep(progress);
  }

  async test(signal: AbortSignal): Promise<NotificationDelivery> {
    const { random } = this.#parts;
    const message = { id: random.uuid(), ...testMessage(this.#style()), isUrgent: false, items: [] };
    return this.#note(await this.#send(message, signal), true);
  }

  view(): NotificationChannel {
    const { id, type, language, kinds, quietHours, digestAt } = this.#settings;
    const { failures, retryAtMs, announced } = this.#progress;
    const { clock, sender, site } = this.#parts;
    const nowMs = clock.nowMs();
    return {
      id,
      type,
      language,
      failures,
      origin: this.origin,
      host: hostOfChannel(this.#settings, sender.mailServer),
      ...addressOf(this.#settings),
      kinds: [...(kinds ?? NOTIFICATION_KINDS)],
      quietHours: quietHours === undefined ? null : { ...quietHours },
      isQuiet: quietHours !== undefined && isQuiet(nowMs, quietHours, site.timezone),
      digestAt: digestAt ?? null,
      retryAt: instantOrNull(retryAtMs),
      sentLastDay: sentLastDay(this.#progress, nowMs).length,
      open: announced.length,
      deliveries: [...this.#deliveries],
    };
  }

  async #deliver(due: Due, progress: ChannelProgress, signal: AbortSignal): Promise<void> {
    const { random, clock, log } = this.#parts;
    const about = aboutOf(due);
    const id = progress.pending?.about === about ? progress.pending.id : random.uuid();
    await this.#keep({ ...progress, pending: { id, about } });
    const items = [
      ...due.began.map(({ facts }) => ({ facts, isOver: false })),
      ...due.over.map(({ facts }) => ({ facts, isOver: true })),
    ];
    const message = composeMessage(items, this.#style());
    const outcome = await this.#send(
      { id, ...message, items, isUrgent: due.began.some(({ facts }) => isUrgent(facts.kind)) },
      signal,
    );
    this.#note(outcome, false);
    const { failures } = this.#progress;
    if (outcome.code === "sent") {
      if (failures > 0) log.info({ failures }, "notifications are delivered again");
      await this.#keep(delivered(this.#progress, due, clock.nowMs()));
      return;
    }
    const reason = outcome.description;
    if (failures === 0) log.warn({ reason }, "a notification was not delivered; trying again");
    const retryAtMs = clock.nowMs() + backoffMs(failures + 1, RETRIES, random);
    await this.#keep({ ...this.#progress, failures: failures + 1, retryAtMs });
  }

  #send(message: OutgoingMessage, signal: AbortSignal): Promise<DeliveryOutcome> {
    return sendMessage(this.#parts.sender, this.#settings, message, signal);
  }

  #note({ code, description }: DeliveryOutcome, isTest: boolean): NotificationDelivery {
    const made = { at: instant(this.#parts.clock.nowMs()), isTest, code, description };
    this.#deliveries = [made, ...this.#deliveries].slice(0, MAX_DELIVERIES);
    return made;
  }

  /** In memory first: what was sent is not sent again in this run, whatever the disk does. */
  async #keep(progress: ChannelProgress): Promise<void> {
    const { id } = this.#settings;
    this.#progress = progress;
    if (this.#isRemoved) return;
    await this.#parts.store.commit([{ table: "notification-channel", key: id, put: { ...progress, id } }], []);
  }

  #style(): MessageStyle {
    const { site, clock } = this.#parts;
    return { language: this.#settings.language, house: site.name, zone: site.timezone, nowMs: clock.nowMs() };
  }
}

/** Where the messages go, as far as people may see it again: a topic or a URL may be all that somebody needs to read them. */
function addressOf(settings: ChannelSettings): Pick<NotificationChannel, "server" | "hasToken" | "to"> {
  const { type } = settings;
  return {
    server: type === "ntfy" ? settings.server : null,
    hasToken: type === "ntfy" && settings.token !== undefined,
    to: type === "email" ? [...settings.to] : null,
  };
}
