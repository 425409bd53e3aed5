/** What the section `notifications` of the configuration says; its schema is in `src/config`. */
import type { ChannelRules } from "./channel-state.ts";
import type { NotificationLanguage } from "./message.ts";

interface ChannelBasics extends ChannelRules {
  readonly id: string;
  readonly language: NotificationLanguage;
}

export interface NtfySettings extends ChannelBasics {
  readonly type: "ntfy";
  readonly server: string;
  readonly topic: string;
  readonly token?: string | undefined;
}

export interface EmailSettings extends ChannelBasics {
  readonly type: "email";
  readonly to: readonly string[];
}

export interface WebhookChannelSettings extends ChannelBasics {
  readonly type: "webhook";
  readonly url: string;
  readonly secret: string;
}

/** A way to notify somebody. */
export type ChannelSettings = NtfySettings | EmailSettings | WebhookChannelSettings;

export interface MailServerSettings {
  readonly host: string;
  readonly port?: number | undefined;
  readonly security: "tls" | "starttls" | "none";
  readonly username?: string | undefined;
  readonly password?: string | undefined;
  readonly from: string;
}

export interface NotificationSettings {
  readonly channels: readonly ChannelSettings[];
  readonly mailServer?: MailServerSettings | undefined;
  readonly silentMinutes: number;
}

/** The settings that were made over the API. */
export interface OwnNotificationSettings {
  readonly channels: readonly ChannelSettings[];
  readonly mailServer: MailServerSettings | null;
}

/** Returns what must not be in a file for others although its name is not a secret's: topics, addresses and URLs. */
export function privateTexts({ channels, mailServer }: NotificationSettings): readonly string[] {
  const { from, username } = mailServer ?? {};
  return [...channels.flatMap(addressesOf), ...[from, username].filter((text) => text !== undefined)];
}

function addressesOf(channel: ChannelSettings): readonly string[] {
  switch (channel.type) {
    case "ntfy":
      return [channel.topic];
    case "email":
      return channel.to;
    case "webhook":
      return [channel.url];
    default:
      return channel satisfies never;
  }
}
