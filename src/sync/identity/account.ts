import type { VerifiedServer } from "../../platform/ports/http-port.ts";
import type { CloudIdentityRecord, CloudUplinkRecord } from "../../store/records/cloud/cloud.ts";

/** How the gateway proves who it is. */
export type CloudSignIn =
  | { readonly kind: "certificate"; readonly certificate: NonNullable<VerifiedServer["certificate"]> }
  | { readonly kind: "password"; readonly username: string; readonly password: string };

/** Where, and as whom, the gateway connects to a cloud service, whoever said so. */
export interface CloudAccount {
  /** Name of this gateway there. */
  readonly gateway: string;
  /** Address that gave it; null: the configuration says all of it. */
  readonly service: string | null;
  /** SHA-256 of the public key, hex; null where there is a password alone. */
  readonly fingerprint: string | null;
  /** In the order of preference. */
  readonly uplinks: readonly CloudUplinkRecord[];
  readonly signIn: CloudSignIn;
  /** Wall-clock ms; null: it holds until it is revoked. */
  readonly expiresAtMs: number | null;
}

/** Who the gateway is now, and how signing in as that went. */
export interface CloudAccounts {
  /** Under which name and where; null: nowhere now. */
  readonly place: Pick<CloudAccount, "gateway" | "service"> | null;
  /** Those to try, in this order; the last one held so far. Rejects with an `UplinkError` in words. */
  offered(): Promise<readonly CloudAccount[]>;
  /** Told after each change of what is offered. */
  observe(listener: () => void): Disposable;
  /** The cloud service let this one in, and none of those before it. */
  worked(account: CloudAccount): Promise<void>;
  /** It does not take this one, for a reason in words. */
  refused(account: CloudAccount, reason: string): Promise<void>;
}

export function enrolledAccount(identity: CloudIdentityRecord): CloudAccount {
  const { gateway, service, fingerprint, uplinks, credentials, privateKeyPem, expiresAtMs } = identity;
  const signIn: CloudSignIn =
    credentials.kind === "certificate"
      ? { kind: "certificate", certificate: { pem: credentials.chainPem, keyPem: privateKeyPem } }
      : credentials;
  return { gateway, service, fingerprint, uplinks, signIn, expiresAtMs };
}
