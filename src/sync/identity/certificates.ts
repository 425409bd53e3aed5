import { X509Certificate } from "node:crypto";
import { fingerprintOf } from "../../platform/signing-key.ts";

const MAX_CERTIFICATES = 6;
const CERTIFICATE = /-----BEGIN CERTIFICATE-----[A-Za-z0-9+/=\s]+-----END CERTIFICATE-----/g;

/** A certificate, key or answer that cannot be used; the message says why. */
export class IdentityError extends Error {
  override readonly name = "IdentityError";
}

/**
 * Returns the certificates of a PEM text, at least one. `what` names the text in errors, such as `its chain`. Throws an
 * `IdentityError`.
 */
export function certificatesOf(pem: string, what: string): readonly X509Certificate[] {
  const texts = pem.match(CERTIFICATE) ?? [];
  if (texts.length === 0) throw new IdentityError(`${what} has no certificate`);
  return texts.map((text, index) => {
    try {
      return new X509Certificate(text);
    } catch (cause) {
      throw new IdentityError(`certificate ${index + 1} of ${what} cannot be read`, { cause });
    }
  });
}

/**
 * Checks that a chain is signed from one certificate to the next, and is for the key. Returns when the first of the
 * certificates expires, wall-clock ms. Throws an `IdentityError`.
 */
export function checkChain(chainPem: string, fingerprint: string, what: string): number {
  const chain = certificatesOf(chainPem, what);
  if (chain.length > MAX_CERTIFICATES) {
    throw new IdentityError(`${what} has more than ${MAX_CERTIFICATES} certificates`);
  }
  if (chain[0] === undefined || fingerprintOf(chain[0].publicKey) !== fingerprint) {
    throw new IdentityError(`the certificate of ${what} is for another key`);
  }
  for (const [index, issuer] of chain.slice(1).entries()) {
    if (chain[index]?.verify(issuer.publicKey) !== true) {
      throw new IdentityError(`certificate ${index + 1} of ${what} is not signed by the next one`);
    }
  }
  return Math.min(...chain.map(({ validToDate }) => validToDate.getTime()));
}
