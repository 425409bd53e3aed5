import type { ControlPoint } from "../../points/points.ts";
import type { DeviceRegisters } from "../../sdk/registers.ts";

/** A device whose registers other programs may reach. */
export interface SharedDevice {
  /** As its owner calls it. */
  readonly name: string | null;
  /** True if it answers the gateway. */
  readonly isReachable: boolean;
  /** `null` before it was first connected, and if it has none. */
  readonly registers: DeviceRegisters | null;
  /** A point that the gateway holds, regulates or is about to command; `null` while it leaves the device alone. */
  readonly commanded: ControlPoint | null;
  /** Requests an early read, because somebody else wrote to it. */
  hint(): void;
}
