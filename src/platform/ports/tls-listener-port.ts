/** The port for TLS that others connect to. */

/** A certificate, with those of its issuers behind it, and its private key; both PEM. */
export interface ServerCertificate {
  readonly certificate: string;
  readonly privateKeyPem: string;
}

/** Disposing it stops listening; connections that have not ended by themselves soon after are ended. */
export interface TlsListener extends AsyncDisposable {
  readonly port: number;
  /** New connections get this certificate from now on. Throws an `Error` if it cannot be used. */
  use(certificate: ServerCertificate): void;
}

/**
 * Listens for TLS connections. `accept` takes each that has been set up, as Node's HTTP server takes connections. Rejects
 * with an `Error` that has `address` and `port` if it cannot listen there.
 */
export type TlsListen = (
  address: { readonly host: string; readonly port: number },
  certificate: ServerCertificate,
  accept: (connection: object) => void,
) => Promise<TlsListener>;
