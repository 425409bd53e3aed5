/** Returns a copy of the object with the changes, or the object itself if they change nothing. */
export function patch<T extends object>(before: T, changes: Partial<T>): T {
  for (const key in changes) {
    if (!Object.is(before[key], changes[key])) return { ...before, ...changes };
  }
  return before;
}
