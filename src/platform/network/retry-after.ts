/**
 * How long a server wants to be left alone, ms: `Retry-After` in seconds or as a date (RFC 9110, 10.2.3), which is
 * reckoned by the server's own `Date` where it tells it, for our clock may be wrong. Null when it does not say, or nothing
 * that makes sense. The caller bounds it.
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
