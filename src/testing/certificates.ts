/** X.509 certificates (RFC 5280) of an authority that tests make up. */
import { bits, der, integer, objectId, octets, pem, sequence } from "../platform/der.ts";
import { ECDSA_WITH_SHA256, nameOf, type SigningKey } from "../platform/signing-key.ts";

const VERSION_3 = der(0xa0, integer(Uint8Array.of(2)));
const TRUE = der(0x01, Uint8Array.of(0xff));
const BASIC_CONSTRAINTS = "2.5.29.19";
const ALTERNATIVE_NAMES = "2.5.29.17";

/** What a certificate states. */
export interface CertificateContent {
  /** Common name. */
  readonly subject: string;
  readonly publicKeyDer: Uint8Array;
  readonly issuer: { readonly name: string; readonly key: SigningKey };
  /** Whole seconds of wall-clock ms. */
  readonly fromMs: number;
  readonly untilMs: number;
  readonly serial: Uint8Array;
  readonly isAuthority?: boolean;
  /** Host names that it is valid for. */
  readonly hosts?: readonly string[];
}

/** Issues a certificate, as PEM. */
export function makeCertificate(content: CertificateContent): string {
  const { subject, publicKeyDer, issuer, fromMs, untilMs, serial, isAuthority = false, hosts = [] } = content;
  const extensions = [
    ...(isAuthority ? [sequence(objectId(BASIC_CONSTRAINTS), TRUE, octets(sequence(TRUE)))] : []),
    ...(hosts.length > 0 ? [sequence(objectId(ALTERNATIVE_NAMES), octets(sequence(...hosts.map(hostName))))] : []),
  ];
  const signed = sequence(
    VERSION_3,
    integer(serial),
    ECDSA_WITH_SHA256,
    nameOf(issuer.name),
    sequence(time(fromMs), time(untilMs)),
    nameOf(subject),
    publicKeyDer,
    ...(extensions.length > 0 ? [der(0xa3, sequence(...extensions))] : []),
  );
  return pem("CERTIFICATE", sequence(signed, ECDSA_WITH_SHA256, bits(issuer.key.signature(signed))));
}

function hostName(host: string): Uint8Array {
  return der(0x82, new TextEncoder().encode(host));
}

/** Until 2049 with two digits of the year, afterwards with four (4.1.2.5). */
function time(ms: number): Uint8Array {
  const digits = new Date(ms).toISOString().replaceAll(/[-:T]/g, "").slice(0, 14);
  const isShort = Number(digits.slice(0, 4)) < 2050;
  const text = `${isShort ? digits.slice(2) : digits}Z`;
  return der(isShort ? 0x17 : 0x18, new TextEncoder().encode(text));
}
