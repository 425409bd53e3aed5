import type { NotificationChannel, NotificationDelivery } from "../../domain/notifications/delivery.ts";

/** Notifications for people, by the channels of the configuration. */
export interface Notifications {
  /** Returns the channels in the order of the configuration. */
  channels(): readonly NotificationChannel[];
  /** Sends a test message now, also in quiet hours; it does not count as a message of the day. Throws `not-found`. */
  test(id: string): Promise<NotificationDelivery>;
}
