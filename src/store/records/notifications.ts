import type { ChannelProgress } from "../../domain/notifications/channel-state.ts";
import type { OwnNotificationSettings } from "../../domain/notifications/settings.ts";

/** What a channel of notifications has reported, so that nothing is reported twice after a restart. */
export interface NotificationChannelRecord extends ChannelProgress {
  /** Name of the channel. */
  readonly id: string;
}

/** The channels and the mail server that were set over the API. The key is `current`. */
export type NotificationSettingsRecord = OwnNotificationSettings;
