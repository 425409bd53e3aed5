import { closestMatch } from "leven";

const MIN_PREFIX_CHARACTERS = 3;

/** Returns the candidate that is closest to a wrong name, ignoring case; `null` if none is close. */
export function nearest(wrong: string, candidates: readonly string[]): string | null {
  const byLowerCase = new Map(candidates.map((candidate) => [candidate.toLowerCase(), candidate]));
  const target = wrong.toLowerCase();
  const names = [...byLowerCase.keys()];
  const longer = target.length >= MIN_PREFIX_CHARACTERS ? names.find((name) => name.startsWith(target)) : undefined;
  // A third of the letters may differ; in a short word two may, so that neighbours swapped by hand are still found.
  const maxDistance = Math.max(2, Math.floor(target.length / 3));
  const match = byLowerCase.has(target) ? target : (closestMatch(target, names, { maxDistance }) ?? longer);
  return match === undefined ? null : (byLowerCase.get(match) ?? null);
}
