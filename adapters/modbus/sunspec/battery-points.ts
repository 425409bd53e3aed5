import type { PointName, PollClass } from "hemgate/sdk";
import { modeOfWindow } from "./battery-mode.ts";
import type { BatteryParts } from "./battery-parts.ts";
import { batteryPower } from "./battery-power.ts";
import { addBatteryStatus } from "./battery-status.ts";
import { isImplemented } from "./connect-values.ts";
import type { ModelInstance } from "./model-instance.ts";
import type { PollList } from "./poll-list.ts";
import { numberAt, type Quantity } from "./quantity.ts";

type Source = readonly [ModelInstance | null, string];

/** Adds the battery's points and answers its power, positive into the battery; null when the device does not tell it. */
export function addBatteryPoints(polls: PollList, parts: BatteryParts): Quantity | null {
  const { storage124, capacity713, base802, nameplate120 } = parts;
  addFirst(polls, "battery.soc", "normal", [
    [base802, "SoC"],
    [capacity713, "SoC"],
    [storage124, "ChaState"],
  ]);
  addFirst(polls, "battery.capacity", "slow", [
    [base802, "WHRtg"],
    [capacity713, "WHRtg"],
    [nameplate120, "WHRtg"],
  ]);
  addFirst(polls, "battery.reserve", "normal", [
    [storage124, "MinRsvPct"],
    [base802, "SoCRsvMin"],
  ]);
  const power = batteryPower(polls, parts);
  if (power !== null) polls.derive("battery.power", power.from, (registers) => power.value(registers));
  addBatteryStatus(polls, parts, power);
  addMode(polls, storage124);
  return power;
}

/** The first source that had a value when the device was connected, else the first that the device has at all. */
function addFirst(polls: PollList, name: PointName, poll: PollClass, sources: readonly Source[]): void {
  const best = sources.find(([instance, path]) => isImplemented(instance, path));
  for (const [instance, path] of best === undefined ? sources : [best]) {
    if (polls.point(name, instance, path, poll)) return;
  }
}

function addMode(polls: PollList, storage124: ModelInstance | null): void {
  const limits = polls.raw(storage124, "StorCtl_Mod", "normal");
  const out = polls.raw(storage124, "OutWRte", "normal");
  const into = polls.raw(storage124, "InWRte", "normal");
  if (limits === null || out === null || into === null) return;
  polls.derive("battery.mode", [limits, out, into], (registers) =>
    modeOfWindow(numberAt(registers, limits), numberAt(registers, out), numberAt(registers, into)),
  );
}
