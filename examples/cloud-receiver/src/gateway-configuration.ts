/** What gateways shall be configured with: one document each, by revision, and what became of it. */
import {
  CONFIGURED_EVENT,
  Configuration,
  Configured,
  type Hello,
  PROTOCOL_VERSION,
  type SyncRecord,
} from "hemgate/cloud-protocol";
import { z } from "zod";
import { lockGateway } from "./apply.ts";
import type { Queryable } from "./database.ts";
import { instant } from "./instant.ts";
import { storable } from "./text.ts";

/** What a client of the fleet's API sends: the whole document, each time. */
export const NewConfiguration = z.strictObject({
  settings: Configuration.shape.settings,
  configuration: Configuration.shape.configuration,
});
export type NewConfiguration = z.infer<typeof NewConfiguration>;

interface ConfigurationRow {
  readonly revision: number;
  readonly settings: Configuration["settings"];
  readonly sections: Configuration["configuration"];
  readonly published_ms: number;
  readonly outcome: Configured["outcome"] | null;
  readonly reason: string | null;
  readonly errors: Configured["errors"] | null;
  readonly outcome_ms: number | null;
}

/** To be run in one transaction. Null: there is no such gateway. The document is to be sent after the commit only. */
export async function publishConfiguration(
  client: Queryable,
  gateway: string,
  { settings, configuration }: NewConfiguration,
  nowMs: number,
): Promise<Configuration | null> {
  if (!(await lockGateway(client, gateway))) return null;
  const { rows } = await client.query<{ revision: number }>(
    `INSERT INTO gateway_configuration (gateway, revision, settings, sections, published_ms)
     SELECT gateway, greatest(configuration_seen, (SELECT max(revision) FROM gateway_configuration WHERE gateway = $1), 0) + 1,
       $2, $3, $4 FROM gateway WHERE gateway = $1 RETURNING revision`,
    [gateway, JSON.stringify(settings), JSON.stringify(configuration), nowMs],
  );
  const [row] = rows;
  return row === undefined ? null : message({ ...row, settings, sections: configuration });
}

/** The newest document, when the gateway has not seen it; what it has seen is remembered. Null: there is nothing to send. */
export async function dueConfiguration(
  client: Queryable,
  gateway: string,
  { configuration }: Pick<Hello, "configuration">,
): Promise<Configuration | null> {
  if (configuration === undefined) return null;
  const { seen, revision, digest } = configuration;
  await client.query(
    `UPDATE gateway SET configuration_seen = $2, configuration_in_use = $3, configuration_digest = $4 WHERE gateway = $1`,
    [gateway, seen, revision, storable(digest)],
  );
  const newest = await newestOf(client, gateway);
  return newest === null || newest.revision <= seen ? null : message(newest);
}

/** What gateways tell of their documents. The last word about a revision stands: one that was applied may be taken back. */
export async function keepOutcomes(client: Queryable, gateway: string, records: readonly SyncRecord[]): Promise<void> {
  for (const { event, payload, atMs } of records) {
    const told = event === CONFIGURED_EVENT ? Configured.safeParse(payload) : null;
    if (told?.success !== true) continue;
    const { revision, outcome, reason, errors, inUse } = told.data;
    await client.query(
      `UPDATE gateway_configuration SET outcome = $3, reason = $4, errors = $5, outcome_ms = $6
       WHERE gateway = $1 AND revision = $2`,
      [gateway, revision, outcome, reason === null ? null : storable(reason), JSON.stringify(errors), atMs],
    );
    await client.query("UPDATE gateway SET configuration_in_use = $2 WHERE gateway = $1", [gateway, inUse]);
  }
}

/** As clients of the fleet's API see it: no value of a section, as devices' passwords are among them. Null: no gateway. */
export async function configurationView(client: Queryable, gateway: string): Promise<object | null> {
  const { rows } = await client.query<{ in_use: number | null; digest: string | null }>(
    "SELECT configuration_in_use AS in_use, configuration_digest AS digest FROM gateway WHERE gateway = $1",
    [gateway],
  );
  const [known] = rows;
  if (known === undefined) return null;
  const newest = await newestOf(client, gateway);
  return { inUse: known.in_use, digest: known.digest, newest: newest === null ? null : newestView(newest) };
}

function newestView({ revision, settings, sections, ...row }: ConfigurationRow): object {
  const { outcome, reason, errors } = row;
  return {
    revision,
    publishedAt: instant(row.published_ms),
    settings,
    sections: Object.keys(sections),
    outcome: outcome === null ? null : { outcome, reason, errors, at: instant(row.outcome_ms) },
  };
}

async function newestOf(client: Queryable, gateway: string): Promise<ConfigurationRow | null> {
  const { rows } = await client.query<ConfigurationRow>(
    "SELECT * FROM gateway_configuration WHERE gateway = $1 ORDER BY revision DESC LIMIT 1",
    [gateway],
  );
  return rows[0] ?? null;
}

function message({
  revision,
  settings,
  sections,
}: Pick<ConfigurationRow, "revision" | "settings" | "sections">): Configuration {
  return { v: PROTOCOL_VERSION, kind: "configuration", revision, settings, configuration: sections };
}
