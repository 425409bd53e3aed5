/**
 * What is checked of a passkey's answers (Web Authentication Level 3, sections 7.1 and 7.2), without attestation: nobody
 * confirms the maker of an authenticator. Then nothing signs the public key of a new passkey, so it is taken in the form
 * that browsers give it besides CBOR.
 */
import { createPublicKey, hash, type KeyObject, timingSafeEqual, verify } from "node:crypto";
import { z } from "zod";

/** COSE names of what is accepted: ECDSA with P-256, Ed25519, RSA PKCS #1 v1.5, the first two preferred. */
export const ALGORITHMS = [-7, -8, -257] as const;

/** Why an answer is refused, as the end of "The passkey was refused: …". */
export class PasskeyRefusal extends Error {}

/** What an answer has to be made for. */
export interface Ceremony {
  readonly type: "webauthn.create" | "webauthn.get";
  /** Such as `https://hemgate.local:8443`. */
  readonly origin: string;
}

const ClientData = z.object({
  type: z.string(),
  challenge: z.string(),
  origin: z.string(),
  crossOrigin: z.boolean().optional(),
  topOrigin: z.string().optional(),
});

/** Returns the challenge that the answer is for, and the hash that is signed. Whether the challenge counts is left to check. */
export function readClientData(clientDataJson: string, { type, origin }: Ceremony) {
  const bytes = Buffer.from(clientDataJson, "base64url");
  const data = ClientData.safeParse(parsed(bytes.toString("utf8"))).data;
  if (data === undefined) throw new PasskeyRefusal("clientDataJSON is not what browsers send");
  if (data.type !== type) throw new PasskeyRefusal(`it is for ${JSON.stringify(data.type)}, and ${type} was asked for`);
  if (data.origin !== origin || data.crossOrigin === true || data.topOrigin !== undefined) {
    throw new PasskeyRefusal("it was given to another page");
  }
  return { challenge: data.challenge, hash: hash("sha256", bytes, "buffer") };
}

const RP_HASH_BYTES = 32;
const HEAD_BYTES = 37;
const AAGUID_BYTES = 16;
const MIN_ID_BYTES = 16;
const MAX_ID_BYTES = 1_023;
const IS_PRESENT = 0x01;
const IS_VERIFIED = 0x04;
const MAY_BE_COPIED = 0x08;
const IS_COPIED = 0x10;
const HAS_CREDENTIAL = 0x40;

/** Returns the counter of signatures, and the id of a passkey that was just made, base64url; `null` in a sign-in. */
export function readAuthenticatorData(authenticatorData: string, host: string) {
  const bytes = Buffer.from(authenticatorData, "base64url");
  if (bytes.length < HEAD_BYTES) throw new PasskeyRefusal("authenticatorData is too short");
  if (!timingSafeEqual(bytes.subarray(0, RP_HASH_BYTES), hash("sha256", host, "buffer"))) {
    throw new PasskeyRefusal(`it is not for ${host}`);
  }
  const flags = bytes.readUInt8(RP_HASH_BYTES);
  const has = (flag: number): boolean => (flags & flag) !== 0;
  if (!has(IS_PRESENT) || !has(IS_VERIFIED)) {
    throw new PasskeyRefusal("the device did not ask for a fingerprint, a face or a PIN");
  }
  if (has(IS_COPIED) && !has(MAY_BE_COPIED)) throw new PasskeyRefusal("authenticatorData contradicts itself");
  const counter = bytes.readUInt32BE(RP_HASH_BYTES + 1);
  return { counter, credentialId: has(HAS_CREDENTIAL) ? credentialIdIn(bytes.subarray(HEAD_BYTES)) : null };
}

/** Which model the device is, the length of the id, the id; then the public key in CBOR, which is not read. */
function credentialIdIn(bytes: Buffer): string {
  const head = AAGUID_BYTES + 2;
  const length = bytes.length < head ? 0 : bytes.readUInt16BE(AAGUID_BYTES);
  if (length < MIN_ID_BYTES || length > MAX_ID_BYTES || bytes.length <= head + length) {
    throw new PasskeyRefusal("authenticatorData has no whole passkey in it");
  }
  return bytes.subarray(head, head + length).toString("base64url");
}

const MIN_RSA_BITS = 2_048;
const MAX_RSA_BITS = 4_096;

/** Returns a public key of an accepted kind. Throws {@link PasskeyRefusal}. */
export function publicKeyOf(spki: string): KeyObject {
  const key = keyIn(Buffer.from(spki, "base64url"));
  const { namedCurve, modulusLength = 0 } = key?.asymmetricKeyDetails ?? {};
  const isAccepted =
    key?.asymmetricKeyType === "ed25519" ||
    (key?.asymmetricKeyType === "ec" && namedCurve === "prime256v1") ||
    (key?.asymmetricKeyType === "rsa" && modulusLength >= MIN_RSA_BITS && modulusLength <= MAX_RSA_BITS);
  if (key === null || !isAccepted) throw new PasskeyRefusal("its key is of another kind than ES256, Ed25519 and RS256");
  return key;
}

/** Throws unless the signature is of this answer, by this key. */
export function checkSignature(key: KeyObject, authenticatorData: string, clientDataHash: Buffer, signature: string) {
  const signed = Buffer.concat([Buffer.from(authenticatorData, "base64url"), clientDataHash]);
  const digest = key.asymmetricKeyType === "ed25519" ? null : "sha256";
  if (verify(digest, signed, key, Buffer.from(signature, "base64url"))) return;
  throw new PasskeyRefusal("its signature is wrong");
}

/** Throws if the counter did not go on: another device has a copy of the key. Many passkeys do not count and stay at 0. */
export function checkCounter(before: number, counter: number): void {
  if ((before === 0 && counter === 0) || counter > before) return;
  throw new PasskeyRefusal("its counter went back, so there may be a copy of it; remove it and make another one");
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function keyIn(der: Buffer): KeyObject | null {
  try {
    return createPublicKey({ key: der, format: "der", type: "spki" });
  } catch {
    return null;
  }
}
