/** What the profiles of batteries say alike. */
import type { Formula, ProfileSetting } from "hemgate/sdk";

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

/** A note of inverters whose slots and programs go on without the gateway. */
export const UNTIMED_IN_FLASH =
  "Its settings are kept in flash and are written only to change them. No timer ends a charge from the grid: only SELF_RELIANCE does.";
