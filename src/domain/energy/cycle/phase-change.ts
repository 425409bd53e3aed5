/** Between one and three phases: when a charger is switched, and the steps of it. It never switches while current flows. */
import { DAY_MS, HOUR_MS } from "../../duration.ts";
import type { ChargeRequest } from "./charge-request.ts";
import type { ChargerState } from "./charger-state.ts";
import type { ChargingTarget } from "./charging-target.ts";
import type { PhaseChange, PhaseMemory } from "./cycle-memory.ts";
import {
  MORE_PHASES_DELAY_MS,
  NOMINAL_V,
  PHASE_CHANGES_PER_DAY,
  PHASE_CHANGES_PER_HOUR,
  PHASE_FAILURES,
  PHASES_EVERY_AT_ONCE_MS,
  PHASES_EVERY_MS,
  PHASES_REST_MS,
  PHASES_TIMEOUT_MS,
  START_DELAY_MS,
  STOP_DELAY_MS,
  THREE_PHASES_MARGIN_W,
} from "./cycle-timing.ts";
import { leastSurplusA, type SurplusShare } from "./surplus.ts";

/** Below this current a charger is at rest, A. */
const REST_A = 0.5;

export interface PhaseCar {
  readonly charger: ChargerState;
  readonly request: ChargeRequest;
}

export interface PhaseInputs {
  /** `null` while the grid meter is silent: nothing new begins then. */
  readonly share: SurplusShare | null;
  readonly nowMs: number;
}

export interface PhaseStep {
  /** Off while the phases change, and until the car may start again. */
  readonly target: ChargingTarget;
  /** The number that is commanded now; `null`: nothing is. */
  readonly phases: 1 | 3 | null;
}

/** One step of a change of the phases, or the begin of one. */
export function phaseStep(car: PhaseCar, target: ChargingTarget, inputs: PhaseInputs): PhaseStep {
  const { charger } = car;
  const { view } = charger;
  if (view.canSwitchPhases !== true || !view.canSwitch || !charger.isPlugged) return left(target);
  const { change } = charger.memory.phases;
  return change === null ? begun(car, target, inputs) : continued(car, target, { ...inputs, change });
}

/** The phases stay: what was preferred or under way is forgotten. */
function left(target: ChargingTarget): PhaseStep {
  const { phases } = target.memory;
  if (phases.change === null && phases.preferred === null) return { target, phases: null };
  return { target: withMemory(target, { change: null, preferred: null }), phases: null };
}

function begun(car: PhaseCar, target: ChargingTarget, { share, nowMs }: PhaseInputs): PhaseStep {
  const { charger } = car;
  const to = share === null ? null : phasesFor(car, share);
  if (to === null || to === phasesNow(charger)) return left(target);
  const before = charger.memory.phases.preferred;
  const preferred = before?.to === to ? before : { to, sinceMs: nowMs };
  const waiting: PhaseStep = { target: withMemory(target, { preferred }), phases: null };
  if (nowMs - preferred.sinceMs < delayMs(car, to) || !mayChange(car, nowMs)) return waiting;
  const isAtRest = restsNow(charger);
  // What a limit has just commanded shows first.
  if (!isAtRest && charger.isInFlight) return waiting;
  return isAtRest ? switched(car, target, to, nowMs) : off(target, { to, stage: "stopping", sinceMs: nowMs });
}

function continued(
  car: PhaseCar,
  target: ChargingTarget,
  { change, share, nowMs }: PhaseInputs & { readonly change: PhaseChange },
): PhaseStep {
  const { charger } = car;
  const { view } = charger;
  const isLate = nowMs - change.sinceMs >= PHASES_TIMEOUT_MS + view.latencyMs;
  switch (change.stage) {
    case "stopping":
      if (share === null) return { target: withMemory(target, { change: null, preferred: null }), phases: null };
      if (restsNow(charger)) return switched(car, target, change.to, nowMs);
      return isLate ? failed(charger, target) : off(target, change);
    case "switching":
      if (phasesNow(charger) === change.to) return off(target, { ...change, stage: "resting", sinceMs: nowMs });
      return isLate ? failed(charger, target) : off(target, change);
    case "resting":
      if (nowMs - change.sinceMs < PHASES_REST_MS) return off(target, change);
      return { target: withMemory(target, { change: null, preferred: null }), phases: null };
    default:
      return change.stage satisfies never;
  }
}

/** A car that must have one number of phases is given it before it has drawn, and never while it may charge. */
function phasesFor(car: PhaseCar, share: SurplusShare): 1 | 3 | null {
  const { memory, view, ignoresLimit } = car.charger;
  const only = view.onlyPhases ?? null;
  if (only === null) return betterPhases(car, share);
  return memory.phases.hasCharged === false && !ignoresLimit ? only : null;
}

/** The number of phases that suits the power that is asked for or there; `null`: as it is. */
function betterPhases({ charger, request }: PhaseCar, share: SurplusShare): 1 | 3 | null {
  const { memory, minA } = charger;
  if (memory.phases.isSinglePhaseCar || charger.ignoresLimit || (charger.isIdle && charger.isOn)) return null;
  const leastW = minA * NOMINAL_V;
  // From surplus its owner may want a higher least current.
  const leastSurplusW = leastSurplusA(charger) * NOMINAL_V;
  const isOnThree = phasesNow(charger) === 3 && charger.isOn;
  const surplusW = request.takesSurplus ? (isOnThree ? share.keepW : share.riseW) : 0;
  if (surplusW === null || (request.firmW < leastW && surplusW < leastSurplusW)) return null;
  if (request.firmW >= 3 * leastW) return 3;
  // A car that is about to start has the margin as well, or it would start on three phases and come back at once.
  return surplusW >= 3 * leastSurplusW + (isOnThree ? 0 : THREE_PHASES_MARGIN_W) ? 3 : 1;
}

/** What was measured goes before what the charger says. One that does not say counts with all its phases. */
function phasesNow({ view, phases }: ChargerState): 1 | 3 {
  return view.phasesNow === 1 && phases.length === 1 ? 1 : 3;
}

/** As much as there is, now: somebody waits for it. */
function isAtOnce({ firmW }: ChargeRequest): boolean {
  return firmW === Number.POSITIVE_INFINITY;
}

function delayMs({ charger, request }: PhaseCar, to: 1 | 3): number {
  // It must not start on the wrong number.
  if (isAtOnce(request) || (charger.view.onlyPhases ?? null) !== null) return 0;
  if (!charger.isOn) return START_DELAY_MS;
  return to === 3 ? MORE_PHASES_DELAY_MS : STOP_DELAY_MS;
}

function mayChange({ charger, request }: PhaseCar, nowMs: number): boolean {
  const { changesMs, failures } = charger.memory.phases;
  // It says one phase and draws on three: it cannot be switched.
  const isStuck = charger.view.phasesNow === 1 && charger.phases.length > 1;
  if (failures >= PHASE_FAILURES || isStuck) return false;
  const within = (ms: number) => changesMs.filter((atMs) => nowMs - atMs < ms).length;
  if (within(HOUR_MS) >= PHASE_CHANGES_PER_HOUR || within(DAY_MS) >= PHASE_CHANGES_PER_DAY) return false;
  return within(isAtOnce(request) ? PHASES_EVERY_AT_ONCE_MS : PHASES_EVERY_MS) === 0;
}

/** True if a reading after the last command shows that no current flows. */
function restsNow({ isOn, isInFlight, drawA, readAtMs, memory }: ChargerState): boolean {
  if (isOn || isInFlight || drawA === null || readAtMs === null) return false;
  return drawA < REST_A && readAtMs > (memory.command?.atMs ?? -Infinity);
}

function switched({ charger }: PhaseCar, target: ChargingTarget, to: 1 | 3, nowMs: number): PhaseStep {
  const recent = charger.memory.phases.changesMs.filter((atMs) => nowMs - atMs < DAY_MS);
  const step = off(target, { to, stage: "switching", sinceMs: nowMs });
  return { target: withMemory(step.target, { changesMs: [...recent, nowMs] }), phases: to };
}

/** The charger goes on with the phases that it has. */
function failed(charger: ChargerState, target: ChargingTarget): PhaseStep {
  const { failures } = charger.memory.phases;
  const kept = withMemory(target, { change: null, preferred: null, failures: failures + 1 });
  return { target: kept, phases: charger.view.phasesNow ?? null };
}

function off(target: ChargingTarget, change: PhaseChange): PhaseStep {
  const untilMs = change.stage === "resting" ? change.sinceMs + PHASES_REST_MS : null;
  return {
    target: {
      ...withMemory(target, { change, preferred: null }),
      keepA: 0,
      riseA: 0,
      reason: { code: "switches-phases", subject: null, untilMs },
      isForPhases: true,
    },
    phases: null,
  };
}

function withMemory(target: ChargingTarget, phases: Partial<PhaseMemory>): ChargingTarget {
  return { ...target, memory: { ...target.memory, phases: { ...target.memory.phases, ...phases } } };
}
