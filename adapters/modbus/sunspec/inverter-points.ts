import type { ModelInstance } from "./model-instance.ts";
import type { MpptInputs } from "./mppt-inputs.ts";
import type { PollList } from "./poll-list.ts";
import type { Quantity } from "./quantity.ts";
import { numberAt, sumOfAll, sumOfKnown, total } from "./quantity.ts";

/** A counter of model 160 that reads all ones, as Fronius' does at night with the rest of the model. */
const SILENT_COUNTER = 0xffff_ffff;

export interface InverterParts {
  /** 101 to 103, 111 to 113, or 701. */
  readonly ac: ModelInstance | null;
  readonly mppt: ModelInstance | null;
  readonly inputs: MpptInputs | null;
  /** Into the battery behind the same inverter; null when it has none. */
  readonly batteryPower: Quantity | null;
  /** SolarEdge: production is counted on the DC side, where its battery is. */
  readonly isDcSide: boolean;
}

/** What the sun gives: the inverter's output, less what of it comes from the battery. */
export function addInverterPoints(polls: PollList, parts: InverterParts): void {
  if (parts.inputs !== null && parts.mppt !== null) {
    addPvInputs(polls, parts.mppt, parts.inputs.pv);
    return;
  }
  if (parts.ac === null) return;
  if (parts.batteryPower === null) polls.point("inverter.power", parts.ac, "W", "fast");
  else addPowerBehindBattery(polls, parts.ac, parts.batteryPower, parts.isDcSide);
  // With a battery this is what left the inverter: in the long run the production less the battery's losses.
  const counter = parts.ac.id === 701 ? "TotWhInj" : "WH";
  polls.point("inverter.energy", parts.ac, counter, "normal");
}

function addPvInputs(polls: PollList, mppt: ModelInstance, inputs: readonly number[]): void {
  const power = sumOfKnown(keysOf(inputs, (input) => polls.raw(mppt, `module.${input}.DCW`, "fast")));
  if (power.from.length > 0) polls.derive("inverter.power", power.from, (registers) => power.value(registers));
  // Here 0 is a number: the counter of an unused input adds nothing. All zero is SunSpec's "not accumulated".
  const counter = (input: number): string | null =>
    polls.raw(mppt, `module.${input}.DCWH`, "normal", { sentinels: [SILENT_COUNTER] });
  const energy = sumOfAll(keysOf(inputs, counter));
  if (energy.from.length === 0) return;
  polls.derive("inverter.energy", energy.from, (registers) => energy.value(registers) || null);
}

function keysOf(inputs: readonly number[], keyOf: (input: number) => string | null): string[] {
  return inputs.map(keyOf).filter((key) => key !== null);
}

/** Output and what goes into the battery together; losses at night would make it slightly negative. */
function addPowerBehindBattery(polls: PollList, ac: ModelInstance, battery: Quantity, isDcSide: boolean): void {
  const output = (isDcSide ? polls.raw(ac, "DCW", "fast") : null) ?? polls.raw(ac, "W", "fast");
  if (output === null) return;
  polls.derive("inverter.power", [output, ...battery.from], (registers) => {
    const watts = numberAt(registers, output);
    const intoBattery = battery.value(registers);
    return watts === null || intoBattery === null ? null : Math.max(0, total([watts, intoBattery]));
  });
}
