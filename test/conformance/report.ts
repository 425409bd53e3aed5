/** Counts the table, for docs/conformance.md. The suite keeps what is counted as met true. */
import type { Row } from "./row.ts";
import { versionsOf } from "./run-row.ts";

const PARTS: Readonly<Record<string, string>> = {
  "2.1": "Capability",
  "2.2": "Battery",
  "2.3": "Action",
  "2.4": "HVAC unit",
  "2.5": "Solar inverter",
  "2.6": "Charger",
  "2.7": "Vehicle",
  "2.8": "Meter",
  "2.9": "HEM system",
  "2.10": "Location",
  "2.11": "User",
  "2.12": "Schedule",
  "2.13": "Smart override",
  "2.14": "Tariff",
  "2.15": "Statistics records",
  "2.16": "Intervention",
  "2.17": "Vendor health entry",
  "2.18": "Webhook",
  "2.19": "Pagination",
  "3.1": "Actions",
  "3.2": "Schedule status",
  "3.3": "Smart charging status of a charger",
  "3.4": "Credentials",
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
  S0: "Supplement: where the two documents differ",
  S1: "Supplement: webhooks",
  S2: "Supplement: control, smart override, smart charging",
  S3: "Supplement: problems",
  S4: "Supplement: scopes and vendor codes",
  S5: "Supplement: locations and tariffs",
  S6: "Supplement: HEM systems, meters, health, interventions",
  S7: "Supplement: schedules",
  S8: "Supplement: statistics",
  S9: "Supplement: pagination, versions, OAuth, limits",
  S10: "Supplement: linking and users",
  S11: "Supplement: beyond 2024-10-01",
  S14: "Supplement: fields that are never null",
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
    "generated: `UPDATE_CONFORMANCE=1 npm run test:conformance`.",
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

/** The interface's parts first, then the supplement's. */
function byPart(a: string, b: string): number {
  const [book = 0, major = 0, minor = 0] = placeOf(a);
  const [otherBook = 0, otherMajor = 0, otherMinor = 0] = placeOf(b);
  return book - otherBook || major - otherMajor || minor - otherMinor;
}

function placeOf(part: string): readonly number[] {
  const isSupplement = part.startsWith("S");
  return [isSupplement ? 1 : 0, ...part.replace("S", "").split(".").map(Number)];
}
