/** Maps MQTT 5 reason codes (2.4) to the end of a connection. */
import type { UplinkEndKind } from "./uplink.ts";

export const UNSUPPORTED_VERSION = 0x84;
export const RETAIN_NOT_SUPPORTED = 0x9a;
export const USE_ANOTHER_SERVER = 0x9c;
export const SERVER_MOVED = 0x9d;

/** Other reason codes are `lost`: the same connection may succeed later. */
const KINDS: Readonly<Record<number, UplinkEndKind>> = {
  // Unsupported protocol version, client identifier not valid, bad user name or password, not authorized, banned, bad
  // authentication method: waiting does not help.
  132: "refused",
  133: "refused",
  134: "refused",
  135: "refused",
  138: "refused",
  140: "refused",
  // Topic filter and topic name invalid, QoS not supported, wildcard subscriptions not supported: the server is
  // configured differently.
  143: "refused",
  144: "refused",
  155: "refused",
  162: "refused",
  142: "taken-over",
  // Message rate too high, quota exceeded, connection rate exceeded.
  150: "quota",
  151: "quota",
  159: "quota",
};

/** Returns the kind of end for a reason code; `null` is a connection that ended without one. */
export function kindOfReason(reasonCode: number | null): UplinkEndKind {
  return (reasonCode === null ? undefined : KINDS[reasonCode]) ?? "lost";
}

/**
 * If a connection ends as not authorized after so much time, its credentials have expired; the next connection gets new
 * ones.
 */
const RUNS_OUT_MS = 60_000;
const NOT_AUTHORIZED = 0x87;

/** Returns the kind of end of a connection that was open for some time. */
export function kindOfEnd(reasonCode: number | null, openMs: number): UplinkEndKind {
  return reasonCode === NOT_AUTHORIZED && openMs >= RUNS_OUT_MS ? "lost" : kindOfReason(reasonCode);
}
