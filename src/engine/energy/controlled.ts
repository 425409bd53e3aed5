/** What the energy manager regulates: a view in the snapshot with its device, and the points of each kind. */
import type { ControlPoint } from "../../points/points.ts";
import type { EnergyDevice } from "./energy-device.ts";

/** A view in the snapshot with the device that its decision is for. */
export interface Controlled<View> {
  readonly view: View;
  readonly device: EnergyDevice;
  readonly kind: "charger" | "vehicle" | "hvac" | "battery" | "inverter";
}

/** The points by which a device is regulated. */
export function pointsOf(kind: Controlled<unknown>["kind"]): readonly ControlPoint[] {
  switch (kind) {
    case "charger":
      return ["charger.phases", "charger.enabled", "charger.maxCurrent"];
    case "vehicle":
      return ["vehicle.enabled", "vehicle.maxCurrent"];
    case "hvac":
      return ["hvac.mode", "hvac.heatSetpoint", "hvac.maxPower"];
    case "battery":
      // The power first: a mode that is written takes it up.
      return ["battery.powerSetpoint", "battery.mode"];
    case "inverter":
      return ["inverter.powerLimit"];
    default:
      return kind satisfies never;
  }
}
