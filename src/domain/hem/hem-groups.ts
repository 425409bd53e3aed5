/** Which devices make one system: those of a user at one place. */

/** A device that belongs to a system. */
export interface HemMember {
  readonly id: string;
  readonly userId: string;
  readonly locationId: string | null;
}

/** The identity of a system, which outlives changes of its place. */
export interface HemIdentity {
  readonly id: string;
  readonly userId: string;
  readonly locationId: string | null;
}

export interface HemGroup {
  readonly userId: string;
  readonly locationId: string | null;
}

/** The group of each member: by place; one without a place belongs to its user's only place, if there is just one. */
export function groupOf(member: HemMember, members: Iterable<HemMember>): HemGroup {
  const { userId, locationId } = member;
  if (locationId !== null) return { userId, locationId };
  const places = new Set<string>();
  for (const other of members) if (other.userId === userId && other.locationId !== null) places.add(other.locationId);
  const [only] = places;
  return { userId, locationId: places.size === 1 && only !== undefined ? only : null };
}

/**
 * The systems that the members make: known ones where user and place are the same; a group that is new takes over one
 * of its user's that is left over, so that a house that moves to a location stays the same system.
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
