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
  /** Since the gateway's start, ms; `null` from one of an older version. */
  upMs: z.number().nullable().default(null),
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
const MAX_NAME_CHARACTERS = 255;

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

/** The setup code of a gateway, and where a browser enters it. */
export const ClaimAnswer = z.object({
  isClaimed: z.boolean(),
  /** `null`: none counts now. */
  code: z.string().nullable(),
  /** Addresses of the gateway, such as `http://192.168.1.5:8080`; empty if only this machine reaches it. */
  addresses: z.array(z.string()),
  /** SHA-256 of the certificate of the gateway's authority, hexadecimal digits with colons; `null` if it has none. */
  authority: z.string().nullable(),
});
export type ClaimAnswer = z.infer<typeof ClaimAnswer>;

/** What `hemgate claim` asks for. */
export const ClaimQuestion = z.strictObject({ isNew: z.boolean() });

/** What `hemgate people reset` asks for. */
export const ResetQuestion = z.strictObject({ name: z.string().max(MAX_NAME_CHARACTERS) });

/** A code for a new password. It is shown this once. */
export const ResetAnswer = z.object({ code: z.string(), expiresAt: z.string(), addresses: z.array(z.string()) });
export type ResetAnswer = z.infer<typeof ResetAnswer>;

/** What `hemgate client revoke` asks for. */
export const RevokeQuestion = z.strictObject({ id: z.string().max(MAX_ID_CHARACTERS) });

/** The client that was revoked. */
export const RevokeAnswer = z.object({ id: z.string(), name: z.string() });
export type RevokeAnswer = z.infer<typeof RevokeAnswer>;

/** A client's credentials. The secret is shown this once. */
export const ClientCredentials = z.object({ id: z.string(), secret: z.string() });
export type ClientCredentials = z.infer<typeof ClientCredentials>;

/** What `hemgate backup create` asks for; the answer is the file. */
export const BackupQuestion = z.strictObject({ passphrase: z.string().min(1).max(1_000) });

/** What is answered when the gateway cannot do what was asked. */
export const ControlFailure = z.object({ error: z.string() });
