/** What a gateway and an enrolment service say; docs/cloud-enrolment.md has the order. */
import { z } from "zod";
import { urlOf } from "../../domain/fields.ts";
import { AtMs, GatewayId } from "../protocol/fields.ts";

/** The version of this talk; it has nothing to do with that of the contract of what is told afterwards. */
export const ENROLMENT_VERSION = 1;
/** Header of a signature over the body: ECDSA P-256, SHA-256, DER, base64. */
export const PROOF_HEADER = "hemgate-proof";
export const MAX_ANSWER_BYTES = 64 * 1024;
const MAX_PEM = 32 * 1024;
const MAX_UPLINKS = 8;
const MAX_SERVERS = 16;

const Version = z.literal(ENROLMENT_VERSION);
const KeyPem = z.string().max(1_000).meta({ description: "Public key on P-256: PEM, SPKI." });

const KeyRequest = z.object({
  v: Version,
  publicKeyPem: KeyPem.meta({ description: "The key to be known from now on: PEM, SPKI." }),
  csrPem: z.string().max(4_000).meta({ description: "A PKCS #10 request for it, PEM, for a certificate authority." }),
  software: z.string().max(100).meta({ description: "Such as `hemgate/0.1.0`." }),
});

/** Asks for an identity. The header carries a signature of the new key. */
export const EnrolmentRequest = KeyRequest.extend({
  token: z.string().max(1_000),
  installation: z.uuid().meta({ description: "The same for this installation, whatever it is called." }),
});
export type EnrolmentRequest = z.infer<typeof EnrolmentRequest>;

/** Asks for another key and certificate. The header carries a signature of the key that holds now. */
export const RenewalRequest = KeyRequest.extend({ gateway: GatewayId, atMs: AtMs });
export type RenewalRequest = z.infer<typeof RenewalRequest>;

/** Says that the owner cut the link. The header carries a signature of the key, which is destroyed by then. */
export const Farewell = z.object({
  v: Version,
  gateway: GatewayId,
  fingerprint: z
    .string()
    .regex(/^[0-9a-f]{64}$/)
    .meta({ description: "SHA-256 of the public key (DER, SPKI), hex." }),
  atMs: AtMs,
});
export type Farewell = z.infer<typeof Farewell>;

const CaPem = z.string().max(MAX_PEM).optional().meta({
  description: "Authorities that these servers are checked against; absent: the public ones.",
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
    .meta({ description: "Of MQTT. Where it is left out, 5 is tried, and 3.1.1 with servers that do not know it." }),
});
const Https = z.looseObject({
  kind: z.literal("https"),
  caPem: CaPem,
  url: urlOf("https:").max(500).refine(isPlainAddress, { error: "it has more than a host and a path" }),
});

const Certificate = z.looseObject({
  kind: z.literal("certificate"),
  chainPem: z.string().max(MAX_PEM).meta({ description: "The gateway's certificate first, then who issued it." }),
});
const Password = z.looseObject({
  kind: z.literal("password"),
  username: z.string().min(1).max(256),
  password: z.string().min(1).max(4_096),
  expiresAtMs: AtMs.nullable().meta({ description: "Null: they hold until they are revoked." }),
});

/** The answer to both requests. */
export const EnrolmentAnswer = z.looseObject({
  v: Version,
  gateway: GatewayId,
  uplinks: z
    .array(z.looseObject({ kind: z.string().max(32) }))
    .min(1)
    .max(MAX_UPLINKS)
    .meta({ description: "In the order of preference; kinds that are not known are left alone." }),
  credentials: z.discriminatedUnion("kind", [Certificate, Password]),
  verificationKeyPem: KeyPem.meta({ description: "The key by which the service signs answers to renewals." }),
});
export type EnrolmentAnswer = z.infer<typeof EnrolmentAnswer>;

/** The uplinks of an answer that are known here. */
export const KnownUplink = z.discriminatedUnion("kind", [Mqtt, Https]);
export const UPLINK_KINDS: ReadonlySet<string> = new Set(["mqtt", "https"]);

/** A user, a query or a fragment would not reach the paths below it. */
function isPlainAddress(text: string): boolean {
  const url = URL.parse(text);
  return url !== null && `${url.username}${url.password}${url.search}${url.hash}` === "";
}

/** What says why, when a request is refused. */
export const RefusalBody = z.looseObject({ detail: z.string().max(500) });
