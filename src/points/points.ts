/**
 * The points of devices: one name for each quantity, with its unit and sign. Points have the units of devices (W, Wh, A, V,
 * %); `domain/assets` converts them to those of the API.
 */

/** The present status of a battery. */
export type BatteryStatus = "CHARGING" | "DISCHARGING" | "IDLE" | "FAULT" | "UNKNOWN";

/** The operation mode of a battery (rule I2.2). `UNKNOWN` is reported, never requested. */
export type OperationMode = "IMPORT_FOCUS" | "EXPORT_FOCUS" | "TIME_OF_USE" | "SELF_RELIANCE" | "IDLE" | "UNKNOWN";

/** The state of plug and charging of a charger (rule S2.1). */
export type PowerDeliveryState =
  | "UNKNOWN"
  | "UNPLUGGED"
  | "PLUGGED_IN:INITIALIZING"
  | "PLUGGED_IN:CHARGING"
  | "PLUGGED_IN:STOPPED"
  | "PLUGGED_IN:NO_POWER"
  | "PLUGGED_IN:FAULT"
  | "PLUGGED_IN:DISCHARGING";

/** The state of plug and charging of a vehicle: `PLUGGED_IN:COMPLETE` means that its charge limit is reached. */
export type VehiclePowerDeliveryState = PowerDeliveryState | "PLUGGED_IN:COMPLETE";

/** The mode of an HVAC unit (rule I2.4). `UNKNOWN` is reported, never requested. */
export type HvacMode = "OFF" | "AUTO" | "COOL" | "HEAT" | "UNKNOWN";

/** Whether the setpoints come from a permanent hold or from the device's schedule. */
export type HoldType = "PERMANENT" | "SCHEDULED";

/** The points with the types of their values. A reading can also be `null`: the device cannot report the value now. */
export interface PointTypes {
  /** W; positive into the battery. */
  "battery.power": number;
  /** State of charge, %. */
  "battery.soc": number;
  /** Usable energy when full, Wh. */
  "battery.capacity": number;
  /** State of charge that is kept as a reserve, %. */
  "battery.reserve": number;
  "battery.status": BatteryStatus;
  /** Energy charged since installation, Wh. */
  "battery.energyCharged": number;
  /** Energy discharged since installation, Wh. */
  "battery.energyDischarged": number;
  /** Control: operation mode. */
  "battery.mode": OperationMode;
  /**
   * Control: power of a forced mode, W; positive into the battery. It is what IMPORT_FOCUS charges with (positive) or
   * EXPORT_FOCUS discharges with (negative), and forces nothing by itself. 0: none is set, so a mode has the power that
   * the owner set for it.
   */
  "battery.powerSetpoint": number;
  /** Degrees, positive north. */
  "battery.latitude": number;
  /** Degrees, positive east. */
  "battery.longitude": number;
  /** W; positive is production. */
  "inverter.power": number;
  /** Energy produced since installation, Wh. */
  "inverter.energy": number;
  /** Control: limit of the active power, % of the rated power; 100 is no limit. */
  "inverter.powerLimit": number;
  /** Degrees, positive north. */
  "inverter.latitude": number;
  /** Degrees, positive east. */
  "inverter.longitude": number;
  /** W; positive is import from the grid. */
  "meter.power": number;
  "meter.power.l1": number;
  "meter.power.l2": number;
  "meter.power.l3": number;
  /** V, phase to neutral. */
  "meter.voltage.l1": number;
  "meter.voltage.l2": number;
  "meter.voltage.l3": number;
  /** A; the gateway adds the sign of the phase's power, positive is import. */
  "meter.current.l1": number;
  "meter.current.l2": number;
  "meter.current.l3": number;
  /** Hz. */
  "meter.frequency": number;
  /** Energy imported from the grid since installation, Wh. */
  "meter.energyImport": number;
  /** Energy exported to the grid since installation, Wh. */
  "meter.energyExport": number;
  /** Degrees, positive north. */
  "meter.latitude": number;
  /** Degrees, positive east. */
  "meter.longitude": number;
  /** Consumption of the whole house with its chargers, W, as an energy manager or hybrid inverter calculates it. */
  "hem.load": number;
  /** W; positive into the vehicle. */
  "charger.power": number;
  "charger.state": PowerDeliveryState;
  /** Control: highest current that the charger offers, A per phase. */
  "charger.maxCurrent": number;
  /** Control: true lets the vehicle charge. */
  "charger.enabled": boolean;
  /**
   * Control: on how many phases the charger lets the vehicle charge, 1 or 3; 0: the charger decides by itself. It is
   * written while no current flows only.
   */
  "charger.phases": number;
  /** A per phase; the gateway makes it negative while `charger.power` is negative. */
  "charger.current.l1": number;
  "charger.current.l2": number;
  "charger.current.l3": number;
  /** V, phase to neutral. */
  "charger.voltage.l1": number;
  "charger.voltage.l2": number;
  "charger.voltage.l3": number;
  /** Energy charged since installation, Wh. */
  "charger.energy": number;
  /** Energy charged since the vehicle was plugged in, Wh. */
  "charger.energySession": number;
  /** Control: mode. */
  "hvac.mode": HvacMode;
  /** Control: temperature below which the unit heats, °C. */
  "hvac.heatSetpoint": number;
  /** Control: temperature above which the unit cools, °C. */
  "hvac.coolSetpoint": number;
  /** Control: a permanent hold, or the device's schedule. */
  "hvac.holdType": HoldType;
  /** Control: highest power that the unit takes, W; a heater takes it until its thermostat opens. */
  "hvac.maxPower": number;
  /** Room temperature, °C. */
  "hvac.temperature": number;
  /** True while the unit heats or cools. */
  "hvac.isActive": boolean;
  /** W; positive into the unit. */
  "hvac.power": number;
  /** Inputs of a device for relay contacts, such as those of a grid operator's control box; true while the input is on. */
  "contact.1": boolean;
  "contact.2": boolean;
  "contact.3": boolean;
  "contact.4": boolean;
  /** State of charge, %. */
  "vehicle.soc": number;
  /** Usable energy when full, Wh. */
  "vehicle.capacity": number;
  /** State of charge at which the vehicle stops charging by itself, %. */
  "vehicle.chargeLimit": number;
  /** Remaining range, km. */
  "vehicle.range": number;
  "vehicle.state": VehiclePowerDeliveryState;
  /** W; positive into the vehicle. */
  "vehicle.power": number;
  /** Minutes until the charge limit is reached; `null` unless charging. */
  "vehicle.timeToFull": number;
  /** Control: true lets the vehicle charge. */
  "vehicle.enabled": boolean;
  /** Control: highest current that the vehicle draws, A per phase. */
  "vehicle.maxCurrent": number;
  /** Degrees, positive north. */
  "vehicle.latitude": number;
  /** Degrees, positive east. */
  "vehicle.longitude": number;
  /** Distance driven in total, km. */
  "vehicle.odometer": number;
}

export type PointName = keyof PointTypes;
export type PointValue = PointTypes[PointName];

/** The points that can be written. */
export const CONTROL_POINTS = [
  "battery.mode",
  "battery.powerSetpoint",
  "inverter.powerLimit",
  "charger.maxCurrent",
  "charger.enabled",
  "charger.phases",
  "hvac.mode",
  "hvac.heatSetpoint",
  "hvac.coolSetpoint",
  "hvac.holdType",
  "hvac.maxPower",
  "vehicle.enabled",
  "vehicle.maxCurrent",
] as const satisfies readonly PointName[];
export type ControlPoint = (typeof CONTROL_POINTS)[number];

/** A value of a point as the device reported it. `null`: the device answered that it has no value now. */
export type Reading = {
  readonly [Name in PointName]: {
    readonly point: Name;
    readonly value: PointTypes[Name] | null;
    /** When it was measured, wall-clock ms, if that is not now: the values of a cloud are minutes old. */
    readonly measuredAtMs?: number;
    /**
     * When it was read, monotonic ms, if that is not now and the time of the measurement is not known. The engine converts
     * it to wall-clock time, and again when the wall clock turns out to have been wrong.
     */
    readonly readTickMs?: number;
  };
}[PointName];

/** The units of the points; empty for states. */
export const POINT_UNITS: Readonly<Record<PointName, string>> = {
  "battery.power": "W",
  "battery.soc": "%",
  "battery.capacity": "Wh",
  "battery.reserve": "%",
  "battery.status": "",
  "battery.energyCharged": "Wh",
  "battery.energyDischarged": "Wh",
  "battery.mode": "",
  "battery.powerSetpoint": "W",
  "battery.latitude": "°",
  "battery.longitude": "°",
  "inverter.power": "W",
  "inverter.energy": "Wh",
  "inverter.powerLimit": "%",
  "inverter.latitude": "°",
  "inverter.longitude": "°",
  "meter.power": "W",
  "meter.power.l1": "W",
  "meter.power.l2": "W",
  "meter.power.l3": "W",
  "meter.voltage.l1": "V",
  "meter.voltage.l2": "V",
  "meter.voltage.l3": "V",
  "meter.current.l1": "A",
  "meter.current.l2": "A",
  "meter.current.l3": "A",
  "meter.frequency": "Hz",
  "meter.energyImport": "Wh",
  "meter.energyExport": "Wh",
  "meter.latitude": "°",
  "meter.longitude": "°",
  "hem.load": "W",
  "charger.power": "W",
  "charger.state": "",
  "charger.maxCurrent": "A",
  "charger.enabled": "",
  "charger.phases": "phases",
  "charger.current.l1": "A",
  "charger.current.l2": "A",
  "charger.current.l3": "A",
  "charger.voltage.l1": "V",
  "charger.voltage.l2": "V",
  "charger.voltage.l3": "V",
  "charger.energy": "Wh",
  "charger.energySession": "Wh",
  "hvac.mode": "",
  "hvac.heatSetpoint": "°C",
  "hvac.coolSetpoint": "°C",
  "hvac.holdType": "",
  "hvac.maxPower": "W",
  "hvac.temperature": "°C",
  "hvac.isActive": "",
  "hvac.power": "W",
  "contact.1": "",
  "contact.2": "",
  "contact.3": "",
  "contact.4": "",
  "vehicle.soc": "%",
  "vehicle.capacity": "Wh",
  "vehicle.chargeLimit": "%",
  "vehicle.range": "km",
  "vehicle.state": "",
  "vehicle.power": "W",
  "vehicle.timeToFull": "min",
  "vehicle.enabled": "",
  "vehicle.maxCurrent": "A",
  "vehicle.latitude": "°",
  "vehicle.longitude": "°",
  "vehicle.odometer": "km",
};

/** How reliable the description of a register is. Only `cross-checked` may control without the installer's confirmation. */
export type Confidence = "cross-checked" | "vendor-list" | "single-source" | "conflict" | "unverified" | "derived";
