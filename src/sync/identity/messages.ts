/** The messages between a gateway and an enrolment service; docs/cloud-enrolment.md has their order. */
import { z } from "zod";
import { urlOf } from "../../domain/fields.ts";
import { AtMs, GatewayId } from "../protocol/fields.ts";

/** The version of this protocol; it is independent of the cloud protocol's version. */
export const ENROLMENT_VERSION = 1;
/** The header with the signature of the body: ECDSA P-256, SHA-256, DER, base64. */
export const PROOF_HEADER = "hemgate-proof";
export const MAX_ANSWER_BYTES = 64 * 1024;
const MAX_PEM = 32 * 1024;
const MAX_UPLINKS = 8;
const MAX_SERVERS = 16;

const Version = z.literal(ENROLMENT_VERSION);
const KeyPem = z.string().max(1_000).meta({ description: "Public key on P-256: PEM, SPKI." });

const KeyRequest = z.object({
  v: Version,
  publicKeyPem: KeyPem.meta({ description: "The gateway's new public key: PEM, SPKI." }),
  csrPem: z.string().max(4_000).meta({ description: "A PKCS #10 certificate request for the key, PEM." }),
  software: z.string().max(100).meta({ description: "Such as `hemgate/0.1.0`." }),
});

/** Requests an identity. The header has a signature by the new key. */
export const EnrolmentRequest = KeyRequest.extend({
  token: z.string().max(1_000),
  installation: z.uuid().meta({ description: "Identifies the installation; it stays the same under another name." }),
});
export type EnrolmentRequest = z.infer<typeof EnrolmentRequest>;

/** Requests another key and certificate. The header has a signature by the current key. */
export const RenewalRequest = KeyRequest.extend({ gateway: GatewayId, atMs: AtMs });
export type RenewalRequest = z.infer<typeof RenewalRequest>;

/** Reports that the owner cut the link. The header has a signature by the key, which is destroyed by then. */
export const Deregistration = z.object({
  v: Version,
  gateway: GatewayId,
  fingerprint: z
    .string()
    .regex(/^[0-9a-f]{64}$/)
    .meta({ description: "SHA-256 of the public key (DER, SPKI), hex." }),
  atMs: AtMs,
});
export type Deregistration = z.infer<typeof Deregistration>;

const CaPem = z.string().max(MAX_PEM).optional().meta({
  description: "Certificate authorities of these servers; absent: the public ones.",
});
const Mqtt = z.looseObject({
  kind: z.literal("mqtt"),
  caPem: CaPem,
  servers: z.array(urlOf("mqtts:").max(500)).min(1).max(MAX_SERVERS),
  topicPrefix: z
    .string()
    .regex(/^[A-Za-z0-9_-]+(\/[A-Za-z0-9_-]+){0,7}$/)
    .max(200),
  version: z
    .enum(["5", "3.1.1"])
    .optional()
    .meta({ description: "Version of MQTT. If absent, 5 is tried first, then 3.1.1." }),
});
const Https = z.looseObject({
  kind: z.literal("https"),
  caPem: CaPem,
  url: urlOf("https:").max(500).refine(isPlainAddress, { error: "only a host and a path are allowed" }),
});

const Certificate = z.looseObject({
  kind: z.literal("certificate"),
  chainPem: z
    .string()
    .max(MAX_PEM)
    .meta({ description: "The gateway's certificate first, then those of its issuers." }),
});
const Password = z.looseObject({
  kind: z.literal("password"),
  username: z.string().min(1).max(256),
  password: z.string().min(1).max(4_096),
  expiresAtMs: AtMs.nullable().meta({ description: "Null: valid until they are revoked." }),
});

/** The answer to an enrolment and to a renewal. */
export const EnrolmentAnswer = z.looseObject({
  v: Version,
  gateway: GatewayId,
  uplinks: z
    .array(z.looseObject({ kind: z.string().max(32) }))
    .min(1)
    .max(MAX_UPLINKS)
    .meta({ description: "In the order of preference; unknown kinds are ignored." }),
  credentials: z.discriminatedUnion("kind", [Certificate, Password]),
  verificationKeyPem: KeyPem.meta({ description: "The key with which the service signs its answers to renewals." }),
});
export type EnrolmentAnswer = z.infer<typeof EnrolmentAnswer>;

/** The uplinks that this gateway supports. */
export const KnownUplink = z.discriminatedUnion("kind", [Mqtt, Https]);
export const UPLINK_KINDS: ReadonlySet<string> = new Set(["mqtt", "https"]);

/** Returns true if a URL has only a host and a path; other parts would be lost in the paths below it. */
function isPlainAddress(text: string): boolean {
  const url = URL.parse(text);
  return url !== null && `${url.username}${url.password}${url.search}${url.hash}` === "";
}

/** The body of a refusal. */
export const RefusalBody = z.looseObject({ detail: z.string().max(500) });
