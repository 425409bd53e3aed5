/** Simulated devices of the sandbox: their states, their faults, and what can be set on them. */
import { z } from "zod";
import type { AssetKind } from "../assets/asset.ts";
import { Instant } from "../fields.ts";

const Percent = z.number().min(0).max(100);
const StateOfCharge = Percent.meta({ description: "State of charge, %." });
const Capacity = z.number().positive().max(1_000).meta({ description: "Usable energy of the full battery, kWh." });
const MAX_SET_KWH = 1_000_000;
const Energy = z.number().min(0).max(MAX_SET_KWH);
/** A counter continues from the value that was set, without a limit. */
const Counted = z.number().min(0);
const Power = z.number().positive().max(1_000).meta({ description: "Highest power, kW." });
const Current = z.number().min(6).max(80).meta({ description: "Highest charging current, A per phase." });
const Phases = z.union([z.literal(1), z.literal(3)]).meta({ description: "Number of phases." });
const Celsius = z.number().min(-60).max(100);

const VehicleState = z.strictObject({
  batteryLevel: StateOfCharge,
  batteryCapacity: Capacity,
  chargeLimit: Percent.meta({ description: "State of charge at which the vehicle stops charging, %." }),
  isPluggedIn: z.boolean().meta({ description: "`true` if the vehicle is plugged in." }),
  isChargingEnabled: z.boolean().meta({ description: "`true` if the vehicle charges when power is offered." }),
  maxCurrent: Current,
  phases: Phases,
  maxPower: Power,
  odometer: z.number().min(0).max(10_000_000).meta({ description: "Distance driven in total, km." }),
  pluggedInChargerId: z.string().nullable().meta({
    description:
      "Simulated charger that the vehicle is plugged into; both show the same charging. `null` for an unknown charger.",
  }),
});

const ChargerState = z.strictObject({
  isPluggedIn: z.boolean().meta({ description: "`true` if a vehicle that is not simulated is plugged in." }),
  isChargingEnabled: z.boolean().meta({ description: "`true` if the charger lets the vehicle charge." }),
  maxCurrent: Current,
  phases: Phases,
  energyWanted: Energy.meta({ description: "Energy that the plugged-in vehicle can still take, kWh." }),
  energySession: Counted.meta({ description: "Energy since the vehicle was plugged in, kWh." }),
  energyTotal: Counted.meta({ description: "Energy since the device was created, kWh." }),
});

const HvacState = z.strictObject({
  mode: z.enum(["OFF", "AUTO", "COOL", "HEAT"]).meta({ description: "`AUTO` heats and cools as needed." }),
  heatSetpoint: Celsius.meta({ description: "Temperature below which the unit heats, °C." }),
  coolSetpoint: Celsius.meta({ description: "Temperature above which the unit cools, °C." }),
  holdType: z.enum(["PERMANENT", "SCHEDULED"]).meta({
    description: "`PERMANENT`: the setpoints stay until they are changed. `SCHEDULED`: the unit follows its schedule.",
  }),
  currentTemperature: Celsius.meta({ description: "Measured temperature, °C." }),
  outdoorTemperature: Celsius.nullable().meta({
    description: "Outdoor temperature, °C; `null`: derived from the season.",
  }),
  maxPower: Power,
});

const BatteryState = z.strictObject({
  batteryLevel: StateOfCharge,
  batteryCapacity: Capacity,
  dischargeLimit: Percent.meta({ description: "State of charge that is kept as a reserve, %." }),
  operationMode: z
    .enum(["IMPORT_FOCUS", "EXPORT_FOCUS", "TIME_OF_USE", "SELF_RELIANCE", "IDLE"])
    .meta({ description: "Operation mode, as in `Battery`." }),
  maxPower: Power,
  powerSetpoint: z.number().min(-1_000).max(1_000).optional().meta({
    description:
      "Power of a forced mode, kW: `IMPORT_FOCUS` charges with a positive one, `EXPORT_FOCUS` discharges with a negative one. Absent or 0: with `maxPower`.",
  }),
});

const InverterState = z.strictObject({
  maxPower: Power.meta({ description: "Peak power, kW." }),
  cloudCover: z.number().min(0).max(1).meta({ description: "Cloud cover, from 0 (clear sky) to 1 (overcast)." }),
  totalProduction: Counted.meta({ description: "Energy produced since the device was created, kWh." }),
});

const MeterState = z.strictObject({
  householdPower: z.number().min(0).max(1_000).nullable().meta({
    description: "Consumption of the household without simulated devices, kW; `null`: a typical daily profile.",
  }),
  energyImport: Counted.meta({ description: "Energy imported from the grid since the device was created, kWh." }),
  energyExport: Counted.meta({ description: "Energy exported to the grid since the device was created, kWh." }),
});

/** The state of each kind as it is stored and shown. */
export const SIMULATED_STATES = {
  battery: BatteryState,
  charger: ChargerState,
  hvac: HvacState,
  inverter: InverterState,
  meter: MeterState,
  vehicle: VehicleState,
} as const satisfies Record<AssetKind, z.ZodObject>;
type States = { readonly [Kind in AssetKind]: z.infer<(typeof SIMULATED_STATES)[Kind]> };
export type SimulatedStates = States;

/** The power supply that a charger offers to the vehicle plugged into it. */
export type SimulatedSupply = Pick<States["charger"], "isChargingEnabled" | "maxCurrent" | "phases">;

const COUNTERS = ["energySession", "energyTotal", "totalProduction", "energyImport", "energyExport"];

/** Returns the schema of a kind's state in requests, in which counters have an upper limit. */
export function settableState(kind: AssetKind): z.ZodObject {
  const state: z.ZodObject = SIMULATED_STATES[kind];
  const counters = Object.entries(state.shape).filter(([name]) => COUNTERS.includes(name));
  return state.extend(Object.fromEntries(counters.map(([name, counted]) => [name, limited(counted)])));
}

function limited(counted: z.core.$ZodType): z.ZodType {
  return Energy.meta({ description: z.globalRegistry.get(counted)?.description ?? "kWh." });
}

/** The state of a new device if the request has none. */
const DEFAULT_STATES: States = {
  battery: {
    batteryLevel: 50,
    batteryCapacity: 10,
    dischargeLimit: 10,
    operationMode: "SELF_RELIANCE",
    maxPower: 5,
  },
  charger: {
    isPluggedIn: false,
    isChargingEnabled: true,
    maxCurrent: 16,
    phases: 3,
    energyWanted: 25,
    energySession: 0,
    energyTotal: 0,
  },
  hvac: {
    mode: "HEAT",
    heatSetpoint: 20,
    coolSetpoint: 25,
    holdType: "SCHEDULED",
    currentTemperature: 19,
    outdoorTemperature: null,
    maxPower: 2,
  },
  inverter: {
    maxPower: 8,
    cloudCover: 0.2,
    totalProduction: 4_000,
  },
  meter: {
    householdPower: null,
    energyImport: 3_000,
    energyExport: 2_000,
  },
  vehicle: {
    batteryLevel: 50,
    batteryCapacity: 60,
    chargeLimit: 80,
    isPluggedIn: false,
    isChargingEnabled: true,
    maxCurrent: 16,
    phases: 3,
    maxPower: 11,
    odometer: 12_000,
    pluggedInChargerId: null,
  },
};

/** A kind of device with its state. */
const Condition = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("battery"), state: BatteryState }),
  z.object({ kind: z.literal("charger"), state: ChargerState }),
  z.object({ kind: z.literal("hvac"), state: HvacState }),
  z.object({ kind: z.literal("inverter"), state: InverterState }),
  z.object({ kind: z.literal("meter"), state: MeterState }),
  z.object({ kind: z.literal("vehicle"), state: VehicleState }),
]);
/** The state of one device with its kind. */
export type SimulatedCondition = z.infer<typeof Condition>;

/** Returns the state of a device after changes; `before` is by default that of a new device. Throws a ZodError if invalid. */
export function conditionOf(
  kind: AssetKind,
  changes: object,
  before: object = DEFAULT_STATES[kind],
): SimulatedCondition {
  return Condition.parse({ kind, state: { ...before, ...changes } });
}

/** A simulated fault. */
export const SimulatedFaultKind = z.enum(["unreachable", "rejects-commands", "slow", "invalid-credentials"]).meta({
  description:
    "`unreachable`: the device does not answer. `rejects-commands`: it answers reads and refuses commands. `slow`: commands take effect after `delaySeconds`. `invalid-credentials`: the credentials are not accepted until the account is linked again or the fault ends.",
});
export type SimulatedFaultKind = z.infer<typeof SimulatedFaultKind>;

const MAX_FAULT_SECONDS = 30 * 86_400;

/** A fault in a request. */
export const NewSimulatedFault = z
  .strictObject({
    kind: SimulatedFaultKind,
    seconds: z
      .number()
      .positive()
      .max(MAX_FAULT_SECONDS)
      .optional()
      .meta({ description: "Duration of the fault, s; by default until it is removed." }),
    delaySeconds: z.number().positive().max(3_600).optional().meta({
      description: "Delay of commands with the fault `slow`, s; by default 30.",
    }),
  })
  .meta({ id: "NewSimulatedFault" });
export type NewSimulatedFault = z.infer<typeof NewSimulatedFault>;

/** A fault of a device. */
export const SimulatedFault = z
  .object({
    kind: SimulatedFaultKind,
    until: Instant.nullable().meta({ description: "End of the fault; `null`: until it is removed." }),
    delaySeconds: z.number().nullable().meta({
      description: "Delay of commands with the fault `slow`, s; `null` with other faults.",
    }),
  })
  .meta({ id: "SimulatedFault" });
export type SimulatedFault = z.infer<typeof SimulatedFault>;

/** The coordinates of a simulated device. */
export const SimulatedPlace = z
  .strictObject({
    latitude: z.number().min(-90).max(90).meta({ description: "Latitude, degrees, −90 to 90, positive north." }),
    longitude: z.number().min(-180).max(180).meta({ description: "Longitude, degrees, −180 to 180, positive east." }),
  })
  .meta({ id: "SimulatedPlace" });
export type SimulatedPlace = z.infer<typeof SimulatedPlace>;

/** The name and the nameplate of a simulated device. */
export const SIMULATED_PLATE = {
  vendor: z.string().min(1).max(64).meta({ description: "Vendor code of the kind of device, or `SIMULATED`." }),
  name: z.string().min(1).max(255).nullable().meta({ description: "Name of the device; `null` if it has none." }),
  model: z.string().min(1).max(255).nullable().meta({ description: "Model; `null` if the device reports none." }),
  year: z.int().min(1_900).max(2_200).nullable().meta({
    description: "Model year; `null` if the device reports none.",
  }),
  category: z
    .enum(["HEATING", "COOLING", "HEAT_PUMP", "AGGREGATOR"])
    .nullable()
    .meta({ description: "Category of an HVAC unit; `null` for other kinds." }),
  groupName: z.string().min(1).max(255).nullable().meta({
    description: "Name of the group of an HVAC unit; `null` for other kinds.",
  }),
  location: SimulatedPlace.nullable().meta({
    description: "Coordinates of the device; `null` if it does not report them.",
  }),
} as const;

/** A simulated account at a vendor. Its password is stored as a hash, although it protects nothing. */
export interface SimulatedAccount {
  readonly username: string;
  /** scrypt of the password, base64url. */
  readonly passwordHash: string;
  /** base64url. */
  readonly salt: string;
  /** The code that the sign-in asks for after the password. Absent: none. */
  readonly secondFactor?: string;
}

/** A command that a slow device has not carried out yet. */
export interface SlowCommand {
  readonly point: string;
  readonly value: string | number | boolean;
  /** When the command takes effect, wall-clock ms. */
  readonly dueMs: number;
}

/** A simulated device as it is stored. */
export type SimulatedDevice = SimulatedCondition & {
  readonly id: string;
  /** Devices of the same home share its sun, its household and its meter. */
  readonly home: string;
  readonly vendor: string;
  readonly name: string | null;
  readonly model: string | null;
  readonly year: number | null;
  readonly category: "HEATING" | "COOLING" | "HEAT_PUMP" | "AGGREGATOR" | null;
  readonly groupName: string | null;
  readonly location: SimulatedPlace | null;
  readonly account: SimulatedAccount | null;
  /** Number of the sign-in that it accepts while it has the fault `invalid-credentials`. */
  readonly grant: number;
  readonly faults: readonly SimulatedFault[];
  readonly slowCommands: readonly SlowCommand[];
  readonly createdAtMs: number;
  /** Time of the state, wall-clock ms. */
  readonly asOfMs: number;
};

/** Returns the fault of a kind that is active at an instant; `null` if there is none. */
export function faultAt(
  { faults }: Pick<SimulatedDevice, "faults">,
  kind: SimulatedFaultKind,
  nowMs: number,
): SimulatedFault | null {
  return faults.find((fault) => fault.kind === kind && holdsAt(fault, nowMs)) ?? null;
}

/** Returns true if a fault is active at an instant, wall-clock ms. */
export function holdsAt({ until }: SimulatedFault, nowMs: number): boolean {
  return until === null || nowMs < Date.parse(until);
}
