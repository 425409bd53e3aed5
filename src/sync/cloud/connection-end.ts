/** The error that ends a connection to the cloud service, and its reasons. */
import type { Goodbye } from "../protocol/handshake.ts";
import type { UplinkEnd } from "../uplink/uplink.ts";

/** The connection has ended or cannot be used any more. */
export class ConnectionEnd extends Error {
  override readonly name = "ConnectionEnd";
  readonly end: UplinkEnd;

  constructor(end: UplinkEnd) {
    super(end.reason);
    this.end = end;
  }
}

const END_KINDS: Readonly<Record<Goodbye["reason"], UplinkEnd["kind"]>> = {
  busy: "lost",
  "taken-over": "taken-over",
  quota: "quota",
  "not-enrolled": "refused",
  version: "refused",
};

/** Returns the end of a connection that the gateway closes, because the cloud service does not answer as agreed. */
export function connectionLost(reason: string): ConnectionEnd {
  return new ConnectionEnd({ kind: "lost", reason, retryAfterMs: null });
}

/** Returns the end of a connection that the cloud service closes with a goodbye. */
export function endOfGoodbye({ reason, retryAfterMs }: Goodbye): ConnectionEnd {
  return new ConnectionEnd({ kind: END_KINDS[reason], reason: `goodbye: ${reason}`, retryAfterMs });
}
