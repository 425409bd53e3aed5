/** Examples of users. */
import type { Passkey, PasskeyCreationOptions, PasskeyRequestOptions } from "../../../domain/people/passkey.ts";
import type { User, UserEntry } from "../../../domain/users/user.ts";

const ENTRY: UserEntry = { id: "home", createdAt: "2026-06-21T10:15:30.000Z", scopes: ["all"] };

const USER: User = {
  ...ENTRY,
  linkedVendors: [
    { vendor: "SOLAREDGE", vendorType: "battery", isValid: true },
    { vendor: "TESLA", vendorType: "vehicle", isValid: false },
  ],
};

const PASSKEY: Passkey = {
  id: "2f6f2a51-6d5b-4c8c-9a0e-6b3f5a2c9d11",
  name: "Anna's phone",
  host: "hemgate.local",
  createdAt: "2026-06-21T10:15:30.000Z",
  lastUsedAt: "2026-06-28T18:02:11.000Z",
};
const CHALLENGE = "9J0kT2pV5eYb1nQeXw7sHq0mZrLc3dUfAi8gOt6vB4E";
const CREDENTIAL_ID = "ltw0tJ1m0bZkzMpr4nD9xA";

const CREATION: PasskeyCreationOptions = {
  challenge: CHALLENGE,
  rp: { id: "hemgate.local", name: "hemgate" },
  user: { id: "NmIzZjVhMmMtOWQxMS00YzhjLTlhMGUtMmY2ZjJhNTE2ZDVi", name: "Anna", displayName: "Anna" },
  pubKeyCredParams: [
    { type: "public-key", alg: -7 },
    { type: "public-key", alg: -8 },
    { type: "public-key", alg: -257 },
  ],
  excludeCredentials: [{ type: "public-key", id: CREDENTIAL_ID }],
  authenticatorSelection: { residentKey: "required", requireResidentKey: true, userVerification: "required" },
  attestation: "none",
  timeout: 300_000,
};
const REQUEST: PasskeyRequestOptions = {
  challenge: CHALLENGE,
  rpId: "hemgate.local",
  userVerification: "required",
  timeout: 300_000,
};

export const USER_EXAMPLES: Readonly<Record<string, readonly unknown[]>> = {
  Pagination: [{ after: null, before: null }],
  User: [USER],
  UserEntry: [ENTRY],
  Passkey: [PASSKEY],
  PasskeyCreationOptions: [CREATION],
  PasskeyRequestOptions: [REQUEST],
};
