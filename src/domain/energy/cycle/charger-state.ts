/** One charger as the control cycle sees it: what it offers, what its car draws, and how certain that is. */

import { type PerPhase, PHASES } from "../site/site-connection.ts";
import { type DrawState, drawnAt, nextDraws } from "./charger-draw.ts";
import { rangeOf } from "./charger-range.ts";
import {
  type ChargerMemory,
  EMPTY_CHARGER_MEMORY,
  EMPTY_PHASE_MEMORY,
  EMPTY_WAKE_MEMORY,
  type PhaseMemory,
} from "./cycle-memory.ts";
import {
  DEVICE_SILENCE_MS,
  GRACE_MS,
  IDLE_MS,
  LAST_SEEN_MS,
  LEAST_CHARGE_A,
  NOMINAL_V,
  RAMP_MS,
  TAKES_LESS_MS,
} from "./cycle-timing.ts";
import type { ChargerView } from "./energy-snapshot.ts";
import { finite, PHASE_INDEXES, type PhaseIndex, perPhase, sumOfPhases } from "./grid-reading.ts";

/** A car draws on a phase above this current, and a heater above a fraction of it. */
const DRAW_A = 1;
const HEATER_DRAW_A = 0.05;
/** A car may draw more than it is offered by this current and this share. */
const OVERDRAW_A = 1;
const OVERDRAW_SHARE = 0.05;
/** A reading that is this close to the command shows its effect. */
const REACHED_A = 0.7;
/** A command without any reading after it counts as done after this time. */
const UNREAD_COMMAND_MS = 60_000;
/** The same for a charger that takes smaller steps, A: its commands differ by less. */
const FINE_REACHED_A = 0.3;
/** A car that takes less than it is offered by more than this does not use its share, A. */
const UNUSED_A = 1.5;
const FEWER_PHASES_MS = 15_000;
const LEAST_V = 200;
const HIGHEST_V = 255;

export interface LastSeen {
  readonly atMs: number;
  readonly watts: number;
  /** Nothing was commanded since, so that its car goes on as it was. */
  readonly isSteady: boolean;
}

export interface ChargerState {
  readonly view: ChargerView;
  readonly memory: ChargerMemory;
  readonly isPlugged: boolean;
  readonly isOn: boolean;
  /** What it offers now, A per phase; 0 while it is off. */
  readonly offerA: number;
  /** The highest phase; `null`: no recent reading. */
  readonly drawA: number | null;
  readonly minA: number;
  readonly maxA: number;
  readonly stepA: number;
  /** The least change that the sun makes of it, A: its step, or more where that is small. */
  readonly followA: number;
  /** The phases that its car uses. */
  readonly phases: readonly PhaseIndex[];
  /** Bounds of what it draws at the moment of the grid's reading, A per phase of the site. */
  readonly lowA: PerPhase<number>;
  readonly highA: PerPhase<number>;
  /** What its last recent reading shows beyond `lowA`, while a command to lower it is under way, A per phase of the site. */
  readonly fallingA: PerPhase<number>;
  readonly lowW: number;
  readonly highW: number;
  /** W for each A and phase, as measured while the car draws. */
  readonly volts: number;
  /** The moment of its reading; `null`: no recent one. */
  readonly readAtMs: number | null;
  /** The car may still follow a current that somebody else has set. */
  readonly isFollowingOthers: boolean;
  /** What it drew at its last reading, also one that is no recent one any more; `null`: nothing is known. */
  readonly seen: LastSeen | null;
  /** Its last command cannot be seen in its reading yet. */
  readonly isInFlight: boolean;
  /** Its last reading is above the limit, after its latency: not yet long enough to be sure. */
  readonly isOverdrawn: boolean;
  /** It draws more than it was limited to: a load that cannot be controlled. */
  readonly ignoresLimit: boolean;
  /** The car could charge and has not for a while. */
  readonly isIdle: boolean;
  /** What the car takes, A per phase, if that has been less than it is offered for a while; else `null`. */
  readonly takesA: number | null;
}

/** The state of a charger at a moment; `gridAtMs` is the moment of the grid's reading. */
export function chargerState(
  view: ChargerView,
  before: ChargerMemory | undefined,
  { nowMs, gridAtMs }: { readonly nowMs: number; readonly gridAtMs: number },
): ChargerState {
  const last = withPhasesNow(before ?? EMPTY_CHARGER_MEMORY, view);
  const isPlugged = view.state !== "UNPLUGGED";
  const readAtMs =
    view.measuredAtMs !== null && nowMs - view.measuredAtMs <= DEVICE_SILENCE_MS ? view.measuredAtMs : null;
  const amps = readAtMs === null ? null : drawnCurrents(view, last);
  const drawA = amps === null ? null : Math.max(...amps);
  const range = rangeOf(view, drawA, usedPhases(view, last).length);
  const reachedA = range.stepA < range.followA ? FINE_REACHED_A : REACHED_A;
  const isInFlight = isUnsettled(view, last, { nowMs, readAtMs, drawA, reachedA });
  const isOn = isInFlight && last.command !== null ? last.command.isOn : isReportedOn(view, last, drawA);
  const offerA = isOn ? offered(view, last, { isInFlight, drawA, maxA: range.maxA }) : 0;
  const memory = rememberDraw(isPlugged ? last : withoutCar(last), {
    amps,
    drawA,
    readAtMs,
    nowMs,
    offerA,
    isInFlight,
    isOn,
    ownPhases: ownPhases(view),
    leastDrawA: leastDraw(view),
    isLimited: isLimited(view, last),
    hasNotTaken: drawA !== null && hasNotTaken(view, last, drawA),
  });
  const ignoresLimit = memory.overdrawSinceMs !== null && (readAtMs ?? 0) - memory.overdrawSinceMs >= GRACE_MS;
  const phases = usedPhases(view, memory);
  const isFollowing = isFollowingOthers(view, last, nowMs);
  const volts = measuredVolts(view, amps);
  const seen = { ...memory, draws: nextDraws(last.draws, amps, readAtMs) };
  const state = { phases, offerA, isInFlight, isPlugged, ignoresLimit, readAtMs, isFollowingOthers: isFollowing };
  const draw: DrawState = { ...state, memory: seen };
  const bounds = drawnAt(draw, gridAtMs);
  const ignoresSinceMs = ignoresLimit ? (memory.ignoresSinceMs ?? nowMs) : null;
  return {
    view,
    memory: { ...seen, ignoresSinceMs, offer: nextOffer(last.offer, view.offeredA, nowMs) },
    isPlugged,
    isOn,
    offerA,
    drawA,
    ...range,
    phases,
    volts,
    ...bounds,
    fallingA: falling(draw, amps),
    lowW: sumOfPhases(bounds.lowA) * volts,
    highW: sumOfPhases(bounds.highA) * volts,
    readAtMs,
    isFollowingOthers: isFollowing,
    seen: lastSeen(view, memory, nowMs),
    isInFlight,
    isOverdrawn: ignoresLimit || isOverdrawn(view, memory, { drawA, readAtMs, offerA }),
    ignoresLimit,
    isIdle: memory.idleSinceMs !== null && nowMs - memory.idleSinceMs >= IDLE_MS,
    takesA: memory.lessSinceMs !== null && nowMs - memory.lessSinceMs >= TAKES_LESS_MS ? drawA : null,
  };
}

function lastSeen(view: ChargerView, memory: ChargerMemory, nowMs: number): LastSeen | null {
  const { measuredAtMs: atMs, latencyMs } = view;
  const amps = atMs === null || nowMs - atMs > LAST_SEEN_MS ? null : drawnCurrents(view, memory);
  if (atMs === null || amps === null) return null;
  const settledAtMs = memory.command === null ? -Infinity : memory.command.atMs + latencyMs + RAMP_MS;
  return { atMs, watts: sumOfPhases(amps) * measuredVolts(view, amps), isSteady: atMs >= settledAtMs };
}

/** True while the car may still follow a current that somebody else has set, as seen in an earlier cycle. */
function isFollowingOthers(
  { offeredA, latencyMs }: ChargerView,
  { offer, command }: ChargerMemory,
  nowMs: number,
): boolean {
  if (command !== null || offer === null || offer.currentA !== finite(offeredA)) return false;
  return nowMs - offer.sinceMs < latencyMs + RAMP_MS;
}

function nextOffer(before: ChargerMemory["offer"], offeredA: number | null, nowMs: number): ChargerMemory["offer"] {
  const currentA = finite(offeredA);
  if (currentA === null) return null;
  // What it offered before the first cycle, its car follows already.
  if (before === null) return { currentA, sinceMs: Number.NEGATIVE_INFINITY };
  return before.currentA === currentA ? before : { currentA, sinceMs: nowMs };
}

/** The measured currents by the phases of the site; from the power if the charger reports no currents. */
function drawnCurrents(view: ChargerView, memory: ChargerMemory): PerPhase<number> | null {
  const amps = view.currentA.map(finite);
  if (amps.some((value) => value !== null)) return [amps[0] ?? 0, amps[1] ?? 0, amps[2] ?? 0];
  const watts = finite(view.powerW);
  if (watts === null) return null;
  const phases = usedPhases(view, memory);
  const share = watts / NOMINAL_V / phases.length;
  return perPhase((i) => (phases.includes(i) ? share : 0));
}

function ownPhases({ phases, phasesNow }: ChargerView): readonly PhaseIndex[] {
  const [first] = phases;
  if (phasesNow === 1 && first !== undefined) return PHASE_INDEXES.filter((i) => PHASES[i] === first);
  const own = PHASE_INDEXES.filter((i) => phases.includes(PHASES[i]));
  return own.length === 0 ? PHASE_INDEXES : own;
}

function usedPhases(view: ChargerView, { usedPhases: used }: ChargerMemory): readonly PhaseIndex[] {
  return used ?? ownPhases(view);
}

function isUnsettled(
  { latencyMs, offeredA }: ChargerView,
  { command }: ChargerMemory,
  now: { nowMs: number; readAtMs: number | null; drawA: number | null; reachedA: number },
): boolean {
  const { nowMs, readAtMs, drawA, reachedA } = now;
  if (command === null) return false;
  const settledAtMs = command.atMs + latencyMs + RAMP_MS;
  if (readAtMs === null || readAtMs >= settledAtMs || nowMs >= settledAtMs + UNREAD_COMMAND_MS) {
    return nowMs < settledAtMs;
  }
  const target = command.isOn ? command.currentA : 0;
  const reported = finite(offeredA);
  const isReported = !command.isOn || reported === null || Math.abs(reported - command.currentA) < reachedA;
  const isReached = readAtMs > command.atMs && drawA !== null && Math.abs(drawA - target) < reachedA;
  return !(isReached && isReported);
}

function isReportedOn(view: ChargerView, { command }: ChargerMemory, drawA: number | null) {
  const { isEnabled, canSwitch, state } = view;
  if (drawA !== null && drawA > leastDraw(view)) return true;
  if (isEnabled !== null) return isEnabled;
  if (command !== null) return command.isOn;
  return !canSwitch || state === "PLUGGED_IN:CHARGING";
}

function offered(
  { offeredA, switched }: ChargerView,
  { command }: ChargerMemory,
  { isInFlight, drawA, maxA }: { isInFlight: boolean; drawA: number | null; maxA: number },
): number {
  const reported = finite(offeredA);
  if (command === null) return Math.max(reported ?? maxA, Math.min(drawA ?? 0, maxA));
  if (switched !== undefined) return maxA;
  if (isInFlight) return command.currentA;
  return reported ?? (command.isOn ? command.currentA : Math.max(LEAST_CHARGE_A, drawA ?? 0));
}

function leastDraw({ isHeater }: ChargerView): number {
  return isHeater === true ? HEATER_DRAW_A : DRAW_A;
}

/** A car that was unplugged leaves nothing behind but the timers of the charger's contactor. */
function withoutCar(memory: ChargerMemory): ChargerMemory {
  return {
    ...memory,
    usedPhases: null,
    fewerPhasesSinceMs: null,
    idleSinceMs: null,
    lessSinceMs: null,
    overdrawSinceMs: null,
    room: null,
    wake: { ...EMPTY_WAKE_MEMORY, hasDrawn: false },
    phases: { ...EMPTY_PHASE_MEMORY, now: memory.phases.now, changesMs: memory.phases.changesMs, hasCharged: false },
  };
}

/** After a change of the phases it has to be seen again which of them the car uses. */
function withPhasesNow(memory: ChargerMemory, { phasesNow = null }: ChargerView): ChargerMemory {
  if (phasesNow === memory.phases.now) return memory;
  return {
    ...memory,
    usedPhases: null,
    fewerPhasesSinceMs: null,
    phases: { ...memory.phases, now: phasesNow, preferred: null },
  };
}

/** True if a reading that is due to show the last command is above it, and not because others have set more since it was followed. */
function isOverdrawn(
  view: ChargerView,
  memory: ChargerMemory,
  { drawA, readAtMs, offerA }: { drawA: number | null; readAtMs: number | null; offerA: number },
): boolean {
  const { command, hasFollowed } = memory;
  if (command === null || drawA === null || readAtMs === null || !isLimited(view, memory)) return false;
  if (readAtMs <= command.atMs + view.latencyMs) return false;
  const limitA = command.isOn ? Math.max(command.currentA, hasFollowed ? offerA : 0) : 0;
  return isAbove(drawA, limitA) || hasNotTaken(view, memory, drawA);
}

/**
 * True if the charger still reports that it offers more than its last command, and its car draws that. Whether this is a
 * small part of the current does not matter: a car may be imprecise, but a charger knows what it was set to.
 */
function hasNotTaken({ offeredA }: ChargerView, { command, hasFollowed }: ChargerMemory, drawA: number): boolean {
  if (command === null || !command.isOn || hasFollowed) return false;
  const highestA = command.currentA + REACHED_A;
  return drawA > highestA && (finite(offeredA) ?? 0) > highestA;
}

/** A load that is only switched takes what it takes while it is on. */
function isLimited({ switched }: ChargerView, { command }: ChargerMemory): boolean {
  return switched === undefined || command?.isOn === false;
}

function isAbove(drawA: number, offerA: number): boolean {
  return drawA > offerA + OVERDRAW_A + OVERDRAW_SHARE * offerA;
}

function rememberDraw(
  memory: ChargerMemory,
  now: {
    amps: PerPhase<number> | null;
    drawA: number | null;
    readAtMs: number | null;
    nowMs: number;
    offerA: number;
    isInFlight: boolean;
    isOn: boolean;
    ownPhases: readonly PhaseIndex[];
    leastDrawA: number;
    isLimited: boolean;
    hasNotTaken: boolean;
  },
): ChargerMemory {
  const { amps, drawA, readAtMs, nowMs, offerA, isInFlight, isOn } = now;
  if (amps === null || drawA === null || readAtMs === null) return memory;
  const { command, hasFollowed, ignoresSinceMs } = memory;
  const commandA = command === null ? null : command.isOn ? command.currentA : 0;
  const limitA = commandA === null || hasFollowed ? offerA : commandA;
  // Once it ignores a limit, a repeated command does not make it controllable before it shows.
  const isAboveLimit = isAbove(drawA, limitA) || now.hasNotTaken;
  const isOver = now.isLimited && isAboveLimit && (!isInFlight || ignoresSinceMs !== null);
  const isDrawing = drawA > now.leastDrawA;
  // While a command is under way it is not seen what the car makes of it.
  const isLess = isInFlight ? isDrawing && memory.lessSinceMs !== null : isDrawing && drawA < offerA - UNUSED_A;
  const used = rememberPhases(memory, amps, now);
  return {
    ...memory,
    ...used,
    hasFollowed: hasFollowed || (!isInFlight && commandA !== null && !isAbove(drawA, commandA) && !now.hasNotTaken),
    phases: {
      ...memory.phases,
      isSinglePhaseCar: isSinglePhaseCar(memory.phases, used.usedPhases),
      hasCharged: isDrawing || memory.phases.hasCharged,
    },
    overdrawSinceMs: isOver ? (memory.overdrawSinceMs ?? readAtMs - passedGraceMs(memory)) : null,
    wake: isDrawing ? { ...EMPTY_WAKE_MEMORY, hasDrawn: true } : memory.wake,
    idleSinceMs: isDrawing || !isOn ? null : (memory.idleSinceMs ?? nowMs),
    lessSinceMs: isLess ? (memory.lessSinceMs ?? nowMs) : null,
  };
}

/** Only a charger that is on three phases shows how many the car has. */
function isSinglePhaseCar({ now, isSinglePhaseCar: before }: PhaseMemory, used: ChargerMemory["usedPhases"]): boolean {
  return now === 3 && used !== null ? used.length === 1 : before;
}

/** A command that was never followed has had its grace when its effect is due. */
function passedGraceMs({ command, hasFollowed }: ChargerMemory): number {
  return command !== null && !hasFollowed ? GRACE_MS : 0;
}

function rememberPhases(
  memory: ChargerMemory,
  amps: PerPhase<number>,
  { nowMs, ownPhases: own }: { readonly nowMs: number; readonly ownPhases: readonly PhaseIndex[] },
) {
  const { usedPhases: used, fewerPhasesSinceMs } = memory;
  const drawing = PHASE_INDEXES.filter((i) => Math.abs(amps[i]) > DRAW_A);
  if (drawing.length === 0) return { usedPhases: used, fewerPhasesSinceMs: null };
  const isMore = drawing.some((i) => !(used ?? own).includes(i));
  if (isMore) return { usedPhases: drawing, fewerPhasesSinceMs: null };
  if (used !== null && drawing.length === used.length) return { usedPhases: used, fewerPhasesSinceMs: null };
  const sinceMs = fewerPhasesSinceMs ?? nowMs;
  const isSure = nowMs - sinceMs >= FEWER_PHASES_MS;
  return isSure ? { usedPhases: drawing, fewerPhasesSinceMs: null } : { usedPhases: used, fewerPhasesSinceMs: sinceMs };
}

function falling(draw: DrawState, amps: PerPhase<number> | null): PerPhase<number> {
  const { phases, offerA, isInFlight, isPlugged, ignoresLimit } = draw;
  if (amps === null || !isInFlight || !isPlugged || ignoresLimit) return [0, 0, 0];
  return perPhase((i) => Math.max(0, amps[i] - (phases.includes(i) ? offerA : 0)));
}

/** Power by current, which also covers the power factor of the car; the nominal voltage if that cannot be right. */
function measuredVolts({ powerW }: ChargerView, amps: PerPhase<number> | null): number {
  const watts = finite(powerW);
  if (watts === null || amps === null || sumOfPhases(amps) < 2 * DRAW_A) return NOMINAL_V;
  const volts = watts / sumOfPhases(amps);
  return volts > LEAST_V && volts < HIGHEST_V ? volts : NOMINAL_V;
}
