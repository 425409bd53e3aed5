/** The authority that is made on the gateway, and the certificates that it issues for the gateway's https. */
import { DAY_MS } from "../../domain/duration.ts";
import { isBelow, permittedNames } from "../../domain/https/server-names.ts";
import { makeCertificate } from "../../platform/certificate.ts";
import { certificateFacts } from "../../platform/certificate-check.ts";
import { addressBytes, parseNetwork } from "../../platform/network/ip-network.ts";
import type { Clock, Random } from "../../platform/ports/ports.ts";
import { SigningKey } from "../../platform/signing-key.ts";
import type { HttpsRecord } from "../../store/records/https.ts";
import type { Store } from "../../store/store.ts";

const TABLE = "https";
const AUTHORITY = "authority";
const SERVER = "server";
/** Of the authority: whatever the clock of a box without a battery says when it is made. */
const AUTHORITY_FROM_MS = Date.UTC(2025, 0, 1);
const AUTHORITY_UNTIL_MS = Date.UTC(2055, 0, 1);
/** Browsers refuse certificates that are valid for more than 398 days. */
const SERVER_DAYS = 396;
/** A clock in the house may be slow. */
const EARLIER_DAYS = 1;
const RENEWED_DAYS_BEFORE = 60;
const SERIAL_BYTES = 16;

interface AuthorityParts {
  readonly store: Pick<Store, "get" | "commit">;
  readonly clock: Pick<Clock, "nowMs" | "quality">;
  readonly random: Pick<Random, "secretBytes">;
}

/** Returns the authority's certificate; `null` before there is one. */
export function knownAuthority({ store }: Pick<AuthorityParts, "store">): HttpsRecord | null {
  return store.get(TABLE, AUTHORITY);
}

/** Returns the authority; makes it at the first call, limited to names of the house. Rejects with a `StorageError`. */
export async function houseAuthority(parts: AuthorityParts, names: readonly string[]): Promise<HttpsRecord> {
  const known = knownAuthority(parts);
  if (known !== null) return known;
  const key = SigningKey.make(parts.random);
  const permitted = permittedNames(names);
  const name = nameOf(key);
  const certificate = makeCertificate({
    subject: name,
    publicKeyDer: key.publicKeyDer,
    issuer: { name, key },
    fromMs: AUTHORITY_FROM_MS,
    untilMs: AUTHORITY_UNTIL_MS,
    serial: parts.random.secretBytes(SERIAL_BYTES),
    isAuthority: true,
    permitted,
  });
  const put = { certificate, privateKeyPem: key.privateKeyPem, names: permitted.domains };
  await parts.store.commit([{ table: TABLE, key: AUTHORITY, put }], []);
  return put;
}

/**
 * Returns the server's certificate: the last one while it is for all of these names and not near its end, else a new one.
 * Names and addresses that the authority may not issue for are left out. Rejects with a `StorageError`.
 */
export async function serverCertificate(
  parts: AuthorityParts,
  authority: HttpsRecord,
  names: readonly string[],
): Promise<HttpsRecord> {
  const allowed = names.filter((name) => mayIssue(authority, name));
  const last = parts.store.get(TABLE, SERVER);
  if (last !== null && allowed.every((name) => last.names.includes(name)) && isCurrent(parts, last)) return last;
  const issuer = SigningKey.read(authority.privateKeyPem);
  const key = SigningKey.make(parts.random);
  const fromMs = parts.clock.nowMs() - EARLIER_DAYS * DAY_MS;
  const certificate = makeCertificate({
    subject: "hemgate",
    publicKeyDer: key.publicKeyDer,
    issuer: { name: nameOf(issuer), key: issuer },
    fromMs,
    untilMs: fromMs + SERVER_DAYS * DAY_MS,
    serial: parts.random.secretBytes(SERIAL_BYTES),
    hosts: allowed,
  });
  const put = { certificate, privateKeyPem: key.privateKeyPem, names: allowed };
  await parts.store.commit([{ table: TABLE, key: SERVER, put }], []);
  return put;
}

function mayIssue({ names }: HttpsRecord, host: string): boolean {
  if (addressBytes(host) === null) return isBelow(host, names);
  return permittedNames([]).networks.some((network) => parseNetwork(network)?.has(host) === true);
}

/** While the clock has not been set since boot, dates say nothing. */
function isCurrent({ clock }: AuthorityParts, { certificate }: HttpsRecord): boolean {
  if (clock.quality() === "unset") return true;
  const { fromMs, untilMs } = certificateFacts(certificate);
  const nowMs = clock.nowMs();
  return nowMs >= fromMs && nowMs < untilMs - RENEWED_DAYS_BEFORE * DAY_MS;
}

/** Tells the authorities of two gateways apart where people look at what they trust. */
function nameOf(key: SigningKey): string {
  return `hemgate authority ${key.fingerprint.slice(0, 8)}`;
}
