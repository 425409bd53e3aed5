/** The code that Node and its libraries put on an error (`EADDRINUSE`), of the error itself or of a cause; or null. */
export function codeOf(error: unknown): string | null {
  const seen = new Set<unknown>();
  for (let at = error; at instanceof Error && !seen.has(at); at = at.cause) {
    seen.add(at);
    if ("code" in at && typeof at.code === "string") return at.code;
  }
  return null;
}
