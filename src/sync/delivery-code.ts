/** What became of a message over HTTP, as a code that pages have a sentence for. */
import type { DeliveryCode } from "../domain/notifications/delivery.ts";
import type { HttpErrorKind } from "../platform/ports/http-error.ts";

const STATUS_CODES: Readonly<Record<number, DeliveryCode>> = {
  401: "unauthorized",
  403: "unauthorized",
  404: "not-found",
  410: "not-found",
  429: "rate-limited",
};

export const HTTP_CODES: Readonly<Record<HttpErrorKind | "timeout", DeliveryCode>> = {
  refused: "address-refused",
  unresolved: "no-such-host",
  unreachable: "unreachable",
  untrusted: "untrusted",
  broken: "broken",
  timeout: "timeout",
};

export function codeOfStatus(status: number): DeliveryCode {
  if (status >= 200 && status < 300) return "sent";
  return STATUS_CODES[status] ?? "rejected";
}

/** `failure`: why there was no answer. */
export function deliveryCode(
  answer: { readonly status: number } | null,
  failure: HttpErrorKind | "timeout" = "broken",
): DeliveryCode {
  return answer === null ? HTTP_CODES[failure] : codeOfStatus(answer.status);
}
