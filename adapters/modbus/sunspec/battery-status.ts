import type { BatteryStatus } from "hemgate/sdk";
import type { BatteryParts } from "./battery-parts.ts";
import { isImplemented } from "./connect-values.ts";
import { type ModelInstance, symbolOf } from "./model-instance.ts";
import type { PollList } from "./poll-list.ts";
import { numberAt, type Quantity } from "./quantity.ts";

/** Below this a battery's own electronics look like charging, W. */
const IDLE_BELOW_W = 20;

/** What `ChaSt` of models 124 and 802 says. A testing battery does something that no other word covers. */
const STATUS_OF_SYMBOL: Readonly<Record<string, BatteryStatus>> = {
  OFF: "IDLE",
  EMPTY: "IDLE",
  DISCHARGING: "DISCHARGING",
  CHARGING: "CHARGING",
  FULL: "IDLE",
  HOLDING: "IDLE",
  TESTING: "UNKNOWN",
};

/** What a value of `ChaSt` says; a value that the model does not list is UNKNOWN. */
export function statusOf(instance: ModelInstance | null, chaSt: number | null): BatteryStatus | null {
  if (chaSt === null) return null;
  return STATUS_OF_SYMBOL[symbolOf(instance, "ChaSt", chaSt) ?? ""] ?? "UNKNOWN";
}

/** Adds what the battery does: a fault first, then the device's own word, then what its power shows. */
export function addBatteryStatus(polls: PollList, parts: BatteryParts, power: Quantity | null): void {
  const charging = isImplemented(parts.base802, "ChaSt") ? parts.base802 : parts.storage124;
  const status = polls.raw(charging, "ChaSt", "fast");
  const bank = polls.raw(parts.base802, "State", "normal");
  const health = polls.raw(parts.capacity713, "Sta", "normal");
  const from = [status, bank, health, ...(power?.from ?? [])].filter((key) => key !== null);
  if (from.length === 0) return;
  polls.derive("battery.status", [...new Set(from)], (registers) => {
    const at = (key: string | null): number | null => (key === null ? null : numberAt(registers, key));
    if (symbolOf(parts.base802, "State", at(bank)) === "FAULT") return "FAULT";
    if (symbolOf(parts.capacity713, "Sta", at(health)) === "ERROR") return "FAULT";
    return statusOf(charging, at(status)) ?? statusOfPower(power?.value(registers) ?? null);
  });
}

function statusOfPower(watts: number | null): BatteryStatus | null {
  if (watts === null) return null;
  if (Math.abs(watts) < IDLE_BELOW_W) return "IDLE";
  return watts > 0 ? "CHARGING" : "DISCHARGING";
}
