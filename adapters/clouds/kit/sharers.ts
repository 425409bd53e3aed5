import type { CloudSession } from "./connector.ts";

/** Takes part in an answer that several devices of an account share. Answers which share of a request is its own. */
export async function joinSharers(
  session: CloudSession,
  { key, device }: { readonly key: string; readonly device: string },
  signal: AbortSignal,
): Promise<() => number> {
  const fetch = async () => new Set<string>();
  const devices = await session.shared(`sharers of ${key}`, Number.POSITIVE_INFINITY, fetch, signal);
  devices.add(device);
  return () => 1 / devices.size;
}
