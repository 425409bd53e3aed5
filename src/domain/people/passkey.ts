/** Passkeys of people: what a browser sends and gets. Binary values are base64url, as in WebAuthn's JSON forms. */
import { z } from "zod";
import { hasNoControls, Instant, NullableInstant } from "../fields.ts";

const MAX_NAME_CHARACTERS = 64;
/** An RSA key of 4,096 bits and what belongs to it stay far below. */
const MAX_BINARY_CHARACTERS = 4_096;

const Binary = z
  .string()
  .max(MAX_BINARY_CHARACTERS)
  .regex(/^[A-Za-z0-9_-]+$/, { error: "Expected base64url without padding" });
const ClientDataJson = Binary.meta({ description: "`clientDataJSON` of the browser's answer." });
const AuthenticatorData = Binary.meta({ description: "`authenticatorData` of the browser's answer." });
const CredentialId = Binary.meta({ description: "`id` of the browser's answer." });

/** A passkey of an account. */
export const Passkey = z
  .object({
    id: z.uuid(),
    name: z.string().meta({ description: "What the person calls it; plain text." }),
    host: z
      .string()
      .meta({ description: "Name of the gateway at which it signs in; it does nothing at another name." }),
    createdAt: Instant,
    lastUsedAt: NullableInstant.meta({ description: "Time of the last sign-in with it; `null` if there was none." }),
  })
  .meta({ id: "Passkey" });
export type Passkey = z.infer<typeof Passkey>;

/** What the browser is asked to make a passkey with. */
export const PasskeyCreationOptions = z
  .object({
    challenge: Binary,
    rp: z.object({ id: z.string(), name: z.string() }),
    user: z.object({ id: Binary, name: z.string(), displayName: z.string() }),
    pubKeyCredParams: z.array(z.object({ type: z.literal("public-key"), alg: z.int() })),
    excludeCredentials: z
      .array(z.object({ type: z.literal("public-key"), id: Binary }))
      .meta({ description: "Passkeys that the account has here already." }),
    authenticatorSelection: z.object({
      residentKey: z.literal("required"),
      requireResidentKey: z.literal(true),
      userVerification: z.literal("required"),
    }),
    attestation: z.literal("none"),
    timeout: z.int().meta({ description: "ms; the challenge counts once and no longer than this." }),
  })
  .meta({
    id: "PasskeyCreationOptions",
    description: "`PublicKeyCredentialCreationOptionsJSON` of WebAuthn, for `navigator.credentials.create`.",
  });
export type PasskeyCreationOptions = z.infer<typeof PasskeyCreationOptions>;

/** What the browser is asked to sign in with. */
export const PasskeyRequestOptions = z
  .object({
    challenge: Binary,
    rpId: z.string(),
    userVerification: z.literal("required"),
    timeout: z.int().meta({ description: "ms; the challenge counts once and no longer than this." }),
  })
  .meta({
    id: "PasskeyRequestOptions",
    description: "`PublicKeyCredentialRequestOptionsJSON` of WebAuthn, for `navigator.credentials.get`.",
  });
export type PasskeyRequestOptions = z.infer<typeof PasskeyRequestOptions>;

/** The proof that a session's own person adds a passkey. */
export const PasskeyBegin = z
  .strictObject({ password: z.string().max(256).meta({ description: "Password of the account." }) })
  .meta({ id: "PasskeyBegin" });

/** A passkey that the browser has made. */
export const PasskeyCreate = z
  .strictObject({
    name: z
      .string()
      .trim()
      .min(1)
      .max(MAX_NAME_CHARACTERS)
      .refine(hasNoControls, { error: "Expected no line breaks or other control characters" })
      .meta({ description: "What the person calls it, such as `Anna's phone`." }),
    id: CredentialId,
    response: z.strictObject({
      clientDataJSON: ClientDataJson,
      authenticatorData: AuthenticatorData,
      publicKey: Binary.meta({ description: "`getPublicKey()` of the browser's answer: SubjectPublicKeyInfo, DER." }),
    }),
  })
  .meta({ id: "PasskeyCreate" });
export type PasskeyCreate = z.infer<typeof PasskeyCreate>;

/** A sign-in with a passkey. */
export const PasskeySignIn = z
  .strictObject({
    id: CredentialId,
    response: z.strictObject({
      clientDataJSON: ClientDataJson,
      authenticatorData: AuthenticatorData,
      signature: Binary.meta({ description: "`signature` of the browser's answer." }),
      userHandle: Binary.meta({ description: "`userHandle` of the browser's answer." }),
    }),
  })
  .meta({ id: "PasskeySignIn" });
export type PasskeySignIn = z.infer<typeof PasskeySignIn>;
