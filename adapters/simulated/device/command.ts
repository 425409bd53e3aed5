import { DeviceError, type SimulatedDevice } from "hemgate/sdk";

const W_PER_KW = 1_000;

type CommandValue = string | number | boolean;

/** The device after a command. Throws a `DeviceError` for one that it does not know. */
export function commanded(device: SimulatedDevice, point: string, value: CommandValue): SimulatedDevice {
  const changed = changedState(device, point, value);
  if (changed === null) throw new DeviceError("rejected", `the simulated ${device.kind} does not take ${point}`);
  return changed;
}

function changedState(device: SimulatedDevice, point: string, value: CommandValue): SimulatedDevice | null {
  switch (device.kind) {
    case "vehicle":
      if (point === "vehicle.enabled" && typeof value === "boolean") {
        return { ...device, state: { ...device.state, isChargingEnabled: value } };
      }
      if (point !== "vehicle.maxCurrent" || typeof value !== "number") return null;
      return { ...device, state: { ...device.state, maxCurrent: value } };
    case "charger":
      if (point === "charger.enabled" && typeof value === "boolean") {
        return { ...device, state: { ...device.state, isChargingEnabled: value } };
      }
      if (point !== "charger.maxCurrent" || typeof value !== "number") return null;
      return { ...device, state: { ...device.state, maxCurrent: value } };
    case "hvac":
      return changedUnit(device, point, value);
    case "battery":
      return changedBattery(device, point, value);
    case "inverter":
    case "meter":
      return null;
    default:
      return device satisfies never;
  }
}

type Of<Kind extends SimulatedDevice["kind"]> = Extract<SimulatedDevice, { readonly kind: Kind }>;

function changedUnit(device: Of<"hvac">, point: string, value: CommandValue): SimulatedDevice | null {
  const { state } = device;
  const holdTypes = ["PERMANENT", "SCHEDULED"] as const;
  const modes = ["OFF", "AUTO", "COOL", "HEAT"] as const;
  const mode = modes.find((candidate) => candidate === value);
  const holdType = holdTypes.find((candidate) => candidate === value);
  if (point === "hvac.mode" && mode !== undefined) return { ...device, state: { ...state, mode } };
  if (point === "hvac.holdType" && holdType !== undefined) return { ...device, state: { ...state, holdType } };
  if (typeof value !== "number") return null;
  if (point === "hvac.heatSetpoint") return { ...device, state: { ...state, heatSetpoint: value } };
  return point === "hvac.coolSetpoint" ? { ...device, state: { ...state, coolSetpoint: value } } : null;
}

function changedBattery(device: Of<"battery">, point: string, value: CommandValue): SimulatedDevice | null {
  const modes = ["IMPORT_FOCUS", "EXPORT_FOCUS", "TIME_OF_USE", "SELF_RELIANCE", "IDLE"] as const;
  const operationMode = modes.find((candidate) => candidate === value);
  if (point === "battery.powerSetpoint" && typeof value === "number") {
    return { ...device, state: { ...device.state, powerSetpoint: value / W_PER_KW } };
  }
  if (point !== "battery.mode" || operationMode === undefined) return null;
  return { ...device, state: { ...device.state, operationMode } };
}
