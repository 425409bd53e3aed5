/**
 * Keys by which the gateway proves who it is: ECDSA on the curve P-256. Brokers, load balancers and their authorities take
 * certificates of such keys everywhere, TLS 1.2 included; Ed25519 is refused by AWS IoT Core and by many a TLS library.
 */
import { createECDH, createHash, createPrivateKey, createPublicKey, type KeyObject, sign, verify } from "node:crypto";
import { bits, der, integer, objectId, pem, sequence, setOf, utf8 } from "./der.ts";
import type { Random } from "./ports/ports.ts";

const CURVE = "prime256v1";
const PRIVATE_BYTES = 32;
const COORDINATE_BYTES = 32;
const COMMON_NAME = "2.5.4.3";
/** Of the content of a request: no attributes, tagged [0]. */
const NO_ATTRIBUTES = der(0xa0);
export const ECDSA_WITH_SHA256 = sequence(objectId("1.2.840.10045.4.3.2"));

/** The owner of a private key. Neither JSON nor a log has the key in it. */
export class SigningKey {
  readonly #key: KeyObject;
  readonly #public: KeyObject;

  private constructor(key: KeyObject) {
    this.#key = key;
    this.#public = createPublicKey(key);
  }

  /** A new key. */
  static make(random: Pick<Random, "secretBytes">): SigningKey {
    const curve = createECDH(CURVE);
    for (;;) {
      const bytes = random.secretBytes(PRIVATE_BYTES);
      if (!isTaken(() => curve.setPrivateKey(bytes))) continue;
      const point = curve.getPublicKey();
      const x = point.subarray(1, 1 + COORDINATE_BYTES).toString("base64url");
      const y = point.subarray(1 + COORDINATE_BYTES).toString("base64url");
      const key = { kty: "EC", crv: "P-256", d: Buffer.from(bytes).toString("base64url"), x, y };
      return new SigningKey(createPrivateKey({ key, format: "jwk" }));
    }
  }

  /** Throws when the text is no private key. */
  static read(privateKeyPem: string): SigningKey {
    return new SigningKey(createPrivateKey(privateKeyPem));
  }

  /** PKCS #8, for the sealed store and TLS alone. */
  get privateKeyPem(): string {
    return String(this.#key.export({ type: "pkcs8", format: "pem" }));
  }

  get publicKeyPem(): string {
    return String(this.#public.export({ type: "spki", format: "pem" }));
  }

  /** What stands for the key in a certificate. */
  get publicKeyDer(): Uint8Array {
    return new Uint8Array(this.#public.export({ type: "spki", format: "der" }));
  }

  /** SHA-256 of the public key, 64 hexadecimal digits. */
  get fingerprint(): string {
    return fingerprintOf(this.#public);
  }

  /** ECDSA with SHA-256, DER, base64. */
  sign(bytes: Uint8Array): string {
    return Buffer.from(this.signature(bytes)).toString("base64");
  }

  /** As `sign`, in bytes. */
  signature(bytes: Uint8Array): Uint8Array {
    return new Uint8Array(sign("sha256", bytes, this.#key));
  }

  /** A request for a certificate (PKCS #10, RFC 2986), PEM. Its own signature proves that the key is here. */
  certificateRequest(commonName: string): string {
    const asked = sequence(integer(Uint8Array.of(0)), nameOf(commonName), this.publicKeyDer, NO_ATTRIBUTES);
    const signed = sequence(asked, ECDSA_WITH_SHA256, bits(this.signature(asked)));
    return pem("CERTIFICATE REQUEST", signed);
  }
}

/** SHA-256 of a public key, as in its certificate, 64 hexadecimal digits. */
export function fingerprintOf(key: KeyObject): string {
  return createHash("sha256")
    .update(key.export({ type: "spki", format: "der" }))
    .digest("hex");
}

/** Parses a public key, PEM (SPKI), for `isSignedBy`; `null` if it is no P-256 key. */
export function verificationKey(publicKeyPem: string): KeyObject | null {
  try {
    const key = createPublicKey(publicKeyPem);
    const isP256 = key.asymmetricKeyType === "ec" && key.asymmetricKeyDetails?.namedCurve === CURVE;
    return isP256 && publicKeyPem.includes("PUBLIC KEY-----") ? key : null;
  } catch {
    return null;
  }
}

/** `signature` as `SigningKey.sign` makes it. */
export function isSignedBy(key: KeyObject, bytes: Uint8Array, signature: string): boolean {
  return verify("sha256", bytes, key, Buffer.from(signature, "base64"));
}

/** A name with nothing but what it is commonly called. */
export function nameOf(commonName: string): Uint8Array {
  return sequence(setOf(sequence(objectId(COMMON_NAME), utf8(commonName))));
}

function isTaken(work: () => void): boolean {
  try {
    work();
    return true;
  } catch {
    return false;
  }
}
