import type { ChannelProgress } from "../../domain/notifications/channel-state.ts";

/** What a channel of notifications has reported, so that nothing is reported twice after a restart. */
export interface NotificationChannelRecord extends ChannelProgress {
  /** As the configuration names it. */
  readonly id: string;
}
