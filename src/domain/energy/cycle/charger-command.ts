/** Turns an allocation into the command to a charger, and remembers what is needed for its timers. */

import { DAY_MS } from "../../duration.ts";
import { type ChargeRequest, nativeSetting } from "./charge-request.ts";
import type { Allocation } from "./charger-allocation.ts";
import type { ChargerState } from "./charger-state.ts";
import type { ChargingTarget } from "./charging-target.ts";
import type { ChargerMemory, StopCause } from "./cycle-memory.ts";
import { GRACE_MS, IGNORED_LOCK_MS, IGNORED_OFF_MS, RAISE_EVERY_MS, ROOM_DELAY_MS } from "./cycle-timing.ts";
import type { Decision, Reason } from "./energy-decision.ts";
import { finite } from "./grid-reading.ts";

const EPSILON = 1e-6;

export interface CommandInputs {
  readonly charger: ChargerState;
  readonly request: ChargeRequest;
  readonly target: ChargingTarget;
  readonly allocation: Allocation;
  /** The number of phases that is commanded now. */
  readonly phases: 1 | 3 | null;
  /** A limit is exceeded, and its deadline is near. */
  readonly isUrgent: boolean;
  readonly nowMs: number;
}

interface Outcome {
  readonly currentA: number;
  readonly reason: Reason;
  readonly stopCause: StopCause;
  readonly memory: ChargerMemory;
}

export function chargerDecision(inputs: CommandInputs): {
  decision: Decision;
  memory: ChargerMemory;
  currentA: number;
} {
  const { charger, phases, nowMs } = inputs;
  const outcome = outcomeOf(inputs);
  const { currentA, reason } = outcome;
  const { isOnNow, offeredNowA } = reportedNow(charger);
  const isOn = currentA > 0;
  const isSwitched = charger.view.canSwitch && isOn !== isOnNow;
  const isChanged =
    isOn && charger.view.range !== null && Math.abs(currentA - (offeredNowA ?? -1)) >= charger.stepA / 2;
  const decision: Decision = {
    kind: "charger",
    id: charger.view.id,
    isOn: isSwitched ? isOn : null,
    currentA: isChanged ? currentA : null,
    phases,
    reason,
  };
  const ownA = isOn || isSwitched ? null : switchedOffA(charger);
  // It is theirs again: nothing is commanded any more.
  if (ownA !== null)
    return { decision: { ...decision, currentA: ownA }, memory: uncommanded(outcome.memory), currentA };
  if (!isSwitched && !isChanged) return { decision, memory: outcome.memory, currentA };
  const command = { atMs: nowMs, isOn, currentA: isOn ? currentA : (offeredNowA ?? charger.minA) };
  const memory = {
    ...outcome.memory,
    command,
    hasFollowed: false,
    ...(isSwitched ? switched(outcome, isOn, charger, nowMs) : {}),
  };
  return { decision, memory, currentA };
}

/** What others had set before it was lowered, where they have switched it off since; `null`: they have not. */
function switchedOffA(charger: ChargerState): number | null {
  const { view, memory } = charger;
  if (view.ask.by !== "device" || view.range === null || memory.native === null) return null;
  const { isOn, currentA } = nativeSetting(charger);
  return isOn ? null : currentA;
}

function uncommanded(memory: ChargerMemory): ChargerMemory {
  return { ...memory, command: null, hasFollowed: false, trimmedAtMs: null, room: null };
}

function outcomeOf(inputs: CommandInputs): Outcome {
  const { charger, isUrgent } = inputs;
  if (!charger.isPlugged) return unplugged(inputs);
  const isLocked = charger.memory.ignoresSinceMs !== null || (charger.isOverdrawn && isUrgent);
  return isLocked ? ignoring(inputs) : allocated(inputs);
}

/** What the device does, or was commanded to a moment ago. */
function reportedNow({ view, memory, isInFlight, isOn, offerA }: ChargerState) {
  const { command } = memory;
  if (isInFlight && command !== null) return { isOnNow: command.isOn, offeredNowA: command.currentA };
  const reported = finite(view.offeredA);
  const offeredNowA = reported ?? command?.currentA ?? (isOn && view.range === null ? offerA : null);
  return { isOnNow: isOn, offeredNowA };
}

function switched(outcome: Outcome, isOn: boolean, charger: ChargerState, nowMs: number): Partial<ChargerMemory> {
  if (!isOn) {
    return {
      startedAtMs: null,
      stoppedAtMs: nowMs,
      stopCause: outcome.stopCause,
      surplusSinceMs: null,
      deficitSinceMs: null,
    };
  }
  // A repeated command to start is no second start.
  if (charger.memory.command?.isOn === true) return {};
  // It goes on after a change of its phases, which are counted by themselves.
  if (charger.memory.stopCause === "phases") return { startedAtMs: nowMs, stoppedAtMs: null, stopCause: null };
  const startsMs = [...charger.memory.startsMs.filter((atMs) => nowMs - atMs < DAY_MS), nowMs];
  const wake = { ...outcome.memory.wake, hasDrawn: false };
  return { startedAtMs: nowMs, stoppedAtMs: null, stopCause: null, startsMs, idleSinceMs: null, wake };
}

function unplugged({ charger, target }: CommandInputs): Outcome {
  const { ask } = charger.view;
  // A car that is plugged in later must not start by itself where it has to wait for sun or plan.
  const waits = ask.by === "energy" && ask.mode !== "FAST" && ask.mode !== "MIN_SURPLUS";
  const { isOnNow, offeredNowA } = reportedNow(charger);
  const memory: ChargerMemory = { ...target.memory, native: null, trimmedAtMs: null, room: null };
  const native = ask.by === "device" ? charger.memory.native : null;
  if (native !== null) {
    return { currentA: native.isOn ? native.currentA : 0, reason: target.reason, stopCause: "asked", memory };
  }
  const currentA = waits || !isOnNow ? 0 : (offeredNowA ?? charger.minA);
  return { currentA, reason: target.reason, stopCause: "asked", memory };
}

/** Others are lowered first; then it is switched off, if it can be. */
function ignoring({ charger, target, isUrgent, nowMs }: CommandInputs): Outcome {
  const reason: Reason = { code: "ignores-limit", subject: charger.view.id, untilMs: null };
  const sinceMs = charger.memory.ignoresSinceMs ?? nowMs;
  const { isOnNow, offeredNowA } = reportedNow(charger);
  const isOff = !isOnNow || (charger.view.canSwitch && (isUrgent || nowMs - sinceMs >= IGNORED_OFF_MS));
  const lockedUntilMs = isOff ? nowMs + IGNORED_LOCK_MS : target.memory.lockedUntilMs;
  const keptA = Math.min(offeredNowA ?? charger.minA, Math.max(charger.minA, target.keepA));
  // It was commanded to be off and draws on: it is commanded again.
  const isStillOn = charger.memory.command?.isOn === false && !charger.isInFlight;
  const currentA = (isOff || isStillOn) && charger.view.canSwitch ? 0 : keptA;
  return {
    currentA,
    reason,
    stopCause: "guard",
    memory: {
      ...target.memory,
      native: nextNative(charger, currentA),
      lockedUntilMs,
      trimmedAtMs: nowMs,
      room: null,
      // Without time for its grace it counts as ignoring the limit from now on.
      overdrawSinceMs: target.memory.overdrawSinceMs ?? nowMs - GRACE_MS,
      ignoresSinceMs: sinceMs,
    },
  };
}

function allocated(inputs: CommandInputs): Outcome {
  const { charger, request, target, allocation, nowMs } = inputs;
  const { cutA, riseA, bindingRow, shortRow } = allocation;
  const goalA = charger.isOn ? Math.max(Math.min(target.keepA, charger.offerA), target.riseA) : target.riseA;
  const isTrimmed = charger.isOn && bindingRow !== null && cutA < Math.min(charger.offerA, target.keepA) - EPSILON;
  const trimmedAtMs = isTrimmed ? nowMs : target.memory.trimmedAtMs;
  const room = riseA > cutA + EPSILON ? nextRoom(target.memory.room, riseA, nowMs) : null;
  const hasRoom = trimmedAtMs === null || (room !== null && nowMs - room.sinceMs >= ROOM_DELAY_MS);
  const isAllowed = hasRoom && !isTooSoon(inputs);
  const raisedA = trimmedAtMs === null || room === null ? riseA : Math.min(riseA, room.currentA);
  const currentA = isAllowed ? Math.max(cutA, raisedA) : cutA;
  const isLocked = target.memory.lockedUntilMs !== null && nowMs < target.memory.lockedUntilMs && currentA <= 0;
  const isFull = currentA >= goalA - EPSILON && goalA > 0 && bindingRow === null;
  const reason = shortRow !== null && currentA < goalA - EPSILON ? rowReason(shortRow) : target.reason;
  const isGuarded = bindingRow !== null && target.keepA > 0;
  const isWaitingForRoom = !isAllowed && reason === target.reason && currentA < goalA - EPSILON;
  const stopCause = isGuarded ? "guard" : causeOf(request, target);
  return {
    currentA: withoutOff(charger, currentA),
    reason: isLocked ? ignored(charger, target) : isWaitingForRoom && room !== null ? waiting(room.sinceMs) : reason,
    stopCause,
    memory: {
      ...target.memory,
      trimmedAtMs: isFull ? null : trimmedAtMs,
      room: currentA > cutA + EPSILON ? null : room,
      native: nextNative(charger, currentA),
    },
  };
}

function causeOf({ isDirect }: ChargeRequest, { isForPhases, isForWake }: ChargingTarget): StopCause {
  if (isForPhases === true) return "phases";
  if (isForWake === true) return "wake";
  return isDirect ? "asked" : "automatic";
}

/** What follows the sun is raised now and then, not with each ray. */
function isTooSoon({ charger, request, allocation, nowMs }: CommandInputs): boolean {
  const { command } = charger.memory;
  if (command === null || !charger.isOn || !request.takesSurplus) return false;
  return allocation.cutA >= request.firmA && nowMs - command.atMs < RAISE_EVERY_MS;
}

function nextRoom(room: ChargerMemory["room"], currentA: number, nowMs: number) {
  return room === null ? { sinceMs: nowMs, currentA } : { ...room, currentA: Math.min(room.currentA, currentA) };
}

function waiting(sinceMs: number): Reason {
  return { code: "waits-minimum-time", subject: null, untilMs: sinceMs + ROOM_DELAY_MS };
}

function ignored({ view }: ChargerState, { memory }: ChargingTarget): Reason {
  return { code: "ignores-limit", subject: view.id, untilMs: memory.lockedUntilMs };
}

function rowReason({ code, subject, untilMs }: NonNullable<Allocation["bindingRow"]>): Reason {
  return { code, subject, untilMs };
}

/** A charger that cannot be switched off stays at its least current. */
function withoutOff({ view, isOn, minA }: ChargerState, currentA: number): number {
  return currentA <= 0 && isOn && !view.canSwitch && view.range !== null ? minA : currentA;
}

/** Remembers what others set while it is lowered. */
function nextNative(charger: ChargerState, currentA: number): ChargerMemory["native"] {
  if (charger.view.ask.by !== "device") return null;
  const native = nativeSetting(charger);
  if (!native.isOn) return null;
  return currentA >= native.currentA - EPSILON ? null : native;
}
