/** What an adapter of made-up devices offers to whoever makes and changes them. */
import type { SimulatedDevice, SimulatedSupply } from "../domain/sandbox/simulated.ts";

export type {
  SimulatedCondition,
  SimulatedDevice,
  SimulatedStates,
  SimulatedSupply,
} from "../domain/sandbox/simulated.ts";
export { faultAt } from "../domain/sandbox/simulated.ts";

/** The made-up devices at work. All of it is in memory; whoever holds it stores it. */
export interface RunningSimulation {
  /** The device as it is at this moment; null when there is none. */
  get(id: string): SimulatedDevice | null;
  /** Makes a device, or replaces it; its state goes on from `asOfMs`. */
  put(device: SimulatedDevice): void;
  forget(id: string): void;
  ids(): readonly string[];
  /** Calls the listener after a command was carried out on a device; it returns at once. Disposing ends it. */
  observe(listener: (id: string) => void): Disposable;
  /** What the charger that is not made up offers a made-up vehicle on it; null: all that the vehicle takes. Not stored. */
  supply(vehicleId: string, supply: SimulatedSupply | null): void;
  /** What a device's entry says beside `id` and `adapter`, to be connected with the sign-in of this moment. */
  optionsFor(id: string): Readonly<Record<string, unknown>>;
}
