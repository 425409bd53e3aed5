/**
 * Chargers that have one register for the current, and stop when it is 0. The gateway's two controls share it: a limit
 * that is set, or renewed, while charging is stopped must not start it again, and a start takes the limit up.
 */
import type { Formula, ProfileControl, ProfileFormula, ProfileHold, Provenance, WriteStep } from "hemgate/sdk";

/** The least current that IEC 61851 lets a charger offer, A. */
export const LEAST_A = 6;
/** By then a reading shows a start or a stop, ms; what somebody changes later counts. */
export const SHOWN_WITHIN_MS = 15_000;

type RawKey = `raw.${string}`;

/** The limit as it is, and while charging is stopped the one that was set last. */
export function shownLimit(key: RawKey): ProfileFormula {
  return {
    point: "charger.maxCurrent",
    value: { lookup: { of: key }, values: { 0: { lastWrite: "charger.maxCurrent" } }, otherwise: { of: key } },
  };
}

/** Stopped is 0 A. */
export function shownEnabled(key: RawKey): ProfileFormula {
  return { point: "charger.enabled", value: isOffering(key) };
}

function isOffering(key: RawKey): Formula {
  return { lookup: { of: key }, values: { 0: false }, otherwise: true };
}

/** What to write for a setpoint by whether charging is stopped: by the last command, else by the register. */
export function unlessStopped(running: Formula, stopped: Formula, key?: RawKey): Formula {
  const shown: readonly Formula[] =
    key === undefined ? [] : [{ lookup: { of: key }, values: { 0: stopped }, otherwise: running }];
  const lastWritten: Formula = {
    lookup: { lastWrite: "charger.enabled" },
    values: { true: running, false: stopped },
    otherwise: null,
  };
  return { first: [lastWritten, ...shown, running] };
}

/** The current to start with: the limit that was set last, else the one that is shown, else the least. */
export function startCurrent(key?: string): Formula {
  const shown: readonly Formula[] = key === undefined ? [] : [{ greatest: [{ of: key }, LEAST_A] }];
  return { first: [{ lastWrite: "charger.maxCurrent" }, ...shown, LEAST_A] };
}

function isOffered(ampere: Formula): Formula {
  return ampere === null ? true : { when: { of: ampere, atLeast: LEAST_A }, gives: true, otherwise: false };
}

export interface CurrentControl extends Provenance {
  /** The write of a current, A. */
  step(ampere: Formula): WriteStep;
  /** Key of the register, where it can be read. */
  readonly key?: RawKey;
  readonly maxA: number;
  /** The least step of the current, A, where that is less than 1 A. */
  readonly stepA?: number;
  /** Where the stop is known less well than the limit. */
  readonly stop?: Provenance;
  /** What it offers when its timer is over, where that is set in the device and not here; null: nobody can tell. */
  readonly safeCurrent?: Formula;
  /** The device's timer; `failsafe` is the current to fall back to: the least, and 0 when charging is stopped. */
  hold?(failsafe: Formula): ProfileHold;
}

/** The limit, and start and stop, of such a charger. */
export function currentControls(control: CurrentControl): readonly [ProfileControl, ProfileControl] {
  const { step, key, maxA, stepA, confidence, source, stop, hold, safeCurrent = LEAST_A } = control;
  const setpoint: Formula = { wish: true };
  return [
    {
      point: "charger.maxCurrent",
      range: { min: LEAST_A, max: maxA },
      ...(stepA === undefined ? {} : { step: stepA }),
      safeDefault: "as-found",
      write: { steps: [step(unlessStopped(setpoint, 0, key))] },
      ...(hold === undefined ? {} : { hold: { ...hold(unlessStopped(LEAST_A, 0, key)), shows: safeCurrent } }),
      confidence,
      source,
    },
    {
      point: "charger.enabled",
      // A stop of the gateway must not let a vehicle charge that was stopped.
      safeDefault: null,
      write: {
        cases: [
          { value: true, steps: [step(startCurrent(key))] },
          { value: false, steps: [step(0)] },
        ],
      },
      ...(hold === undefined
        ? {}
        : {
            hold: {
              ...hold({ lookup: setpoint, values: { true: LEAST_A, false: 0 }, otherwise: null }),
              // A stop ends with the timer of a device that has its own safe current.
              ...(control.safeCurrent === undefined ? {} : { shows: isOffered(control.safeCurrent) }),
            },
          }),
      ...(key === undefined ? {} : { shownWithinMs: SHOWN_WITHIN_MS }),
      confidence: stop?.confidence ?? confidence,
      source: stop?.source ?? source,
      approximate: "A stop offers 0 A; a start offers the current that was set last, else what is set, at least 6 A.",
    },
  ];
}
