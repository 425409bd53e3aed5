/** Integrator accounts: how they are made, and how their secret is checked (rule I5). */
import { timingSafeEqual } from "node:crypto";
import { problem } from "../../domain/problem.ts";
import type { ClientScope } from "../../domain/users/scope.ts";
import type { Clock, Random } from "../../platform/ports/ports.ts";
import type { ClientRecord } from "../../store/records.ts";
import type { Store } from "../../store/store.ts";
import { findVersion, NEWEST_VERSION, servedDates } from "../versions/served-versions.ts";

const SECRET_BYTES = 32;
const SALT_BYTES = 16;
const HASH_BYTES = 32;
const MAX_NAME_CHARACTERS = 255;
/** How many clients an error names when the requested one does not exist. */
const MAX_NAMED = 20;

/** What a new client needs to get tokens. The secret is nowhere else: it cannot be shown again. */
export interface ClientCredentials {
  readonly id: string;
  readonly secret: string;
}

/** Who a client is, and which version its requests mean when they name none. */
export interface ClientPin {
  readonly id: string;
  readonly name: string;
  readonly version: string;
}

/** Makes a client, pinned to the newest version or to another one. It is on disk when the promise resolves. */
export async function createClient(
  { store, clock, random }: { readonly store: Store; readonly clock: Clock; readonly random: Random },
  name: string,
  version: string = NEWEST_VERSION.date,
  scopes: readonly ClientScope[] = [],
): Promise<ClientCredentials> {
  if (name.trim() === "" || name.length > MAX_NAME_CHARACTERS) {
    throw problem("bad-request", `A client's name has 1 to ${MAX_NAME_CHARACTERS} characters.`);
  }
  requireServed(version);
  const { record, secret } = await makeClientRecord({ clock, random }, { id: random.uuid(), name });
  const put = { ...record, apiVersion: version, ...(scopes.length > 0 && { scopes }) };
  await store.commit([{ table: "client", key: record.id, put }], []);
  return { id: record.id, secret };
}

/**
 * Pins a client to a version: its next request that names none is answered in it, and its webhooks that name none send
 * their events in it. On disk when the promise resolves. Throws `unsupported-version` and `not-found`.
 */
export async function pinClient({ store }: { readonly store: Store }, id: string, version: string): Promise<ClientPin> {
  requireServed(version);
  const record = store.get("client", id);
  if (record === null) {
    const known = store.all("client").map((client) => `${client.id} (${client.name})`);
    const others = known.length === 0 ? "there are none yet" : `there are ${known.slice(0, MAX_NAMED).join(", ")}`;
    throw problem("not-found", `There is no client "${id}"; ${others}.`);
  }
  await store.commit([{ table: "client", key: id, put: { ...record, apiVersion: version } }], []);
  return { id, name: record.name, version };
}

function requireServed(version: string): void {
  if (findVersion(version) !== null) return;
  throw problem("unsupported-version", `There is no version "${version}"; served: ${servedDates()}.`);
}

/** A client with a new secret, pinned to the newest version; on no disk yet. */
export async function makeClientRecord(
  { clock, random }: { readonly clock: Pick<Clock, "nowMs">; readonly random: Random },
  { id, name }: Pick<ClientRecord, "id" | "name">,
): Promise<{ readonly record: ClientRecord; readonly secret: string }> {
  const secret = base64url(random.secretBytes(SECRET_BYTES));
  const salt = random.secretBytes(SALT_BYTES);
  const secretHash = base64url(await random.scrypt(secret, salt));
  const apiVersion = NEWEST_VERSION.date;
  return { record: { id, name, createdAtMs: clock.nowMs(), secretHash, salt: base64url(salt), apiVersion }, secret };
}

/**
 * The client that these credentials are of, or null. An unknown id costs the same work as a wrong secret, so that the
 * time of the answer does not tell which ids exist.
 */
export async function authenticate(
  { store, random }: { readonly store: Pick<Store, "get">; readonly random: Pick<Random, "scrypt"> },
  { id, secret }: ClientCredentials,
): Promise<ClientRecord | null> {
  const record = store.get("client", id);
  const salt = record === null ? new Uint8Array(SALT_BYTES) : Buffer.from(record.salt, "base64url");
  const expected = record === null ? new Uint8Array(HASH_BYTES) : Buffer.from(record.secretHash, "base64url");
  const actual = await random.scrypt(secret, salt);
  const isEqual = actual.length === expected.length && timingSafeEqual(actual, expected);
  return isEqual ? record : null;
}

function base64url(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("base64url");
}
