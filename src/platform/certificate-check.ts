/** Looks at server certificates and their keys before they are used. */
import { createPrivateKey, type KeyObject, X509Certificate } from "node:crypto";
import { addressBytes } from "./network/ip-network.ts";
import type { ServerCertificate } from "./ports/tls-listener-port.ts";

/** What a certificate states. */
export interface CertificateFacts {
  /** Host names and IP addresses. */
  readonly names: readonly string[];
  /** Wall-clock ms. */
  readonly fromMs: number;
  readonly untilMs: number;
  /** SHA-256 of the certificate, hexadecimal digits with colons. */
  readonly fingerprint: string;
  readonly der: Uint8Array;
}

/** Returns why a certificate cannot be used with this key, for people; `null` if it can. Dates are not looked at. */
export function certificateProblem({ certificate, privateKeyPem }: ServerCertificate): string | null {
  const parsed = parse(() => new X509Certificate(certificate));
  if (parsed === null) return "the certificate is not one in PEM";
  if (/^-----BEGIN ENCRYPTED PRIVATE KEY|^Proc-Type: .*ENCRYPTED/mu.test(privateKeyPem)) {
    return "the private key has a passphrase; write it without one (`openssl pkey -in KEY -out NEW`)";
  }
  const key = parse<KeyObject>(() => createPrivateKey(privateKeyPem));
  if (key === null) return "the private key is not one in PEM";
  return parsed.checkPrivateKey(key) ? null : "the private key does not belong to the certificate";
}

/** Returns what is wrong with a certificate's time, for people; `null` if nothing is. */
export function validityProblem({ fromMs, untilMs }: CertificateFacts, nowMs: number): string | null {
  if (nowMs >= untilMs) return `the certificate has expired on ${day(untilMs)}; replace it`;
  return nowMs < fromMs ? `the certificate is not valid before ${day(fromMs)}` : null;
}

/** Reads the first certificate of a PEM text. Throws if there is none. */
export function certificateFacts(pem: string): CertificateFacts {
  const { subjectAltName = "", validFromDate, validToDate, fingerprint256, raw } = new X509Certificate(pem);
  return {
    names: subjectAltName.split(", ").flatMap((name) => /^(?:DNS|IP Address):(.+)$/u.exec(name)?.[1] ?? []),
    fromMs: validFromDate.getTime(),
    untilMs: validToDate.getTime(),
    fingerprint: fingerprint256,
    der: new Uint8Array(raw),
  };
}

/** Returns true if a certificate is for a host name or an IP address. */
export function isFor(pem: string, host: string): boolean {
  const certificate = new X509Certificate(pem);
  const plain = host.replace(/^\[|\]$/gu, "");
  if (plain === "") return false;
  return (addressBytes(plain) === null ? certificate.checkHost(plain) : certificate.checkIP(plain)) !== undefined;
}

function parse<T>(read: () => T): T | null {
  try {
    return read();
  } catch {
    return null;
  }
}

function day(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}
