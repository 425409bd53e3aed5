/** Text as PostgreSQL takes it: U+0000 is none of its characters. */
export function storable(text: string): string {
  return text.replaceAll("\0", "\uFFFD");
}
