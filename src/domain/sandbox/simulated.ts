/** Devices that are made up, for trying things out: what one is, what it does, and what can be set on it by hand. */
import { z } from "zod";
import type { AssetKind } from "../assets/asset.ts";
import { Instant } from "../fields.ts";

const Percent = z.number().min(0).max(100).meta({ description: "Percent, 0 to 100." });
const MAX_SET_KWH = 1_000_000;
const Energy = z.number().min(0).max(MAX_SET_KWH).meta({ description: "kWh." });
/** A counter runs on from where it was set, however far. */
const Counted = z.number().min(0);
const Power = z.number().positive().max(1_000).meta({ description: "kW." });
const Current = z.number().min(6).max(80).meta({ description: "Ampere per phase." });
const Phases = z.union([z.literal(1), z.literal(3)]);
const Celsius = z.number().min(-60).max(100).meta({ description: "Degrees Celsius." });

const VehicleState = z.strictObject({
  batteryLevel: Percent,
  batteryCapacity: z.number().positive().max(1_000).meta({ description: "kWh." }),
  chargeLimit: Percent.meta({ description: "Percent at which the vehicle stops by itself." }),
  isPluggedIn: z.boolean(),
  isChargingEnabled: z.boolean().meta({ description: "Whether it takes power when it is offered." }),
  maxCurrent: Current,
  phases: Phases,
  maxPower: Power,
  odometer: z.number().min(0).max(10_000_000).meta({ description: "km." }),
  pluggedInChargerId: z
    .string()
    .nullable()
    .meta({ description: "The simulated charger it hangs on; both show the same charging. Null: an unknown one." }),
});

const ChargerState = z.strictObject({
  isPluggedIn: z.boolean().meta({ description: "Whether a vehicle hangs on it that is not simulated." }),
  isChargingEnabled: z.boolean().meta({ description: "Whether it lets the vehicle charge." }),
  maxCurrent: Current,
  phases: Phases,
  energyWanted: Energy.meta({ description: "kWh that the vehicle still takes." }),
  energySession: Counted.meta({ description: "kWh since the vehicle was plugged in." }),
  energyTotal: Counted.meta({ description: "kWh since it was made." }),
});

const HvacState = z.strictObject({
  mode: z.enum(["OFF", "AUTO", "COOL", "HEAT"]),
  heatSetpoint: Celsius,
  coolSetpoint: Celsius,
  holdType: z.enum(["PERMANENT", "SCHEDULED"]),
  currentTemperature: Celsius,
  outdoorTemperature: Celsius.nullable().meta({ description: "Null: as the season has it." }),
  maxPower: Power,
});

const BatteryState = z.strictObject({
  batteryLevel: Percent,
  batteryCapacity: z.number().positive().max(1_000).meta({ description: "kWh." }),
  dischargeLimit: Percent.meta({ description: "Percent that it keeps in reserve." }),
  operationMode: z.enum(["IMPORT_FOCUS", "EXPORT_FOCUS", "TIME_OF_USE", "SELF_RELIANCE", "IDLE"]),
  maxPower: Power,
});

const InverterState = z.strictObject({
  maxPower: Power.meta({ description: "kW at the best of all suns." }),
  cloudCover: z.number().min(0).max(1).meta({ description: "0 is a clear sky, 1 an overcast one." }),
  totalProduction: Counted.meta({ description: "kWh since it was made." }),
});

const MeterState = z.strictObject({
  householdPower: z
    .number()
    .min(0)
    .max(1_000)
    .nullable()
    .meta({ description: "kW that the people of the house use; null: as people do over a day." }),
  energyImport: Counted.meta({ description: "kWh taken from the grid since it was made." }),
  energyExport: Counted.meta({ description: "kWh given to the grid since it was made." }),
});

/** What each kind is in, as it is stored and shown. */
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

/** What a charger offers the vehicle on it. */
export type SimulatedSupply = Pick<States["charger"], "isChargingEnabled" | "maxCurrent" | "phases">;

const COUNTERS = ["energySession", "energyTotal", "totalProduction", "energyImport", "energyExport"];

/** A kind's state as it can be set: what it counts has a limit there. */
export function settableState(kind: AssetKind): z.ZodObject {
  const state: z.ZodObject = SIMULATED_STATES[kind];
  const counters = Object.entries(state.shape).filter(([name]) => COUNTERS.includes(name));
  return state.extend(Object.fromEntries(counters.map(([name, counted]) => [name, limited(counted)])));
}

function limited(counted: z.core.$ZodType): z.ZodType {
  return Energy.meta({ description: z.globalRegistry.get(counted)?.description ?? "kWh." });
}

/** What a device is in that is made without saying so. */
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

/** A kind with its state, whatever the kind. */
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

/** The state of a kind with changes, checked; from the kind's own when there is none before. */
export function conditionOf(
  kind: AssetKind,
  changes: object,
  before: object = DEFAULT_STATES[kind],
): SimulatedCondition {
  return Condition.parse({ kind, state: { ...before, ...changes } });
}

/**
 * What goes wrong on purpose.
 * - `unreachable`: it does not answer.
 * - `rejects-commands`: it answers reads and refuses to be told anything.
 * - `slow`: commands take effect after `delaySeconds`.
 * - `invalid-credentials`: its password was changed; only signing in again helps, or the end of the fault.
 */
export const SimulatedFaultKind = z.enum(["unreachable", "rejects-commands", "slow", "invalid-credentials"]);
export type SimulatedFaultKind = z.infer<typeof SimulatedFaultKind>;

const MAX_FAULT_SECONDS = 30 * 86_400;

/** A fault as it is asked for. */
export const NewSimulatedFault = z
  .strictObject({
    kind: SimulatedFaultKind,
    seconds: z
      .number()
      .positive()
      .max(MAX_FAULT_SECONDS)
      .optional()
      .meta({ description: "How long; absent: until it is cleared." }),
    delaySeconds: z.number().positive().max(3_600).optional().meta({ description: "Of `slow`; default 30." }),
  })
  .meta({ id: "NewSimulatedFault" });
export type NewSimulatedFault = z.infer<typeof NewSimulatedFault>;

/** A fault that a device has. */
export const SimulatedFault = z
  .object({
    kind: SimulatedFaultKind,
    until: Instant.nullable().meta({ description: "When it ends by itself; null: when it is cleared." }),
    delaySeconds: z.number().nullable().meta({ description: "Of `slow`." }),
  })
  .meta({ id: "SimulatedFault" });
export type SimulatedFault = z.infer<typeof SimulatedFault>;

export const SimulatedPlace = z
  .strictObject({
    latitude: z.number().min(-90).max(90).meta({ description: "Degrees north." }),
    longitude: z.number().min(-180).max(180).meta({ description: "Degrees east." }),
  })
  .meta({ id: "SimulatedPlace" });
export type SimulatedPlace = z.infer<typeof SimulatedPlace>;

/** What people call it and what stands on its plate. */
export const SIMULATED_PLATE = {
  vendor: z.string().min(1).max(64).meta({ description: "A vendor code of its kind, or SIMULATED." }),
  name: z.string().min(1).max(255).nullable(),
  model: z.string().min(1).max(255).nullable(),
  year: z.int().min(1_900).max(2_200).nullable(),
  category: z
    .enum(["HEATING", "COOLING", "HEAT_PUMP", "AGGREGATOR"])
    .nullable()
    .meta({ description: "Of an HVAC unit; null for other kinds." }),
  groupName: z.string().min(1).max(255).nullable().meta({ description: "Of an HVAC unit; null for other kinds." }),
  location: SimulatedPlace.nullable().meta({ description: "Where it is; null: it does not tell." }),
} as const;

/** A made-up account at a vendor. It opens nothing real; its password is kept as a hash all the same. */
export interface SimulatedAccount {
  readonly username: string;
  /** scrypt of the password, base64url. */
  readonly passwordHash: string;
  /** base64url. */
  readonly salt: string;
  /** The code that the sign-in asks for after the password. Absent: it asks for none. */
  readonly secondFactor?: string;
}

/** A command that a slow device has not carried out yet. */
export interface SlowCommand {
  readonly point: string;
  readonly value: string | number | boolean;
  /** Wall-clock ms. */
  readonly dueMs: number;
}

/** One made-up device as it is stored. */
export type SimulatedDevice = SimulatedCondition & {
  readonly id: string;
  /** Devices of one home share its sun, its household and its meter. */
  readonly home: string;
  readonly vendor: string;
  readonly name: string | null;
  readonly model: string | null;
  readonly year: number | null;
  readonly category: "HEATING" | "COOLING" | "HEAT_PUMP" | "AGGREGATOR" | null;
  readonly groupName: string | null;
  readonly location: SimulatedPlace | null;
  readonly account: SimulatedAccount | null;
  /** Which sign-in it accepts while its credentials are at fault. */
  readonly grant: number;
  readonly faults: readonly SimulatedFault[];
  readonly slowCommands: readonly SlowCommand[];
  readonly createdAtMs: number;
  /** Wall-clock ms of the state. */
  readonly asOfMs: number;
};

/** The fault of a kind that holds at an instant; null when none does. */
export function faultAt(
  { faults }: Pick<SimulatedDevice, "faults">,
  kind: SimulatedFaultKind,
  nowMs: number,
): SimulatedFault | null {
  return faults.find((fault) => fault.kind === kind && holdsAt(fault, nowMs)) ?? null;
}

/** Whether a fault holds at an instant. */
export function holdsAt({ until }: SimulatedFault, nowMs: number): boolean {
  return until === null || nowMs < Date.parse(until);
}
