const LONGEST_MS = 24 * 3_600_000;

/**
 * How long a server wants to be left alone, ms, at most a day: `Retry-After` in seconds or as a date (RFC 9110, 10.2.3).
 * Null when it does not say, or nothing that makes sense.
 */
export function retryAfterMs(
  headers: readonly (readonly [name: string, value: string])[],
  nowMs: number,
): number | null {
  const text = headers.find(([name]) => name === "retry-after")?.[1].trim() ?? "";
  if (text === "") return null;
  const ms = /^\d+$/.test(text) ? Number(text) * 1_000 : Date.parse(text) - nowMs;
  return ms >= 0 ? Math.min(ms, LONGEST_MS) : null;
}
