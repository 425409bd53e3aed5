/** What many profiles say in the same way: a write, what a battery does. */
import type { Formula, ProfileSetting, WriteField, WriteStep } from "hemgate/sdk";

type StepExtras = Pick<WriteField, "scale" | "wordOrder"> & Pick<WriteStep, "isStored" | "when" | "pauseMs">;

/** A request that writes one value. */
export function writeStep(
  address: number,
  code: WriteStep["code"],
  type: WriteField["type"],
  value: Formula,
  { scale, wordOrder, ...step }: StepExtras = {},
): WriteStep {
  const order = wordOrder === undefined ? {} : { wordOrder };
  return { address, code, fields: [{ type, value, ...(scale === undefined ? {} : { scale }), ...order }], ...step };
}

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

/** The sum of registers; those that a device does not have count for nothing. */
export function sumOf(keys: readonly string[]): Formula {
  return { sumKnown: keys.map((of) => ({ of })) };
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
