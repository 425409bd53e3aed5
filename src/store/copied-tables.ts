/** Which tables the second copy holds: those whose records nobody can make again after the critical database is lost. */
import type { TableName } from "./records.ts";

/**
 * How soon a change is in the second copy. `seconds`: people or clients set it, it changes seldom. `quarter-hour`: it also
 * changes by itself, so at most one write of the copy per quarter of an hour is for its sake. `never`: it is not copied.
 */
export type CopyPace = "seconds" | "quarter-hour" | "never";

const COPY_PACES: Readonly<Record<TableName, CopyPace>> = {
  // Set by people, clients or the cloud service, and known nowhere else.
  client: "seconds",
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
  webhook: "seconds",
  correction: "seconds",
  "cloud-configuration": "seconds",
  // Identities and keys: others know the gateway by them.
  gateway: "seconds",
  hem: "seconds",
  "cloud-identity": "seconds",
  "cloud-enrolment": "seconds",
  "cloud-farewell": "seconds",
  // The history of a removed device that is still to be deleted, and vendor accounts that were refused.
  forgotten: "seconds",
  authorization: "seconds",
  // Losses that nobody has acknowledged yet.
  loss: "seconds",
  // Ids, sign-ins and decisions that stand beside values which change by themselves.
  asset: "quarter-hour",
  note: "quarter-hour",
  "account-note": "quarter-hour",
  finding: "quarter-hour",
  pairing: "quarter-hour",
  "vehicle-smart": "quarter-hour",
  "charger-smart": "quarter-hour",
  "hvac-smart": "quarter-hour",
  simulated: "quarter-hour",
  // Without it nobody ends a forced charge on a device without a reversion timer.
  lease: "quarter-hour",
  // Clients get another with their secret, after an hour at the latest.
  token: "never",
  // Over within a day, or made again from what is copied.
  action: "never",
  link: "never",
  idempotency: "never",
  "cloud-command": "never",
  "schedule-state": "never",
  "webhook-progress": "never",
  "cloud-telemetry": "never",
  // Fetched again.
  forecast: "never",
  "forecast-quota": "never",
  "market-day": "never",
  // History of what smart charging did: large, and nothing is controlled by it.
  "vehicle-plan": "never",
  "charge-shift": "never",
  // Messages of other MQTT clients, which change all the time.
  "mqtt-retained": "never",
};

/** `never` for a table that this version does not have. */
export function copyPaceOf(table: string): CopyPace {
  return isTable(table) ? COPY_PACES[table] : "never";
}

function isTable(table: string): table is TableName {
  return Object.hasOwn(COPY_PACES, table);
}
