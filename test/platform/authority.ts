import { makeCertificate } from "../../src/platform/certificate.ts";
import { nodeRandom as random } from "../../src/platform/node/node-random.ts";
import { SigningKey } from "../../src/platform/signing-key.ts";

const HOUR = 3_600_000;
const SERIAL_BYTES = 8;

/** An authority that nobody knows yet, and the certificates that it issues: of this very hour, for real TLS. */
export class Authority {
  readonly name: string;
  readonly pem: string;
  readonly #key = SigningKey.make(random);

  constructor(name = "Test Authority") {
    this.name = name;
    this.pem = this.#certificate({ subject: name, publicKeyDer: this.#key.publicKeyDer, isAuthority: true });
  }

  /** A key, and its certificate for a client, or for a server with these names. */
  issue(subject: string, hosts: readonly string[] = []): { readonly pem: string; readonly keyPem: string } {
    const key = SigningKey.make(random);
    const pem = this.#certificate({ subject, publicKeyDer: key.publicKeyDer, hosts });
    return { pem, keyPem: key.privateKeyPem };
  }

  #certificate(
    content: Pick<Parameters<typeof makeCertificate>[0], "subject" | "publicKeyDer" | "hosts" | "isAuthority">,
  ) {
    const fromMs = Date.now() - HOUR;
    return makeCertificate({
      ...content,
      issuer: { name: this.name, key: this.#key },
      fromMs,
      untilMs: fromMs + 48 * HOUR,
      serial: random.secretBytes(SERIAL_BYTES),
    });
  }
}
