import { readFileSync, writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { checkRows } from "./check-rows.ts";
import { readInterfacePages, writeInterfacePages } from "./interface-files.ts";
import { titlesIn, withStatements } from "./interface-pages.ts";
import { reportOf } from "./report.ts";
import { versionsOf } from "./run-row.ts";
import { INTERFACE_ROWS, isOfEndpoints, ROWS } from "./table.ts";

const REPORT = new URL("../../docs/conformance.md", import.meta.url);

checkRows(INTERFACE_ROWS.filter((row) => !isOfEndpoints(row)));

describe("the table", () => {
  it("says each thing once", () => {
    const said = ROWS.map(({ part, statement }) => `${part} ${statement}`);
    expect(said.filter((text, at) => said.indexOf(text) !== at)).toEqual([]);
  });

  it("has rows that are about some version", () => {
    expect(ROWS.filter((row) => versionsOf(row.versions).length === 0)).toEqual([]);
  });

  it("is counted in docs/conformance.md (UPDATE_CONFORMANCE=1 counts anew)", () => {
    const report = reportOf(ROWS, titlesIn(readInterfacePages()));
    if (process.env["UPDATE_CONFORMANCE"] === "1") writeFileSync(REPORT, report);
    expect(report).toBe(readFileSync(REPORT, "utf8"));
  });

  it("is listed in docs/interface (UPDATE_CONFORMANCE=1 writes it)", () => {
    const pages = withStatements(readInterfacePages(), ROWS);
    if (process.env["UPDATE_CONFORMANCE"] === "1") writeInterfacePages(pages);
    expect(Object.fromEntries(readInterfacePages())).toEqual(Object.fromEntries(pages));
  });
});
