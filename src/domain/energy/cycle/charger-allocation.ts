/** Shares what the limits leave among the chargers. Lowers on what is certain, raises only on what is sure to be free. */
import type { ChargerState } from "./charger-state.ts";
import type { ChargingTarget } from "./charging-target.ts";
import type { LimitRow } from "./limit-row.ts";
import { toStep } from "./surplus.ts";

const EPSILON = 1e-6;
/** A car that draws less than this below its offer counts as one that uses it all, also after the offer was rounded down. */
const SPARE_A = 3;

export interface ChargerUser {
  readonly charger: ChargerState;
  readonly target: ChargingTarget;
}

export interface Allocation {
  /** It has to be at or below this at once; 0: off. */
  readonly cutA: number;
  /** It may be at this; at least `cutA`. */
  readonly riseA: number;
  /** What keeps it below its target; while it waits for more surplus too, the limit that has the least room. */
  readonly bindingRow: LimitRow | null;
  /** The limit that leaves it less than its target, for people; `null` if it only waits for more surplus. */
  readonly shortRow: LimitRow | null;
}

/** Says whether a running charger has to stop for a limit already, or may go on with its least current. */
export type StopRule = (row: LimitRow, charger: ChargerState) => boolean;

/** The users are listed by priority; `perAmp` of the rows has the same order. */
export function allocate(
  users: readonly ChargerUser[],
  rows: readonly LimitRow[],
  isStopDue: StopRule,
): readonly Allocation[] {
  const { cutA, granted, binding } = lowered(users, rows, isStopDue);
  const short = [...binding];
  const riseA = raised(users, rows, { cutA, granted, binding, short });
  return users.map((_user, i) => ({
    cutA: cutA[i] ?? 0,
    riseA: Math.max(riseA[i] ?? 0, cutA[i] ?? 0),
    bindingRow: binding[i] ?? null,
    shortRow: short[i] ?? null,
  }));
}

function isManaged({ charger }: ChargerUser): boolean {
  return charger.isPlugged && !charger.ignoresLimit;
}

function isRunning(user: ChargerUser): boolean {
  return isManaged(user) && user.charger.isOn && user.charger.offerA > 0;
}

interface Room {
  readonly row: LimitRow;
  left: number;
}

/** The least of what the rows leave for one charger, A, and the row that it is. */
function roomFor(rooms: readonly Room[], i: number): { amps: number; row: LimitRow | null } {
  let amps = Number.POSITIVE_INFINITY;
  let row: LimitRow | null = null;
  for (const room of rooms) {
    const perAmp = room.row.perAmp[i] ?? 0;
    if (perAmp <= 0) continue;
    const free = room.left / perAmp;
    if (free < amps) [amps, row] = [free, room.row];
  }
  return { amps, row };
}

function take(rooms: readonly Room[], i: number, amps: number): void {
  for (const room of rooms) room.left -= amps * (room.row.perAmp[i] ?? 0);
}

/** What each charger that runs must not exceed now. Waiting ones get their least current reserved, if all can have it. */
function lowered(users: readonly ChargerUser[], rows: readonly LimitRow[], isStopDue: StopRule) {
  const offers = users.map((user) => (isRunning(user) ? user.charger.offerA : 0));
  const rooms = rows.map((row) => ({ row, left: certainRoom(row, offers) }));
  const granted = users.map(() => 0);
  const binding: (LimitRow | null)[] = users.map(() => null);
  for (const [i, user] of users.entries()) {
    if (!isRunning(user) || user.target.keepA <= 0) continue;
    const least = Math.min(user.charger.minA, user.charger.offerA);
    const { amps, row } = roomFor(rooms, i);
    if (amps < least - EPSILON) {
      binding[i] = row;
      if (user.charger.view.canSwitch && stopsNow(rooms, i, { charger: user.charger, least }, isStopDue)) continue;
    }
    granted[i] = least;
    take(rooms, i, least);
  }
  // A command that raises another one is under way: what it leaves if it is followed is no room to start with.
  const sure = rows.map((row) => {
    const least = granted.reduce((sum, amps, i) => sum + amps * (row.perAmp[i] ?? 0), 0);
    return { row, left: row.target - row.maybeTaken - least };
  });
  for (const [i, user] of users.entries()) {
    if (isRunning(user) || !isManaged(user) || user.target.riseA <= 0) continue;
    const least = roomFor(rooms, i);
    const { amps, row } = [roomFor(sure, i), least].toSorted((a, b) => a.amps - b.amps)[0] ?? least;
    if (amps < user.charger.minA - EPSILON) {
      binding[i] = row;
      continue;
    }
    granted[i] = user.charger.minA;
    for (const each of [rooms, sure]) take(each, i, user.charger.minA);
  }
  for (const room of rooms) room.left -= overdrawn(users, room.row, offers);
  fill(users, rooms, granted, binding);
  const cutA = users.map((user, i) => {
    const amps = granted[i] ?? 0;
    if (!isRunning(user) || amps <= 0) return 0;
    const { offerA } = user.charger;
    const limitA = Math.min(offerA, Math.max(user.target.keepA, Math.min(user.charger.minA, offerA)));
    // What it offers already stays as it is, also between two steps.
    return amps >= limitA - EPSILON
      ? limitA
      : Math.max(
          Math.min(user.charger.minA, offerA),
          limitedStep(user.charger, Math.min(amps, leastCut(user.charger)), limitA),
        );
  });
  return { cutA, granted, binding };
}

/** Limits do not use the small steps of a charger: what they leave changes all the time. */
function limitedStep(charger: ChargerState, amps: number, limitA: number): number {
  return toStep({ ...charger, stepA: charger.followA }, amps, limitA);
}

/** What is lower by one small step only counts as the same, because devices round what they get. */
function leastCut({ offerA, stepA, followA }: ChargerState): number {
  return stepA < followA ? offerA - 2 * stepA : offerA;
}

function stopsNow(
  rooms: readonly Room[],
  i: number,
  { charger, least }: { charger: ChargerState; least: number },
  isStopDue: StopRule,
): boolean {
  return rooms.some(({ row, left }) => {
    const perAmp = row.perAmp[i] ?? 0;
    return perAmp > 0 && left < (least - EPSILON) * perAmp && isStopDue(row, charger);
  });
}

/** Above the limit it aims at the target; between target and limit what runs stays. */
function certainRoom(row: LimitRow, offers: readonly number[]): number {
  const offered = offers.reduce((sum, amps, i) => sum + amps * (row.perAmp[i] ?? 0), 0);
  const left = row.target - row.surelyTaken;
  return row.surelyTaken + offered > row.limit + EPSILON ? left : Math.max(left, offered);
}

/** What is left less where cars draw a little more than they are offered, A or W. No car stops for that. */
function overdrawn(users: readonly ChargerUser[], row: LimitRow, offers: readonly number[]): number {
  const moreA = users.map(({ charger }, i) => {
    const offerA = offers[i] ?? 0;
    // What the meter saw before the last command was followed is no more.
    const drawnA = charger.isInFlight ? 0 : Math.min(charger.drawA ?? 0, Math.max(...charger.lowA));
    return offerA > 0 ? Math.max(0, drawnA - offerA) : 0;
  });
  const more = moreA.reduce((sum, amps, i) => sum + amps * (row.perAmp[i] ?? 0), 0);
  const offered = offers.reduce((sum, amps, i) => sum + amps * (row.perAmp[i] ?? 0), 0);
  if (more <= 0 || row.surelyTaken + offered + more <= row.limit + EPSILON) return 0;
  return Math.max(0, certainRoom(row, offers) - (row.target - row.surelyTaken - more));
}

/** Fills up by priority from the least current to the target: first what cars take, and then what they could take. */
function fill(
  users: readonly ChargerUser[],
  rooms: readonly Room[],
  granted: number[],
  binding: (LimitRow | null)[],
): void {
  for (const mostA of [mostTaken, () => Number.POSITIVE_INFINITY]) {
    for (const [i, user] of users.entries()) {
      const from = granted[i] ?? 0;
      if (from <= 0) continue;
      const { keepA, riseA } = user.target;
      const goalA = isRunning(user) ? Math.min(keepA, Math.max(user.charger.offerA, riseA)) : riseA;
      const moreA = Math.min(goalA, mostA(user.charger)) - from;
      const { amps, row } = roomFor(rooms, i);
      const extra = Math.max(0, Math.min(moreA, amps));
      if (moreA > extra + EPSILON) binding[i] = row;
      granted[i] = from + extra;
      take(rooms, i, extra);
    }
  }
}

/** What a car takes at most while it does not use all that it is offered, with room to show that it wants more. */
function mostTaken({ isIdle, isOn, takesA }: ChargerState): number {
  if (isIdle && isOn) return 0;
  return takesA === null ? Number.POSITIVE_INFINITY : takesA + SPARE_A;
}

/** What each charger may be raised to, or started with. */
function raised(
  users: readonly ChargerUser[],
  rows: readonly LimitRow[],
  shares: {
    readonly cutA: readonly number[];
    readonly granted: readonly number[];
    readonly binding: (LimitRow | null)[];
    readonly short: (LimitRow | null)[];
  },
): readonly number[] {
  const { cutA, granted, binding, short } = shares;
  // What a charger gives up is free once its reading shows it: until then a command to lower it may be lost.
  const takenA = users.map(({ charger }, i) => Math.max(cutA[i] ?? 0, ...charger.lowA));
  const rooms = rows.map((row) => ({
    row,
    left: row.target - row.maybeTaken - takenA.reduce((sum, amps, i) => sum + amps * (row.perAmp[i] ?? 0), 0),
  }));
  return users.map((user, i) => {
    const { charger, target } = user;
    const from = cutA[i] ?? 0;
    if (!isManaged(user) || charger.isInFlight || target.riseA <= from + EPSILON) return from;
    // A charger that a limit stops now does not start in the same moment.
    if (from <= 0 && isRunning(user)) return 0;
    const { amps, row } = roomFor(rooms, i);
    // Not above its share, so that what it gives up is there for one with less or none.
    const shareA = Math.max(from, granted[i] ?? 0);
    const level = Math.min(from + Math.max(0, amps), target.riseA, shareA);
    const stepped = level >= target.riseA - EPSILON ? target.riseA : limitedStep(charger, level, target.riseA);
    const raisedA = Math.max(from, stepped);
    if (raisedA < target.riseA - EPSILON) binding[i] ??= row;
    if (from + amps < target.riseA - EPSILON) short[i] ??= row;
    take(rooms, i, raisedA - from);
    return raisedA;
  });
}
