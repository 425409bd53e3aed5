/** Sends requests to an enrolment service over HTTPS; docs/cloud-enrolment.md has the protocol. */
import { refuseAddress } from "../../platform/network/address-policy.ts";
import { HttpError } from "../../platform/ports/http-error.ts";
import type { Clock, Http, HttpAnswer } from "../../platform/ports/ports.ts";
import { isSignedBy, type SigningKey, verificationKey } from "../../platform/signing-key.ts";
import { TimeoutError, within } from "../../platform/within.ts";
import type { CloudDeregistrationRecord, CloudIdentityRecord } from "../../store/records/cloud/cloud.ts";
import { IdentityError } from "./certificates.ts";
import {
  ENROLMENT_VERSION,
  type EnrolmentRequest,
  MAX_ANSWER_BYTES,
  PROOF_HEADER,
  RefusalBody,
  type RenewalRequest,
} from "./messages.ts";
import { parseIdentity } from "./parse-identity.ts";
import type { EnrolmentToken } from "./token.ts";

const ANSWER_MS = 30_000;
const OK: ReadonlySet<number> = new Set([200, 201, 204]);
/** Statuses after which the same request will be refused again. */
const REFUSED: ReadonlySet<number> = new Set([400, 401, 403, 404, 409, 410, 422]);

/**
 * Why an enrolment or renewal failed. `refused`: the service refuses the gateway. `unreachable`: the service cannot be
 * reached or cannot answer now. `unusable`: its answer is invalid.
 */
export class EnrolmentError extends Error {
  override readonly name = "EnrolmentError";
  readonly kind: "refused" | "unreachable" | "unusable";

  constructor(kind: EnrolmentError["kind"], message: string, options?: ErrorOptions) {
    super(message, options);
    this.kind = kind;
  }
}

export interface EnrolmentServiceParts {
  readonly clock: Clock;
  readonly http: Http;
  /** Such as `hemgate/0.1.0`. */
  readonly software: string;
}

/** A request body with its signature. */
interface SignedRequest {
  readonly service: string;
  readonly path: string;
  readonly body: string;
  readonly proof: string;
}

/** A client of enrolment services. Each call rejects with an `EnrolmentError`, or with the signal's reason. */
export class EnrolmentService {
  readonly #parts: EnrolmentServiceParts;

  constructor(parts: EnrolmentServiceParts) {
    this.#parts = parts;
  }

  /**
   * Enrols the gateway with a token. The same key and token get the same answer again, so an interrupted enrolment can
   * be repeated.
   */
  async enroll(
    { service, secret }: EnrolmentToken,
    key: SigningKey,
    installation: string,
    signal: AbortSignal,
  ): Promise<CloudIdentityRecord> {
    const request: EnrolmentRequest = {
      v: ENROLMENT_VERSION,
      token: secret,
      installation,
      ...this.#keyRequest(key, installation),
    };
    const answer = await this.#post(signed(service, "v1/enrolments", request, key), signal);
    return this.#readAnswer(answer, { service, key }, null);
  }

  /** Requests another key and certificate for an identity. */
  async renew(identity: CloudIdentityRecord, key: SigningKey, old: SigningKey, signal: AbortSignal) {
    const { gateway, service, verificationKeyPem } = identity;
    const request: RenewalRequest = {
      v: ENROLMENT_VERSION,
      gateway,
      atMs: this.#parts.clock.nowMs(),
      ...this.#keyRequest(key, gateway),
    };
    const answer = await this.#post(signed(service, `v1/gateways/${gateway}/renewals`, request, old), signal);
    const renewed = this.#readAnswer(answer, { service, key }, verificationKeyPem);
    if (renewed.gateway !== gateway) throw unusable(service, "it is for another gateway");
    return renewed;
  }

  /** Reports that a key was destroyed. Resolves when the service has confirmed it, or has forgotten the key itself. */
  async deregister({ service, gateway, body, proof }: CloudDeregistrationRecord, signal: AbortSignal): Promise<void> {
    const path = `v1/gateways/${gateway}/farewells`;
    try {
      await this.#post({ service, path, body, proof }, signal);
    } catch (error) {
      if (!(error instanceof EnrolmentError) || error.kind !== "refused") throw error;
    }
  }

  #keyRequest(key: SigningKey, commonName: string) {
    const { software } = this.#parts;
    return { publicKeyPem: key.publicKeyPem, csrPem: key.certificateRequest(commonName), software };
  }

  #readAnswer(
    answer: HttpAnswer,
    context: { readonly service: string; readonly key: SigningKey },
    signerPem: string | null,
  ): CloudIdentityRecord {
    try {
      const identity = parseIdentity(answer.body, { ...context, clock: this.#parts.clock });
      // The first answer contains the key that signs all later answers, and is signed with it itself.
      const signer = verificationKey(signerPem ?? identity.verificationKeyPem);
      const proof = answer.headers.find(([name]) => name === PROOF_HEADER)?.[1] ?? "";
      if (signer === null || !isSignedBy(signer, answer.body, proof)) {
        throw new IdentityError("it is not signed with the service's key");
      }
      return identity;
    } catch (cause) {
      if (cause instanceof IdentityError) throw unusable(context.service, cause.message, { cause });
      throw cause;
    }
  }

  async #post({ service, path, body, proof }: SignedRequest, signal: AbortSignal): Promise<HttpAnswer> {
    const { clock, http, software } = this.#parts;
    // The owner chose the address, so it may be in the local network.
    using client = http.open({
      refuse: (address) => (refuseAddress(address, "both") === null ? null : refuseAddress(address, "house")),
    });
    const request = {
      method: "POST",
      url: new URL(path, service),
      headers: {
        "content-type": "application/json",
        accept: "application/json",
        "accept-encoding": "identity",
        "user-agent": software,
        [PROOF_HEADER]: proof,
      },
      body: new TextEncoder().encode(body),
      maxBodyBytes: MAX_ANSWER_BYTES,
    } as const;
    try {
      return checked(service, await within(clock, ANSWER_MS, signal, (inTime) => client.request(request, inTime)));
    } catch (cause) {
      signal.throwIfAborted();
      if (!(cause instanceof HttpError) && !(cause instanceof TimeoutError)) throw cause;
      throw new EnrolmentError("unreachable", `${hostOf(service)} cannot be reached: ${cause.message}`, { cause });
    }
  }
}

function signed(service: string, path: string, request: object, key: SigningKey): SignedRequest {
  const body = JSON.stringify(request);
  return { service, path, body, proof: key.sign(new TextEncoder().encode(body)) };
}

function checked(service: string, answer: HttpAnswer): HttpAnswer {
  const { status } = answer;
  if (OK.has(status)) {
    if (answer.isBodyCut) throw unusable(service, `it is larger than ${MAX_ANSWER_BYTES} bytes`);
    return answer;
  }
  const detail = detailOf(answer.body);
  const said = `${hostOf(service)} answered ${status}${detail === null ? "" : `: ${detail}`}`;
  throw new EnrolmentError(REFUSED.has(status) ? "refused" : "unreachable", said);
}

function unusable(service: string, why: string, options?: ErrorOptions): EnrolmentError {
  return new EnrolmentError("unusable", `the answer of ${hostOf(service)} cannot be used: ${why}`, options);
}

/** Returns the service's reason for a refusal, in one line without control characters; `null` if it gives none. */
function detailOf(body: Uint8Array): string | null {
  try {
    const { detail } = RefusalBody.parse(JSON.parse(new TextDecoder().decode(body)));
    return detail.replaceAll(/\p{C}+/gu, " ");
  } catch {
    return null;
  }
}

function hostOf(service: string): string {
  return new URL(service).host;
}
