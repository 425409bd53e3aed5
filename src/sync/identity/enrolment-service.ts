/** Asks an enrolment service over HTTPS; docs/cloud-enrolment.md has the order. */
import { refuseAddress } from "../../platform/network/address-policy.ts";
import { HttpError } from "../../platform/ports/http-error.ts";
import type { Clock, Http, HttpAnswer } from "../../platform/ports/ports.ts";
import { isSignedBy, type SigningKey, verificationKey } from "../../platform/signing-key.ts";
import { TimeoutError, within } from "../../platform/within.ts";
import type { CloudFarewellRecord, CloudIdentityRecord } from "../../store/records/cloud/cloud.ts";
import { IdentityMistake } from "./certificates.ts";
import { givenIdentity } from "./given-identity.ts";
import {
  ENROLMENT_VERSION,
  type EnrolmentRequest,
  MAX_ANSWER_BYTES,
  PROOF_HEADER,
  RefusalBody,
  type RenewalRequest,
} from "./messages.ts";
import type { EnrolmentToken } from "./token.ts";

const ANSWER_MS = 30_000;
const OK: ReadonlySet<number> = new Set([200, 201, 204]);
/** What asking again with the same words does not change. */
const REFUSED: ReadonlySet<number> = new Set([400, 401, 403, 404, 409, 410, 422]);

/**
 * Why there is no identity. `refused`: the service does not want us. `unreachable`: it could not be asked, or cannot answer
 * now. `unusable`: its answer does not hold.
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

interface Letter {
  readonly service: string;
  readonly path: string;
  readonly body: string;
  readonly proof: string;
}

/** Each call rejects with an `EnrolmentError`, or with the signal's reason. */
export class EnrolmentService {
  readonly #parts: EnrolmentServiceParts;

  constructor(parts: EnrolmentServiceParts) {
    this.#parts = parts;
  }

  /** The same key and token get the same answer again, so what was cut off can be asked again. */
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
    return this.#given(answer, { service, key }, null);
  }

  /** Another key and certificate for an identity. */
  async renew(identity: CloudIdentityRecord, key: SigningKey, old: SigningKey, signal: AbortSignal) {
    const { gateway, service, verificationKeyPem } = identity;
    const request: RenewalRequest = {
      v: ENROLMENT_VERSION,
      gateway,
      atMs: this.#parts.clock.nowMs(),
      ...this.#keyRequest(key, gateway),
    };
    const answer = await this.#post(signed(service, `v1/gateways/${gateway}/renewals`, request, old), signal);
    const given = this.#given(answer, { service, key }, verificationKeyPem);
    if (given.gateway !== gateway) throw unusable(service, "it is for another gateway");
    return given;
  }

  /** Resolves when the service knows, or has forgotten the key itself. */
  async farewell({ service, gateway, body, proof }: CloudFarewellRecord, signal: AbortSignal): Promise<void> {
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

  #given(
    answer: HttpAnswer,
    given: { readonly service: string; readonly key: SigningKey },
    signerPem: string | null,
  ): CloudIdentityRecord {
    try {
      const identity = givenIdentity(answer.body, { ...given, clock: this.#parts.clock });
      // A first answer says itself whom to trust from now on; that it uses that key shows that it has it.
      const signer = verificationKey(signerPem ?? identity.verificationKeyPem);
      const proof = answer.headers.find(([name]) => name === PROOF_HEADER)?.[1] ?? "";
      if (signer === null || !isSignedBy(signer, answer.body, proof)) {
        throw new IdentityMistake("it is not signed with the service's key");
      }
      return identity;
    } catch (cause) {
      if (cause instanceof IdentityMistake) throw unusable(given.service, cause.message, { cause });
      throw cause;
    }
  }

  async #post({ service, path, body, proof }: Letter, signal: AbortSignal): Promise<HttpAnswer> {
    const { clock, http, software } = this.#parts;
    // The owner says where the service is: it may be in the house.
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
      throw new EnrolmentError("unreachable", `${hostOf(service)} cannot be asked: ${cause.message}`, { cause });
    }
  }
}

function signed(service: string, path: string, request: object, key: SigningKey): Letter {
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

/** What the service says about a refusal, in one line without control characters. */
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
