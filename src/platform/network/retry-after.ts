/**
 * Returns how long a server asks us to wait, ms: `Retry-After` in seconds or as a date (RFC 9110, 10.2.3). A date is
 * compared with the server's `Date` if the answer has one, because our clock may be wrong. `null` if the header is
 * missing or invalid. The caller limits the result.
 */
export function retryAfterMs(
  headers: { readonly retryAfter: string | undefined; readonly date: string | undefined },
  nowMs: number,
): number | null {
  const text = headers.retryAfter?.trim() ?? "";
  if (text === "") return null;
  const fromMs = Date.parse(headers.date ?? "");
  const ms = /^\d+(\.\d+)?$/.test(text)
    ? Number(text) * 1_000
    : Date.parse(text) - (Number.isNaN(fromMs) ? nowMs : fromMs);
  return Number.isFinite(ms) && ms >= 0 ? ms : null;
}
