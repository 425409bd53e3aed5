/** Examples of notifications. */
import type { NotificationChannel, NotificationDelivery } from "../../../domain/notifications/delivery.ts";

const DELIVERY: NotificationDelivery = {
  at: "2026-06-21T10:15:30.000Z",
  isTest: true,
  code: "unauthorized",
  description: "ntfy.sh does not let the gateway write to the topic (HTTP 403): this topic needs a token.",
};

const CHANNEL: NotificationChannel = {
  id: "anna-phone",
  origin: "api",
  type: "ntfy",
  host: "ntfy.sh",
  server: "https://ntfy.sh",
  hasToken: false,
  to: null,
  language: "de",
  kinds: [
    "device-silent",
    "grid-limit",
    "target-missed",
    "finding",
    "backup-failed",
    "update-available",
    "update-rolled-back",
  ],
  quietHours: { from: "22:00", until: "07:00" },
  isQuiet: false,
  digestAt: null,
  failures: 0,
  retryAt: null,
  sentLastDay: 1,
  open: 1,
  deliveries: [DELIVERY],
};

export const NOTIFICATION_EXAMPLES: Readonly<Record<string, readonly unknown[]>> = {
  NotificationChannel: [CHANNEL],
  NotificationDelivery: [DELIVERY],
};
