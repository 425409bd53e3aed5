/** What a charger should do before any limit: its request, surplus, and the minimum times of automatic starts and stops. */

import { DAY_MS, HOUR_MS } from "../../duration.ts";
import type { ChargeRequest } from "./charge-request.ts";
import type { ChargerState } from "./charger-state.ts";
import type { ChargerMemory } from "./cycle-memory.ts";
import { MINIMUM_OFF_MS, MINIMUM_ON_MS, START_DELAY_MS, STARTS_PER_HOUR, STOP_DELAY_MS } from "./cycle-timing.ts";
import type { Reason } from "./energy-decision.ts";
import { type GridReading, silentReason } from "./grid-reading.ts";
import { leastSurplusA, type SurplusBudget, type SurplusShare, toStep } from "./surplus.ts";

export interface ChargingTarget {
  /** It may go on with this at most, A; 0: it is to stop. */
  readonly keepA: number;
  /** It may rise to this, or start with it if it is off; 0: it must not. */
  readonly riseA: number;
  readonly reason: Reason;
  readonly memory: ChargerMemory;
  /** It stops for a change of its phases, or rests after it. */
  readonly isForPhases?: boolean;
  /** It is off for a moment, to wake the car. */
  readonly isForWake?: boolean;
}

export interface TargetInputs {
  readonly share: SurplusShare;
  readonly budget: SurplusBudget;
  /** A battery may carry the least current of a car through a cloud. */
  readonly isSupported: boolean;
  /** Its share counts on sun that a limit of the feed-in hides. */
  readonly isTried: boolean;
  readonly nowMs: number;
}

export function chargingTarget(charger: ChargerState, request: ChargeRequest, inputs: TargetInputs): ChargingTarget {
  const target =
    request.firmA > 0 || !request.takesSurplus
      ? firmTarget(charger, request, inputs)
      : surplusTarget(charger, request, inputs);
  if (charger.isOn || target.riseA <= 0) return target;
  const untilMs = startableAtMs(charger, request, inputs.nowMs);
  if (untilMs <= inputs.nowMs) return target;
  const reason: Reason = { code: "waits-minimum-time", subject: null, untilMs };
  return { ...target, riseA: 0, reason };
}

function firmTarget({ memory }: ChargerState, request: ChargeRequest, { share }: TargetInputs): ChargingTarget {
  const idle = { ...memory, surplusSinceMs: null, deficitSinceMs: null };
  const keepA = Math.max(request.firmA, share.keepA);
  const riseA = Math.max(request.firmA, share.riseA);
  const isFromSurplus = request.takesSurplus && keepA > request.firmA;
  const reason: Reason = isFromSurplus ? { code: "surplus", subject: null, untilMs: null } : request.reason;
  return { keepA, riseA, reason, memory: idle };
}

function surplusTarget(charger: ChargerState, request: ChargeRequest, inputs: TargetInputs): ChargingTarget {
  return charger.isOn ? runningTarget(charger, request, inputs) : waitingTarget(charger, request, inputs);
}

/** A running car follows the surplus, and goes on with its least current until it may stop. */
function runningTarget(charger: ChargerState, request: ChargeRequest, inputs: TargetInputs): ChargingTarget {
  const { share, isSupported, nowMs } = inputs;
  const memory: ChargerMemory = { ...charger.memory, surplusSinceMs: null, deficitSinceMs: null };
  const { probe } = charger.memory;
  if (share.keepA > 0) {
    // Before it draws, what the meter shows proves nothing.
    const isProven = (charger.drawA ?? 0) > 0 && !charger.isInFlight;
    const isOn = probe.isOn && !isProven;
    const reason: Reason = { code: isOn ? "hidden-surplus" : "surplus", subject: null, untilMs: null };
    return { keepA: share.keepA, riseA: share.riseA, reason, memory: { ...memory, probe: { ...probe, isOn } } };
  }
  if (isSupported && request.maxA > 0) {
    const reason: Reason = { code: "minimum", subject: null, untilMs: null };
    return { keepA: leastSurplusA(charger), riseA: 0, reason, memory };
  }
  const deficitSinceMs = charger.memory.deficitSinceMs ?? nowMs;
  const { startedAtMs } = charger.memory;
  const untilMs = Math.max(
    deficitSinceMs + (charger.view.surplusRule?.delayMs ?? STOP_DELAY_MS),
    startedAtMs === null || probe.isOn
      ? -Infinity
      : startedAtMs + (charger.view.switched?.minimumOnMs ?? MINIMUM_ON_MS),
  );
  if (nowMs < untilMs) {
    const reason: Reason = { code: probe.isOn ? "hidden-surplus" : "waits-minimum-time", subject: null, untilMs };
    return { keepA: leastSurplusA(charger), riseA: 0, reason, memory: { ...memory, deficitSinceMs } };
  }
  const ended = probe.isOn ? { isOn: false, failedAtMs: nowMs } : probe;
  return { keepA: 0, riseA: 0, reason: lackReason(charger, request, inputs), memory: { ...memory, probe: ended } };
}

function waitingTarget(charger: ChargerState, request: ChargeRequest, inputs: TargetInputs): ChargingTarget {
  const { share, budget, nowMs } = inputs;
  const memory: ChargerMemory = { ...charger.memory, deficitSinceMs: null };
  const idle = { keepA: 0, riseA: 0 };
  if (budget.averageW === null) return { ...idle, reason: lackReason(charger, request, inputs), memory };
  if (share.riseA <= 0) {
    return { ...idle, reason: lackReason(charger, request, inputs), memory: { ...memory, surplusSinceMs: null } };
  }
  const surplusSinceMs = memory.surplusSinceMs ?? nowMs;
  const untilMs = surplusSinceMs + (charger.view.surplusRule?.delayMs ?? START_DELAY_MS);
  const waiting = { ...memory, surplusSinceMs };
  if (nowMs < untilMs) {
    return { ...idle, reason: { code: "waits-minimum-time", subject: null, untilMs }, memory: waiting };
  }
  const { isTried } = inputs;
  const reason: Reason = { code: isTried ? "hidden-surplus" : "surplus", subject: null, untilMs: null };
  const probe = { ...memory.probe, isOn: isTried };
  return { keepA: share.riseA, riseA: share.riseA, reason, memory: { ...waiting, probe } };
}

/** Why there is nothing for the car: its plan, a temperature that is reached, a battery that comes first, or no sun. */
function lackReason(charger: ChargerState, request: ChargeRequest, { budget }: TargetInputs): Reason {
  if (request.reason.code === "plan-waits" || request.reason.code === "warm-enough") return request.reason;
  const leastW = leastSurplusA(charger) * charger.phases.length * charger.volts;
  const isBatteryFirst = budget.batteryFirstW > 0 && budget.nowW + budget.batteryFirstW >= leastW;
  return { code: isBatteryFirst ? "battery-first" : "no-surplus", subject: null, untilMs: null };
}

/** True for one that is off for longer than another needs for its least time. */
export function startsLater(charger: ChargerState, request: ChargeRequest, nowMs: number): boolean {
  return !charger.isOn && startableAtMs(charger, request, nowMs) - nowMs > MINIMUM_ON_MS;
}

/** When a charger that is off may start. A person does not wait for the pauses of the automatic modes. */
function startableAtMs({ memory, view }: ChargerState, { isDirect }: ChargeRequest, nowMs: number): number {
  const { stoppedAtMs, stopCause, lockedUntilMs, startsMs } = memory;
  const { switched } = view;
  const mustPause = stoppedAtMs !== null && (stopCause === "guard" || (!isDirect && stopCause === "automatic"));
  const recent = startsMs.filter((atMs) => nowMs - atMs < HOUR_MS);
  const oldest = recent.at(-STARTS_PER_HOUR);
  const first = switched === undefined ? undefined : startsMs.at(-switched.startsPerDay);
  return Math.max(
    lockedUntilMs ?? -Infinity,
    mustPause ? stoppedAtMs + (switched?.minimumOffMs ?? MINIMUM_OFF_MS) : -Infinity,
    !isDirect && first !== undefined ? first + DAY_MS : -Infinity,
    !isDirect && oldest !== undefined ? oldest + HOUR_MS : -Infinity,
  );
}

/** The target while the grid meter says nothing: the least current, if it runs at all. */
export function silentTarget(charger: ChargerState, request: ChargeRequest, grid: GridReading): ChargingTarget {
  // What is as warm as it may be takes nothing.
  const isAsked = request.firmA > 0 || (request.takesSurplus && request.maxA > 0);
  const keepA = isAsked && charger.isOn ? toStep(charger, charger.minA, charger.maxA) : 0;
  const memory = { ...charger.memory, surplusSinceMs: null, deficitSinceMs: null };
  const reason: Reason = isAsked ? silentReason(grid) : request.reason;
  return { keepA, riseA: 0, reason, memory };
}
