/** Rows under a header, each column as wide as its widest cell. */
export function textTable(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const all = [header, ...rows];
  const widths = header.map((_title, column) => Math.max(...all.map((row) => width(row[column] ?? ""))));
  const lines = all.map((row) =>
    header
      .map((_title, column) => pad(row[column] ?? "", widths[column] ?? 0))
      .join("  ")
      .trimEnd(),
  );
  return lines.join("\n");
}

function width(text: string): number {
  return [...text].length;
}

function pad(text: string, columns: number): string {
  return text + " ".repeat(Math.max(0, columns - width(text)));
}
