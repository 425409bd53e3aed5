/** Decides what a channel sends when. Pure: the service looks at the house and does the sending. */
import { DAY_MS, MINUTE_MS } from "../duration.ts";
import { type Condition, type ConditionFacts, isUrgent, type NotificationKind } from "./condition.ts";
import { isQuiet, lastTimeOfDay, type QuietHours } from "./quiet-hours.ts";

/** Messages of a channel within 24 hours; what happens beyond that is in the next one, once there may be one. */
export const MAX_MESSAGES_A_DAY = 8;
/** Between two messages of a channel, so that what happens together is in one; urgent ones do not wait, ms. */
const GATHER_MS = 10 * MINUTE_MS;

/** Something that a channel has reported, and whose end it has to report. */
export interface Announced {
  readonly key: string;
  readonly facts: ConditionFacts;
}

/** What a channel keeps over restarts; wall-clock ms. */
export interface ChannelProgress {
  readonly announced: readonly Announced[];
  /** Messages of the last 24 hours. */
  readonly sentAtMs: readonly number[];
  /** The last digest, or when the channel was new. */
  readonly digestAtMs: number;
  /** Failures in a row. */
  readonly failures: number;
  /** `null`: the last message arrived. */
  readonly retryAtMs: number | null;
  /** The message that was sent or being sent and is not known to have arrived: its id, and what is in it. */
  readonly pending: { readonly id: string; readonly about: string } | null;
}

export function newProgress(nowMs: number): ChannelProgress {
  return { announced: [], sentAtMs: [], digestAtMs: nowMs, failures: 0, retryAtMs: null, pending: null };
}

/** What the channel's settings say. */
export interface ChannelRules {
  /** `undefined`: all kinds. */
  readonly kinds?: readonly NotificationKind[] | undefined;
  readonly quietHours?: QuietHours | undefined;
  /** HH:MM; `undefined`: no digest, everything is sent when it happens. */
  readonly digestAt?: string | undefined;
}

/** The house as it is. */
export interface Situation {
  readonly nowMs: number;
  /** IANA zone. */
  readonly zone: string;
  /** What lasts for long enough. */
  readonly present: readonly Condition[];
  /** What became of something that was announced. */
  endOf(announced: Announced): "lasts" | "over" | "gone";
}

/** What is to be sent in one message: what began, and what is over. */
export interface Due {
  readonly began: readonly Condition[];
  readonly over: readonly Announced[];
}

export interface Decision {
  /** `null`: nothing is sent now. */
  readonly due: Due | null;
  /** The progress without what nobody has to know any more; the same object if nothing changed. */
  readonly progress: ChannelProgress;
}

/** Decides what a channel sends now. */
export function decide(before: ChannelProgress, rules: ChannelRules, situation: Situation): Decision {
  const { nowMs, zone } = situation;
  const progress = forgetGone(before, rules, situation);
  const { quietHours, digestAt } = rules;
  if (quietHours !== undefined && isQuiet(nowMs, quietHours, zone)) return { due: null, progress };
  // A clock that was set back must not silence a channel until it has caught up.
  const isWaiting = progress.retryAtMs !== null && nowMs < progress.retryAtMs && progress.retryAtMs - nowMs < DAY_MS;
  if (isWaiting || sentLastDay(progress, nowMs).length >= MAX_MESSAGES_A_DAY) return { due: null, progress };
  const all = pendingOf(progress, rules, situation);
  const urgent = { began: all.began.filter(isNow), over: all.over.filter(isNow) };
  const isDigestDue = digestAt !== undefined && lastTimeOfDay(nowMs, digestAt, zone) > progress.digestAtMs;
  const isFree = digestAt === undefined ? !isGathering(progress, nowMs) : isDigestDue;
  const due = isFree ? all : urgent;
  if (!isEmpty(due)) return { due, progress };
  return { due: null, progress: isDigestDue ? { ...progress, digestAtMs: nowMs } : progress };
}

/** Returns the progress after a message arrived. */
export function delivered(progress: ChannelProgress, { began, over }: Due, nowMs: number): ChannelProgress {
  const ended = new Set(over.map(({ key }) => key));
  const isAll = [...began, ...over].some((each) => !isNow(each));
  return {
    announced: [
      ...progress.announced.filter(({ key }) => !ended.has(key)),
      ...began.map(({ key, facts }) => ({ key, facts })),
    ],
    sentAtMs: [...sentLastDay(progress, nowMs), nowMs],
    digestAtMs: isAll ? nowMs : progress.digestAtMs,
    failures: 0,
    retryAtMs: null,
    pending: null,
  };
}

/** Returns a text that is the same for the same things, so that a message that is sent again has the same id. */
export function aboutOf({ began, over }: Due): string {
  return JSON.stringify([began.map(({ key }) => key).toSorted(), over.map(({ key }) => key).toSorted()]);
}

function isNow({ facts }: Pick<Condition, "facts">): boolean {
  return isUrgent(facts.kind);
}

function isEmpty({ began, over }: Due): boolean {
  return began.length === 0 && over.length === 0;
}

function isGathering({ sentAtMs }: ChannelProgress, nowMs: number): boolean {
  return sentAtMs.some((atMs) => atMs <= nowMs && nowMs - atMs < GATHER_MS);
}

/** Returns when the messages of the last 24 hours were sent. */
export function sentLastDay({ sentAtMs }: ChannelProgress, nowMs: number): readonly number[] {
  return sentAtMs.filter((atMs) => atMs <= nowMs && nowMs - atMs < DAY_MS);
}

function pendingOf({ announced }: ChannelProgress, rules: ChannelRules, { present, endOf }: Situation): Due {
  const known = new Set(announced.map(({ key }) => key));
  return {
    began: present.filter(({ key, facts }) => !known.has(key) && isChosen(rules, facts.kind)),
    over: announced.filter((each) => endOf(each) === "over"),
  };
}

function forgetGone(progress: ChannelProgress, rules: ChannelRules, { endOf }: Situation): ChannelProgress {
  const left = progress.announced.filter((each) => isChosen(rules, each.facts.kind) && endOf(each) !== "gone");
  return left.length === progress.announced.length ? progress : { ...progress, announced: left };
}

function isChosen({ kinds }: ChannelRules, kind: NotificationKind): boolean {
  return kinds?.includes(kind) ?? true;
}
