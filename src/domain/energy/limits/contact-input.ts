/** A relay contact of a grid operator's control box, debounced, and watched for silence. Pure; monotonic ms. */

export interface ContactTiming {
  /** A change counts after it lasted this long, ms; 100 to 1,000. */
  readonly debounceMs: number;
  /** An input without a message for this long is dead, ms. */
  readonly deadMs: number;
}

export interface ContactInput {
  /** The debounced state; `null` before the first message. */
  readonly isClosed: boolean | null;
  /** A change that does not count yet. */
  readonly pending: { readonly isClosed: boolean; readonly sinceMs: number } | null;
  /** The last sign of life; `null` before the first. */
  readonly aliveAtMs: number | null;
}

export const UNREAD_CONTACT: ContactInput = { isClosed: null, pending: null, aliveAtMs: null };

/** Takes a message of the input. The first one counts at once, because the state before it is unknown. */
export function readContact(
  input: ContactInput,
  isClosed: boolean,
  timing: ContactTiming,
  nowMs: number,
): ContactInput {
  const current = settleContact(input, timing, nowMs);
  const alive = { ...current, aliveAtMs: nowMs };
  if (current.isClosed === null || isClosed === current.isClosed) {
    return { ...alive, isClosed, pending: null };
  }
  return { ...alive, pending: current.pending ?? { isClosed, sinceMs: nowMs } };
}

/** Notes a sign of life that says nothing about the contact. */
export function touchContact(input: ContactInput, timing: ContactTiming, nowMs: number): ContactInput {
  return { ...settleContact(input, timing, nowMs), aliveAtMs: nowMs };
}

/** Applies a change that has lasted long enough. */
export function settleContact(input: ContactInput, { debounceMs }: ContactTiming, nowMs: number): ContactInput {
  const { pending } = input;
  if (pending === null || nowMs - pending.sinceMs < debounceMs) return input;
  return { ...input, isClosed: pending.isClosed, pending: null };
}

/** `dead`: nothing is known of the contact, so it counts as dimmed. */
export function contactState(
  input: ContactInput,
  { deadMs }: ContactTiming,
  nowMs: number,
): "open" | "closed" | "dead" {
  if (input.isClosed === null || input.aliveAtMs === null || nowMs - input.aliveAtMs >= deadMs) return "dead";
  return input.isClosed ? "closed" : "open";
}

/** When time alone changes the input next; `null`: not as things are. */
export function nextContactMs(input: ContactInput, { debounceMs, deadMs }: ContactTiming): number | null {
  const times = [
    input.pending === null ? null : input.pending.sinceMs + debounceMs,
    input.aliveAtMs === null ? null : input.aliveAtMs + deadMs,
  ].filter((time) => time !== null);
  return times.length === 0 ? null : Math.min(...times);
}

/** The contacts of a control box: feed-in 0, 30 and 60 %, and dimming of the controllable devices. */
export const CONTACT_NAMES = ["W3", "S2", "S1", "W4"] as const;
export type ContactName = (typeof CONTACT_NAMES)[number];

const FEED_IN_SHARES: readonly (readonly [ContactName, number])[] = [
  ["W3", 0],
  ["S2", 0.3],
  ["S1", 0.6],
];

/** What the contacts ask for: the share of the panels' peak power that may be fed in, and whether to dim. */
export interface ContactDemand {
  /** 1: no limit. */
  readonly feedInShare: number;
  readonly isDimmed: boolean;
}

/**
 * Returns what the contacts ask for. Of W3, S2 and S1 the first closed one counts. A dead input counts as dimmed,
 * whichever contact it is; a dead feed-in contact keeps the feed-in as its last known state had it.
 */
export function contactDemand(
  states: ReadonlyMap<ContactName, { readonly state: "open" | "closed" | "dead"; readonly wasClosed: boolean }>,
): ContactDemand {
  const isDead = [...states.values()].some(({ state }) => state === "dead");
  const closed = FEED_IN_SHARES.find(([name]) => {
    const contact = states.get(name);
    return contact !== undefined && (contact.state === "closed" || (contact.state === "dead" && contact.wasClosed));
  });
  return {
    feedInShare: closed?.[1] ?? 1,
    isDimmed: isDead || states.get("W4")?.state === "closed",
  };
}
