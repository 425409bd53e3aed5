import { MINUTE_MS } from "../../domain/duration.ts";
import type { Announced } from "../../domain/notifications/channel-state.ts";
import { holdTimes } from "../../domain/notifications/condition.ts";
import { ConditionHolds } from "../../domain/notifications/condition-holds.ts";
import type { NotificationChannel, NotificationDelivery } from "../../domain/notifications/delivery.ts";
import { LOOK_EVERY_MS } from "../../domain/notifications/quiet-hours.ts";
import type { NotificationSettings } from "../../domain/notifications/settings.ts";
import { problem } from "../../domain/problem.ts";
import type { Notifications } from "../../engine/contracts/notifications.ts";
import type { Mailer } from "../../platform/ports/mail-port.ts";
import type { Clock, Http, Log, Random } from "../../platform/ports/ports.ts";
import type { Store } from "../../store/store.ts";
import { openTargetClients, type TargetClients } from "../webhooks/target-policy.ts";
import { HouseConditions, type HouseParts } from "./house-conditions.ts";
import { Channel } from "./notification-channel.ts";

/** The owner names the servers in the file, so they may also be in the house or on this machine. */
const TARGETS = { allowInsecureLan: true, allowLoopback: true } as const;

export interface NotificationOptions extends Pick<HouseParts, "engine" | "backups"> {
  readonly store: Store;
  readonly clock: Clock;
  readonly random: Random;
  readonly http: Http;
  /** `undefined`: no e-mail can be sent. */
  readonly mailer: Mailer | undefined;
  readonly log: Log;
  readonly config: HouseParts["config"] & {
    readonly notifications: NotificationSettings;
    readonly site: { readonly name: string };
    readonly compat: { readonly namePrefix: string };
  };
  readonly newestVersion: string;
}

/** Looks at the house once a minute and notifies people over their channels, until it is disposed. */
export class NotificationService implements Notifications, AsyncDisposable {
  readonly #options: NotificationOptions;
  readonly #clients: TargetClients;
  readonly #house: HouseConditions;
  readonly #holds: ConditionHolds;
  readonly #channels: readonly Channel[];
  readonly #stop = new AbortController();
  readonly #running: Promise<void>;

  constructor(options: NotificationOptions) {
    this.#options = { ...options, log: options.log.child({ part: "notifications" }) };
    const { config, store, clock, random, http, mailer, newestVersion } = options;
    const { channels, mailServer, silentMinutes } = config.notifications;
    this.#clients = openTargetClients(http, TARGETS);
    this.#house = new HouseConditions(options);
    this.#holds = new ConditionHolds(({ kind }) => holdTimes(kind, silentMinutes * MINUTE_MS));
    const { namePrefix } = config.compat;
    const sender = { clients: this.#clients, mailer, mailServer, clock, namePrefix, version: newestVersion };
    const parts = { store, clock, random, sender, site: config.site };
    this.#channels = channels.map(
      (settings) => new Channel(settings, { ...parts, log: this.#options.log.child({ channel: settings.id }) }),
    );
    this.#running = channels.length === 0 ? Promise.resolve() : this.#run(this.#stop.signal);
  }

  channels(): readonly NotificationChannel[] {
    return this.#channels.map((channel) => channel.view());
  }

  async test(id: string): Promise<NotificationDelivery> {
    const channel = this.#channels.find(({ settings }) => settings.id === id);
    if (channel === undefined) throw problem("not-found", `There is no notification channel "${id}".`);
    return await channel.test(this.#stop.signal);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort(new Error("the gateway stops"));
    await this.#running;
    this.#clients[Symbol.dispose]();
  }

  async #run(signal: AbortSignal): Promise<void> {
    await this.#forgetRemoved();
    while (!signal.aborted) {
      await this.#options.clock.sleep(LOOK_EVERY_MS, signal).catch(() => undefined);
      if (!signal.aborted) await this.#look(signal);
    }
  }

  /** Without the time of day there are no quiet hours, and no valid certificates. */
  async #look(signal: AbortSignal): Promise<void> {
    const { clock, config, log } = this.#options;
    if (clock.quality() === "unset") return;
    const tickMs = clock.monotonicMs();
    const announced = new Set(this.#channels.flatMap((channel) => channel.announced.map(({ key }) => key)));
    this.#holds.note(this.#house.now(), announced, tickMs);
    const situation = {
      nowMs: clock.nowMs(),
      zone: config.site.timezone,
      present: this.#holds.present,
      endOf: (each: Announced) => this.#holds.endOf(each, this.#house.endingOf(each.facts), tickMs),
    };
    await Promise.all(
      this.#channels.map((channel) =>
        channel.step(situation, signal).catch((err: unknown) => {
          if (signal.aborted) return;
          log.warn({ err, channel: channel.settings.id }, "cannot store what was notified; trying again");
        }),
      ),
    );
  }

  /** A channel that is in the configuration again starts afresh. */
  async #forgetRemoved(): Promise<void> {
    const { store, log } = this.#options;
    const ids = new Set(this.#channels.map(({ settings }) => settings.id));
    const removed = store.all("notification-channel").filter(({ id }) => !ids.has(id));
    if (removed.length === 0) return;
    await store
      .commit(
        removed.map(({ id }) => ({ table: "notification-channel", key: id, remove: true })),
        [],
      )
      .catch((err: unknown) => log.warn({ err }, "cannot forget removed notification channels"));
  }
}
