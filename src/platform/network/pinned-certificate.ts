import { HttpError } from "../ports/http-error.ts";
import type { PinnedCertificate } from "../ports/ports.ts";

/** The certificate that one client trusts: the pinned one, or the first that it meets. */
export class CertificatePin {
  readonly #policy: PinnedCertificate;
  #trusted: string | null;

  constructor(policy: PinnedCertificate) {
    this.#policy = policy;
    this.#trusted = policy.sha256 === null ? null : plainFingerprint(policy.sha256);
  }

  /** Throws `HttpError("untrusted")` for any other certificate. */
  check(host: string, fingerprint: string): void {
    const sha256 = plainFingerprint(fingerprint);
    if (this.#trusted !== null && this.#trusted !== sha256) {
      const change = `SHA-256 ${sha256} instead of ${this.#trusted}`;
      throw new HttpError("untrusted", `the certificate of ${host} is not the pinned one: ${change}`);
    }
    this.#trusted = sha256;
    this.#policy.seen(sha256);
  }
}

function plainFingerprint(text: string): string {
  return text.replaceAll(":", "").toLowerCase();
}
