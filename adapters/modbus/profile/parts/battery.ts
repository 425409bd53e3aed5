/** What the profiles of batteries say alike. */
import type { Condition, Formula, ProfileControl, ProfileSetting, Provenance, WriteStep } from "hemgate/sdk";

/** Below this, either way, a battery's own electronics look like charging or discharging, W. */
const IDLE_BELOW_W = 25;

/** What a battery does, of its power: W, positive into the battery. */
export function statusOfPower(power: Formula): Formula {
  return {
    when: { of: power, atLeast: IDLE_BELOW_W },
    gives: "CHARGING",
    otherwise: {
      when: { of: { minus: [0, power] }, atLeast: IDLE_BELOW_W },
      gives: "DISCHARGING",
      otherwise: "IDLE",
    },
  };
}

/** Devices that give set points up by themselves tell nothing of them: what was not written, or is over, is not held. */
export const MODE_AS_WRITTEN: Formula = { first: [{ lastWrite: "battery.mode" }, "SELF_RELIANCE"] };

const SETPOINT: Formula = { first: [{ lastWrite: "battery.powerSetpoint" }, 0] };

/** The power that is set for a forced mode, where no register tells it: W, 0 while none is set. */
export const SETPOINT_AS_WRITTEN: Formula = SETPOINT;

/** Power of a forced charge, W: what is set, else the owner's setting. */
export const CHARGE_W: Formula = {
  when: { of: SETPOINT, atLeast: 1 },
  gives: SETPOINT,
  otherwise: { setting: "maxChargeW" },
};

/** Power of a forced discharge, W: what is set, else the owner's setting. */
export const DISCHARGE_W: Formula = {
  when: { of: { minus: [0, SETPOINT] }, atLeast: 1 },
  gives: { minus: [0, SETPOINT] },
  otherwise: { setting: "maxDischargeW" },
};

/**
 * The power of the forced modes as a control. It writes the registers of the power only while its own mode was written, and
 * forces nothing by itself: in another mode it waits for the mode's next write, which takes it up. So it needs no timer.
 * `charge` and `discharge` are the writes of a power in W, not negative.
 */
export function powerSetpoint(
  {
    charge,
    discharge,
  }: {
    readonly charge: (watts: Formula) => readonly WriteStep[];
    readonly discharge?: (watts: Formula) => readonly WriteStep[];
  },
  trust: Provenance & Pick<ProfileControl, "approximate">,
): ProfileControl {
  const into: Formula = { wish: true };
  const out: Formula = { minus: [0, { wish: true }] };
  return {
    point: "battery.powerSetpoint",
    range: {
      min: discharge === undefined ? 0 : { minus: [0, { setting: "maxDischargeW" }] },
      max: { setting: "maxChargeW" },
    },
    safeDefault: 0,
    write: {
      steps: [
        ...charge(into).map((step) => onlyIn(step, "IMPORT_FOCUS", into)),
        ...(discharge?.(out) ?? []).map((step) => onlyIn(step, "EXPORT_FOCUS", out)),
      ],
    },
    ...trust,
  };
}

function onlyIn(step: WriteStep, mode: "IMPORT_FOCUS" | "EXPORT_FOCUS", watts: Formula): WriteStep {
  const own: readonly Condition[] = [
    { of: { lastWrite: "battery.mode" }, is: mode },
    { of: watts, atLeast: 1 },
  ];
  return { ...step, when: { all: step.when === undefined ? own : [step.when, ...own] } };
}

/** Power of a forced charge. The default is what the smallest home batteries take. */
export const MAX_CHARGE: ProfileSetting = {
  unit: "W",
  meaning: "Power of a forced charge (IMPORT_FOCUS)",
  min: 100,
  max: 20_000,
  default: 2_000,
};

/** Power of a forced discharge. */
export const MAX_DISCHARGE: ProfileSetting = {
  unit: "W",
  meaning: "Power of a forced discharge (EXPORT_FOCUS)",
  min: 100,
  max: 20_000,
  default: 2_000,
};

/** The powers of forced charging and discharging. */
export const FORCED_POWER = { maxChargeW: MAX_CHARGE, maxDischargeW: MAX_DISCHARGE } as const;

/** States of charge for batteries whose programs set what to keep. */
export const SOC_RANGE = {
  minSoc: { unit: "%", meaning: "State of charge that the battery keeps", min: 0, max: 100, default: 20 },
  maxSoc: { unit: "%", meaning: "State of charge up to which the grid may charge", min: 0, max: 100, default: 95 },
} as const;

/** A note of batteries whose power of a forced mode is not regulated. */
export const POWER_IN_FLASH =
  "The power of a forced charge or discharge is maxChargeW or maxDischargeW and is not regulated: it stands in memory that wears.";

/** A note of inverters whose slots and programs go on without the gateway. */
export const UNTIMED_IN_FLASH =
  "Its settings are kept in flash and are written only to change them. No timer ends a charge from the grid: only SELF_RELIANCE does.";
