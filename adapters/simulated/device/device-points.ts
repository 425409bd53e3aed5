/** The points and controls of a simulated device. */
import type { Control, PointValue, Reading, SimulatedDevice } from "hemgate/sdk";
import { batteryStatusOf } from "./battery-model.ts";
import { chargerStateOf } from "./charger-model.ts";
import { type Flows, type Supplies, supplyOf, vehicleOn } from "./home-step.ts";
import { hvacFlow, setpointsOf } from "./hvac-model.ts";
import { minutesToLimit, rangeOf, vehicleStateOf } from "./vehicle-model.ts";

const W_PER_KW = 1_000;
const CURRENT_RANGE = { min: 6, max: 32 } as const;
/** The voltage of the charger and vehicle models, phase to neutral. */
const VOLTS = 230;
const PHASE_VOLTAGES = ["charger.voltage.l1", "charger.voltage.l2", "charger.voltage.l3"] as const;
const HEAT_RANGE = { min: 5, max: 30 } as const;
const COOL_RANGE = { min: 16, max: 35 } as const;
/** A vendor's cloud keeps the last command when the gateway is gone. */
const KEPT = { holdMs: null, safeDefault: null } as const;

/** A device with all that its readings depend on. */
export interface DeviceView {
  readonly device: SimulatedDevice;
  readonly home: readonly SimulatedDevice[];
  readonly flows: Flows;
  readonly supplies: Supplies;
  readonly atMs: number;
}

export function readingsOf(view: DeviceView): readonly Reading[] {
  const { device } = view;
  const power = Math.round((view.flows.get(device.id) ?? 0) * W_PER_KW);
  switch (device.kind) {
    case "vehicle":
      return [...vehicleReadings(device, view, power), ...placeOf(device)];
    case "charger":
      return chargerReadings(device, view, power);
    case "hvac":
      return hvacReadings(device, view, power);
    case "battery":
      return [...batteryReadings(device, power), ...placeOf(device)];
    case "inverter":
      return [
        { point: "inverter.power", value: power },
        { point: "inverter.energy", value: Math.round(device.state.totalProduction * W_PER_KW) },
        ...placeOf(device),
      ];
    case "meter":
      return [
        { point: "meter.power", value: power },
        { point: "meter.energyImport", value: Math.round(device.state.energyImport * W_PER_KW) },
        { point: "meter.energyExport", value: Math.round(device.state.energyExport * W_PER_KW) },
        ...placeOf(device),
      ];
    default:
      return device satisfies never;
  }
}

/** What the device lets be written. */
export function controlsOf(device: SimulatedDevice): readonly Control[] {
  const { kind } = device;
  switch (kind) {
    case "vehicle":
      return [
        { point: "vehicle.enabled", values: [true, false], ...KEPT },
        { point: "vehicle.maxCurrent", range: CURRENT_RANGE, ...KEPT },
      ];
    case "charger":
      return [
        { point: "charger.enabled", values: [true, false], ...KEPT },
        { point: "charger.maxCurrent", range: CURRENT_RANGE, ...KEPT },
      ];
    case "hvac":
      return [
        { point: "hvac.mode", values: modesOf(device.category), ...KEPT },
        { point: "hvac.heatSetpoint", range: HEAT_RANGE, ...KEPT },
        { point: "hvac.coolSetpoint", range: COOL_RANGE, ...KEPT },
        { point: "hvac.holdType", values: ["PERMANENT", "SCHEDULED"], ...KEPT },
      ];
    case "battery":
      return [
        {
          point: "battery.mode",
          values: ["IMPORT_FOCUS", "EXPORT_FOCUS", "TIME_OF_USE", "SELF_RELIANCE", "IDLE"],
          ...KEPT,
        },
        { point: "battery.powerSetpoint", range: powerRange(device.state), holdMs: null, safeDefault: 0 },
      ];
    case "inverter":
    case "meter":
      return [];
    default:
      return kind satisfies never;
  }
}

type Of<Kind extends SimulatedDevice["kind"]> = Extract<SimulatedDevice, { readonly kind: Kind }>;

function vehicleReadings(vehicle: Of<"vehicle">, { home, supplies }: DeviceView, power: number): readonly Reading[] {
  const { state } = vehicle;
  return [
    { point: "vehicle.soc", value: tenth(state.batteryLevel) },
    { point: "vehicle.capacity", value: state.batteryCapacity * W_PER_KW },
    { point: "vehicle.chargeLimit", value: state.chargeLimit },
    { point: "vehicle.range", value: rangeOf(state) },
    { point: "vehicle.state", value: vehicleStateOf(state, supplyOf(vehicle, home, supplies)) },
    { point: "vehicle.power", value: power },
    { point: "vehicle.timeToFull", value: minutesToLimit(state, power / W_PER_KW) },
    { point: "vehicle.enabled", value: state.isChargingEnabled },
    { point: "vehicle.maxCurrent", value: state.maxCurrent },
    { point: "vehicle.odometer", value: state.odometer },
  ];
}

function chargerReadings(charger: Of<"charger">, { home }: DeviceView, power: number): readonly Reading[] {
  const { state } = charger;
  return [
    { point: "charger.state", value: chargerStateOf(charger, vehicleOn(charger, home)) },
    { point: "charger.power", value: power },
    { point: "charger.enabled", value: state.isChargingEnabled },
    { point: "charger.maxCurrent", value: state.maxCurrent },
    ...PHASE_VOLTAGES.slice(0, state.phases).map((point) => ({ point, value: VOLTS })),
    { point: "charger.energySession", value: Math.round(state.energySession * W_PER_KW) },
    { point: "charger.energy", value: Math.round(state.energyTotal * W_PER_KW) },
  ];
}

function hvacReadings(unit: Of<"hvac">, { atMs }: DeviceView, power: number): readonly Reading[] {
  const { heatSetpoint, coolSetpoint } = setpointsOf(unit, atMs);
  return [
    { point: "hvac.mode", value: unit.state.mode },
    { point: "hvac.heatSetpoint", value: heatSetpoint },
    { point: "hvac.coolSetpoint", value: coolSetpoint },
    { point: "hvac.holdType", value: unit.state.holdType },
    { point: "hvac.temperature", value: tenth(unit.state.currentTemperature) },
    { point: "hvac.isActive", value: hvacFlow(unit, atMs).direction !== 0 },
    { point: "hvac.power", value: power },
  ];
}

function batteryReadings({ state }: Of<"battery">, power: number): readonly Reading[] {
  return [
    { point: "battery.power", value: power },
    { point: "battery.soc", value: tenth(state.batteryLevel) },
    { point: "battery.capacity", value: state.batteryCapacity * W_PER_KW },
    { point: "battery.reserve", value: state.dischargeLimit },
    { point: "battery.status", value: batteryStatusOf(power) },
    { point: "battery.mode", value: state.operationMode },
    { point: "battery.powerSetpoint", value: Math.round((state.powerSetpoint ?? 0) * W_PER_KW) },
  ];
}

function powerRange({ maxPower }: Of<"battery">["state"]): NonNullable<Control["range"]> {
  const maxW = Math.round(maxPower * W_PER_KW);
  return { min: -maxW, max: maxW };
}

function placeOf({ kind, location }: SimulatedDevice): readonly Reading[] {
  if (location === null || kind === "charger" || kind === "hvac") return [];
  return [
    { point: `${kind}.latitude`, value: location.latitude },
    { point: `${kind}.longitude`, value: location.longitude },
  ];
}

function modesOf(category: SimulatedDevice["category"]): readonly PointValue[] {
  if (category === "HEATING") return ["OFF", "HEAT"];
  return category === "COOLING" ? ["OFF", "COOL"] : ["OFF", "AUTO", "COOL", "HEAT"];
}

function tenth(value: number): number {
  return Math.round(value * 10) / 10;
}
