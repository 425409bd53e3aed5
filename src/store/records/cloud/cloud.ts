/** Where a gateway may tell what happens, as its enrolment said. */
export interface CloudUplinkRecord {
  readonly kind: "mqtt" | "https";
  /** Of one cluster, tried in turn. */
  readonly urls: readonly string[];
  /** Before the gateway's name in each topic; null for HTTPS. */
  readonly topicPrefix: string | null;
  /** PEM of the authorities that its servers are checked against; absent: the public ones. */
  readonly caPem?: string;
  /** Of MQTT; not there: 5, or 3.1.1 where the servers have no other. */
  readonly version?: "5" | "3.1.1" | undefined;
}

/** How the gateway signs in, beside its key. */
export type CloudCredentialsRecord =
  | { readonly kind: "certificate"; readonly chainPem: string }
  | { readonly kind: "password"; readonly username: string; readonly password: string };

/**
 * Who the gateway is to a cloud service. At the key `current` is the one that holds; at `next` one that was given since
 * and did not work yet.
 */
export interface CloudIdentityRecord {
  readonly gateway: string;
  /** Address of the enrolment service. */
  readonly service: string;
  readonly privateKeyPem: string;
  /** SHA-256 of the public key, hex. */
  readonly fingerprint: string;
  readonly uplinks: readonly CloudUplinkRecord[];
  readonly credentials: CloudCredentialsRecord;
  /** By which the cloud service's own signatures are checked. */
  readonly verificationKeyPem: string;
  /** Wall-clock ms. */
  readonly givenAtMs: number;
  /** Wall-clock ms; null: it holds until it is revoked. */
  readonly expiresAtMs: number | null;
}

/** A key that an enrolment was asked for with, so that one that was cut off goes on as the same. */
export interface CloudEnrolmentRecord {
  readonly service: string;
  /** SHA-256 of the token, hex. */
  readonly tokenHash: string;
  readonly privateKeyPem: string;
}

/** A key that was destroyed, and the word of it that the cloud service is still to be told. */
export interface CloudFarewellRecord {
  readonly gateway: string;
  readonly service: string;
  readonly fingerprint: string;
  /** JSON, and its signature by the key that is gone. */
  readonly body: string;
  readonly proof: string;
  /** Wall-clock ms. */
  readonly createdAtMs: number;
}
