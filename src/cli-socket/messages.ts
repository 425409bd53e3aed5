/** What the command line and the running gateway say to each other over the control socket. */
import { z } from "zod";
import { CLIENT_SCOPES } from "../domain/users/scope.ts";

/** A finding about the installation: what does not fit, and what would put it right. */
export const ControlCheck = z.object({
  id: z.string(),
  check: z.string(),
  /** `null` for damaged or lost data: no device is concerned. */
  deviceId: z.string().nullable(),
  assetKind: z.string().nullable(),
  /** The device that it was compared with. */
  againstDeviceId: z.string().nullable(),
  measured: z.string(),
  /** What confirming would do, in words; `null`: no setting of the gateway helps. */
  fix: z.string().nullable(),
  state: z.enum(["OPEN", "CONFIRMED", "DISMISSED"]),
  firstSeenAt: z.string(),
  lastSeenAt: z.string(),
  /** Since it was first seen, ms. */
  ageMs: z.number(),
  /** Paths of the API to POST to; `null` where that is not possible any more. */
  confirm: z.string().nullable(),
  dismiss: z.string().nullable(),
});
export type ControlCheck = z.infer<typeof ControlCheck>;

export const ControlDevice = z.object({
  id: z.string(),
  adapter: z.string(),
  vendor: z.string().nullable(),
  identity: z
    .object({
      manufacturer: z.string().nullable(),
      model: z.string().nullable(),
      serial: z.string().nullable(),
      version: z.string().nullable(),
    })
    .nullable(),
  isReachable: z.boolean(),
  lastError: z.string().nullable(),
  /** Since the last answer, ms; null before the first. */
  ageMs: z.number().nullable(),
  assets: z.array(z.object({ kind: z.string(), id: z.string() })),
  points: z.array(
    z.object({
      point: z.string(),
      value: z.union([z.number(), z.string(), z.boolean()]).nullable(),
      unit: z.string(),
      ageMs: z.number(),
    }),
  ),
  /** What the gateway held until somebody else changed it at the device. */
  takenOver: z.array(
    z.object({
      point: z.string(),
      held: z.union([z.number(), z.string(), z.boolean()]),
      found: z.union([z.number(), z.string(), z.boolean()]),
      ageMs: z.number(),
    }),
  ),
});
export type ControlDevice = z.infer<typeof ControlDevice>;

export const ControlState = z.object({
  version: z.string(),
  /** Where the API listens; null when it does not. */
  address: z.string().nullable(),
  isReady: z.boolean(),
  failures: z.array(z.string()),
  devices: z.array(ControlDevice),
  /** Newest first; a gateway of an older version that still runs lists none. */
  checks: z.array(ControlCheck).default([]),
});
export type ControlState = z.infer<typeof ControlState>;

/** What `hemgate discover` asks for. */
export const DiscoverQuestion = z.strictObject({
  isActive: z.boolean(),
  hosts: z.array(z.string().max(100)).max(1_024).optional(),
});

export type DiscoverQuestion = z.infer<typeof DiscoverQuestion>;

const MAX_ID_CHARACTERS = 100;

/** What `hemgate client create` asks for. Without a version the client is pinned to the newest. */
export const NewClient = z.strictObject({
  name: z.string().trim().min(1).max(255),
  version: z.string().max(MAX_ID_CHARACTERS).optional(),
  scopes: z.array(z.enum(CLIENT_SCOPES)).optional(),
});

/** What `hemgate client pin` asks for. */
export const PinQuestion = z.strictObject({
  id: z.string().max(MAX_ID_CHARACTERS),
  version: z.string().max(MAX_ID_CHARACTERS),
});
export type PinQuestion = z.infer<typeof PinQuestion>;

/** A client with the version that its requests mean when they name none. */
export const ClientPin = z.object({ id: z.string(), name: z.string(), version: z.string() });
export type ClientPin = z.infer<typeof ClientPin>;

/** What `hemgate cloud enroll` asks for. */
export const EnrolmentQuestion = z.strictObject({ token: z.string().min(1).max(2_000) });

/** A client's credentials. The secret is shown this once. */
export const ClientCredentials = z.object({ id: z.string(), secret: z.string() });
export type ClientCredentials = z.infer<typeof ClientCredentials>;

/** What is answered when the gateway cannot do what was asked. */
export const ControlFailure = z.object({ error: z.string() });
