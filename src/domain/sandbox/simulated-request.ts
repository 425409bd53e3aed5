/** Made-up devices as the API takes and shows them. */
import { z } from "zod";
import { ASSET_KINDS, type AssetKind } from "../assets/asset.ts";
import { Instant } from "../fields.ts";
import { NewSimulatedFault, SIMULATED_PLATE, SIMULATED_STATES, SimulatedFault, settableState } from "./simulated.ts";

const MAX_FAULTS = 10;

const Username = z
  .string()
  .min(1)
  .max(255)
  .meta({ description: "Of the made-up account that the link page signs in to." });
const Password = z.string().min(1).max(255);
const SecondFactor = z
  .string()
  .regex(/^[A-Za-z0-9]{4,12}$/)
  .meta({ description: "The code that the sign-in asks for after the password; absent: it asks for none." });
const UserId = z.string().meta({ description: "Links it to this user at once; absent: only the account's user can." });
const Faults = z.array(NewSimulatedFault).max(MAX_FAULTS).meta({ description: "In place of all that it has." });

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
  isReachable: z.boolean().optional().meta({ description: "False: it does not answer until it is set again." }),
  faults: Faults.optional(),
  username: Username.optional(),
  password: Password.optional().meta({ description: "What is linked stays linked; the next sign-in needs it." }),
} as const;

/** What a device is made of, as a service takes it; the state's fields are those of its kind. */
export const NewSimulated = z.strictObject({ ...NEW_FIELDS, state: z.looseObject({}).default({}) });
export type NewSimulated = z.infer<typeof NewSimulated>;

/** What changes of a device, as a service takes it. */
export const SimulatedChanges = z.strictObject({ ...CHANGES, state: z.looseObject({}).optional() });
export type SimulatedChanges = z.infer<typeof SimulatedChanges>;

/** The three shapes of one kind: to make one, to change one, and as it is shown. */
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
      .strictObject({ ...NEW_FIELDS, state: settable.partial().default({}) })
      .meta({ id: `NewSimulated${name}` }),
    change: z
      .strictObject({ ...CHANGES, state: settable.partial().optional() })
      .meta({ id: `Simulated${name}Changes` }),
    record: z
      .object({
        id: z.uuid(),
        kind: z.enum(ASSET_KINDS),
        ...SIMULATED_PLATE,
        username: z.string().nullable().meta({ description: "Of its account; null: it has none." }),
        userId: z.string().nullable().meta({ description: "The user that it is linked to; null: to none." }),
        assetId: z.uuid().nullable().meta({ description: "The id under which the API shows it; null: not yet." }),
        isReachable: z.boolean(),
        faults: z.array(SimulatedFault),
        state: SIMULATED_STATES[kind],
        createdAt: Instant,
      })
      .meta({ id: `Simulated${name}`, description: `A made-up ${kind}.` }),
  };
}

/** The older form of a made-up vehicle (rule S11.3): one of an account. */
export const NewAccountVehicle = z
  .strictObject({
    vendor: SIMULATED_PLATE.vendor,
    username: Username,
    password: Password,
    name: z.string().min(1).max(255),
    model: z.string().min(1).max(255),
    year: z.int().min(1_900).max(2_200),
    userId: UserId.nullable().optional(),
  })
  .meta({ id: "NewAccountVehicle" });

const ChargeChanges = SIMULATED_STATES.vehicle
  .pick({ batteryLevel: true, batteryCapacity: true, chargeLimit: true, isPluggedIn: true, maxCurrent: true })
  .partial()
  .extend({ isCharging: z.boolean().optional().meta({ description: "Whether it takes power when it is offered." }) });

export const AccountVehicleChanges = z
  .strictObject({
    name: CHANGES.name,
    username: CHANGES.username,
    password: CHANGES.password,
    isReachable: z.boolean().optional(),
    chargeState: ChargeChanges.optional(),
    location: SIMULATED_PLATE.location.optional(),
  })
  .meta({ id: "AccountVehicleChanges" });

export const AccountVehicle = z
  .object({
    id: z.uuid(),
    vendor: z.string(),
    username: z.string().nullable(),
    name: z.string().nullable(),
    model: z.string().nullable(),
    year: z.int().nullable(),
    userId: z.string().nullable(),
    isReachable: z.boolean(),
    chargeState: z.object({
      batteryLevel: z.number().meta({ description: "Percent." }),
      batteryCapacity: z.number().meta({ description: "kWh." }),
      chargeLimit: z.number().meta({ description: "Percent." }),
      isPluggedIn: z.boolean(),
      isCharging: z.boolean(),
      maxCurrent: z.number().meta({ description: "Ampere per phase." }),
    }),
    location: SIMULATED_PLATE.location,
  })
  .meta({ id: "AccountVehicle", description: "A made-up vehicle of a made-up account." });
export type AccountVehicle = z.infer<typeof AccountVehicle>;
