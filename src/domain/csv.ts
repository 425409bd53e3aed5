/**
 * Formats a cell of a CSV file (RFC 4180); `null` is an empty cell. A text that a spreadsheet would take for a formula begins
 * with an apostrophe.
 */
export function csvCell(value: string | number | boolean | null): string {
  if (typeof value !== "string") return value === null ? "" : String(value);
  const text = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
