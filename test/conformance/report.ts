/** Counts the table, for docs/conformance.md. The suite keeps what is counted as met true. */
import type { Row } from "./row.ts";
import { versionsOf } from "./run-row.ts";

const PARTS: Readonly<Record<string, string>> = {
  "2": "Resources and their fields",
  "3": "States and transitions",
  "4.1": "Users and linking",
  "4.2": "Batteries",
  "4.3": "HVAC units",
  "4.4": "Chargers",
  "4.5": "Vehicles",
  "4.6": "Solar inverters",
  "4.7": "Meters",
  "4.8": "Locations",
  "4.9": "Tariffs",
  "4.10": "Schedules",
  "4.11": "Statistics",
  "4.12": "Interventions",
  "4.13": "Service health",
  "4.14": "Webhooks",
  "5": "Authentication",
  "6": "Events",
  "7": "Errors",
  "8": "Limits",
  "9": "Versioning",
};

export function reportOf(rows: readonly Row[]): string {
  const parts = [...new Set(rows.map(({ part }) => part))].toSorted(byPart);
  const lines = parts.map((part) => {
    const own = rows.filter((row) => row.part === part);
    const unmet = own.filter((row) => row.unmet !== undefined).length;
    return `| ${part} ${PARTS[part] ?? ""} | ${own.length} | ${checksIn(own)} | ${own.length - unmet} | ${unmet} |`;
  });
  const unmet = rows.filter((row) => row.unmet !== undefined);
  const total = `| all | ${rows.length} | ${checksIn(rows)} | ${rows.length - unmet.length} | ${unmet.length} |`;
  const notMet = unmet.map(({ part, statement, unmet: why }) => `- **${part}** ${statement}: ${why}`);
  return [
    "# Conformance",
    "",
    "What the API does, as rows of a table that ask it over HTTP and look at the answer (`test/conformance/`). Every row",
    "runs in each version it is about, and every answer is held against the description of its version. This page is",
    "generated: `UPDATE_CONFORMANCE=1 npx vitest run test/conformance`.",
    "",
    "| part | statements | checks over versions | met | not met |",
    "|---|---|---|---|---|",
    ...lines,
    total,
    "",
    "## Not met",
    "",
    ...(notMet.length === 0 ? ["Every row is met."] : notMet),
    "",
  ].join("\n");
}

function checksIn(rows: readonly Row[]): number {
  return rows.reduce((sum, row) => sum + versionsOf(row.versions).length, 0);
}

function byPart(a: string, b: string): number {
  const [major = 0, minor = 0] = a.split(".").map(Number);
  const [otherMajor = 0, otherMinor = 0] = b.split(".").map(Number);
  return major - otherMajor || minor - otherMinor;
}
