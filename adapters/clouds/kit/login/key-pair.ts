/** Pairs of keys on the curve P-256 (NIST SP 800-186), for vendors that want commands signed. */
import { createECDH } from "node:crypto";
import type { Random } from "hemgate/sdk";

const CURVE = "prime256v1";
const PRIVATE_BYTES = 32;
const LINE = 64;
/** What comes before the point in the DER of a public key on this curve (RFC 5480, 2). */
const BEFORE_POINT = Buffer.from("3059301306072a8648ce3d020106082a8648ce3d030107034200", "hex");

/** The owner of a private key; the key itself stays inside. */
export interface KeyPair {
  /** The public point, uncompressed: 0x04, x and y, 65 bytes. */
  readonly publicKey: Uint8Array;
  /** ECDH: x of the point that both ends work out, 32 bytes. Throws a `RangeError` when `peer` is no point of the curve. */
  agree(peer: Uint8Array): Uint8Array;
}

/** 32 bytes that are a private key. */
export function newPrivateKey(random: Pick<Random, "secretBytes">): Uint8Array {
  for (;;) {
    const bytes = random.secretBytes(PRIVATE_BYTES);
    if (isPrivateKey(bytes)) return bytes;
  }
}

/** Throws a `RangeError` when the bytes are no private key. */
export function keyPairOf(privateKey: Uint8Array): KeyPair {
  if (!isPrivateKey(privateKey)) throw new RangeError("the bytes are no private key of P-256");
  const curve = createECDH(CURVE);
  curve.setPrivateKey(privateKey);
  return {
    publicKey: new Uint8Array(curve.getPublicKey()),
    agree(peer) {
      try {
        return new Uint8Array(curve.computeSecret(peer));
      } catch (cause) {
        throw new RangeError("the other end's key is no point of P-256", { cause });
      }
    },
  };
}

/** A public key as PEM (RFC 7468, 13). */
export function publicKeyPem({ publicKey }: Pick<KeyPair, "publicKey">): string {
  const text = Buffer.concat([BEFORE_POINT, publicKey]).toString("base64");
  const lines = Array.from({ length: Math.ceil(text.length / LINE) }, (_none, index) =>
    text.slice(index * LINE, (index + 1) * LINE),
  );
  return ["-----BEGIN PUBLIC KEY-----", ...lines, "-----END PUBLIC KEY-----", ""].join("\n");
}

/** True for numbers from 1 to the order of the curve, without it. */
function isPrivateKey(bytes: Uint8Array): boolean {
  try {
    createECDH(CURVE).setPrivateKey(bytes);
    return bytes.length === PRIVATE_BYTES;
  } catch {
    return false;
  }
}
