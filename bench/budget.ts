/** Ratios of benches, as they were last written, and what a run may exceed them by. */
export interface Budget {
  /** Share by which runs of one program differ from hour to hour. */
  readonly noise: number;
  /** By bench, and then by row and column of its tables. */
  readonly ratios: Record<string, Record<string, number>>;
}

/** Returns hemgate's figures in the columns named `to …` of the Markdown tables of a text, by row and column. */
export function ratiosOf(text: string): Record<string, number> {
  const ratios: Record<string, number> = {};
  let columns: readonly string[] = [];
  for (const line of text.split("\n")) {
    if (!line.startsWith("|")) {
      columns = [];
      continue;
    }
    const cells = line
      .split("|")
      .slice(1, -1)
      .map((cell) => cell.replaceAll("*", "").trim());
    if (columns.length === 0) columns = cells;
    columns.forEach((column, at) => {
      const figure = Number(cells[at]);
      if (column.startsWith("to ") && cells[0]?.includes("hemgate") && cells[at] !== "" && Number.isFinite(figure))
        ratios[`${cells[0]}, ${column}`] = figure;
    });
  }
  return ratios;
}

/** Returns a sentence for each ratio that is worse than the budget allows, and for each that is gone. */
export function compare(budget: Budget, bench: string, ratios: Readonly<Record<string, number>>): string[] {
  return Object.entries(budget.ratios[bench] ?? {}).flatMap(([name, allowed]) => {
    const now = ratios[name];
    if (now === undefined) return [`${bench}: ${name}: the run did not say it`];
    if (now <= allowed * (1 + budget.noise)) return [];
    const percent = Math.round(100 * budget.noise);
    return [`${bench}: ${name}: ${now}, and at most ${allowed} and ${percent} % are allowed`];
  });
}
