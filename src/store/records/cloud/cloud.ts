/** A transport to the cloud service, as set by the enrolment or the configuration. */
export interface CloudUplinkRecord {
  readonly kind: "mqtt" | "https";
  /** URLs of one cluster, tried in their order. */
  readonly urls: readonly string[];
  /** Prefix of the gateway's name in each topic; `null` for HTTPS. */
  readonly topicPrefix: string | null;
  /** PEM of the certificate authorities of its servers; absent: the public ones. */
  readonly caPem?: string;
  /** MQTT version; absent: 5 or, if the servers refuse it, 3.1.1. */
  readonly version?: "5" | "3.1.1" | undefined;
}

/** The credentials of the gateway, beside its key. */
export type CloudCredentialsRecord =
  | { readonly kind: "certificate"; readonly chainPem: string }
  | { readonly kind: "password"; readonly username: string; readonly password: string };

/**
 * The gateway's identity at a cloud service. The key `current` is the one in use, `next` a renewed one that was not
 * accepted yet.
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
  /** The public key that checks the cloud service's signatures. */
  readonly verificationKeyPem: string;
  /** Wall-clock ms. */
  readonly givenAtMs: number;
  /** Wall-clock ms; `null` if it is valid until it is revoked. */
  readonly expiresAtMs: number | null;
}

/** The key of an unfinished enrolment, so that a repeated one uses the same key. */
export interface CloudEnrolmentRecord {
  readonly service: string;
  /** SHA-256 of the token, hex. */
  readonly tokenHash: string;
  readonly privateKeyPem: string;
}

/** A destroyed key, and the signed deregistration that the cloud service has not confirmed yet. */
export interface CloudDeregistrationRecord {
  readonly gateway: string;
  readonly service: string;
  readonly fingerprint: string;
  /** JSON, and its signature by the destroyed key. */
  readonly body: string;
  readonly proof: string;
  /** Wall-clock ms. */
  readonly createdAtMs: number;
}
