/** Of what all users of the embedded broker share, one in this many parts stays for the others. */
const PARTS = 5;

/** Returns what one user may take of a limit that all users share: four fifths, so that one user locks out nobody. */
export function userShare(limit: number): number {
  return limit - Math.floor(limit / PARTS);
}
