/**
 * Prints a table in Markdown. `npm run bench -- --check` reads it: a column whose name begins with `to ` is a ratio to a peer in the
 * same run, where more is worse.
 */
export function printTable(columns: readonly string[], rows: readonly (readonly string[])[]): void {
  const lines = [columns, columns.map(() => "---"), ...rows];
  console.log(`\n${lines.map((cells) => `| ${cells.join(" | ")} |`).join("\n")}\n`);
}
