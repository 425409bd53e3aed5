/** Why a conversation with the cloud service ended. */
import type { Goodbye } from "../protocol/meeting.ts";
import type { UplinkEnd } from "../uplink/uplink.ts";

/** The connection is of no use any more. */
export class ConversationEnd extends Error {
  override readonly name = "ConversationEnd";
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

/** An end of our own making: the other side does not do as agreed. */
export function givenUp(reason: string): ConversationEnd {
  return new ConversationEnd({ kind: "lost", reason, retryAfterMs: null });
}

export function toldGoodbye({ reason, retryAfterMs }: Goodbye): ConversationEnd {
  return new ConversationEnd({ kind: END_KINDS[reason], reason: `goodbye: ${reason}`, retryAfterMs });
}
