/** What reason codes of MQTT 5 (2.4) mean for who wants to come back. */
import type { UplinkEndKind } from "./uplink.ts";

export const UNSUPPORTED_VERSION = 0x84;
export const RETAIN_NOT_SUPPORTED = 0x9a;
export const USE_ANOTHER_SERVER = 0x9c;
export const SERVER_MOVED = 0x9d;

/** Whoever is not named here is `lost`: the same connection may come about a little later. */
const KINDS: Readonly<Record<number, UplinkEndKind>> = {
  // Unsupported protocol version, client identifier not valid, bad user name or password, not authorized, banned, bad
  // authentication method: nothing that waiting helps against.
  132: "refused",
  133: "refused",
  134: "refused",
  135: "refused",
  138: "refused",
  140: "refused",
  // Topic filter and topic name invalid, QoS not supported, wildcard subscriptions not supported: the server is not set up
  // for this.
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

export function kindOfReason(reasonCode: number | null): UplinkEndKind {
  return (reasonCode === null ? undefined : KINDS[reasonCode]) ?? "lost";
}

/** Credentials that opened a connection, and end it so much later, have run out: new ones are asked for at the next. */
const RUNS_OUT_MS = 60_000;
const NOT_AUTHORIZED = 0x87;

/** As `kindOfReason`, for a connection that was open for a while. */
export function kindOfEnd(reasonCode: number | null, openMs: number): UplinkEndKind {
  return reasonCode === NOT_AUTHORIZED && openMs >= RUNS_OUT_MS ? "lost" : kindOfReason(reasonCode);
}
