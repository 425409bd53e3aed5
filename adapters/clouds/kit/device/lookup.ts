/** What a table has under a vendor's word; null: nothing. No table has anything under words such as `constructor`. */
export function lookup<Meaning>(
  table: Readonly<Record<string, Meaning>>,
  word: string | null | undefined,
): Meaning | null {
  return word != null && Object.hasOwn(table, word) ? (table[word] ?? null) : null;
}
