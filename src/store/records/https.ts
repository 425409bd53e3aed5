/** A certificate with its private key: `authority` is the house's own, `server` the one that it issued last. */
export interface HttpsRecord {
  /** PEM. */
  readonly certificate: string;
  /** PKCS #8, PEM. */
  readonly privateKeyPem: string;
  /** Of the authority: the domains that it may issue for. Of the server: its names and addresses. */
  readonly names: readonly string[];
}
