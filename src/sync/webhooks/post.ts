import { HttpError, type HttpErrorKind } from "../../platform/ports/http-error.ts";
import type { Clock, HttpAnswer } from "../../platform/ports/ports.ts";
import { TimeoutError, within } from "../../platform/within.ts";
import type { WebhookRecord } from "../../store/records/webhooks.ts";
import { signaturesOf } from "./signature.ts";
import type { TargetClients } from "./target-policy.ts";

/** Time limit for the acknowledgement (rule S1.5). */
const ANSWER_WITHIN_MS = 5_000;
/** Bytes that are read of an answer, enough for the person who looks at a test. */
const MAX_ANSWER_BYTES = 1_024;

export interface Outcome {
  /** True if the receiver answered with a 2xx status. */
  readonly isSuccess: boolean;
  /** A text for people. */
  readonly description: string;
  /** `null` if there was no answer. */
  readonly answer: HttpAnswer | null;
  /** Why there was no answer; absent if there was one. */
  readonly failure?: HttpErrorKind | "timeout";
}

/** A delivery: its id and its JSON, an array of events. */
export interface Delivery {
  readonly id: string;
  readonly json: string;
}

export interface PostParts {
  readonly clients: TargetClients;
  readonly clock: Pick<Clock, "timer">;
  /** The configured prefix of header names, such as `Service`. */
  readonly namePrefix: string;
}

/** Posts a signed delivery. Rejects only with the signal's reason. */
export async function postDelivery(
  parts: PostParts,
  record: Pick<WebhookRecord, "url" | "secret" | "authentication">,
  { id, json }: Delivery,
  signal: AbortSignal,
): Promise<Outcome> {
  const url = new URL(record.url);
  const body = new TextEncoder().encode(json);
  const headers = headersOf(parts.namePrefix, record, id, body);
  try {
    const answer = await within(parts.clock, ANSWER_WITHIN_MS, signal, (limit) =>
      parts.clients
        .clientFor(url)
        .request({ method: "POST", url, headers, body, maxBodyBytes: MAX_ANSWER_BYTES }, limit),
    );
    return outcomeOf(answer);
  } catch (error) {
    signal.throwIfAborted();
    const failure = error instanceof HttpError ? error.kind : "timeout";
    return { isSuccess: false, description: failureText(error), answer: null, failure };
  }
}

function headersOf(
  namePrefix: string,
  { secret, authentication }: Pick<WebhookRecord, "secret" | "authentication">,
  id: string,
  body: Uint8Array,
): Readonly<Record<string, string>> {
  const prefix = `x-${namePrefix.toLowerCase()}`;
  const { sha1, sha256 } = signaturesOf(body, secret);
  return {
    ...(authentication !== null && { [authentication.headerName]: authentication.headerValue }),
    "content-type": "application/json; charset=utf-8",
    "user-agent": "hemgate",
    [`${prefix}-delivery`]: id,
    [`${prefix}-signature`]: sha1,
    [`${prefix}-signature-256`]: sha256,
  };
}

/**
 * Returns true for a header name that a webhook's own authentication may not use, because the delivery or the
 * connection sets it.
 */
export function isReservedHeader(name: string, namePrefix: string): boolean {
  return RESERVED_HEADERS.has(name) || name.startsWith("proxy-") || name.startsWith(`x-${namePrefix.toLowerCase()}-`);
}

const RESERVED_HEADERS: ReadonlySet<string> = new Set([
  "connection",
  "content-encoding",
  "content-length",
  "content-type",
  "expect",
  "host",
  "http2-settings",
  "keep-alive",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
  "user-agent",
]);

function outcomeOf(answer: HttpAnswer): Outcome {
  const { status } = answer;
  const isSuccess = status >= 200 && status < 300;
  if (isSuccess) return { isSuccess, description: `The webhook answered ${status}.`, answer };
  const hint = status >= 300 && status < 400 ? " Redirects are not followed." : "";
  return { isSuccess, description: `The webhook answered ${status}; a delivery needs a 2xx.${hint}`, answer };
}

function failureText(error: unknown): string {
  if (error instanceof TimeoutError) return `The webhook did not answer within ${ANSWER_WITHIN_MS / 1_000} seconds.`;
  if (error instanceof HttpError) return `The webhook was not reached: ${error.message}.`;
  throw error;
}
