import type { BatteryParts } from "./battery-parts.ts";
import { statusOf } from "./battery-status.ts";
import { numberAtConnect } from "./connect-values.ts";
import { type ModelInstance, symbolOf } from "./model-instance.ts";
import type { PollList } from "./poll-list.ts";
import { numberAt, type Quantity, sumOfKnown, total } from "./quantity.ts";

/** The battery's power, positive into it, from the first model that tells it; null when none does. */
export function batteryPower(polls: PollList, parts: BatteryParts): Quantity | null {
  return mpptPower(polls, parts) ?? basePower(polls, parts.base802) ?? portPower(polls, parts.dc714);
}

/** Model 160 has two inputs for a battery, and the one that rests may read "not implemented". */
function mpptPower(polls: PollList, { mppt, inputs }: BatteryParts): Quantity | null {
  if (inputs === null) return null;
  const charge = polls.raw(mppt, `module.${inputs.charge}.DCW`, "fast");
  const discharge = polls.raw(mppt, `module.${inputs.discharge}.DCW`, "fast");
  if (charge === null || discharge === null) return null;
  return {
    from: [charge, discharge],
    value(registers) {
      const into = numberAt(registers, charge);
      const out = numberAt(registers, discharge);
      return into === null && out === null ? null : total([into ?? 0, 0 - (out ?? 0)]);
    },
  };
}

/**
 * Model 802 says "to or from the battery" and leaves the sign open. Where the same model tells whether it charges, that
 * decides; else positive is discharge, as evcc's template for it reads.
 */
function basePower(polls: PollList, base802: ModelInstance | null): Quantity | null {
  const power = polls.raw(base802, "W", "fast");
  if (power === null) return null;
  const status = polls.raw(base802, "ChaSt", "fast");
  return {
    from: status === null ? [power] : [power, status],
    value(registers) {
      const watts = numberAt(registers, power);
      if (watts === null) return null;
      const doing = status === null ? null : statusOf(base802, numberAt(registers, status));
      if (doing === "CHARGING") return Math.abs(watts);
      return doing === "DISCHARGING" ? 0 - Math.abs(watts) : 0 - watts;
    },
  };
}

/** Model 714: the ports with a battery. As everywhere in the 700 models, positive is injected: out of the battery. */
function portPower(polls: PollList, dc714: ModelInstance | null): Quantity | null {
  const keys = batteryPorts(dc714)
    .map((port) => polls.raw(dc714, `Prt.${port}.DCW`, "fast"))
    .filter((key) => key !== null);
  if (keys.length === 0) return null;
  const injected = sumOfKnown(keys);
  return {
    from: keys,
    value(registers) {
      const watts = injected.value(registers);
      return watts === null ? null : 0 - watts;
    },
  };
}

function batteryPorts(dc714: ModelInstance | null): number[] {
  const ports: number[] = [];
  for (let port = 1; dc714?.points.has(`Prt.${port}.PrtTyp`); port++) {
    const path = `Prt.${port}.PrtTyp`;
    if (symbolOf(dc714, path, numberAtConnect(dc714, path)) === "ESS") ports.push(port);
  }
  return ports;
}
