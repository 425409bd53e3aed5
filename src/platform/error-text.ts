/** Sentences for errors of Node and of libraries. Their own messages are not shown: they are jargon, and may quote input. */
import type { ReachFault } from "../points/device-error.ts";

const REACH_FAULTS: Readonly<Record<string, ReachFault>> = {
  ECONNREFUSED: "connection-refused",
  EHOSTUNREACH: "no-such-host",
  EHOSTDOWN: "no-such-host",
  ENETUNREACH: "no-such-host",
  ETIMEDOUT: "no-such-host",
  ENOTFOUND: "name-not-found",
  EAI_AGAIN: "name-not-found",
};

/** What the system says is wrong on the way to a host; null for what it does not say. */
export function reachFault(error: unknown): ReachFault | null {
  return REACH_FAULTS[codeOf(error) ?? ""] ?? null;
}

const NO_DESCRIPTORS = "this machine has too many files and connections open; restart the gateway";

const CONNECTIONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: "the host answers, but nothing accepts connections at this port",
  ECONNRESET: "the other side ended the connection",
  ECONNABORTED: "the connection was cut off",
  EPIPE: "the other side ended the connection",
  ERR_STREAM_PREMATURE_CLOSE: "the other side ended the connection",
  EHOSTUNREACH: "no host answers at this address",
  EHOSTDOWN: "no host answers at this address",
  ENETUNREACH: "there is no way to this network",
  ENETDOWN: "this machine's network is down",
  ETIMEDOUT: "no answer in time",
  ENOTFOUND: "the network knows no host of this name",
  EAI_AGAIN: "the network does not say where this name is",
  EADDRNOTAVAIL: "this machine has no address to connect from",
  EADDRINUSE: "the port is taken by another program",
  EMFILE: NO_DESCRIPTORS,
  ENFILE: NO_DESCRIPTORS,
  ENOBUFS: "this machine has no memory left for connections",
};

const CLOCK = "check the clocks of both machines";
const ISSUER =
  "the authority that issued the certificate is not known to this machine; name that authority, or let the server send the whole chain";
const SELF_SIGNED = "the certificate is signed by itself; name it as the authority, or use one of a known authority";
const NO_TLS = "this port does not speak TLS; check the port, and whether the address begins with https:// or mqtts://";
const TLS_VERSIONS = "the two sides have no version or cipher of TLS in common; update the older one";

/** Of certificates that this side does not accept. */
const CERTIFICATES: Readonly<Record<string, string>> = {
  CERT_HAS_EXPIRED: `the certificate has expired; renew it, or ${CLOCK}`,
  CERT_NOT_YET_VALID: `the certificate is not valid yet; ${CLOCK}`,
  CERT_REVOKED: "the certificate was revoked; replace it on the server",
  CERT_REJECTED: "the certificate is not accepted here",
  CERT_UNTRUSTED: ISSUER,
  CERT_SIGNATURE_FAILURE: "the signature of the certificate is wrong; replace it on the server",
  CERT_CHAIN_TOO_LONG: "the chain of certificates is too long",
  DEPTH_ZERO_SELF_SIGNED_CERT: SELF_SIGNED,
  SELF_SIGNED_CERT_IN_CHAIN: ISSUER,
  UNABLE_TO_GET_ISSUER_CERT: ISSUER,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: ISSUER,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: ISSUER,
  INVALID_CA: "one of the certificates in the chain is not one of an authority",
  INVALID_PURPOSE: "the certificate is not made for a server",
  HOSTNAME_MISMATCH: "the certificate is for another name",
  ERR_TLS_CERT_ALTNAME_INVALID: "the certificate is for another name; use a name that stands in it",
};

const TLS: Readonly<Record<string, string>> = {
  ERR_SSL_WRONG_VERSION_NUMBER: NO_TLS,
  ERR_SSL_PACKET_LENGTH_TOO_LONG: NO_TLS,
  ERR_SSL_HTTP_REQUEST: NO_TLS,
  EPROTO: NO_TLS,
  ERR_SSL_UNSUPPORTED_PROTOCOL: TLS_VERSIONS,
  ERR_SSL_NO_PROTOCOLS_AVAILABLE: TLS_VERSIONS,
  ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION: TLS_VERSIONS,
  ERR_SSL_SSLV3_ALERT_HANDSHAKE_FAILURE: TLS_VERSIONS,
  ERR_SSL_DH_KEY_TOO_SMALL: "the server's key is too short to be safe; update the server",
  ERR_SSL_EE_KEY_TOO_SMALL: "the server's key is too short to be safe; update the server",
  ERR_SSL_CA_MD_TOO_WEAK: "the server's certificate is signed in a way that is not safe any more; replace it",
};

/** Alerts are the server's word about what this side showed. The names differ between versions of TLS. */
const ALERTS: readonly (readonly [RegExp, string])[] = [
  [/CERTIFICATE_REQUIRED$/, "it wants a certificate of the gateway, and got none"],
  [/UNKNOWN_CA$/, "it does not know the authority of the certificate that it was shown"],
  [/CERTIFICATE_EXPIRED$/, "the certificate that it was shown has expired"],
  [/CERTIFICATE_REVOKED$/, "the certificate that it was shown was revoked"],
  [
    /(BAD|UNSUPPORTED|UNKNOWN)_CERTIFICATE|CERTIFICATE_UNKNOWN$/,
    "it does not accept the certificate that it was shown",
  ],
  [/ACCESS_DENIED$/, "it does not let this gateway in"],
  [/UNRECOGNIZED_NAME$/, "it does not know the name that it was called by"],
  [/HANDSHAKE_FAILURE|PROTOCOL_VERSION|INSUFFICIENT_SECURITY/, TLS_VERSIONS],
];

const FILES: Readonly<Record<string, string>> = {
  ENOENT: "there is no such file or folder",
  EACCES: "this user may not use it",
  EPERM: "this user may not use it",
  EROFS: "the file system cannot be written",
  EEXIST: "it is there already",
  ENOTDIR: "part of the path is no folder",
  EISDIR: "it is a folder",
  ENOTEMPTY: "the folder is not empty",
  ENAMETOOLONG: "the path is too long",
  ELOOP: "the path leads in a circle",
  ENOSPC: "the disk is full",
  EDQUOT: "the disk quota is used up",
  EIO: "the disk or the device reports a failure; it may be defective",
  EBUSY: "another program uses it",
  ENXIO: "there is no such device",
  ENODEV: "there is no such device",
  ENOMEM: "this machine has no memory left",
  ERR_ENCODING_INVALID_ENCODED_DATA: "it is not UTF-8 text",
  ERR_MODULE_NOT_FOUND: "there is no such module, or one that it needs is missing",
  MODULE_NOT_FOUND: "there is no such module, or one that it needs is missing",
};

/** Bugs throw these, and their texts may quote what was read: `JSON.parse` does. `RangeError` is also thrown on purpose. */
const BUGS = new Set(["TypeError", "ReferenceError", "SyntaxError", "URIError", "EvalError", "AssertionError"]);

/**
 * Why something failed, for people: the message of an error of ours, and for one of Node or a library a sentence for its
 * code, or the code in brackets where there is no sentence.
 */
export function errorText(error: unknown): string {
  if (!(error instanceof Error)) return "it failed without a reason";
  const code = ownCode(error);
  if (code !== null) return sentence(code) ?? `it failed (${code})`;
  if (BUGS.has(error.name)) return `an internal error (${error.name})`;
  return error.message === "" ? `it failed (${error.name})` : error.message;
}

/** The same of a connection, whose code may be that of a cause. */
export function connectionFault(error: Error): string {
  const code = codeOf(error);
  if (code === null) return error.message === "" ? "no connection" : errorText(error);
  // Several addresses of one name that all failed come as one error without a message.
  return sentence(code) ?? `the connection failed (${code})`;
}

/** Why this side does not accept a certificate; null for a code that is not about that. */
export function certificateFault(code: string): string | null {
  const known = CERTIFICATES[code];
  if (known !== undefined) return known;
  return /CERT|SELF_SIGNED|UNABLE_TO_VERIFY|ALTNAME/.test(code) ? `the certificate is not valid (${code})` : null;
}

/** Why the server ended a TLS handshake; null for a code that is not about that. */
export function alertFault(code: string): string | null {
  if (!code.includes("_ALERT_")) return null;
  return ALERTS.find(([pattern]) => pattern.test(code))?.[1] ?? `it gave no reason that is known here (${code})`;
}

function sentence(code: string): string | null {
  const known = CONNECTIONS[code] ?? TLS[code] ?? FILES[code];
  if (known !== undefined) return known;
  if (code.startsWith("HPE_")) return "the answer is not HTTP; check the port";
  const alert = alertFault(code);
  return alert === null ? certificateFault(code) : `the server refused the TLS connection: ${alert}`;
}

/** The code that Node and its libraries put on an error (`EADDRINUSE`), of the error itself or of a cause; or null. */
export function codeOf(error: unknown): string | null {
  const seen = new Set<unknown>();
  for (let at = error; at instanceof Error && !seen.has(at); at = at.cause) {
    seen.add(at);
    const code = ownCode(at);
    if (code !== null) return code;
  }
  return null;
}

function ownCode(error: Error): string | null {
  return "code" in error && typeof error.code === "string" && error.code !== "" ? error.code : null;
}

/** Returns the first line of an error's stack that names a file, without the message above it; `null` if there is none. */
export function placeOfBug(error: unknown): string | null {
  if (!(error instanceof Error) || error.stack === undefined) return null;
  const lines = error.stack.split("\n").map((line) => line.trim());
  return lines.find((line) => line.startsWith("at ") && /:\d{1,9}:\d{1,9}\)?$/.test(line)) ?? null;
}
