/** Runs rows of the table as tests: one a row and version. */
import { afterAll, describe, expect, it } from "vitest";
import type { Row } from "./row.ts";
import { openHouses, versionsOf } from "./run-row.ts";

export function checkRows(rows: readonly Row[]): void {
  const houses = openHouses();
  afterAll(() => houses[Symbol.asyncDispose]());

  describe.each([...Map.groupBy(rows, ({ part }) => part)])("part %s", (_part, own) => {
    const cases = own.flatMap((row) =>
      versionsOf(row.versions).map((version): [string, string, Row] => [row.statement, version, row]),
    );
    it.each(cases)("%s (%s)", async (_statement, version, row) => {
      const faults = await houses.faultsIn(row, version);
      if (row.unmet !== undefined) expect(faults, "the row is met now: take its mark away").not.toEqual([]);
      else if (faults.length > 0) throw new Error(faults.join("\n"));
    });
  });
}
