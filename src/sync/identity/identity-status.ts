/** The account that the gateway uses now, as its owner sees it. */
import type { CloudLinkView } from "../../domain/cloud/cloud-link-view.ts";
import { instant, instantOrNull } from "../../domain/fields.ts";
import type { CloudUplinkRecord } from "../../store/records/cloud/cloud.ts";
import type { ConfiguredAccounts } from "./configured-accounts.ts";
import type { Identities } from "./identities.ts";

/** The state of the gateway's identity. */
export interface IdentityStatus {
  readonly identity: NonNullable<CloudLinkView["identity"]>;
  readonly uplinks: readonly CloudUplinkRecord[];
  /** Wall-clock ms; `null` if the credentials are valid until they are revoked. */
  readonly expiresAtMs: number | null;
  /** Why the cloud service refuses it; `null` if it does not, or was not connected to yet. */
  readonly refusal: string | null;
  /** Why it cannot be used; `null` if it can. */
  readonly mistake: string | null;
  /** What the owner can do, in English, by problem. */
  readonly remedies: typeof ENROLLED | typeof CONFIGURED;
}

const ENROLLED = {
  refused:
    "The cloud service refuses this gateway. Ask its operator, then enrol with a new token (hemgate cloud enroll), or cut the link (hemgate cloud cut).",
  expired:
    "The gateway keeps requesting new credentials. If that does not help, enrol it with a new token (hemgate cloud enroll).",
  cloned:
    "Another gateway has a copy of this gateway's storage. Stop one of them, or enrol one of them again (hemgate cloud enroll).",
  mistake: null,
} as const;

const CONFIGURED = {
  refused:
    "The cloud service refuses this gateway. Ask its operator; the gateway's name and credentials are in the section cloud of the configuration.",
  expired:
    "Replace the certificate (cloud.credentials.certFile and keyFile in the configuration); it is read before the next connection.",
  cloned:
    "Another gateway has this gateway's name or a copy of its storage. Stop one of them, or give it another name (cloud.gateway in the configuration).",
  mistake: "Correct the file that the reason names; it is read again before the next connection.",
} as const;

/** Returns the state of the identity; `null` if the gateway is not enrolled and the configuration has no account. */
export function identityStatus(configured: ConfiguredAccounts | null, identities: Identities): IdentityStatus | null {
  return configured === null ? enrolledStatus(identities) : configuredStatus(configured);
}

function enrolledStatus({ current, next, refusal }: Identities): IdentityStatus | null {
  if (current === null) return null;
  const { gateway, service, fingerprint, givenAtMs, expiresAtMs, uplinks } = current;
  const dates = { givenAt: instant(givenAtMs), expiresAt: instantOrNull(expiresAtMs) };
  const identity = { gateway, service, fingerprint, ...dates, isRenewing: next !== null };
  return { identity, uplinks, expiresAtMs, refusal: refusal?.reason ?? null, mistake: null, remedies: ENROLLED };
}

function configuredStatus({ registration, account, uplinks, refusal, mistake }: ConfiguredAccounts): IdentityStatus {
  const expiresAtMs = account?.expiresAtMs ?? null;
  const identity = {
    gateway: registration.gateway,
    service: null,
    fingerprint: account?.fingerprint ?? null,
    givenAt: null,
    expiresAt: instantOrNull(expiresAtMs),
    isRenewing: false,
  };
  return { identity, uplinks, expiresAtMs, refusal, mistake, remedies: CONFIGURED };
}
