/** The roles of people in the house, and what each may do. */

export const ROLES = ["owner", "installer", "member", "guest"] as const;
export type Role = (typeof ROLES)[number];

/**
 * What an operation of the API takes. `see`: reads the house. `command`: charging, modes, policies, schedules. `install`:
 * devices, places, prices, limits, webhooks. `people`: accounts, sessions, clients and the audit log.
 */
export const RIGHTS = ["see", "command", "install", "people"] as const;
export type Right = (typeof RIGHTS)[number];

const RIGHTS_OF: Readonly<Record<Role, readonly Right[]>> = {
  owner: RIGHTS,
  installer: ["see", "command", "install"],
  member: ["see", "command"],
  guest: ["see"],
};

/** Returns what a role may do. */
export function rightsOf(role: Role): readonly Right[] {
  return RIGHTS_OF[role];
}

/** Returns true if accounts of the role end by themselves, and have to be renewed by an owner. */
export function isTemporary(role: Role): boolean {
  return role === "installer";
}
