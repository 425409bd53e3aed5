import { MINUTE_MS } from "../../domain/duration.ts";
import type { Announced } from "../../domain/notifications/channel-state.ts";
import { holdTimes } from "../../domain/notifications/condition.ts";
import { ConditionHolds } from "../../domain/notifications/condition-holds.ts";
import type { MailServerView, NotificationChannel, NotificationDelivery } from "../../domain/notifications/delivery.ts";
import { LOOK_EVERY_MS } from "../../domain/notifications/quiet-hours.ts";
import type { ChannelSettings, MailServerSettings, NotificationSettings } from "../../domain/notifications/settings.ts";
import type { ChannelChange } from "../../domain/notifications/settings-change.ts";
import type { Notifications } from "../../engine/contracts/notifications.ts";
import { KeyedMutex } from "../../platform/keyed-mutex.ts";
import type { Mailer } from "../../platform/ports/mail-port.ts";
import type { Clock, Http, Log, Random } from "../../platform/ports/ports.ts";
import type { Store } from "../../store/store.ts";
import { openTargetClients, type TargetClients } from "../webhooks/target-policy.ts";
import { HouseConditions, type HouseParts } from "./house-conditions.ts";
import { Channel, type ChannelParts } from "./notification-channel.ts";
import { noChannel, OwnSettings } from "./own-settings.ts";

/** The file may also name servers in the house or on this machine; what is set over the API is checked before. */
const TARGETS = { allowInsecureLan: true, allowLoopback: true } as const;

export interface NotificationOptions extends Pick<HouseParts, "engine" | "backups" | "updates"> {
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
    readonly sandbox: { readonly isEnabled: boolean };
  };
  readonly newestVersion: string;
}

/** Looks at the house once a minute and notifies people over their channels, until it is disposed. */
export class NotificationService implements Notifications, AsyncDisposable {
  readonly #options: NotificationOptions;
  readonly #clients: TargetClients;
  readonly #house: HouseConditions;
  readonly #holds: ConditionHolds;
  readonly #own: OwnSettings;
  readonly #mutex = new KeyedMutex();
  readonly #channelParts: Omit<ChannelParts, "log">;
  #channels: readonly Channel[];
  readonly #stop = new AbortController();
  /** `null` while there was no channel to look for. */
  #running: Promise<void> | null = null;

  constructor(options: NotificationOptions) {
    this.#options = { ...options, log: options.log.child({ part: "notifications" }) };
    const { config, store, clock, random, http, mailer, newestVersion } = options;
    const { notifications, sandbox, compat, site } = config;
    this.#clients = openTargetClients(http, TARGETS);
    this.#house = new HouseConditions(options);
    this.#holds = new ConditionHolds(({ kind }) => holdTimes(kind, notifications.silentMinutes * MINUTE_MS));
    const own = new OwnSettings({ store, file: notifications, allowLoopback: sandbox.isEnabled });
    this.#own = own;
    const sender = {
      clients: this.#clients,
      mailer,
      clock,
      namePrefix: compat.namePrefix,
      version: newestVersion,
      get mailServer() {
        return own.all.mailServer;
      },
    };
    this.#channelParts = { store, clock, random, sender, site };
    this.#channels = own.all.channels.map((settings) => this.#open(settings));
    this.#start();
  }

  channels(): readonly NotificationChannel[] {
    return this.#channels.map((channel) => channel.view());
  }

  settings(): NotificationSettings {
    return this.#own.all;
  }

  async test(id: string): Promise<NotificationDelivery> {
    const channel = this.#channels.find(({ settings }) => settings.id === id);
    if (channel === undefined) throw noChannel(id);
    return await channel.test(this.#stop.signal);
  }

  setChannel(id: string, change: ChannelChange): Promise<NotificationChannel> {
    return this.#change(async () => {
      const settings = await this.#own.setChannel(id, change);
      const present = this.#channels.find((channel) => channel.settings.id === id);
      const channel = present ?? this.#open(settings);
      if (present === undefined) this.#channels = [...this.#channels, channel];
      else await present.change(settings);
      this.#start();
      return channel.view();
    });
  }

  removeChannel(id: string): Promise<void> {
    return this.#change(async () => {
      await this.#own.removeChannel(id);
      this.#channels.find(({ settings }) => settings.id === id)?.remove();
      this.#channels = this.#channels.filter(({ settings }) => settings.id !== id);
      await this.#forgetRemoved();
    });
  }

  mailServer(): MailServerView {
    return this.#own.mailServer();
  }

  setMailServer(change: MailServerSettings): Promise<MailServerView> {
    return this.#change(async () => {
      await this.#own.setMailServer(change);
      const mails = this.#channels.filter(({ settings }) => settings.type === "email");
      await Promise.all(mails.map((channel) => channel.retryNow()));
      return this.mailServer();
    });
  }

  removeMailServer(): Promise<void> {
    return this.#change(() => this.#own.removeMailServer());
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort(new Error("the gateway stops"));
    await this.#running;
    this.#clients[Symbol.dispose]();
  }

  #change<T>(work: () => Promise<T>): Promise<T> {
    return this.#mutex.run("settings", work);
  }

  #open(settings: ChannelSettings): Channel {
    const log = this.#options.log.child({ channel: settings.id });
    return new Channel(settings, this.#own.isInFile(settings.id) ? "file" : "api", { ...this.#channelParts, log });
  }

  /** Looks once a minute from the first channel on. */
  #start(): void {
    if (this.#channels.length > 0) this.#running ??= this.#run(this.#stop.signal);
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
