/** Errors of the solver can quote its whole source, which is one line of 160 kB. */
const LONGEST = 200;

/** The message of an error, cut to a length that a log can take. */
export function shortText(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
}
