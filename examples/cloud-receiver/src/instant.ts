/** An instant as the APIs write it; null: not known. */
export function instant(atMs: number | null): string | null {
  return atMs === null ? null : new Date(atMs).toISOString();
}
