/** A service that enrols gateways, as docs/cloud-enrolment.md asks of one: tokens, an authority, gateways and their keys. */

import { makeCertificate } from "../../../src/platform/certificate.ts";
import type { Clock, Random } from "../../../src/platform/ports/ports.ts";
import { fingerprintOf, isSignedBy, SigningKey, verificationKey } from "../../../src/platform/signing-key.ts";
import type { SimWebAnswer, SimWebRequest } from "../../../src/testing/network/sim-web.ts";

const PROOF = "hemgate-proof";
const DAY_MS = 86_400_000;
const SECRET_BYTES = 16;
const SERIAL_BYTES = 8;
const AUTHORITY = "Twin Authority";

interface Token {
  /** The gateway that it made, and the key that used it; null: it was not used. */
  use: { readonly gateway: string; readonly fingerprint: string } | null;
}

interface Key {
  readonly fingerprint: string;
  readonly pem: string;
  isUsed: boolean;
}

export interface EnrolmentTwinOptions {
  readonly clock: Pick<Clock, "nowMs">;
  readonly random: Random;
  /** With a slash at its end. */
  readonly url: string;
  readonly certificateDays?: number;
  /** Names and passwords instead of certificates. */
  readonly hasPasswords?: boolean;
}

export class EnrolmentTwin {
  readonly #options: EnrolmentTwinOptions;
  readonly #authority: SigningKey;
  readonly #signer: SigningKey;
  readonly #tokens = new Map<string, Token>();
  readonly #gateways = new Map<string, Key[]>();
  /** Changes an answer before it is signed. */
  mangle: (answer: Record<string, unknown>) => Record<string, unknown> = (answer) => answer;
  /** What happens to answers on their way; what was asked is done. */
  fault: Pick<SimWebAnswer, "fault" | "status"> | null = null;
  /** True: answers are signed with a key that is not the service's. */
  isImpostor = false;
  /** Requests so far, by their path. */
  readonly asked: string[] = [];

  constructor(options: EnrolmentTwinOptions) {
    this.#options = options;
    this.#authority = SigningKey.make(options.random);
    this.#signer = SigningKey.make(options.random);
  }

  /** A token as an owner is given it. */
  issueToken(): string {
    const secret = Buffer.from(this.#options.random.secretBytes(SECRET_BYTES)).toString("base64url");
    this.#tokens.set(secret, { use: null });
    return `${this.#options.url}#${secret}`;
  }

  /** Fingerprints of the keys by which a gateway may sign in, oldest first. */
  keysOf(gateway: string): readonly string[] {
    return (this.#gateways.get(gateway) ?? []).map(({ fingerprint }) => fingerprint);
  }

  /** The certificate of who issues those of gateways, PEM. */
  get authorityPem(): string {
    const { clock, random, certificateDays = 90 } = this.#options;
    return makeCertificate({
      subject: AUTHORITY,
      publicKeyDer: this.#authority.publicKeyDer,
      issuer: { name: AUTHORITY, key: this.#authority },
      fromMs: clock.nowMs() - 60_000,
      untilMs: clock.nowMs() + (certificateDays + 1) * DAY_MS,
      serial: random.secretBytes(SERIAL_BYTES),
      isAuthority: true,
    });
  }

  get gateways(): readonly string[] {
    return [...this.#gateways.keys()];
  }

  /** A gateway signed in: its older keys count no more. False: not with that key. */
  signIn(gateway: string, fingerprint: string): boolean {
    const keys = this.#gateways.get(gateway) ?? [];
    const at = keys.findIndex((key) => key.fingerprint === fingerprint);
    const key = keys[at];
    if (key === undefined) return false;
    key.isUsed = true;
    this.#gateways.set(gateway, keys.slice(at));
    return true;
  }

  /** Whoever runs the service does not want a gateway any more. */
  revoke(gateway: string): void {
    this.#gateways.delete(gateway);
  }

  /** What `SimWeb` serves. */
  answer(request: SimWebRequest): SimWebAnswer {
    const base = new URL(this.#options.url).pathname;
    const path = request.path.startsWith(base) ? request.path.slice(base.length) : "";
    this.asked.push(path);
    const answer = this.#answer(path, request);
    return this.fault === null ? answer : { ...answer, ...this.fault };
  }

  #answer(path: string, { method, headers, body }: SimWebRequest): SimWebAnswer {
    const [, gateway = "", what] = /^v1\/gateways\/([^/]+)\/(renewals|farewells)$/.exec(path) ?? [];
    if (method !== "POST") return refusal(405, "only POST");
    const asked: unknown = JSON.parse(body);
    const proof = headers[PROOF] ?? "";
    if (path === "v1/enrolments") return this.#enrol(asked, body, proof);
    if (what === "renewals") return this.#renew(gateway, asked, body, proof);
    if (what === "farewells") return this.#farewell(gateway, asked, body, proof);
    return refusal(404, "no such path");
  }

  #enrol(asked: unknown, body: string, proof: string): SimWebAnswer {
    const token = this.#tokens.get(textOf(asked, "token"));
    const key = keyOf(asked, body, proof);
    if (token === undefined) return refusal(401, "This token is not known.");
    if (key === null) return refusal(400, "The request is not signed with its key.");
    if (token.use !== null && token.use.fingerprint !== key.fingerprint) {
      return refusal(410, "This token was used already.");
    }
    const gateway = token.use?.gateway ?? `gw-${this.#gateways.size + 1}`;
    token.use = { gateway, fingerprint: key.fingerprint };
    this.#gateways.set(gateway, [key]);
    return this.#given(gateway, key);
  }

  #renew(gateway: string, asked: unknown, body: string, proof: string): SimWebAnswer {
    const keys = this.#gateways.get(gateway) ?? [];
    const signer = keys.find(({ pem }) => isSigned(pem, body, proof));
    if (signer === undefined) return refusal(403, "This gateway is not enrolled.");
    const key = { pem: textOf(asked, "publicKeyPem"), fingerprint: fingerprintOfPem(textOf(asked, "publicKeyPem")) };
    const isKnown = keys.some(({ fingerprint }) => fingerprint === key.fingerprint);
    // One key that was not used yet beside the one that signs: what was asked for before it got lost.
    if (!isKnown) this.#gateways.set(gateway, [signer, { ...key, isUsed: false }]);
    return this.#given(gateway, key);
  }

  #farewell(gateway: string, asked: unknown, body: string, proof: string): SimWebAnswer {
    const keys = this.#gateways.get(gateway) ?? [];
    const gone = keys.find(({ fingerprint }) => fingerprint === textOf(asked, "fingerprint"));
    if (gone === undefined || !isSigned(gone.pem, body, proof)) return refusal(404, "no such key");
    const left = keys.filter((key) => key !== gone);
    if (left.length === 0) this.#gateways.delete(gateway);
    else this.#gateways.set(gateway, left);
    return { status: 204 };
  }

  #given(gateway: string, key: Pick<Key, "pem">): SimWebAnswer {
    const answer = this.mangle({
      v: 1,
      gateway,
      uplinks: [
        { kind: "mqtt", servers: ["mqtts://mqtt.cloud.example"], topicPrefix: "hemgate" },
        { kind: "carrier-pigeon", loft: 7 },
        { kind: "https", url: "https://sync.cloud.example/" },
      ],
      credentials: this.#credentials(gateway, key),
      verificationKeyPem: this.#signer.publicKeyPem,
    });
    const body = JSON.stringify(answer);
    const signer = this.isImpostor ? SigningKey.make(this.#options.random) : this.#signer;
    return { status: 200, headers: { [PROOF]: signer.sign(new TextEncoder().encode(body)) }, body };
  }

  #credentials(gateway: string, { pem }: Pick<Key, "pem">): object {
    const { clock, random, certificateDays = 90, hasPasswords = false } = this.#options;
    const fromMs = clock.nowMs() - 60_000;
    const untilMs = clock.nowMs() + certificateDays * DAY_MS;
    if (hasPasswords) return { kind: "password", username: gateway, password: random.uuid(), expiresAtMs: untilMs };
    const issuer = { name: AUTHORITY, key: this.#authority };
    const publicKeyDer = derOf(pem);
    const serial = random.secretBytes(SERIAL_BYTES);
    const own = makeCertificate({ subject: gateway, publicKeyDer, issuer, fromMs, untilMs, serial });
    return { kind: "certificate", chainPem: `${own}${this.authorityPem}` };
  }
}

/** The key of a request that it signs itself. */
function keyOf(asked: unknown, body: string, proof: string): Key | null {
  const pem = textOf(asked, "publicKeyPem");
  const isAsked = textOf(asked, "csrPem").startsWith("-----BEGIN CERTIFICATE REQUEST-----");
  return isAsked && isSigned(pem, body, proof) ? { pem, fingerprint: fingerprintOfPem(pem), isUsed: false } : null;
}

function isSigned(pem: string, body: string, proof: string): boolean {
  const key = verificationKey(pem);
  return key !== null && isSignedBy(key, new TextEncoder().encode(body), proof);
}

function fingerprintOfPem(pem: string): string {
  const key = verificationKey(pem);
  return key === null ? "" : fingerprintOf(key);
}

function derOf(pem: string): Uint8Array {
  return Buffer.from(pem.replaceAll(/-----[^-]+-----|\s/g, ""), "base64");
}

function textOf(asked: unknown, name: string): string {
  const text: unknown = Reflect.get(Object(asked), name);
  return typeof text === "string" ? text : "";
}

function refusal(status: number, detail: string): SimWebAnswer {
  return { status, body: JSON.stringify({ detail }) };
}
