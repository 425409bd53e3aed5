/** Lists the tables in the second copy: those whose records cannot be recreated after the critical database is lost. */
import type { TableName } from "./records.ts";

/**
 * How soon a change is in the second copy. `seconds`: set by people or clients, and seldom changed. `quarter-hour`:
 * also changes by itself, so it causes at most one write of the copy per quarter of an hour. `never`: not copied.
 */
export type CopyPace = "seconds" | "quarter-hour" | "never";

const COPY_PACES: Readonly<Record<TableName, CopyPace>> = {
  // Set by people, clients or the cloud service, and known nowhere else.
  client: "seconds",
  account: "seconds",
  user: "seconds",
  device: "seconds",
  unlinked: "seconds",
  "moved-device": "seconds",
  location: "seconds",
  placement: "seconds",
  tariff: "seconds",
  "tariff-link": "seconds",
  schedule: "seconds",
  override: "seconds",
  "energy-device": "seconds",
  "energy-site": "seconds",
  "surplus-rule": "seconds",
  webhook: "seconds",
  correction: "seconds",
  site: "seconds",
  setup: "seconds",
  "cloud-configuration": "seconds",
  "house-configuration": "seconds",
  "notification-settings": "seconds",
  // Identities and keys by which others know the gateway.
  gateway: "seconds",
  hem: "seconds",
  "cloud-identity": "seconds",
  "cloud-enrolment": "seconds",
  "cloud-farewell": "seconds",
  https: "seconds",
  // Devices whose history is still to be deleted, and refused vendor accounts.
  forgotten: "seconds",
  authorization: "seconds",
  // Losses that nobody has acknowledged yet.
  loss: "seconds",
  // Ids, sign-ins and decisions in records that also change by themselves.
  asset: "quarter-hour",
  note: "quarter-hour",
  "account-note": "quarter-hour",
  finding: "quarter-hour",
  pairing: "quarter-hour",
  "vehicle-smart": "quarter-hour",
  "charger-smart": "quarter-hour",
  "hvac-smart": "quarter-hour",
  simulated: "quarter-hour",
  // Without it a forced charge on a device without a reversion timer would never end.
  lease: "quarter-hour",
  // The grid operator may ask for two years of limitations, and a lost source has to be known.
  "limit-source": "quarter-hour",
  "flex-event": "quarter-hour",
  limitation: "quarter-hour",
  // Clients get a new one with their secret, after an hour at the latest.
  token: "never",
  // People sign in again; who did what is history, which controls nothing.
  session: "never",
  audit: "never",
  "client-use": "never",
  // Obsolete within a day, or recreated from copied records.
  action: "never",
  link: "never",
  idempotency: "never",
  "cloud-command": "never",
  "schedule-state": "never",
  "webhook-progress": "never",
  "cloud-telemetry": "never",
  // What people were notified of: without it they are notified once more.
  "notification-channel": "never",
  // Fetched again.
  forecast: "never",
  "forecast-quota": "never",
  "market-day": "never",
  // Counted again from the next reading on.
  "full-charge": "never",
  "curtailed-hours": "never",
  // Only compared with what was measured today.
  "load-forecast": "never",
  // History of smart charging: large, and not needed for control.
  "vehicle-plan": "never",
  "charge-shift": "never",
  // Known again after the next backup, and after the next look for updates.
  backup: "never",
  "available-update": "never",
  "update-task": "never",
  // How it ended is history; the file can be imported again.
  "setup-import": "never",
  // Messages of other MQTT clients, which change all the time.
  "mqtt-retained": "never",
};

/** Returns the pace of a table; `never` for a table that this version does not have. */
export function copyPaceOf(table: string): CopyPace {
  return isTable(table) ? COPY_PACES[table] : "never";
}

function isTable(table: string): table is TableName {
  return Object.hasOwn(COPY_PACES, table);
}
