/**
 * The vocabulary between devices and the gateway: one name a quantity, each with its unit and sign. Points speak the
 * device world (W, Wh, A, V, %); the fold in `domain/` turns them into what the API shows.
 */

/** What a battery does at this moment. */
export type BatteryStatus = "CHARGING" | "DISCHARGING" | "IDLE" | "FAULT" | "UNKNOWN";

/** What a battery is told to aim for (rule I2.2). `UNKNOWN` is reported, never requested. */
export type OperationMode = "IMPORT_FOCUS" | "EXPORT_FOCUS" | "TIME_OF_USE" | "SELF_RELIANCE" | "IDLE" | "UNKNOWN";

/** Plug and power of a charger (rule S2.1). */
export type PowerDeliveryState =
  | "UNKNOWN"
  | "UNPLUGGED"
  | "PLUGGED_IN:INITIALIZING"
  | "PLUGGED_IN:CHARGING"
  | "PLUGGED_IN:STOPPED"
  | "PLUGGED_IN:NO_POWER"
  | "PLUGGED_IN:FAULT"
  | "PLUGGED_IN:DISCHARGING";

/** Plug and power of a vehicle: a charger's states, and `PLUGGED_IN:COMPLETE` when its own limit is reached. */
export type VehiclePowerDeliveryState = PowerDeliveryState | "PLUGGED_IN:COMPLETE";

/** What a thermostat aims for (rule I2.4). `UNKNOWN` is reported, never requested. */
export type HvacMode = "OFF" | "AUTO" | "COOL" | "HEAT" | "UNKNOWN";

/** Who sets the setpoints: a hold until further notice, or the schedule in the device. */
export type HoldType = "PERMANENT" | "SCHEDULED";

/** Every point with the type of its value. A reading of any point may also be null: the device cannot tell. */
export interface PointTypes {
  /** W; positive into the battery. */
  "battery.power": number;
  /** State of charge, %. */
  "battery.soc": number;
  /** Usable energy when full, Wh. */
  "battery.capacity": number;
  /** State of charge that the battery keeps in reserve, %. */
  "battery.reserve": number;
  "battery.status": BatteryStatus;
  /** Charged since installation, Wh. */
  "battery.energyCharged": number;
  /** Discharged since installation, Wh. */
  "battery.energyDischarged": number;
  /** Control: what the battery aims for. */
  "battery.mode": OperationMode;
  /** Degrees north. */
  "battery.latitude": number;
  /** Degrees east. */
  "battery.longitude": number;
  /** W; positive is production. */
  "inverter.power": number;
  /** Produced since installation, Wh. */
  "inverter.energy": number;
  /** Control: limit of the active power, % of the rated power; 100 is no limit. */
  "inverter.powerLimit": number;
  /** Degrees north. */
  "inverter.latitude": number;
  /** Degrees east. */
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
  /** A; the gateway gives it the sign of the phase's power, positive is import. */
  "meter.current.l1": number;
  "meter.current.l2": number;
  "meter.current.l3": number;
  /** Hz. */
  "meter.frequency": number;
  /** Taken from the grid since installation, Wh. */
  "meter.energyImport": number;
  /** Given to the grid since installation, Wh. */
  "meter.energyExport": number;
  /** Degrees north. */
  "meter.latitude": number;
  /** Degrees east. */
  "meter.longitude": number;
  /** W; all that the house uses, charging vehicles too, as an energy manager or hybrid inverter reckons it. */
  "hem.load": number;
  /** W; positive into the vehicle. */
  "charger.power": number;
  "charger.state": PowerDeliveryState;
  /** Control: the most the charger offers to the vehicle, A per phase. */
  "charger.maxCurrent": number;
  /** Control: whether the charger lets the vehicle charge. */
  "charger.enabled": boolean;
  /** A per phase; the gateway makes it negative while `charger.power` is. */
  "charger.current.l1": number;
  "charger.current.l2": number;
  "charger.current.l3": number;
  /** V, phase to neutral. */
  "charger.voltage.l1": number;
  "charger.voltage.l2": number;
  "charger.voltage.l3": number;
  /** Given to vehicles since installation, Wh. */
  "charger.energy": number;
  /** Given to the vehicle since it was plugged in, Wh. */
  "charger.energySession": number;
  /** Control: what the unit aims for. */
  "hvac.mode": HvacMode;
  /** Control: °C below which the unit heats. */
  "hvac.heatSetpoint": number;
  /** Control: °C above which the unit cools. */
  "hvac.coolSetpoint": number;
  /** Control: a permanent hold, or the device's own schedule. */
  "hvac.holdType": HoldType;
  /** Room temperature, °C. */
  "hvac.temperature": number;
  /** Whether it heats or cools at this moment. */
  "hvac.isActive": boolean;
  /** W; positive into the unit. */
  "hvac.power": number;
  /** State of charge, %. */
  "vehicle.soc": number;
  /** Usable energy when full, Wh. */
  "vehicle.capacity": number;
  /** State of charge at which the vehicle stops charging by itself, %. */
  "vehicle.chargeLimit": number;
  /** km that the charge is good for. */
  "vehicle.range": number;
  "vehicle.state": VehiclePowerDeliveryState;
  /** W; positive into the vehicle. */
  "vehicle.power": number;
  /** Minutes until the charge limit is reached; null unless charging. */
  "vehicle.timeToFull": number;
  /** Control: whether the vehicle takes power when it is offered. */
  "vehicle.enabled": boolean;
  /** Control: the most the vehicle draws, A per phase. */
  "vehicle.maxCurrent": number;
  /** Degrees north. */
  "vehicle.latitude": number;
  /** Degrees east. */
  "vehicle.longitude": number;
  /** km driven since it was built. */
  "vehicle.odometer": number;
}

export type PointName = keyof PointTypes;
export type PointValue = PointTypes[PointName];

/** The points that can be written. */
export const CONTROL_POINTS = [
  "battery.mode",
  "inverter.powerLimit",
  "charger.maxCurrent",
  "charger.enabled",
  "hvac.mode",
  "hvac.heatSetpoint",
  "hvac.coolSetpoint",
  "hvac.holdType",
  "vehicle.enabled",
  "vehicle.maxCurrent",
] as const satisfies readonly PointName[];
export type ControlPoint = (typeof CONTROL_POINTS)[number];

/** One value of one point as the device gave it. Null: the device answered, and says that it cannot tell. */
export type Reading = {
  readonly [Name in PointName]: {
    readonly point: Name;
    readonly value: PointTypes[Name] | null;
    /** Wall-clock ms at which it was measured, where that is not now: a cloud's values are minutes old. */
    readonly measuredAtMs?: number;
    /**
     * Monotonic ms at which it was read, where that is not now and nobody tells when it was measured: the engine dates an
     * answer that was kept, and again when the wall clock turns out to have been wrong.
     */
    readonly readTickMs?: number;
  };
}[PointName];

/** Units as shown to people; points without one are states. */
export const POINT_UNITS: Readonly<Record<PointName, string>> = {
  "battery.power": "W",
  "battery.soc": "%",
  "battery.capacity": "Wh",
  "battery.reserve": "%",
  "battery.status": "",
  "battery.energyCharged": "Wh",
  "battery.energyDischarged": "Wh",
  "battery.mode": "",
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
  "hvac.temperature": "°C",
  "hvac.isActive": "",
  "hvac.power": "W",
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
