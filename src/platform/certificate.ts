/** Writes X.509 certificates (RFC 5280) of a P-256 authority: for the house's https, and for those that tests make up. */
import { createHash } from "node:crypto";
import { bits, der, integer, objectId, octets, pem, sequence } from "./der.ts";
import { addressBytes } from "./network/ip-network.ts";
import { ECDSA_WITH_SHA256, nameOf, type SigningKey } from "./signing-key.ts";

const VERSION_3 = der(0xa0, integer(Uint8Array.of(2)));
const TRUE = der(0x01, Uint8Array.of(0xff));
const SUBJECT_KEY_ID = "2.5.29.14";
const KEY_USAGE = "2.5.29.15";
const ALTERNATIVE_NAMES = "2.5.29.17";
const BASIC_CONSTRAINTS = "2.5.29.19";
const NAME_CONSTRAINTS = "2.5.29.30";
const AUTHORITY_KEY_ID = "2.5.29.35";
const EXTENDED_KEY_USAGE = "2.5.29.37";
const SERVER_AUTHENTICATION = "1.3.6.1.5.5.7.3.1";
const KEY_ID_BYTES = 20;
/** keyCertSign and cRLSign; digitalSignature. */
const SIGNS_CERTIFICATES = bits(Uint8Array.of(0b0000_0110), 1);
const SIGNS_HANDSHAKES = bits(Uint8Array.of(0b1000_0000), 7);

/** What an authority may issue certificates for. */
export interface PermittedNames {
  /** Each with all names below it: `lan` permits `box.lan`. */
  readonly domains: readonly string[];
  /** Such as `192.168.0.0/16`. */
  readonly networks: readonly string[];
}

/** What a certificate states. */
export interface CertificateContent {
  /** Common name. */
  readonly subject: string;
  readonly publicKeyDer: Uint8Array;
  readonly issuer: { readonly name: string; readonly key: Pick<SigningKey, "publicKeyDer" | "signature"> };
  /** Whole seconds of wall-clock ms. */
  readonly fromMs: number;
  readonly untilMs: number;
  readonly serial: Uint8Array;
  readonly isAuthority?: boolean;
  /** Of an authority. Absent: everything. */
  readonly permitted?: PermittedNames;
  /** Host names and IP addresses of a server. Absent: the certificate is of no server. */
  readonly hosts?: readonly string[];
}

/** Issues a certificate, as PEM. */
export function makeCertificate(content: CertificateContent): string {
  const { subject, publicKeyDer, issuer, fromMs, untilMs, serial } = content;
  const signed = sequence(
    VERSION_3,
    integer(serial),
    ECDSA_WITH_SHA256,
    nameOf(issuer.name),
    sequence(time(fromMs), time(untilMs)),
    nameOf(subject),
    publicKeyDer,
    der(0xa3, sequence(...extensionsOf(content))),
  );
  return pem("CERTIFICATE", sequence(signed, ECDSA_WITH_SHA256, bits(issuer.key.signature(signed))));
}

function extensionsOf(content: CertificateContent): readonly Uint8Array[] {
  const { publicKeyDer, issuer, isAuthority = false, permitted, hosts = [] } = content;
  const keyIds = [
    extension(SUBJECT_KEY_ID, octets(keyId(publicKeyDer))),
    extension(AUTHORITY_KEY_ID, sequence(der(0x80, keyId(issuer.key.publicKeyDer)))),
  ];
  if (isAuthority) {
    return [
      // Of servers and clients only, and of no further authorities.
      critical(BASIC_CONSTRAINTS, sequence(TRUE, integer(Uint8Array.of(0)))),
      critical(KEY_USAGE, SIGNS_CERTIFICATES),
      ...(permitted === undefined ? [] : [critical(NAME_CONSTRAINTS, constraints(permitted))]),
      ...keyIds,
    ];
  }
  const ofServer = [
    extension(EXTENDED_KEY_USAGE, sequence(objectId(SERVER_AUTHENTICATION))),
    extension(ALTERNATIVE_NAMES, sequence(...hosts.map(alternativeName))),
  ];
  return [critical(KEY_USAGE, SIGNS_HANDSHAKES), ...(hosts.length > 0 ? ofServer : []), ...keyIds];
}

function extension(id: string, value: Uint8Array): Uint8Array {
  return sequence(objectId(id), octets(value));
}

/** One that a reader who does not know it has to refuse. */
function critical(id: string, value: Uint8Array): Uint8Array {
  return sequence(objectId(id), TRUE, octets(value));
}

/** Names a key (RFC 7093). */
function keyId(publicKeyDer: Uint8Array): Uint8Array {
  return new Uint8Array(createHash("sha256").update(publicKeyDer).digest()).subarray(0, KEY_ID_BYTES);
}

function constraints({ domains, networks }: PermittedNames): Uint8Array {
  const subtrees = [...domains.map(dnsName), ...networks.map(networkName)].map((name) => sequence(name));
  return sequence(der(0xa0, ...subtrees));
}

function alternativeName(host: string): Uint8Array {
  const address = addressBytes(host);
  return address === null ? dnsName(host) : der(0x87, address);
}

function dnsName(name: string): Uint8Array {
  return der(0x82, new TextEncoder().encode(name));
}

/** A network's address and mask (RFC 5280, 4.2.1.10). */
function networkName(network: string): Uint8Array {
  const [base = "", length = ""] = network.split("/");
  const address = addressBytes(base);
  if (address === null) throw new RangeError(`${network} is no network`);
  const prefix = Number(length);
  const mask = address.map((_byte, index) => {
    const ones = Math.min(8, Math.max(0, prefix - 8 * index));
    return 256 - 2 ** (8 - ones);
  });
  return der(0x87, address, mask);
}

/** Until 2049 with two digits of the year, afterwards with four (4.1.2.5). */
function time(ms: number): Uint8Array {
  const digits = new Date(ms).toISOString().replaceAll(/[-:T]/g, "").slice(0, 14);
  const isShort = Number(digits.slice(0, 4)) < 2050;
  const text = `${isShort ? digits.slice(2) : digits}Z`;
  return der(isShort ? 0x17 : 0x18, new TextEncoder().encode(text));
}
