/** The interface of an adapter with simulated devices, by which they are created and changed. */
import type { SimulatedDevice, SimulatedSupply } from "../domain/sandbox/simulated.ts";

export type {
  SimulatedCondition,
  SimulatedDevice,
  SimulatedStates,
  SimulatedSupply,
} from "../domain/sandbox/simulated.ts";
export { faultAt } from "../domain/sandbox/simulated.ts";

/** The running simulated devices. They are only in memory; the caller stores them. */
export interface RunningSimulation {
  /** Returns the present state of a device; `null` if there is none. */
  get(id: string): SimulatedDevice | null;
  /** Creates or replaces a device; its state continues from `asOfMs`. */
  put(device: SimulatedDevice): void;
  /** Removes a device. */
  forget(id: string): void;
  ids(): readonly string[];
  /** Calls the listener after each command that a device carried out, until the result is disposed. */
  observe(listener: (id: string) => void): Disposable;
  /** Sets what a real charger offers to a simulated vehicle; `null` for as much as the vehicle takes. Not stored. */
  supply(vehicleId: string, supply: SimulatedSupply | null): void;
  /** Returns the options for connecting to a device with its present sign-in. */
  optionsFor(id: string): Readonly<Record<string, unknown>>;
}
