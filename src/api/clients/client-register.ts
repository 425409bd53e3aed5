/** The clients of the API as people see them, and how one is revoked. */
import { instant, instantOrNull } from "../../domain/fields.ts";
import type { ClientEntry } from "../../domain/people/account.ts";
import { problem } from "../../domain/problem.ts";
import type { EnergyLimits } from "../../engine/contracts/energy/energy.ts";
import type { Webhooks } from "../../engine/contracts/webhooks.ts";
import type { Write } from "../../store/records.ts";
import type { Store } from "../../store/store.ts";
import { CLOUD_CLIENT_ID } from "./cloud-caller.ts";

/** Returns all clients, newest first. */
export function listClients({ store }: { readonly store: Pick<Store, "all" | "get"> }): readonly ClientEntry[] {
  const records = [...store.all("client")].sort((a, b) => b.createdAtMs - a.createdAtMs);
  return records.map(({ id, name, createdAtMs, apiVersion, scopes = [] }) => ({
    id,
    name,
    createdAt: instant(createdAtMs),
    version: apiVersion,
    scopes: [...scopes],
    lastUsedAt: instantOrNull(store.get("client-use", id)?.lastUsedAtMs ?? null),
  }));
}

export interface RevocationParts {
  readonly store: Pick<Store, "all" | "get" | "commit">;
  readonly webhooks: Pick<Webhooks, "list" | "remove">;
  readonly energyLimits: Pick<EnergyLimits, "sources" | "port">;
}

/**
 * Removes a client with its tokens, webhooks and limits; it is refused from then on. Returns its name. Throws `not-found`,
 * and `conflict` for the cloud service, whose link is cut instead.
 */
export async function revokeClient({ store, webhooks, energyLimits }: RevocationParts, id: string): Promise<string> {
  const record = store.get("client", id);
  if (record === null) throw problem("not-found", `There is no client "${id}".`);
  if (id === CLOUD_CLIENT_ID) {
    throw problem("conflict", "This is the cloud service: cut its link instead, by DELETE /local/cloud.");
  }
  const tokens = store.all("token").filter(({ clientId }) => clientId === id);
  const writes: Write[] = [
    { table: "client", key: id, remove: true },
    { table: "client-use", key: id, remove: true },
    ...tokens.map(({ hash }): Write => ({ table: "token", key: hash, remove: true })),
  ];
  // First of all it can do nothing more.
  await store.commit(writes, [], "urgent");
  for (const { webhook } of webhooks.list(id)) await webhooks.remove(id, webhook.id);
  const source = limitSourceId(id);
  if (energyLimits.sources().some((each) => each.id === source)) {
    await energyLimits.port({ id: source, kind: "client", name: record.name }).withdraw();
  }
  return record.name;
}

/** The id under which a client, or an account, sets limits of the grid operator. */
export function limitSourceId(callerId: string): string {
  return `client-${callerId}`;
}
