/** Simulated devices in the API: requests and responses. */
import { z } from "zod";
import { ASSET_KINDS, type AssetKind } from "../assets/asset.ts";
import { Instant } from "../fields.ts";
import { NewSimulatedFault, SIMULATED_PLATE, SIMULATED_STATES, SimulatedFault, settableState } from "./simulated.ts";

const MAX_FAULTS = 10;

const Username = z
  .string()
  .min(1)
  .max(255)
  .meta({ description: "User name of the simulated account; the link page signs in with it." });
const Password = z.string().min(1).max(255).meta({ description: "Password of the simulated account." });
const SecondFactor = z
  .string()
  .regex(/^[A-Za-z0-9]{4,12}$/)
  .meta({
    description: "Code that the sign-in asks for after the password, 4 to 12 letters and digits; by default none.",
  });
const UserId = z.string().meta({
  description: "Links the device to this user at once; otherwise it has to be linked with `username` and `password`.",
});
const Faults = z.array(NewSimulatedFault).max(MAX_FAULTS).meta({ description: "Faults of the device, all of them." });
const State = "State of the device; fields that are left out get default values.";

const NEW_FIELDS = {
  ...SIMULATED_PLATE,
  vendor: SIMULATED_PLATE.vendor.default("SIMULATED"),
  name: SIMULATED_PLATE.name.default(null),
  model: SIMULATED_PLATE.model.default(null),
  year: SIMULATED_PLATE.year.default(null),
  category: SIMULATED_PLATE.category.default(null),
  groupName: SIMULATED_PLATE.groupName.default(null),
  location: SIMULATED_PLATE.location.default(null),
  userId: UserId.optional(),
  username: Username.optional(),
  password: Password.optional(),
  secondFactor: SecondFactor.optional(),
  faults: Faults.default([]),
} as const;

const { vendor: _vendor, ...CHANGEABLE } = SIMULATED_PLATE;
const CHANGES = {
  ...z.object(CHANGEABLE).partial().shape,
  isReachable: z.boolean().optional().meta({
    description: "`false`: the device does not answer until this is set to `true`.",
  }),
  faults: Faults.optional(),
  username: Username.optional(),
  password: Password.optional().meta({
    description: "Password of the simulated account for the next sign-in; linked devices stay linked.",
  }),
} as const;

/** A new device of any kind, for the service; the state has the fields of the kind. */
export const NewSimulated = z.strictObject({ ...NEW_FIELDS, state: z.looseObject({}).default({}) });
export type NewSimulated = z.infer<typeof NewSimulated>;

/** The changes of a device of any kind, for the service. */
export const SimulatedChanges = z.strictObject({ ...CHANGES, state: z.looseObject({}).optional() });
export type SimulatedChanges = z.infer<typeof SimulatedChanges>;

/** The schemas of one kind: to create a device, to change it, and of the response. */
export interface SimulatedShapes {
  readonly create: z.ZodType<NewSimulated>;
  readonly change: z.ZodType<SimulatedChanges>;
  readonly record: z.ZodType<object>;
}

export const SIMULATED_SHAPES: Readonly<Record<AssetKind, SimulatedShapes>> = {
  battery: shapesOf("battery"),
  charger: shapesOf("charger"),
  hvac: shapesOf("hvac"),
  inverter: shapesOf("inverter"),
  meter: shapesOf("meter"),
  vehicle: shapesOf("vehicle"),
};

function shapesOf(kind: AssetKind): SimulatedShapes {
  const settable = settableState(kind);
  const name = `${kind.charAt(0).toUpperCase()}${kind.slice(1)}`;
  return {
    create: z
      .strictObject({ ...NEW_FIELDS, state: settable.partial().default({}).meta({ description: State }) })
      .meta({ id: `NewSimulated${name}` }),
    change: z
      .strictObject({
        ...CHANGES,
        state: settable
          .partial()
          .optional()
          .meta({ description: "Changes of the state; fields that are left out stay as they are." }),
      })
      .meta({ id: `Simulated${name}Changes` }),
    record: z
      .object({
        id: z.uuid().meta({ description: "Id of the simulated device." }),
        kind: z.enum(ASSET_KINDS).meta({ description: "Kind of device." }),
        ...SIMULATED_PLATE,
        username: z.string().nullable().meta({
          description: "User name of the simulated account; `null` if it has none.",
        }),
        userId: z.string().nullable().meta({
          description: "User that the device is linked to; `null` if it is not linked.",
        }),
        assetId: z.uuid().nullable().meta({
          description: "Id of the device among the other devices of the API; `null` if it is not linked.",
        }),
        isReachable: z.boolean().meta({ description: "`false` while the device does not answer." }),
        faults: z.array(SimulatedFault).meta({ description: "Faults of the device." }),
        state: SIMULATED_STATES[kind].meta({ description: "State of the device." }),
        createdAt: Instant.meta({ description: "Time at which the device was created." }),
      })
      .meta({ id: `Simulated${name}`, description: `A simulated device: ${kind}.` }),
  };
}

/** The body that creates a simulated vehicle with an account, in the older form (rule S11.3). */
export const NewAccountVehicle = z
  .strictObject({
    vendor: SIMULATED_PLATE.vendor,
    username: Username,
    password: Password,
    name: z.string().min(1).max(255).meta({ description: "Name of the vehicle." }),
    model: z.string().min(1).max(255).meta({ description: "Model of the vehicle." }),
    year: z.int().min(1_900).max(2_200).meta({ description: "Model year." }),
    userId: UserId.nullable().optional(),
  })
  .meta({ id: "NewAccountVehicle" });

const ChargeChanges = SIMULATED_STATES.vehicle
  .pick({ batteryLevel: true, batteryCapacity: true, chargeLimit: true, isPluggedIn: true, maxCurrent: true })
  .partial()
  .extend({
    isCharging: z.boolean().optional().meta({ description: "`true`: the vehicle charges when power is offered." }),
  });

/** The body that changes a simulated vehicle in the older form. */
export const AccountVehicleChanges = z
  .strictObject({
    name: CHANGES.name,
    username: CHANGES.username,
    password: CHANGES.password,
    isReachable: CHANGES.isReachable,
    chargeState: ChargeChanges.optional(),
    location: SIMULATED_PLATE.location.optional(),
  })
  .meta({ id: "AccountVehicleChanges" });

/** A simulated vehicle in the older form. */
export const AccountVehicle = z
  .object({
    id: z.uuid().meta({ description: "Id of the simulated vehicle." }),
    vendor: z.string().meta({ description: "Vendor code." }),
    username: z.string().nullable().meta({ description: "User name of the simulated account; `null` if it has none." }),
    name: z.string().nullable().meta({ description: "Name of the vehicle; `null` if it has none." }),
    model: z.string().nullable().meta({ description: "Model of the vehicle; `null` if it has none." }),
    year: z.int().nullable().meta({ description: "Model year; `null` if it has none." }),
    userId: z.string().nullable().meta({
      description: "User that the vehicle is linked to; `null` if it is not linked.",
    }),
    isReachable: z.boolean().meta({ description: "`false` while the vehicle does not answer." }),
    chargeState: z.object({
      batteryLevel: z.number().meta({ description: "State of charge, %." }),
      batteryCapacity: z.number().meta({ description: "Usable energy of the full battery, kWh." }),
      chargeLimit: z.number().meta({ description: "State of charge at which charging stops, %." }),
      isPluggedIn: z.boolean().meta({ description: "`true` if the vehicle is plugged in." }),
      isCharging: z.boolean().meta({ description: "`true` while the vehicle charges." }),
      maxCurrent: z.number().meta({ description: "Highest charging current, A per phase." }),
    }),
    location: SIMULATED_PLATE.location,
  })
  .meta({ id: "AccountVehicle", description: "A simulated vehicle of a simulated account." });
export type AccountVehicle = z.infer<typeof AccountVehicle>;
