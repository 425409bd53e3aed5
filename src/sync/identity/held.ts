/** Who the gateway is to a cloud service now, for its owner. */
import type { CloudLinkView } from "../../domain/cloud/cloud-link-view.ts";
import { instant, instantOrNull } from "../../domain/fields.ts";
import type { CloudUplinkRecord } from "../../store/records/cloud/cloud.ts";
import type { ConfiguredAccounts } from "./configured-accounts.ts";
import type { Identities } from "./identities.ts";

export interface Held {
  readonly identity: NonNullable<CloudLinkView["identity"]>;
  readonly uplinks: readonly CloudUplinkRecord[];
  /** Wall-clock ms; null: it holds until it is revoked. */
  readonly expiresAtMs: number | null;
  /** Why the cloud service does not take it; null: it does, or was not asked. */
  readonly refusal: string | null;
  /** Why it cannot be used as it is; null: it can. */
  readonly mistake: string | null;
  /** What the owner can do, in English. */
  readonly remedies: typeof ENROLLED | typeof CONFIGURED;
}

const ENROLLED = {
  refused:
    "The cloud service does not take this gateway. Ask whoever runs it, then enrol with a new token (hemgate cloud enroll), or cut the link (hemgate cloud cut).",
  expired:
    "The gateway goes on asking for new credentials. If that does not help, enrol it with a new token (hemgate cloud enroll).",
  cloned:
    "Another box has a copy of this one's storage. Stop one of them, or enrol one of them anew (hemgate cloud enroll).",
  mistake: null,
} as const;

const CONFIGURED = {
  refused:
    "The cloud service does not take this gateway. Ask whoever runs it; its name and its credentials stand under cloud in the configuration.",
  expired:
    "Put another certificate in its place (cloud.credentials.certFile and keyFile in the configuration); it is read before the next connection.",
  cloned:
    "Another box has this one's name, or a copy of its storage. Stop one of them, or give it a name of its own (cloud.gateway in the configuration).",
  mistake: "Put the file right that the reason names; it is read again before the next connection.",
} as const;

/** Null: the gateway is not enrolled, and the configuration does not say who it is. */
export function heldBy(configured: ConfiguredAccounts | null, identities: Identities): Held | null {
  return configured === null ? enrolled(identities) : asConfigured(configured);
}

function enrolled({ current, next, refusal }: Identities): Held | null {
  if (current === null) return null;
  const { gateway, service, fingerprint, givenAtMs, expiresAtMs, uplinks } = current;
  const dates = { givenAt: instant(givenAtMs), expiresAt: instantOrNull(expiresAtMs) };
  const identity = { gateway, service, fingerprint, ...dates, isRenewing: next !== null };
  return { identity, uplinks, expiresAtMs, refusal: refusal?.reason ?? null, mistake: null, remedies: ENROLLED };
}

function asConfigured({ place, account, uplinks, refusal, mistake }: ConfiguredAccounts): Held {
  const expiresAtMs = account?.expiresAtMs ?? null;
  const identity = {
    ...{ gateway: place.gateway, service: null, fingerprint: account?.fingerprint ?? null },
    ...{ givenAt: null, expiresAt: instantOrNull(expiresAtMs), isRenewing: false },
  };
  return { identity, uplinks, expiresAtMs, refusal, mistake, remedies: CONFIGURED };
}
