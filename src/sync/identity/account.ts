import type { VerifiedServer } from "../../platform/ports/http-port.ts";
import type { CloudIdentityRecord, CloudUplinkRecord } from "../../store/records/cloud/cloud.ts";

/** The credentials with which the gateway signs in. */
export type CloudSignIn =
  | { readonly kind: "certificate"; readonly certificate: NonNullable<VerifiedServer["certificate"]> }
  | { readonly kind: "password"; readonly username: string; readonly password: string };

/**
 * An account at a cloud service: the name of the gateway, the servers and the credentials. It comes from an enrolment
 * or from the configuration.
 */
export interface CloudAccount {
  /** The name of this gateway at the cloud service. */
  readonly gateway: string;
  /** The address of the enrolment service; `null` for an account from the configuration. */
  readonly service: string | null;
  /** SHA-256 of the public key, hex; `null` for an account with a password only. */
  readonly fingerprint: string | null;
  /** In the order of preference. */
  readonly uplinks: readonly CloudUplinkRecord[];
  readonly signIn: CloudSignIn;
  /** Wall-clock ms; `null` if the credentials are valid until they are revoked. */
  readonly expiresAtMs: number | null;
}

/** The accounts that the gateway can sign in with now. */
export interface CloudAccounts {
  /** The name of the gateway and its enrolment service; `null` if it has no account. */
  readonly registration: Pick<CloudAccount, "gateway" | "service"> | null;
  /**
   * Returns the accounts to try, in this order; the last one is the one that worked before. Rejects with an
   * `UplinkError` whose text is for people.
   */
  offered(): Promise<readonly CloudAccount[]>;
  /** Calls the listener after each change of the accounts. */
  observe(listener: () => void): Disposable;
  /** Notes that the cloud service accepted this account, after it refused those before it in the order. */
  accepted(account: CloudAccount): Promise<void>;
  /** Notes that the cloud service refused this account. `reason` is a text for people. */
  refused(account: CloudAccount, reason: string): Promise<void>;
}

/** Returns the account of an enrolled identity. */
export function enrolledAccount(identity: CloudIdentityRecord): CloudAccount {
  const { gateway, service, fingerprint, uplinks, credentials, privateKeyPem, expiresAtMs } = identity;
  const signIn: CloudSignIn =
    credentials.kind === "certificate"
      ? { kind: "certificate", certificate: { pem: credentials.chainPem, keyPem: privateKeyPem } }
      : credentials;
  return { gateway, service, fingerprint, uplinks, signIn, expiresAtMs };
}
