/** What the gateway can lower at a moment: cars, what heats because it was asked to, a battery that is made to charge. */
import type { Phase } from "../../src/domain/energy/site/site-connection.ts";
import type { Calm } from "./calm.ts";
import type { Charging } from "./charging.ts";
import type { Heating } from "./heating.ts";
import type { House } from "./house.ts";
import type { Residents } from "./residents.ts";
import type { SimBattery } from "./storage.ts";

const SECOND_MS = 1_000;
/** A car follows its charger within this time, and an inverter its command. */
const RAMP_MS = 5 * SECOND_MS;
const LEAST_A = 6;
/** Above by less is the noise of the house. */
export const NOISE_A = 0.6;
const NOISE_W = 250;

export interface Load {
  readonly id: string;
  ampsOn(phase: Phase): number;
  /** True if it can be lowered on the phase and goes on. */
  canTrim(phase: Phase): boolean;
  /** From a decision to its effect, at most, ms. */
  readonly slowMs: number;
}

/** What is ill or disobeys is none: it counts as a load of the house. */
export function lowerableLoads(house: House, residents: Pick<Residents, "mode">, calm: Calm): readonly Load[] {
  const { chargers, heating, battery } = house;
  const loads = chargers.filter((charging) => charging.isObedient && calm.isCalm(charging.spec.id)).map(carLoad);
  const isHeat = heating !== null && residents.mode.has(heating.id) && heating.isRaised && heating.isObedient;
  if (isHeat && calm.isCalm(heating.id)) loads.push(heatLoad(heating));
  const isCharging = battery.mode === "IMPORT_FOCUS" && battery.watts > NOISE_W && battery.isObedient;
  if (isCharging && calm.isCalm("battery")) loads.push(batteryLoad(battery));
  return loads.filter((load) => (["L1", "L2", "L3"] as const).some((phase) => load.ampsOn(phase) > 0));
}

function carLoad(charging: Charging): Load {
  const { spec } = charging;
  return {
    id: spec.id,
    ampsOn: (phase) => (charging.amps > 1 ? charging.ampsOn(phase) : 0),
    canTrim: (phase) => charging.ampsOn(phase) > LEAST_A + NOISE_A,
    slowMs: spec.latencyMs + spec.pollMs + RAMP_MS,
  };
}

function heatLoad(heating: Heating): Load {
  return {
    id: heating.id,
    ampsOn: (phase) => heating.ampsOn(phase),
    canTrim: (phase) => heating.ampsOn(phase) > heating.leastA + NOISE_A,
    slowMs: heating.latencyMs + heating.device.pollMs,
  };
}

function batteryLoad(battery: SimBattery): Load {
  return {
    id: "battery",
    ampsOn: () => battery.ampsOnEachPhase(),
    canTrim: () => battery.isByPower,
    slowMs: battery.device.pollMs + RAMP_MS,
  };
}
