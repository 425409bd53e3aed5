/** Examples of users. */
import type { User, UserEntry } from "../../../domain/users/user.ts";

const ENTRY: UserEntry = { id: "home", createdAt: "2026-06-21T10:15:30.000Z", scopes: ["all"] };

const USER: User = {
  ...ENTRY,
  linkedVendors: [
    { vendor: "SOLAREDGE", vendorType: "battery", isValid: true },
    { vendor: "TESLA", vendorType: "vehicle", isValid: false },
  ],
};

export const USER_EXAMPLES: Readonly<Record<string, readonly unknown[]>> = {
  Pagination: [{ after: null, before: null }],
  User: [USER],
  UserEntry: [ENTRY],
};
