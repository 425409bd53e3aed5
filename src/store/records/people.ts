import type { Role } from "../../domain/people/role.ts";

/** An end in wall-clock time. */
export interface DeadlineFields {
  readonly expiresAtMs: number;
  /** True if the clock was not set when it was fixed: it counts from when the clock is set. */
  readonly isDateUnsure?: true;
}

/** A person's account. The key is the id. */
export interface AccountRecord {
  readonly id: string;
  readonly name: string;
  readonly role: Role;
  /** Such as `de`; `null` if none was chosen. */
  readonly language: string | null;
  readonly createdAtMs: number;
  /** scrypt of the password, and its salt, base64url; `null` while invited. */
  readonly password: { readonly hash: string; readonly salt: string } | null;
  /** Absent: the account does not end by itself. */
  readonly end?: DeadlineFields;
  /** An invitation, or a code for a new password: its SHA-256, hex. Absent: none. */
  readonly code?: DeadlineFields & { readonly hash: string };
  /** Absent: none. */
  readonly passkeys?: readonly PasskeyRecord[];
}

/** A WebAuthn credential of an account. */
export interface PasskeyRecord {
  readonly id: string;
  readonly name: string;
  /** Name of the gateway that it was made at: the id of the relying party. */
  readonly host: string;
  /** base64url, as is the key. */
  readonly credentialId: string;
  /** SubjectPublicKeyInfo, DER. */
  readonly publicKey: string;
  /** Signatures that the device counted; 0 if it does not count. */
  readonly counter: number;
  readonly createdAtMs: number;
  /** Absent: nobody signed in with it yet. */
  readonly lastUsedAtMs?: number;
}

/** A browser that is signed in. The key is the id. */
export interface SessionRecord extends DeadlineFields {
  readonly id: string;
  /** SHA-256 of the cookie's value, hex. */
  readonly hash: string;
  readonly accountId: string;
  readonly createdAtMs: number;
  readonly lastSeenAtMs: number;
  /** IP address of the sign-in. */
  readonly address: string;
  readonly userAgent: string | null;
}

/** When a client last got a token. The key is the client's id. */
export interface ClientUseRecord {
  readonly clientId: string;
  readonly lastUsedAtMs: number;
}
