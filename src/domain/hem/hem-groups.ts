/** Groups devices into energy systems: the devices of one user at one location are one system. */

/** A device that belongs to an energy system. */
export interface HemMember {
  readonly id: string;
  readonly userId: string;
  readonly locationId: string | null;
}

/** The identity of a system. The id stays the same when the system gets another location. */
export interface HemIdentity {
  readonly id: string;
  readonly userId: string;
  readonly locationId: string | null;
}

/** A user and a location; `null` if the devices are at none. */
export interface HemGroup {
  readonly userId: string;
  readonly locationId: string | null;
}

/** Returns where each user's devices without a location belong: the user's location if there is exactly one, else `null`. */
export function homesOf(members: Iterable<HemMember>): ReadonlyMap<string, string | null> {
  const places = new Map<string, Set<string>>();
  for (const { userId, locationId } of members) {
    const own = places.get(userId) ?? new Set();
    if (locationId !== null) own.add(locationId);
    places.set(userId, own);
  }
  return new Map([...places].map(([userId, [only = null, ...more]]) => [userId, more.length === 0 ? only : null]));
}

/**
 * Returns the systems of these devices: `kept` known ones, `made` new ones, and known ones that are `gone`. A new group
 * takes over a system of its user that has no group left, so that devices that get a location stay the same system.
 */
export function systemsOf<Known extends HemIdentity>(
  members: readonly HemMember[],
  known: readonly Known[],
): {
  readonly kept: readonly (Known & HemGroup)[];
  readonly made: readonly HemGroup[];
  readonly gone: readonly Known[];
} {
  const groups = new Map<string, HemGroup>();
  const homes = homesOf(members);
  for (const { userId, locationId } of members) {
    const group: HemGroup = { userId, locationId: locationId ?? homes.get(userId) ?? null };
    groups.set(`${group.locationId} ${group.userId}`, group);
  }
  const kept: (Known & HemGroup)[] = [];
  const open: HemGroup[] = [];
  let left = [...known];
  for (const group of groups.values()) {
    const same = left.find(({ userId, locationId }) => userId === group.userId && locationId === group.locationId);
    if (same === undefined) open.push(group);
    else kept.push(same);
    left = left.filter((system) => system !== same);
  }
  const made: HemGroup[] = [];
  for (const group of open) {
    const heir = left.find(({ userId }) => userId === group.userId);
    if (heir === undefined) made.push(group);
    else kept.push({ ...heir, locationId: group.locationId });
    left = left.filter((system) => system !== heir);
  }
  return { kept, made, gone: left };
}
