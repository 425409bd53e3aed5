import { X509Certificate } from "node:crypto";
import { fingerprintOf } from "../../platform/signing-key.ts";

const MAX_CERTIFICATES = 6;
const CERTIFICATE = /-----BEGIN CERTIFICATE-----[A-Za-z0-9+/=\s]+-----END CERTIFICATE-----/g;

/** What somebody gave the gateway to be known by, or to know others by, cannot be used; the text says why. */
export class IdentityMistake extends Error {
  override readonly name = "IdentityMistake";
}

/** Those of a PEM text, one at least. `what` names it, such as `its chain`. Throws an `IdentityMistake`. */
export function certificatesOf(pem: string, what: string): readonly X509Certificate[] {
  const texts = pem.match(CERTIFICATE) ?? [];
  if (texts.length === 0) throw new IdentityMistake(`${what} has no certificate`);
  return texts.map((text, index) => {
    try {
      return new X509Certificate(text);
    } catch (cause) {
      throw new IdentityMistake(`certificate ${index + 1} of ${what} is none`, { cause });
    }
  });
}

/** Answers when the first of its certificates ends, wall-clock ms. Throws an `IdentityMistake`. */
export function checkChain(chainPem: string, fingerprint: string, what: string): number {
  const chain = certificatesOf(chainPem, what);
  if (chain.length > MAX_CERTIFICATES) {
    throw new IdentityMistake(`${what} has more than ${MAX_CERTIFICATES} certificates`);
  }
  if (chain[0] === undefined || fingerprintOf(chain[0].publicKey) !== fingerprint) {
    throw new IdentityMistake(`the certificate of ${what} is for another key`);
  }
  for (const [index, issuer] of chain.slice(1).entries()) {
    if (chain[index]?.verify(issuer.publicKey) !== true) {
      throw new IdentityMistake(`certificate ${index + 1} of ${what} is not signed by the next one`);
    }
  }
  return Math.min(...chain.map(({ validToDate }) => validToDate.getTime()));
}
