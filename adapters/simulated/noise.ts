/**
 * Chance that is a pure function of a seed and a place on an axis, so that weather and habits at an instant do not depend
 * on how the simulation stepped there.
 */

/** A number in [0, 1) for a whole number. Neighbours are unrelated. */
export function chanceAt(seed: number, index: number): number {
  let mixed = Math.imul(seed ^ Math.imul(index | 0, 0x9e3779b1), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0xc2b2ae35);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0x27d4eb2f);
  return ((mixed ^ (mixed >>> 16)) >>> 0) / 0x1_0000_0000;
}

/** A smooth curve through the chances of the whole numbers, in [0, 1). */
export function smoothAt(seed: number, position: number): number {
  const index = Math.floor(position);
  const part = position - index;
  const weight = part * part * (3 - 2 * part);
  return chanceAt(seed, index) * (1 - weight) + chanceAt(seed, index + 1) * weight;
}

/** Derives a separate seed for one of the things that share a seed. */
export function seedFor(seed: number, name: string): number {
  let mixed = seed | 0;
  for (const letter of name) mixed = Math.imul(mixed ^ (letter.codePointAt(0) ?? 0), 0x01000193);
  return mixed;
}
