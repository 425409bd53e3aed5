/** The channels and the mail server that were set over the API: what may be changed, and to what. */
import type { MailServerView, NotificationChannel } from "../../domain/notifications/delivery.ts";
import type {
  ChannelSettings,
  MailServerSettings,
  NotificationSettings,
  OwnNotificationSettings,
} from "../../domain/notifications/settings.ts";
import {
  type ChannelChange,
  changedChannel,
  changedMailServer,
  invalidSettings,
  MAX_CHANNELS,
} from "../../domain/notifications/settings-change.ts";
import { problem } from "../../domain/problem.ts";
import type { Store } from "../../store/store.ts";
import { refuseTarget, type TargetRules } from "../webhooks/target-policy.ts";

const TABLE = "notification-settings";
const KEY = "current";
const NOTHING: OwnNotificationSettings = { channels: [], mailServer: null };

export interface OwnSettingsParts {
  readonly store: Pick<Store, "get" | "commit">;
  /** What the configuration file says; it counts more. */
  readonly file: NotificationSettings;
  /** True in a sandbox: messages may be sent to programs on this machine. The file may always name them. */
  readonly allowLoopback: boolean;
}

/** Keeps the settings; the caller runs one change after the other. */
export class OwnSettings {
  readonly #parts: OwnSettingsParts;
  readonly #targets: TargetRules;

  constructor(parts: OwnSettingsParts) {
    this.#parts = parts;
    this.#targets = { allowInsecureLan: true, allowLoopback: parts.allowLoopback };
  }

  /** Channels that the file does not have, too. */
  get channels(): readonly ChannelSettings[] {
    return this.#own.channels.filter(({ id }) => !this.isInFile(id));
  }

  /** All that is set, the file's included. */
  get all(): NotificationSettings {
    const { file } = this.#parts;
    const mailServer = file.mailServer ?? this.#own.mailServer ?? undefined;
    return { ...file, channels: [...file.channels, ...this.channels], mailServer };
  }

  isInFile(id: string): boolean {
    return this.#parts.file.channels.some((channel) => channel.id === id);
  }

  /** Adds or changes a channel; the first one of a name takes its place at the end. */
  async setChannel(id: string, change: ChannelChange): Promise<ChannelSettings> {
    this.#refuseFile(this.isInFile(id), `The channel "${id}"`, "notifications.channels");
    const { channels } = this.#own;
    const before = channels.find((channel) => channel.id === id);
    if (before === undefined && this.all.channels.length >= MAX_CHANNELS) {
      throw problem("conflict", `There are ${MAX_CHANNELS} channels, which is the most; remove one first.`);
    }
    const changed = changedChannel(id, change, before);
    this.#checkTarget(changed);
    await this.#keep({
      channels:
        before === undefined ? [...channels, changed] : channels.map((each) => (each === before ? changed : each)),
    });
    return changed;
  }

  async removeChannel(id: string): Promise<void> {
    this.#refuseFile(this.isInFile(id), `The channel "${id}"`, "notifications.channels");
    const { channels } = this.#own;
    const left = channels.filter((channel) => channel.id !== id);
    if (left.length === channels.length) throw noChannel(id);
    await this.#keep({ channels: left });
  }

  mailServer(): MailServerView {
    const { mailServer } = this.all;
    if (mailServer === undefined) return { origin: null, server: null };
    const { host, port = null, security, username = null, password, from } = mailServer;
    const origin: NotificationChannel["origin"] = this.#parts.file.mailServer === undefined ? "api" : "file";
    return { origin, server: { host, port, security, username, hasPassword: password !== undefined, from } };
  }

  async setMailServer(change: MailServerSettings): Promise<void> {
    this.#refuseFile(this.#parts.file.mailServer !== undefined, "The mail server", "notifications.mailServer");
    await this.#keep({ mailServer: changedMailServer(change, this.#own.mailServer) });
  }

  async removeMailServer(): Promise<void> {
    this.#refuseFile(this.#parts.file.mailServer !== undefined, "The mail server", "notifications.mailServer");
    if (this.#own.mailServer === null) throw problem("not-found", "There is no mail server.");
    const needs = this.channels.filter(({ type }) => type === "email").map(({ id }) => id);
    if (needs.length > 0) {
      throw problem("conflict", `These channels send over the mail server; remove them first: ${needs.join(", ")}.`);
    }
    await this.#keep({ mailServer: null });
  }

  get #own(): OwnNotificationSettings {
    return this.#parts.store.get(TABLE, KEY) ?? NOTHING;
  }

  async #keep(change: Partial<OwnNotificationSettings>): Promise<void> {
    await this.#parts.store.commit([{ table: TABLE, key: KEY, put: { ...this.#own, ...change } }], []);
  }

  #checkTarget(channel: ChannelSettings): void {
    if (channel.type === "email") {
      if (this.all.mailServer !== undefined) return;
      throw invalidSettings("type", "no server takes the e-mails: set one first, PUT /local/mail-server");
    }
    const field = channel.type === "ntfy" ? "server" : "url";
    const url = new URL(channel.type === "ntfy" ? channel.server : channel.url);
    if (url.username !== "" || url.password !== "") {
      const instead = channel.type === "ntfy" ? "use the token" : "the secret signs the messages";
      throw invalidSettings(field, `a user and a password in the URL are not sent; ${instead}`);
    }
    const refusal = refuseTarget(url, this.#targets);
    if (refusal !== null) throw invalidSettings(field, refusal);
  }

  #refuseFile(isInFile: boolean, what: string, key: string): void {
    if (!isInFile) return;
    throw problem(
      "conflict",
      `${what} cannot be changed here: the configuration file sets it (${key}); change it there.`,
    );
  }
}

export function noChannel(id: string) {
  return problem("not-found", `There is no notification channel "${id}".`);
}
