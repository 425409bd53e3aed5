import type { MailServerView, NotificationChannel, NotificationDelivery } from "../../domain/notifications/delivery.ts";
import type { MailServerSettings, NotificationSettings } from "../../domain/notifications/settings.ts";
import type { ChannelChange } from "../../domain/notifications/settings-change.ts";

/** Notifications for people, by the channels of the configuration file and those that were set over the API. */
export interface Notifications {
  /** Returns the channels: those of the file, then the others, each in the order in which they were added. */
  channels(): readonly NotificationChannel[];
  /** Sends a test message now, also in quiet hours; it does not count as a message of the day. Throws `not-found`. */
  test(id: string): Promise<NotificationDelivery>;
  /**
   * Adds or changes a channel; it is on disk, and used, when the promise resolves. Throws `bad-request`, and `conflict` if
   * the file sets it or there are too many.
   */
  setChannel(id: string, change: ChannelChange): Promise<NotificationChannel>;
  /** Removes a channel. Throws `not-found`, and `conflict` if the file sets it. */
  removeChannel(id: string): Promise<void>;
  mailServer(): MailServerView;
  /** Sets the mail server as `setChannel` does a channel. Throws `bad-request`, and `conflict` if the file sets it. */
  setMailServer(change: MailServerSettings): Promise<MailServerView>;
  /** Removes the mail server. Throws `not-found`, and `conflict` if the file sets it or an e-mail channel needs it. */
  removeMailServer(): Promise<void>;
  /** Returns all that is set, with secrets, so that they can be kept out of logs. */
  settings(): NotificationSettings;
}
