/** `online` while the gateway runs, `offline` when it has stopped: the broker says so in its place when it cannot. */
export const STATUS_TOPIC = "hemgate/status";
export const ONLINE = new TextEncoder().encode("online");
export const OFFLINE = new TextEncoder().encode("offline");
