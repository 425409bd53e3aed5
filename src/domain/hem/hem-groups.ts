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

/** Returns the group of a device. One without a location belongs to its user's location if there is exactly one. */
export function groupOf(member: HemMember, members: Iterable<HemMember>): HemGroup {
  const { userId, locationId } = member;
  if (locationId !== null) return { userId, locationId };
  const places = new Set<string>();
  for (const other of members) if (other.userId === userId && other.locationId !== null) places.add(other.locationId);
  const [only] = places;
  return { userId, locationId: places.size === 1 && only !== undefined ? only : null };
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
  for (const member of members) {
    const group = groupOf(member, members);
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
