import { isImplemented, numberAtConnect } from "./connect-values.ts";
import type { ModelInstance } from "./model-instance.ts";
import type { MpptInputs } from "./mppt-inputs.ts";

/** The models that may describe a battery. */
export interface BatteryParts {
  readonly nameplate120: ModelInstance | null;
  readonly storage124: ModelInstance | null;
  readonly mppt: ModelInstance | null;
  readonly inputs: MpptInputs | null;
  readonly capacity713: ModelInstance | null;
  readonly dc714: ModelInstance | null;
  readonly base802: ModelInstance | null;
}

/**
 * Whether there is a battery behind the models. Inverters without one carry model 124 too, with a charge power of 0 or
 * with nothing implemented. A battery that is switched off while we connect shows up at the next connecting.
 */
export function hasBattery(parts: BatteryParts): boolean {
  return (
    hasStorage(parts.storage124) ||
    isImplemented(parts.capacity713, "SoC", "WHRtg") ||
    isImplemented(parts.base802, "SoC", "WHRtg")
  );
}

export function hasStorage(storage124: ModelInstance | null): boolean {
  return isImplemented(storage124, "ChaState", "ChaSt") || (numberAtConnect(storage124, "WChaMax") ?? 0) > 0;
}
