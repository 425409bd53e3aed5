import { readFileSync, writeFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { reportOf } from "./report.ts";
import { type Houses, openHouses, versionsOf } from "./run-row.ts";
import { ROWS } from "./table.ts";

const REPORT = new URL("../../docs/conformance.md", import.meta.url);

let houses: Houses;
beforeAll(async () => {
  houses = await openHouses();
});
afterAll(() => houses[Symbol.asyncDispose]());

const parts = Map.groupBy(ROWS, ({ part }) => part);

describe.each([...parts])("part %s", (_part, rows) => {
  const cases = rows.flatMap((row) =>
    versionsOf(row.versions).map((version): [string, string, (typeof rows)[number]] => [row.statement, version, row]),
  );
  it.each(cases)("%s (%s)", async (_statement, version, row) => {
    const faults = await houses.faultsIn(row, version);
    if (row.unmet === undefined) expect(faults).toEqual([]);
    else expect(faults, "the row is met now: take its mark away").not.toEqual([]);
  });
});

describe("the table", () => {
  it("says each thing once", () => {
    const said = ROWS.map(({ part, statement }) => `${part} ${statement}`);
    expect(said.filter((text, at) => said.indexOf(text) !== at)).toEqual([]);
  });

  it("has rows that are about some version", () => {
    expect(ROWS.filter((row) => versionsOf(row.versions).length === 0)).toEqual([]);
  });

  it("is counted in docs/conformance.md (UPDATE_CONFORMANCE=1 counts anew)", () => {
    const report = reportOf(ROWS);
    if (process.env["UPDATE_CONFORMANCE"] === "1") writeFileSync(REPORT, report);
    expect(report).toBe(readFileSync(REPORT, "utf8"));
  });
});
